// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/sim/explain.h"
#include "ui/export/figure.h"
#include "ui/pages/page.h"
#include "ui/runs/run_history.h"
#include "ui/runs/run_timeline.h"
#include "ui/window/run_source.h"
#include "ui/workspace/timeline_workspace.h"

#include <QPointer>

#include <optional>

class QLabel;
class QStackedWidget;

namespace pw::ui {

class ChartStack;
class LossChart;
class RunHeader;
class RunAccountView;
class RunAdaptiveView;
class TimelineView;

/// A stored run in a timeline workspace: one iteration after another, with what its plan says
/// beside what was measured. Loads in the history's thread.
class RunPage : public Page
{
    Q_OBJECT

public:
    RunPage(RunHistory& history, RunNumber run, QWidget* parent = nullptr);
    ~RunPage() override;

    RunNumber run() const { return m_run; }
    /// File that the run is kept in.
    const QString& store() const { return m_store; }
    /// What is shown; null until it is loaded, or where it cannot be.
    const RunTimelinePtr& shown() const { return m_source->run(); }
    /// Samples and messages of what is shown; null until they are there too.
    const RunRecordsPtr& records() const { return m_source->records(); }
    /// Why there is nothing to show; empty where there is, or while it is loaded.
    const QString& problem() const { return m_problem; }
    TimelineWorkspace* workspace() override { return m_workspace; }
    TimelineView& timeline() { return m_workspace->timeline(); }
    ViewRange& range() { return m_workspace->range(); }
    ChartStack& charts() { return m_workspace->charts(); }
    RunAccountView& account() { return *m_account; }
    /// Hidden where the run is no stretch of a training whose k follows the network.
    RunAdaptiveView& adaptive() { return *m_adaptive; }

    /// Shows another iteration; the same pass stays selected.
    void showIteration(std::int32_t iteration);
    /// The one before (−1) or behind (+1).
    void stepIteration(int direction);

    QString title() const override;
    QString detail() const override;
    QString whyNoFigure() const override;
    FigureContent figure() const override;
    QString figures() const override;
    PageDetails details() const override;
    int linesWanted() const override { return 38; } // two lanes, and with the room five

Q_SIGNALS:
    void compareAsked(qint64 run);
    /// Of all replicas that ran.
    void jobAsked(qint64 run);
    void timesAsked(qint64 run);
    void againAsked(qint64 run);
    /// An iteration, or its samples, is shown.
    void loaded();

private:
    void load(std::optional<std::int32_t> iteration);
    void take(const RunTimelinePtr& timeline);
    void takeRecords(const RunRecordsPtr& records);
    void showProblem(const QString& why);
    void showHeader();
    void showLosses();
    void loadAdaptive();

    QPointer<RunHistory> m_history;
    QString m_store;
    RunNumber m_run;
    RunSource* m_source;
    QString m_title;
    QString m_problem;
    int m_wanted = 0; ///< number of the last load; answers of earlier ones are dropped
    RunHeader* m_header;
    QStackedWidget* m_content; ///< a sentence, or the timeline with its charts
    QLabel* m_sentence;
    TimelineWorkspace* m_workspace;
    LossChart* m_losses;
    RunAccountView* m_account;
    RunAdaptiveView* m_adaptive;
    bool m_adaptiveAsked = false;
};

} // namespace pw::ui
