// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/compare/compared_schedule.h"
#include "ui/runs/run_history.h"
#include "ui/runs/run_timeline.h"

#include <QObject>

#include <optional>
#include <vector>

namespace pw::ui {

class AlternativesPage;
class MainWindow;
class Page;
class RunPage;
class SchedulePage;
class StackedTimelines;

/// What a page of alternatives begins with.
enum class AlternativesTab : std::uint8_t
{
    Families,
    WhatIf
};

/// Opens pages of alternatives, brings open schedules, runs, plans and the pinned schedule into
/// them, and keeps those rows up to date while what they show changes.
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
    /// @param into  what it is added to; null: a new page
    void ask(AlternativesPage* into = nullptr);
    /// The alternatives of the schedule or the run in front; without one those of a family of
    /// equal stages.
    /// @pre for a what-if something is in front, see `whyNothingInFront`
    void openAlternatives(AlternativesTab tab);
    /// Keeps a schedule as it is now, to be compared later.
    void pin(const SchedulePage& page);
    void unpin() { m_pinned = nullptr; }
    /// Opens a kept comparison. @return  false: it does not say what it was made from
    bool reopen(const StoredAnswer& kept);

private:
    AlternativesPage* begin();
    AlternativesPage* open(AlternativesPage* page);
    int addPage(AlternativesPage& into, Page* page);
    void followSchedule(AlternativesPage& into, int id, SchedulePage& page);
    void giveBase(AlternativesPage& page, Page& front);
    void addRun(AlternativesPage& into, RunNumber run, const QString& title,
                std::optional<std::int32_t> iteration = {});

    MainWindow& m_window;
    RunHistory& m_history;
    ComparedPtr m_pinned;
};

/// Why the page in front is nothing to compare with: neither a schedule nor a run; empty: it is.
QString whyNothingInFront(const MainWindow& window);
/// Keeps a comparison in the store of runs; what cannot be kept is told.
void keepComparison(MainWindow& window, const StackedTimelines& shown);

/// A measured iteration, and its plan, as they are compared.
/// @param records  whose samples tell the peaks; null: the timeline has what is known of them
ComparedPtr comparedRun(const RunTimeline& run, const RunRecords* records = nullptr);
ComparedPtr comparedPlan(const RunTimeline& run);

} // namespace pw::ui
