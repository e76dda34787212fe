// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/analysis/trace_holes.h"

#include "core/trace/missing_passes.h"

#include <algorithm>
#include <map>
#include <set>

namespace pw {

namespace {

/// The longest time of a device without a pass, inside a window; the window where there is none.
std::pair<Ticks, Ticks> longestPause(const RecoveredIteration& shown, DeviceId device, Ticks from,
                                     Ticks to)
{
    std::pair<Ticks, Ticks> best{from, from};
    Ticks now = from;
    for (const RecordedPass& pass : shown.passes) { // by device and start
        if (deviceOf(pass.rank) != device || pass.end <= from || pass.start >= to)
            continue;
        if (pass.start - now > best.second - best.first)
            best = {now, pass.start};
        now = std::max(now, pass.end);
    }
    if (to - now > best.second - best.first)
        best = {now, to};
    return best.second > best.first ? best : std::pair{from, to};
}

/// Between which moments a pass must lie by its neighbours of the same kind and stage, and by the
/// forward before its backward.
std::pair<Ticks, Ticks> windowOf(const RecoveredIteration& shown, const Pass& missing,
                                 DeviceId device)
{
    Ticks from = shown.first, to = shown.last;
    for (const RecordedPass& pass : shown.passes) {
        if (deviceOf(pass.rank) != device || pass.pass.stage != missing.stage)
            continue;
        const bool same = pass.pass.kind == missing.kind && pass.pass.segment == missing.segment;
        if (same && pass.pass.microBatch < missing.microBatch)
            from = std::max(from, pass.end);
        if (same && pass.pass.microBatch > missing.microBatch)
            to = std::min(to, pass.start);
        if (pass.pass.microBatch != missing.microBatch)
            continue;
        if (missing.kind == PassKind::F && pass.pass.kind != PassKind::F)
            to = std::min(to, pass.start);
        if (missing.kind != PassKind::F && pass.pass.kind == PassKind::F)
            from = std::max(from, pass.end);
    }
    // Orders other than the usual one leave nothing between the neighbours.
    return from < to ? std::pair{from, to} : std::pair{shown.first, shown.last};
}

} // namespace

std::vector<TraceHole> holesOf(const Trace& trace, const RecoveredPipeline& pipeline)
{
    std::vector<TraceHole> holes;
    const RecoveredIteration* shown = pipeline.iteration();
    if (shown == nullptr || pipeline.schedule)
        return holes;
    std::map<StageId, DeviceId> deviceOfStage;
    for (const RecordedPass& pass : shown->passes)
        deviceOfStage.emplace(pass.pass.stage, deviceOf(pass.rank));
    for (const Pass& missing : missingPasses(pipeline)) {
        const auto device = deviceOfStage.find(missing.stage);
        if (device == deviceOfStage.end())
            continue; // with its rank
        const auto [from, to] = windowOf(*shown, missing, device->second);
        const auto [first, last] = longestPause(*shown, device->second, from, to);
        const TraceRankId rank = pipeline.rankOfDevice[device->second.index()];
        holes.push_back({rank, trace.ranks[rank.index()].number,
                         std::string(name(missing.kind)) + std::to_string(missing.microBatch) +
                             " of stage " + std::to_string(missing.stage) + " is missing",
                         first, last});
    }
    std::set<std::int32_t> numbers;
    for (const TraceRankId rank : pipeline.rankOfDevice)
        if (const std::int32_t number = trace.ranks[rank.index()].number; number >= 0)
            numbers.insert(number);
    constexpr std::int32_t mostRanks = 4096; // numbers of a part of a cluster are far apart
    if (numbers.empty() || *numbers.rbegin() >= mostRanks)
        return holes;
    const auto gaps = *numbers.rbegin() + 1 - static_cast<std::int32_t>(numbers.size());
    // Ranks 0, 8, 16 … are every eighth one, not seven of eight lost.
    if (gaps > static_cast<std::int32_t>(numbers.size()))
        return holes;
    for (std::int32_t number = 0; number < *numbers.rbegin(); ++number)
        if (numbers.count(number) == 0)
            holes.push_back({TraceRankId::none(), number,
                             "rank " + std::to_string(number) + " is in no file", shown->first,
                             shown->last});
    return holes;
}

void markHoles(Trace& trace, const std::vector<TraceHole>& holes)
{
    std::map<TraceRankId, std::int32_t> tracks;
    std::map<std::pair<TraceRankId, std::pair<Ticks, Ticks>>, std::string> texts;
    for (const TraceHole& hole : holes) {
        TraceRankId rank = hole.rank;
        if (!rank.valid()) {
            rank = TraceRankId(trace.ranks.size());
            trace.ranks.push_back({hole.number, "the others", "", true});
        }
        std::string& words = texts[{rank, {hole.from, hole.to}}];
        words += (words.empty() ? "" : ", ") + hole.text;
    }
    for (const auto& [place, words] : texts) {
        const auto [track, made] =
            tracks.try_emplace(place.first, static_cast<std::int32_t>(trace.tracks.size()));
        if (made)
            trace.tracks.push_back({place.first, "not recorded", "holes", false, -1});
        TraceSpan span;
        span.start = place.second.first;
        span.end = std::max(place.second.second, span.start);
        span.rank = place.first;
        span.track = track->second;
        span.name = static_cast<std::int32_t>(trace.names.size());
        span.trust = Trust::Guessed;
        span.activity = ActivityKind::Wait;
        trace.names.push_back(words);
        trace.spans.push_back(span);
    }
}

} // namespace pw
