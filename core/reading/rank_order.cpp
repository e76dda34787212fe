// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/rank_order.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace pw {

std::vector<TraceRankId> sortRanks(Trace& trace)
{
    std::vector<TraceRankId> order;
    for (const TraceRankId rank : Ids<TraceRankId>(trace.ranks.size()))
        order.push_back(rank);
    const auto key = [&trace](TraceRankId id) {
        const TraceRank& rank = trace.ranks[id.index()];
        return std::tuple(rank.number < 0, rank.run, rank.replica, rank.number);
    };
    std::stable_sort(order.begin(), order.end(),
                     [&](TraceRankId a, TraceRankId b) { return key(a) < key(b); });
    std::vector<TraceRankId> place(order.size());
    std::vector<TraceRank> sorted;
    for (const TraceRankId rank : order) {
        place[rank.index()] = TraceRankId(sorted.size());
        sorted.push_back(std::move(trace.ranks[rank.index()]));
    }
    trace.ranks = std::move(sorted);
    // Files of a job mostly come in the order of their ranks, and there are millions of spans.
    if (!std::is_sorted(place.begin(), place.end()))
        for (TraceSpan& span : trace.spans)
            span.rank = place[span.rank.index()];
    for (TracePeak& peak : trace.peaks)
        peak.rank = place[peak.rank.index()];
    for (WorkSum& sum : trace.sums)
        sum.rank = place[sum.rank.index()];
    for (RankFile& file : trace.rankFiles)
        file.rank = place[file.rank.index()];
    for (TraceCounter& counter : trace.counters)
        counter.rank = place[counter.rank.index()];
    return place;
}

} // namespace pw
