// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <QString>
#include <QWidget>

#include <functional>
#include <vector>

class QAction;
class QLabel;
class QLineEdit;
class QVBoxLayout;

namespace pw::ui {

/// Settings in sections, a row each, below a field that leaves those with all of the words typed:
/// in their label, their section, their tip, or in what else they are called.
class SettingsList : public QWidget
{
    Q_OBJECT

public:
    explicit SettingsList(QWidget* parent = nullptr);

    /// What is added from now on belongs to it.
    void addSection(const QString& title);
    /// @param label  of the row, with a mnemonic for the field
    /// @param more   words that find it too
    void addRow(const QString& label, QWidget* field, const QString& more = {});
    /// A check box that is the same as a switch of a menu.
    void addSwitch(QAction& action);
    /// A button that leads to settings with a dialog of their own.
    void addDoor(const QString& label, QAction& action, const QString& more = {});
    /// More room in a section for what is said about a row before. It is found with that row.
    void addNote(QLabel* note);

    QLineEdit& search() { return *m_search; }

private:
    struct Row
    {
        QWidget* widget = nullptr;
        QLabel* section = nullptr;
        QString words;
    };

    void add(QWidget* row, const QString& words);
    void find(const QString& typed);

    QLineEdit* m_search;
    QLabel* m_none; ///< said where nothing is found
    QVBoxLayout* m_rows;
    QLabel* m_section = nullptr;
    std::vector<Row> m_all;
    std::vector<QLabel*> m_labels; ///< of rows, all as wide as the widest
};

} // namespace pw::ui
