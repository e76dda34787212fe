// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/alternatives/alternatives_model.h"

#include <QWidget>

#include <vector>

class QLabel;
class QLineEdit;
class QPushButton;
class QTableView;
class QToolButton;

namespace pw::ui {

/// Alternatives as a table that is sorted by its headings, filtered by words and kinds, with the
/// columns that one wants to see. Rows are known by their ids, and stay selected while others come.
class AlternativesTable : public QWidget
{
    Q_OBJECT

public:
    explicit AlternativesTable(QWidget* parent = nullptr);

    /// @param baseline  makespan of 1F1B; 0: there is none
    void set(std::vector<Alternative> rows, const RankQuestion& question, Ticks baseline);
    /// All, as they were given.
    const std::vector<Alternative>& rows() const { return m_model->rows(); }
    /// Null where no row has the id.
    const Alternative* row(int id) const;

    /// The row that is current, or 0.
    int current() const { return m_current; }
    void setCurrent(int id);
    /// Ids of the selected rows, in the order in which they were selected.
    const std::vector<int>& selected() const { return m_selected; }
    void select(std::vector<int> ids);
    /// Selects a row beside the others, or no more.
    void choose(int id, bool on);

    QLineEdit& filter() { return *m_filter; }
    QTableView& view() { return *m_view; }
    AlternativesOrder& order() { return *m_order; }

Q_SIGNALS:
    void currentChanged(int id);
    /// Other rows are selected.
    void selectionChanged();
    /// A row is to be opened.
    void activated(int id);
    /// Another timeline is to be added, from what is open and what was run.
    void addRequested();

private:
    QWidget* makeBar();
    void makeView();
    void makeKinds(QToolButton& button);
    void makeColumns(QToolButton& button);
    void showColumns();
    void showCount();
    void showSelection();
    void noteSelection();
    int idAt(const QModelIndex& index) const;
    QModelIndex indexOf(int id) const;

    AlternativesModel* m_model;
    AlternativesOrder* m_order;
    QLineEdit* m_filter;
    QLabel* m_count;
    QTableView* m_view;
    std::vector<bool> m_wanted; ///< columns that a person wants to see
    bool m_capped = false;
    bool m_noisy = false;
    bool m_based = false; ///< there is something to be held against
    int m_current = 0;
    std::vector<int> m_selected;
    bool m_filling = false;
};

} // namespace pw::ui
