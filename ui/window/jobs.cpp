// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/window/jobs.h"

#include "core/base/try.h"
#include "core/store/stored_job.h"
#include "ui/core_sentences.h"
#include "ui/document/background.h"
#include "ui/job/job_page.h"
#include "ui/text.h"
#include "ui/window/activity_page.h"
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
struct KeptJob
{
    ShownJobPtr job;
    std::string title;
};

/// A run of ours is made a trace of its passes; of another program's the trace was kept.
Result<KeptJob> keptJob(const std::string& path, RunNumber run)
{
    PW_TRY(RunStore store, RunStore::openToRead(path));
    PW_TRY(const RunDetails details, store.run(run));
    PW_TRY(WholeJob whole, jobOfStoredRun(store, run));
    const auto pipelines =
        std::make_shared<const std::vector<AlignedPipeline>>(std::move(whole.pipelines));
    const std::shared_ptr<ShownJob> job =
        shownJob(whole.trace, pipelines, std::move(whole.analysis));
    if (job != nullptr)
        job->activity = std::make_shared<ShownActivity>(std::move(whole.trace));
    return KeptJob{job, details.run.title};
}

/// All rows of the trace, at what a worker's rank does from a time on.
void showEverything(MainWindow& window, const JobPage& page, const Worker& worker, Ticks from)
{
    const ShownJob& job = *page.job();
    if (job.activity == nullptr) {
        window.refuse(MainWindow::tr("The trace of this job is not there."));
        return;
    }
    const RecoveredPipeline& pipeline = job.replica(static_cast<std::size_t>(worker.replica));
    const TraceRankId rank = pipeline.rankOfDevice[worker.device.index()];
    ActivityPage* rows = nullptr;
    for (Page* open : window.pages())
        if (auto* one = qobject_cast<ActivityPage*>(open);
            one != nullptr && one->given() == job.activity)
            rows = one;
    if (rows == nullptr)
        rows = openActivity(window, job.activity, page.name());
    else
        window.showPage(rows);
    if (const std::int32_t span = spanFrom(job.activity->trace, rank, from); span >= 0)
        rows->view().showSpan(span);
}

} // namespace

JobPage* openJob(MainWindow& window, const ShownJobPtr& job, const QString& title)
{
    auto* page = new JobPage(job, title);
    QObject::connect(page, &JobPage::everythingAsked, &window,
                     [&window, page](const Worker& worker, Ticks from) {
                         showEverything(window, *page, worker, from);
                     });
    window.addPage(page);
    return page;
}

void openKeptJob(MainWindow& window, const QString& store, RunNumber run)
{
    window.tell(MainWindow::tr("Reading the trace of run %1…").arg(static_cast<qlonglong>(run)));
    inBackground(&window, [&window, store, run]() -> std::function<void()> {
        const Result<KeptJob> kept = keptJob(store.toStdString(), run);
        if (!kept)
            return [&window, why = coreSentence(kept.error().message)] { window.refuse(why); };
        if (kept->job == nullptr)
            return [&window, run] {
                window.refuse(MainWindow::tr("Run %1 has nothing to compare: neither several "
                                             "replicas nor three whole steps.")
                                  .arg(static_cast<qlonglong>(run)));
            };
        const QString title = kept->title.empty()
                                  ? MainWindow::tr("run %1").arg(static_cast<qlonglong>(run))
                                  : text(kept->title);
        return [&window, job = kept->job, title] {
            openJob(window, job, title);
            window.tell(QString());
        };
    });
}

} // namespace pw::ui
