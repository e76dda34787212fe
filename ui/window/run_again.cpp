// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/window/run_again.h"

#include "core/store/stored_what_if.h"
#include "ui/core_sentences.h"
#include "ui/runs/run_history.h"
#include "ui/timeline/value_text.h"
#include "ui/window/comparisons.h"
#include "ui/window/main_window.h"
#include "ui/window/schedule_page.h"
#include "ui/window/studio.h"

#include <QTimer>

#include <memory>
#include <utility>

namespace pw::ui {

RunAgain::RunAgain(Studio& studio, RunSession& session)
    : QObject(&studio.window)
    , m_studio(studio)
    , m_session(session)
{
    connect(&session, &RunSession::changed, this, &RunAgain::noticeSession);
    connect(&session, &RunSession::runBegan, this, [this] {
        if (m_step == Step::Asking)
            m_step = Step::Running;
    });
    connect(&session, &RunSession::runStored, this, [this](qint64 number) {
        if (m_step == Step::Running)
            show(number);
    });
    // One that is not kept ends the way, too.
    connect(
        &session.client(), &ExecutorClient::ended, this,
        [this] {
            if (m_step == Step::Running)
                m_step = Step::None;
        },
        Qt::QueuedConnection);
}

QString RunAgain::whyNot(Goal goal) const
{
    if (m_step != Step::None)
        return tr("The times of run %1 are being taken over: wait for that.")
            .arg(static_cast<qlonglong>(m_first));
    if (goal == Goal::Times)
        return {};
    if (m_session.activity() == RunSession::Activity::Running)
        return tr("A run is under way: wait for its end, or stop it.");
    if (m_studio.improver.searching())
        return tr("A schedule is being improved: stop that first.");
    return {};
}

void RunAgain::begin(RunNumber run, Goal goal)
{
    if (const QString why = whyNot(goal); !why.isEmpty())
        return m_studio.window.refuse(why);
    m_first = run;
    m_goal = goal;
    m_step = Step::Reading;
    m_studio.history.read(this, [this, run](Result<RunStore>& store) -> RunHistory::Answer {
        auto base = std::make_shared<Result<WhatIfBase>>(store ? whatIfBase(*store, run)
                                                               : fail(store.error()));
        const Result<RunDetails> details = store ? store->run(run) : fail(store.error());
        auto project = std::make_shared<Result<Project>>(
            details ? readProject(details->project) : Result<Project>(fail(details.error())));
        return [this, base, project] {
            if (!*base || !*project)
                giveUp(coreSentence(!*base ? base->error().message : project->error().message));
            else
                take(**base, std::move(**project));
        };
    });
}

/// The tab of the schedule that ran where it still is that, else a new one.
SchedulePage& RunAgain::pageOf(const WhatIfBase& base, Project project)
{
    const auto same = [&base](const Schedule* schedule) {
        return schedule != nullptr && schedule->spec() == base.schedule.spec() &&
               schedule->orders() == base.schedule.orders();
    };
    if (m_session.client().stored() == m_first) {
        for (Page* one : m_studio.window.pages()) {
            auto* page = qobject_cast<SchedulePage*>(one);
            if (page != nullptr && &page->document() == m_session.runDocument() &&
                same(page->document().schedule().get())) {
                m_studio.window.showPage(page);
                return *page;
            }
        }
    }
    // Some families look for another order with other times.
    const Result<Schedule> planned = scheduleOf(project);
    if (!planned || !same(&*planned)) {
        project.family.reset();
        project.draft = draftOf(base.schedule);
    }
    return m_studio.window.openProject(std::move(project));
}

void RunAgain::take(const WhatIfBase& base, Project project)
{
    SchedulePage& page = pageOf(base, std::move(project));
    m_page = &page;
    ScheduleDocument& document = page.document();
    const Costs before = document.costs();
    Project next = document.project();
    Costs costs = base.costs;
    // A run tells times. What passes hold and what a device may hold is the plan's.
    costs.memoryCap = before.memoryCap;
    costs.shareCap = before.shareCap;
    if (costs.activation.empty())
        costs.activation = before.activation;
    costs.offload = {};
    next.costs = std::move(costs);
    next.origin.reset();
    const QString step = tr("Times of run %1").arg(static_cast<qlonglong>(m_first));
    if (const Result<void> done = document.change(std::move(next), step); !done)
        return giveUp(coreSentence(done.error().message));
    // What was measured is not measured again.
    RunSettings settings = m_session.settings();
    settings.measureFirst = false;
    m_session.setSettings(settings);
    if (m_goal == Goal::Run)
        return improve();
    m_step = Step::None;
    m_studio.window.tell(tr("The schedule now has the times of run %1. Undo brings the old ones "
                            "back.")
                             .arg(static_cast<qlonglong>(m_first)));
}

void RunAgain::improve()
{
    Improver* search = &m_studio.improver;
    ScheduleDocument* document = &m_page->document();
    if (const QString why = search->whyNot(document); !why.isEmpty())
        return giveUp(why);
    m_step = Step::Improving;
    connect(search, &Improver::changed, this, &RunAgain::noticeImprover, Qt::UniqueConnection);
    search->start(*document, ImproveWish{});
}

void RunAgain::noticeImprover()
{
    if (m_step != Step::Improving || m_studio.improver.searching())
        return;
    m_step = Step::Asking;
    m_sent = false;
    // Once the search has said how it ended.
    QTimer::singleShot(0, this, &RunAgain::run);
}

void RunAgain::run()
{
    if (m_page == nullptr)
        return giveUp(tr("The schedule was closed: it does not run again."));
    m_studio.window.showPage(m_page);
    m_sent = true;
    m_session.run();
    noticeSession();
}

/// A run that was refused, or whose executor does not answer, does not come.
void RunAgain::noticeSession()
{
    const auto gone = [this] {
        return m_sent && m_step == Step::Asking &&
               m_session.activity() == RunSession::Activity::Idle;
    };
    // Between the answer of an executor and the run it is idle for a moment.
    if (gone())
        QTimer::singleShot(0, this, [this, gone] {
            if (gone())
                m_step = Step::None;
        });
}

void RunAgain::show(RunNumber second)
{
    m_step = Step::None;
    if (m_session.client().state() == RunState::Finished)
        m_studio.comparisons.compareRuns({m_first, second});
}

void RunAgain::giveUp(const QString& why)
{
    m_step = Step::None;
    m_studio.window.refuse(why);
}

bool farFromPlan(Ticks measured, Ticks planned)
{
    constexpr Ticks times = 2;
    return measured > 0 && planned > 0 &&
           (measured / times > planned || planned / times > measured);
}

} // namespace pw::ui
