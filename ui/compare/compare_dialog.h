// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <QDialog>
#include <QString>

#include <vector>

class QLabel;
class QLineEdit;
class QListWidget;
class QPushButton;

namespace pw::ui {

/// A timeline that can be chosen to be compared.
struct CompareChoice
{
    QString section; ///< heading that it is listed under: "Open", "Runs"
    QString title;
    QString about;  ///< "finished, 2 min ago"
    QString whyNot; ///< why it cannot be compared, in a sentence; empty: it can
    bool chosen = false;
};

/// Asks for two or more timelines.
class CompareDialog : public QDialog
{
    Q_OBJECT

public:
    explicit CompareDialog(std::vector<CompareChoice> choices, QWidget* parent = nullptr);

    /// Places of the chosen ones among the choices, in the order in which they were chosen.
    const std::vector<int>& chosen() const { return m_chosen; }

private:
    void fill();
    void filter(const QString& words);
    void noteChange(int choice, bool on);
    void showState();

    std::vector<CompareChoice> m_choices;
    std::vector<int> m_chosen;
    QLineEdit* m_search;
    QListWidget* m_list;
    QLabel* m_state;
    QPushButton* m_compare;
};

} // namespace pw::ui
