// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/analysis/exposure.h"

#include <algorithm>

namespace pw {

Exposure exposureOf(std::vector<TimeStretch> transfers, std::vector<TimeStretch> busy)
{
    const std::vector<TimeStretch> moving = joined(std::move(transfers));
    const std::vector<TimeStretch> computing = joined(std::move(busy));
    Exposure split;
    auto pass = computing.begin();
    for (const TimeStretch& stretch : moving) {
        while (pass != computing.end() && pass->end <= stretch.start)
            ++pass;
        Ticks hidden = 0;
        for (auto at = pass; at != computing.end() && at->start < stretch.end; ++at) {
            hidden += std::min(at->end, stretch.end) - std::max(at->start, stretch.start);
            pass = at; // the last may reach into the next transfer
        }
        split.hidden += hidden;
        split.exposed += stretch.end - stretch.start - hidden;
    }
    return split;
}

std::vector<RankTransfers> transfersOf(const Trace& trace, const RecoveredPipeline& pipeline,
                                       const TraceMessages& messages)
{
    std::vector<std::vector<TimeStretch>> moving(trace.ranks.size()), busy(trace.ranks.size());
    for (const MessagePair& pair : messages.pairs)
        for (std::size_t side = 0; side < 2; ++side) {
            const TraceSpan& span = trace.spans[static_cast<std::size_t>(pair.spans[side])];
            const MessageSide& time = pair.split.sides[side];
            const Ticks begin = span.start + time.waiting;
            moving[span.rank.index()].push_back({begin, begin + time.transfer});
        }
    for (const RecoveredIteration& iteration : pipeline.iterations)
        for (const RecordedPass& pass : iteration.passes) {
            const TraceRankId rank = pipeline.rankOfDevice[deviceOf(pass.rank).index()];
            busy[rank.index()].push_back({pass.start, pass.end});
        }
    std::vector<RankTransfers> all;
    for (const RankMessages& one : messages.ranks) {
        const std::size_t rank = one.rank.index();
        all.push_back({one.rank, one.count, one.time,
                       exposureOf(std::move(moving[rank]), std::move(busy[rank]))});
    }
    return all;
}

std::vector<DeviceTransfers> transfersOf(const Schedule& schedule, const SimResult& times,
                                         std::span<const RecordedMessage> messages)
{
    const auto devices = static_cast<std::size_t>(schedule.devices());
    std::vector<DeviceTransfers> all(devices);
    std::vector<std::vector<TimeStretch>> moving(devices);
    for (const RecordedMessage& message : messages) {
        if (message.message < 0)
            continue;
        for (const RankId rank : {message.from, message.to}) {
            if (rank < 0 || rank >= schedule.devices())
                continue;
            const std::size_t at = deviceOf(rank).index();
            ++all[at].count;
            all[at].time.waiting += std::max<Ticks>(message.started - message.posted, 0);
            all[at].time.transfer += std::max<Ticks>(message.ended - message.started, 0);
            moving[at].push_back({message.started, message.ended});
        }
    }
    std::vector<DeviceTransfers> rows;
    for (const DeviceId device : Ids<DeviceId>(schedule.devices())) {
        const std::size_t at = device.index();
        if (all[at].count == 0)
            continue;
        std::vector<TimeStretch> busy;
        for (const EntryId e : schedule.entries(device))
            busy.push_back(
                {times.start[static_cast<std::size_t>(e)], times.end[static_cast<std::size_t>(e)]});
        all[at].of = device;
        all[at].exposure = exposureOf(std::move(moving[at]), std::move(busy));
        rows.push_back(all[at]);
    }
    return rows;
}

} // namespace pw
