// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/compare/compared.h"
#include "ui/runs/run_history.h"
#include "ui/runs/run_timeline.h"

#include <QObject>

#include <optional>
#include <vector>

namespace pw::ui {

class ComparePage;
class MainWindow;
class Page;
class RunPage;
class ScheduleDocument;
class SchedulePage;

/// Brings open schedules, runs, plans and the pinned schedule into comparisons, and keeps them up
/// to date while what they show changes.
class Comparisons : public QObject
{
    Q_OBJECT

public:
    Comparisons(MainWindow& window, RunHistory& history);

    /// A run below its plan, the iteration in the middle.
    void compareWithPlan(RunNumber run);
    /// The iteration that a page shows, below its plan.
    void compareWithPlan(const RunPage& shown);
    /// Runs below each other, in their order.
    void compareRuns(const std::vector<RunNumber>& runs);
    /// A schedule below what it was before it was edited, improved or given other costs.
    void compareWithBefore(SchedulePage& shown);
    /// Asks what to compare. Does not wait for the answer.
    void ask();
    /// Keeps a schedule as it is now, to be compared later.
    void pin(const SchedulePage& page);
    void unpin() { m_pinned = nullptr; }
    /// Opens a kept comparison. @return  false: it does not say what it was made from
    bool reopen(const StoredAnswer& kept);

private:
    ComparePage* open(ComparePage* page);
    void addPage(ComparePage& into, Page* page);
    void addRun(ComparePage& into, RunNumber run, const QString& title,
                std::optional<std::int32_t> iteration = {});

    MainWindow& m_window;
    RunHistory& m_history;
    ComparedPtr m_pinned;
};

/// A schedule as it is now; null where it has no times.
ComparedPtr comparedSchedule(const ScheduleDocument& document, const QString& title);
/// Why the page in front is nothing to compare with: neither a schedule nor a run; empty: it is.
QString whyNothingInFront(const MainWindow& window);
/// Keeps a comparison whenever its page asks for it.
void keepWhenAsked(MainWindow& window, const ComparePage& page);

/// A measured iteration, and its plan, as they are compared.
/// @param records  whose samples tell the peaks; null: the timeline has what is known of them
ComparedPtr comparedRun(const RunTimeline& run, const RunRecords* records = nullptr);
ComparedPtr comparedPlan(const RunTimeline& run);

} // namespace pw::ui
