// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <QWidget>

#include <memory>
#include <vector>

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QGridLayout;
class QLabel;
class QLineEdit;
class QSpinBox;

namespace pw::ui {

/// A label, an editor, a unit, and room below for the reason why a value was refused.
struct Field
{
    QLabel* label = nullptr;
    QWidget* editor = nullptr;
    QLabel* unit = nullptr;
    QLabel* refusal = nullptr;

    void setShown(bool shown);
    void refuse(const QString& reason); ///< empty: takes the reason away
};

/// Fields below each other: names on the left, editors right-aligned in one column, units behind.
class FieldForm : public QWidget
{
    Q_OBJECT

public:
    explicit FieldForm(QWidget* parent = nullptr);

    /// Adds a field. The label is the editor's buddy and its accessible name.
    /// @param wide  the editor has no unit and takes its column, too
    Field* add(const QString& label, QWidget* editor, const QString& unit = {}, bool wide = false);
    /// A whole number from 1 on. @param name  of the editor, for tests and for what is typed at one
    /// go
    QSpinBox* addCount(const QString& label, int most, const QString& name);
    /// Milliseconds, to the nanosecond.
    QDoubleSpinBox* addTime(const QString& label, const QString& name);
    /// A number with a unit or without one; its range is the caller's.
    QDoubleSpinBox* addNumber(const QString& label, const QString& unit, int decimals,
                              const QString& name);
    /// On or off, without a text of its own.
    QCheckBox* addCheck(const QString& label, const QString& name);
    /// One of some words.
    QComboBox* addChoice(const QString& label, const QStringList& choices, const QString& name);
    QLineEdit* addLine(const QString& label, const QString& unit, const QString& name, bool wide);
    void clearRefusals();
    const std::vector<std::unique_ptr<Field>>& fields() const { return m_fields; }

private:
    int editorWidth() const;

    QGridLayout* m_grid;
    std::vector<std::unique_ptr<Field>> m_fields;
};

/// Keeps the wheel from changing a field that nobody has chosen while the panel is scrolled, and
/// gives it the height of a hit target.
void calm(QWidget* field);

} // namespace pw::ui
