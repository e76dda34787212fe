// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/job/job_source.h"
#include "ui/job/job_words.h"
#include "ui/job/shown_step.h"
#include "ui/pages/page.h"
#include "ui/timeline/view_range.h"
#include "ui/traces/shown_job.h"
#include "ui/workspace/timeline_workspace.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

class QLabel;
class QToolButton;

namespace pw::ui {

class RepairsTable;
class StageBars;
class StepStrip;
class WorkersView;

/// A job of many ranks: a step of it with the replicas that differ and one for those that are
/// alike, a map of all workers, and what repairs would gain.
class JobPage : public Page
{
    Q_OBJECT

public:
    /// @param title  what the trace is called
    JobPage(ShownJobPtr job, QString title, QWidget* parent = nullptr);
    ~JobPage() override;

    const ShownJobPtr& job() const { return m_job; }
    /// What the trace is called.
    const QString& name() const { return m_title; }
    /// Null until a step is there.
    const ShownStepPtr& shown() const { return m_source->step(); }
    WorkersView& workers() { return *m_workers; }
    StepStrip& strip() { return *m_strip; }
    RepairsTable& repairs() { return *m_repairs; }
    ViewRange& range() { return m_range; }
    const std::optional<Worker>& worker() const { return m_worker; }

    /// @param step  of `Job::steps`
    void showStep(std::size_t step);
    /// Selects a worker, and shows the lanes of its replica.
    void showWorker(const Worker& worker);

    TimelineView& timeline() { return m_workspace->timeline(); }

    std::vector<TimelineView*> timelines() override { return {&m_workspace->timeline()}; }
    FindBar* findBar() override { return m_workspace->findBar(); }
    Playback* playback() override { return m_workspace->playback(); }
    std::vector<QWidget*> beside() override;
    QString title() const override;
    QString detail() const override;
    QString figures() const override;
    QString whyNoFigure() const override;
    FigureContent figure() const override;
    PageDetails details() const override;
    int linesWanted() const override { return 52; }

Q_SIGNALS:
    /// Another step is shown, or other replicas of it.
    void loaded();
    /// All that the trace holds of a worker's rank is to be shown, from a time of the trace on.
    void everythingAsked(const pw::Worker& worker, pw::Ticks from);

private:
    QWidget* makeHead();
    QWidget* makeLower();
    void connectParts();
    void load();
    void take(const ShownStepPtr& step);
    void selectLane();
    void takeSelection();
    void openRepair(const JobWhatIf& repair);
    /// The worker, link or step that a cause is about.
    void openCause(const FoundCause& cause);
    /// As `FindBar::Places`: "rank 300".
    QString findRank(const QString& typed, bool go);
    void openEverything(const Worker& worker);

    ShownJobPtr m_job;
    QString m_title;
    ViewRange m_range;
    JobSource* m_source;
    TimelineWorkspace* m_workspace = nullptr;
    QLabel* m_step;
    QToolButton* m_before;
    QToolButton* m_behind;
    StepStrip* m_strip;
    WorkersView* m_workers;
    StageBars* m_bars;
    RepairsTable* m_repairs;
    std::size_t m_at = 0; ///< the step that is shown, or on its way
    std::vector<std::int32_t> m_opened;
    std::optional<Worker> m_worker;
    CauseOpener m_openCause;
    bool m_selecting = false; ///< the page itself selects
    int m_wanted = 0;         ///< number of the last load; answers of earlier ones are dropped
};

} // namespace pw::ui
