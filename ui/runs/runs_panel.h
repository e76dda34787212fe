// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/runs/run_history.h"

#include <QWidget>

#include <vector>

class QAction;
class QLabel;
class QLineEdit;
class QStackedWidget;
class QTableView;
class QToolButton;

namespace pw::ui {

class KeptNotes;
class RunFilter;
class RunModel;

/// The runs, plans and comparisons that were kept: found by words, sorted, renamed, annotated,
/// deleted, and chosen to be shown or compared.
class RunsPanel : public QWidget
{
    Q_OBJECT

public:
    explicit RunsPanel(RunHistory& history, QWidget* parent = nullptr);
    ~RunsPanel() override;

    /// A few rows: the room belongs to the timeline.
    QSize sizeHint() const override;
    QTableView* table() const { return m_table; }
    void focusSearch();
    /// Selects a run, or a kept answer, and brings it into view.
    void showRun(KeptNumber number);
    /// Of the selected rows, answers first, then the earliest run.
    std::vector<KeptNumber> selected() const;
    std::vector<RunNumber> selectedRuns() const;

    /// What the selected runs are asked for; also what the buttons do. Nothing where it cannot be.
    void openSelected();
    void compareSelected();
    void renameSelected();
    void deleteSelected();

Q_SIGNALS:
    void openAsked(qint64 run);
    void answerAsked(qint64 answer);
    /// One run is compared with its plan, several with each other.
    void compareAsked(const std::vector<pw::RunNumber>& runs);
    void projectAsked(qint64 run);
    /// Another store is wanted. @param usual  that of the command line, else one to be chosen
    void storeAsked(bool usual);

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void makeActions();
    void makeLayout();
    QWidget* makeEmptyState();
    void sizeColumns();
    void showHistory();
    void showSelection();
    void showEmptiness();
    QAction* makeAction(const QString& text, const QKeySequence& keys, void (RunsPanel::*run)());

    RunHistory& m_history;
    RunModel* m_model;
    RunFilter* m_filter;
    QLineEdit* m_search;
    QTableView* m_table;
    QStackedWidget* m_pages; ///< table with notes, or the empty state
    QLabel* m_empty;
    QLabel* m_where;
    QToolButton* m_emptyStore;
    QWidget* m_undoBar;
    QLabel* m_undoText;
    QWidget* m_problemBar;
    QLabel* m_problemText;
    KeptNotes* m_notes;
    QAction* m_open = nullptr;
    QAction* m_compare = nullptr;
    QAction* m_project = nullptr;
    QAction* m_rename = nullptr;
    QAction* m_delete = nullptr;
};

} // namespace pw::ui
