// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/job/run_job.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace pw {

namespace {

/// Halves of a pair have the place of their entry in common.
std::map<std::tuple<std::int32_t, RankId, EntryId>, int>
halvesOf(std::span<const RecordedPass> passes)
{
    std::map<std::tuple<std::int32_t, RankId, EntryId>, int> halves;
    for (const RecordedPass& one : passes)
        if (one.entry.valid())
            ++halves[{one.iteration, one.rank, one.entry}];
    return halves;
}

SpanLabel labelOf(const RecordedPass& record, bool paired)
{
    SpanLabel label;
    label.role = SpanRole::Pass;
    label.kind = record.pass.kind;
    label.paired = paired;
    label.iteration = record.iteration;
    label.route = record.pass.route;
    label.stage = record.pass.stage;
    label.microBatch = record.pass.microBatch;
    label.segment = record.pass.segment;
    return label;
}

} // namespace

Trace traceOfRun(std::span<const RecordedPass> passes)
{
    Trace trace;
    trace.origin = "executed";
    trace.names.emplace_back("pass");
    std::int32_t ranks = 0;
    for (const RecordedPass& one : passes)
        ranks = std::max(ranks, one.rank.value + 1);
    for (std::int32_t rank = 0; rank < ranks; ++rank) {
        trace.ranks.push_back({rank, "the run", {}, false, -1});
        TraceTrack track;
        track.rank = TraceRankId(rank);
        trace.tracks.push_back(std::move(track));
    }
    const auto halves = halvesOf(passes);
    for (const RecordedPass& one : passes) {
        if (one.iteration < 0)
            continue;
        const auto together = halves.find({one.iteration, one.rank, one.entry});
        TraceSpan span;
        span.start = one.start;
        span.end = one.end;
        span.rank = TraceRankId(one.rank.value);
        span.track = one.rank.value;
        span.label = static_cast<std::int32_t>(trace.labels.size());
        span.trust = Trust::Device;
        trace.labels.push_back(labelOf(one, together != halves.end() && together->second > 1));
        trace.spans.push_back(span);
    }
    trace.events = static_cast<std::int64_t>(trace.spans.size());
    return trace;
}

WholeJob replicasOfRun(std::span<const RecordedPass> passes)
{
    WholeJob job{traceOfRun(passes), {}, std::nullopt};
    for (RecoveredPipeline& one : recoverReplicas(job.trace))
        job.pipelines.push_back({std::move(one), {}});
    return job;
}

WholeJob analysedJob(Trace trace, std::vector<AlignedPipeline> pipelines)
{
    WholeJob made{std::move(trace), std::move(pipelines), std::nullopt};
    made.analysis = analyseJob(made.trace, made.pipelines);
    return made;
}

WholeJob jobOfRun(std::span<const RecordedPass> passes)
{
    WholeJob job = replicasOfRun(passes);
    return analysedJob(std::move(job.trace), std::move(job.pipelines));
}

} // namespace pw
