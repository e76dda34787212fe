// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/traces/shown_job.h"

#include "core/job/job_sentences.h"

#include <algorithm>
#include <utility>

namespace pw::ui {

std::string ShownJob::rankText(const Worker& worker) const
{
    const auto number = [this](TraceRankId rank) {
        const std::int32_t told = ranks[rank.index()].number;
        return std::to_string(told >= 0 ? told : rank.value);
    };
    const std::vector<TraceRankId>& alike = timesOf(worker).alike;
    constexpr std::size_t listed = 4;
    if (alike.empty())
        return number(rankOf(worker));
    if (alike.size() > listed)
        return number(alike.front()) + " … " + number(alike.back());
    std::string text;
    for (const TraceRankId rank : alike)
        text += (text.empty() ? "" : ", ") + number(rank);
    return text;
}

std::optional<Worker> ShownJob::workerOfRank(std::int32_t number) const
{
    for (const WorkerTimes& one : analysis.workers) {
        const auto is = [this, number](TraceRankId rank) {
            return ranks[rank.index()].number == number;
        };
        const TraceRankId first = replica(static_cast<std::size_t>(one.worker.replica))
                                      .rankOfDevice[one.worker.device.index()];
        if (is(one.rank) || is(first) || std::any_of(one.alike.begin(), one.alike.end(), is))
            return one.worker;
    }
    return std::nullopt;
}

std::shared_ptr<ShownJob> shownJob(const Trace& trace, PipelinesPtr pipelines,
                                   std::optional<JobAnalysis> analysis)
{
    if (!analysis || !isWorthTelling(*analysis))
        return nullptr;
    auto made = std::make_shared<ShownJob>();
    made->pipelines = std::move(pipelines);
    made->analysis = std::move(*analysis);
    made->ranks = trace.ranks;
    made->origin = trace.origin;
    return made;
}

std::shared_ptr<ShownJob> shownJob(KeptJob kept, const QString& store, RunNumber run)
{
    auto made = std::make_shared<ShownJob>();
    made->analysis = std::move(kept.analysis);
    made->ranks = std::move(kept.ranks);
    made->origin = std::move(kept.origin);
    made->inStore = JobInStore{store, run, std::move(kept.medians)};
    return made;
}

Result<JobOfStep> ShownJob::step(std::size_t number) const
{
    if (inStore)
        return keptStep(inStore->store.toStdString(), inStore->run, job(), number);
    // Not owned: who asks holds this job.
    return JobOfStep{std::shared_ptr<const Job>(std::shared_ptr<const Job>(), &job()), number};
}

bool ShownJob::tells(WorkerMeasure measure) const
{
    const std::vector<std::optional<double>> values =
        inStore ? medians(measure) : workerValues(job(), measure, job().counted().front());
    return std::any_of(values.begin(), values.end(), [](const auto& one) { return one; });
}

std::vector<std::optional<double>> ShownJob::medians(WorkerMeasure measure) const
{
    return inStore ? inStore->medians.workers[static_cast<std::size_t>(measure)]
                   : workerValues(job(), measure, std::nullopt);
}

std::vector<std::optional<double>> ShownJob::medians(const Pass& pass) const
{
    return inStore ? inStore->medians.of(job(), pass) : passTimes(job(), pass, std::nullopt);
}

std::vector<double> ShownJob::balance() const
{
    return inStore ? inStore->medians.balance : stageBalance(job(), std::nullopt);
}

} // namespace pw::ui
