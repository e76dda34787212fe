// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/traces/shown_job.h"

#include "core/job/job_sentences.h"

#include <utility>

namespace pw::ui {

std::string ShownJob::rankText(const Worker& worker) const
{
    const RecoveredPipeline& pipeline = replica(static_cast<std::size_t>(worker.replica));
    const TraceRankId rank = pipeline.rankOfDevice[worker.device.index()];
    const std::int32_t number = ranks[rank.index()].number;
    return std::to_string(number >= 0 ? number : rank.value);
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

} // namespace pw::ui
