// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/window/jobs.h"

#include "core/base/try.h"
#include "core/job/run_job.h"
#include "core/store/kept_job.h"
#include "core/store/slice_store.h"
#include "core/store/stored_job.h"
#include "core/store/stored_trace.h"
#include "ui/core_sentences.h"
#include "ui/document/background.h"
#include "ui/job/job_page.h"
#include "ui/run/connection.h"
#include "ui/text.h"
#include "ui/window/activity_page.h"
#include "ui/window/fetched_rank.h"
#include "ui/window/kept_traces.h"
#include "ui/window/main_window.h"

#include <limits>
#include <memory>
#include <utility>

namespace pw::ui {

namespace {

/// The span of a rank that begins first at a time or behind it; −1: none.
std::int32_t spanFrom(const Trace& trace, TraceRankId rank, Ticks from)
{
    std::int32_t found = -1;
    Ticks first = std::numeric_limits<Ticks>::max();
    for (std::size_t i = 0; i < trace.spans.size(); ++i) {
        const TraceSpan& span = trace.spans[i];
        if (span.rank != rank || span.start < from || span.start >= first)
            continue;
        first = span.start;
        found = static_cast<std::int32_t>(i);
    }
    return found;
}

/// A job of a store; null where there is nothing to compare.
struct OpenedJob
{
    ShownJobPtr job;
    std::string title;
};

/// A run of ours is made a trace of its passes; of another program's the trace was kept. What is
/// found out is kept for the next time, where the store takes it.
Result<ShownJobPtr> jobFoundOut(RunStore& store, RunNumber run)
{
    PW_TRY(WholeJob whole, jobOfStoredRun(store, run));
    if (whole.analysis)
        (void)keepJob(store.path(), run, &*whole.analysis, whole.trace);
    const auto pipelines =
        std::make_shared<const std::vector<AlignedPipeline>>(std::move(whole.pipelines));
    const std::shared_ptr<ShownJob> job =
        shownJob(whole.trace, pipelines, std::move(whole.analysis));
    if (job != nullptr)
        job->activity = std::make_shared<ShownActivity>(std::move(whole.trace));
    return job;
}

Result<OpenedJob> openedJob(const QString& path, RunNumber run)
{
    PW_TRY(RunStore store, RunStore::openToRead(path.toStdString()));
    PW_TRY(const RunDetails details, store.run(run));
    PW_TRY(std::optional<KeptJob> kept, keptJob(store.path(), run));
    if (kept)
        return OpenedJob{shownJob(std::move(*kept), path, run), details.run.title};
    PW_TRY(const ShownJobPtr found, jobFoundOut(store, run));
    return OpenedJob{found, details.run.title};
}

/// All that was recorded of a run in a store.
Result<ShownActivityPtr> activityOf(const JobInStore& place)
{
    PW_TRY(RunStore store, RunStore::openToRead(place.store.toStdString()));
    PW_TRY(const RunDetails details, store.run(place.run));
    if (details.run.origin == "executed") {
        PW_TRY(const StoredPasses passes, store.passes({.run = place.run}));
        return std::make_shared<const ShownActivity>(traceOfRun(passes.passes));
    }
    PW_TRY(StoredTrace kept, loadStoredTrace(store.path(), place.run));
    return std::make_shared<const ShownActivity>(std::move(kept.trace), std::move(kept.lanes),
                                                 std::move(kept.pairs));
}

/// Which rank of a trace is the one that a job knows; as numbers say it, since a trace that was
/// kept may have its ranks in another order.
TraceRankId rankIn(const Trace& trace, const ShownJob& job, TraceRankId known)
{
    const TraceRank& wanted = job.ranks[known.index()];
    for (const TraceRankId rank : Ids<TraceRankId>(trace.ranks.size())) {
        const TraceRank& one = trace.ranks[rank.index()];
        if (one.number == wanted.number && one.replica == wanted.replica && one.number >= 0)
            return rank;
    }
    return known;
}

/// All rows of the trace, at what a worker's rank does from a time on.
void showRows(MainWindow& window, const JobPage& page, const ShownActivityPtr& activity,
              const Worker& worker, Ticks from)
{
    ActivityPage* rows = nullptr;
    for (Page* open : window.pages())
        if (auto* one = qobject_cast<ActivityPage*>(open);
            one != nullptr && one->given() == activity)
            rows = one;
    if (rows == nullptr)
        rows = openActivity(window, activity, page.name());
    else
        window.showPage(rows);
    const TraceRankId rank = rankIn(activity->trace, *page.job(), page.job()->rankOf(worker));
    if (const std::int32_t span = spanFrom(activity->trace, rank, from); span >= 0)
        rows->view().showSpan(span);
}

/// The file of a worker's rank, where the job was put together from digests.
std::optional<KeptRankFile> fileOf(const ShownJob& job, const Worker& worker)
{
    const TraceRank& rank = job.ranks[job.rankOf(worker).index()];
    if (!job.inStore || rank.number < 0)
        return std::nullopt;
    const Result<std::vector<KeptRankFile>> files =
        rankFiles(job.inStore->store.toStdString(), job.inStore->run, rank.number);
    if (!files)
        return std::nullopt;
    for (const KeptRankFile& file : *files)
        if (file.replica == rank.replica || files->size() == 1)
            return file;
    return std::nullopt;
}

/// Slices of a rank in the step that is shown, from its own file.
void showFetched(MainWindow& window, JobPage* page, const KeptRankFile& file)
{
    const ShownStepPtr& shown = page->shown();
    if (shown == nullptr)
        return;
    const std::int32_t iteration = page->job()->job().steps[shown->step].number;
    const QString title = MainWindow::tr("rank %1, iteration %2").arg(file.rank).arg(iteration);
    window.tell(MainWindow::tr("Reading the trace of rank %1…").arg(file.rank));
    auto* fetch = new FetchedRank(page);
    QObject::connect(fetch, &FetchedRank::failed, &window, [&window, fetch](const QString& why) {
        window.refuse(why);
        fetch->deleteLater();
    });
    QObject::connect(fetch, &FetchedRank::fetched, &window,
                     [&window, fetch, title](const ShownActivityPtr& activity) {
                         openActivity(window, activity, title);
                         window.tell(QString());
                         fetch->deleteLater();
                     });
    const Connections connections;
    fetch->start(file, iteration,
                 connections.currentIndex() == 0 ? QString() : connections.current().command);
}

/// Of a job whose trace stays in its store it is read now, once.
/// @param read  what was; may be null
void showEverything(MainWindow& window, JobPage* page,
                    const std::shared_ptr<ShownActivityPtr>& read, const Worker& worker, Ticks from)
{
    const ShownJob& job = *page->job();
    if (job.activity != nullptr || *read != nullptr) {
        showRows(window, *page, job.activity != nullptr ? job.activity : *read, worker, from);
        return;
    }
    if (!job.inStore) {
        window.refuse(MainWindow::tr("The trace of this job is not there."));
        return;
    }
    if (const std::optional<KeptRankFile> file = fileOf(job, worker)) {
        showFetched(window, page, *file);
        return;
    }
    window.tell(MainWindow::tr("Reading the trace of run %1…")
                    .arg(static_cast<qlonglong>(job.inStore->run)));
    inBackground(
        page, [&window, page, read, worker, from, place = *job.inStore]() -> std::function<void()> {
            const Result<ShownActivityPtr> activity = activityOf(place);
            return [&window, page, read, worker, from, activity] {
                if (!activity) {
                    window.refuse(coreSentence(activity.error().message));
                    return;
                }
                *read = *activity;
                showRows(window, *page, *read, worker, from);
                window.tell(QString());
            };
        });
}

} // namespace

JobPage* openJob(MainWindow& window, const ShownJobPtr& job, const QString& title)
{
    auto* page = new JobPage(job, title);
    const auto read = std::make_shared<ShownActivityPtr>();
    QObject::connect(page, &JobPage::everythingAsked, &window,
                     [&window, page, read](const Worker& worker, Ticks from) {
                         showEverything(window, page, read, worker, from);
                     });
    window.addPage(page);
    return page;
}

void openKeptJob(MainWindow& window, const QString& store, RunNumber run)
{
    window.tell(MainWindow::tr("Reading the trace of run %1…").arg(static_cast<qlonglong>(run)));
    inBackground(&window, [&window, store, run]() -> std::function<void()> {
        const Result<OpenedJob> opened = openedJob(store, run);
        if (!opened)
            return [&window, why = coreSentence(opened.error().message)] { window.refuse(why); };
        if (opened->job == nullptr)
            return [&window, run] {
                window.refuse(MainWindow::tr("Run %1 has nothing to compare: neither several "
                                             "replicas nor three whole steps.")
                                  .arg(static_cast<qlonglong>(run)));
            };
        const QString title = opened->title.empty()
                                  ? MainWindow::tr("run %1").arg(static_cast<qlonglong>(run))
                                  : text(opened->title);
        return [&window, job = opened->job, title] {
            openJob(window, job, title);
            window.tell(QString());
        };
    });
}

} // namespace pw::ui
