// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/window/jobs.h"

#include "core/store/stored_trace.h"
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
        rows = openActivity(window, job.activity, text(job.origin));
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
        Result<StoredTrace> loaded = loadStoredTrace(store.toStdString(), run);
        if (!loaded)
            return [&window, why = coreSentence(loaded.error().message)] { window.refuse(why); };
        const QString title = loaded->title.empty()
                                  ? MainWindow::tr("run %1").arg(static_cast<qlonglong>(run))
                                  : text(loaded->title);
        const auto pipelines =
            std::make_shared<const std::vector<AlignedPipeline>>(recoverAllAligned(loaded->trace));
        const std::shared_ptr<ShownJob> job = shownJob(loaded->trace, pipelines);
        if (job == nullptr)
            return [&window, run] {
                window.refuse(MainWindow::tr("Run %1 has nothing to compare: neither several "
                                             "replicas nor three whole steps.")
                                  .arg(static_cast<qlonglong>(run)));
            };
        job->activity = std::make_shared<ShownActivity>(
            std::move(loaded->trace), std::move(loaded->lanes), std::move(loaded->pairs));
        return [&window, job = ShownJobPtr(job), title] {
            openJob(window, job, title);
            window.tell(QString());
        };
    });
}

} // namespace pw::ui
