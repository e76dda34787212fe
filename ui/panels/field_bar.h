// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <QWidget>

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QGridLayout;
class QLabel;
class QLineEdit;
class QSpinBox;

namespace pw::ui {

/// Fields beside each other, each below its name, in rows of so many; below them room for the
/// reason why something cannot be.
class FieldBar : public QWidget
{
    Q_OBJECT

public:
    explicit FieldBar(int columns, QWidget* parent = nullptr);

    QSpinBox* addCount(const QString& label, int least, int most, int value, const QString& name);
    /// @param none  what the least value stands for, in a word; empty: it is a number like others
    QDoubleSpinBox* addNumber(const QString& label, const QString& unit, int decimals, double least,
                              double most, double value, const QString& name,
                              const QString& none = {});
    QComboBox* addChoice(const QString& label, const QStringList& names, const QString& name);
    QCheckBox* addSwitch(const QString& label, const QString& words, const QString& name);
    QLineEdit* addLine(const QString& label, const QString& hint, const QString& name);
    /// Anything below a name; an empty name leaves its room.
    void add(const QString& label, QWidget* editor);

    /// Why something cannot be; empty: everything can.
    void refuse(const QString& reason);
    QString refusal() const;

private:
    QGridLayout* m_grid;
    QLabel* m_refusal;
    int m_columns;
    int m_next = 0;
};

} // namespace pw::ui
