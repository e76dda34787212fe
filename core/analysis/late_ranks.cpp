// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/analysis/late_ranks.h"

#include "core/base/text.h"
#include "core/trace/message_split.h"

#include <algorithm>
#include <map>

namespace pw {

namespace {

/// What waited in messages. Where one side ended before the other began, clocks tell nothing.
void takeMessages(std::span<const MessagePair> pairs, std::vector<PeerWait>& waits)
{
    const bool apart = std::any_of(pairs.begin(), pairs.end(),
                                   [](const MessagePair& pair) { return pair.split.apart; });
    for (const MessagePair& pair : apart ? std::span<const MessagePair>() : pairs)
        for (std::size_t side = 0; side < 2; ++side)
            if (const Ticks waited = pair.split.sides[side].waiting; waited > 0)
                waits.push_back({pair.spans[side], pair.spans[1 - side], waited});
}

std::vector<PeerWait> allWaits(const TraceCollectives& collectives,
                               std::span<const MessagePair> pairs)
{
    std::vector<PeerWait> waits = collectives.waits;
    takeMessages(pairs, waits);
    std::stable_sort(waits.begin(), waits.end(),
                     [](const PeerWait& a, const PeerWait& b) { return a.span < b.span; });
    return waits;
}

std::string rankText(const Trace& trace, TraceRankId rank)
{
    return "rank " + std::to_string(trace.ranks[rank.index()].number);
}

/// What the collectives of a rank show.
struct Lateness
{
    std::int64_t count = 0;    ///< collectives that it takes part in
    double byChance = 0;       ///< of them it would begin so many last
    std::int64_t last = 0;     ///< that it begins last
    double caused = 0;         ///< mean time that another rank waits for it in those, summed
    Ticks waited = 0;          ///< by all others in those
    std::vector<Ticks> behind; ///< of those: behind the first rank
    std::vector<Ticks> spread; ///< of those: between the first and the last of the others
};

Ticks middleOf(std::vector<Ticks>& times)
{
    const auto middle = times.begin() + static_cast<std::ptrdiff_t>((times.size() - 1) / 2);
    std::nth_element(times.begin(), middle, times.end());
    return *middle;
}

std::map<TraceRankId, Lateness> latenessOf(const Trace& trace, const TraceCollectives& collectives)
{
    const auto at = [&trace](std::int32_t span) -> const TraceSpan& {
        return trace.spans[static_cast<std::size_t>(span)];
    };
    std::map<TraceRankId, Lateness> ranks;
    for (const Collective& one : collectives.operations) {
        const TraceSpan& late = at(one.late);
        Ticks before = one.start; // the last of the others
        for (const std::int32_t side : collectives.sidesOf(one)) {
            Lateness& rank = ranks[at(side).rank];
            ++rank.count;
            rank.byChance += 1 / static_cast<double>(one.sides);
            before = side == one.late ? before : std::max(before, at(side).start);
        }
        if (before == late.start) // nobody begins last
            continue;
        Lateness& latest = ranks[late.rank];
        ++latest.last;
        latest.caused += static_cast<double>(one.waited) / static_cast<double>(one.sides - 1);
        latest.waited += one.waited;
        latest.behind.push_back(one.skew);
        latest.spread.push_back(before - one.start);
    }
    return ranks;
}

/// A rank that holds the others for less than this is not slow: a hundredth of the time that the
/// devices of the trace work, which repeated runs differ by.
Ticks noiseFloor(const DeviceFigures& figures)
{
    constexpr Ticks part = 100;
    Ticks span = 0;
    for (const DeviceActivity& one : figures.devices)
        span = std::max(span, one.span());
    return span / part;
}

Ticks computeOf(const DeviceFigures& figures, TraceRankId rank)
{
    Ticks compute = 0;
    for (const DeviceActivity& one : figures.devices)
        compute += one.rank == rank ? one.compute : 0;
    return compute;
}

/// The rank for which the others wait longest. Of several for which they wait about as long it is
/// the one that computes longest: its neighbours in a pipeline are late because of it. None where
/// those compute alike.
std::map<TraceRankId, Lateness>::iterator waitedFor(std::map<TraceRankId, Lateness>& ranks,
                                                    const DeviceFigures& figures)
{
    constexpr double near = 0.8;
    double most = 0;
    for (const auto& [rank, late] : ranks)
        most = std::max(most, late.caused);
    auto slow = ranks.end();
    Ticks longest = 0, second = 0;
    int several = 0;
    for (auto at = ranks.begin(); at != ranks.end(); ++at) {
        if (at->second.last == 0 || at->second.caused < near * most)
            continue;
        ++several;
        const Ticks compute = computeOf(figures, at->first);
        second = std::max(second, std::min(compute, longest));
        slow = slow == ranks.end() || compute > longest ? at : slow;
        longest = std::max(longest, compute);
    }
    constexpr Ticks apart = 40;
    return several > 1 && longest - second <= second / apart ? ranks.end() : slow;
}

/// Names the rank that the others wait for, if they do often or long, and not by chance.
void slowByCollectives(const Trace& trace, const TraceCollectives& collectives,
                       DeviceFigures& figures)
{
    std::map<TraceRankId, Lateness> ranks = latenessOf(trace, collectives);
    const auto most = waitedFor(ranks, figures);
    if (most == ranks.end())
        return;
    Lateness& slow = most->second;
    double all = 0;
    for (const auto& [rank, late] : ranks)
        all += late.caused;
    constexpr double often = 1.5, mostOfAll = 0.5, mostOfTwo = 0.75;
    const bool systematic = static_cast<double>(slow.last) > often * slow.byChance;
    const bool alone = slow.caused > (ranks.size() == 2 ? mostOfTwo : mostOfAll) * all;
    const Ticks behind = middleOf(slow.behind);
    // Launches differ by some microseconds, and the others are that far apart without it.
    constexpr Ticks launchJitter = 5'000;
    if (!(systematic || alone) || slow.caused < static_cast<double>(noiseFloor(figures)) ||
        behind <= std::max(launchJitter, 2 * middleOf(slow.spread)))
        return;
    figures.slow = SlowRank{
        most->first, rankText(trace, most->first) + " begins " + groupedNumber(slow.last) + " of " +
                         groupedNumber(slow.count) + " collectives last, " + timeText(behind) +
                         " behind the first rank in the median; the other " +
                         (ranks.size() == 2 ? "rank waits " : "ranks wait ") +
                         timeText(slow.waited) + " in them"};
}

void slowByMessages(const Trace& trace, const TraceMessages& messages, DeviceFigures& figures)
{
    if (messages.ranks.size() != 2)
        return;
    const RankMessages& a = messages.ranks[0];
    const RankMessages& b = messages.ranks[1];
    const RankMessages& slow = a.time.waiting < b.time.waiting ? a : b;
    const RankMessages& other = a.time.waiting < b.time.waiting ? b : a;
    constexpr Ticks much = 2;
    if (other.time.waiting <= much * slow.time.waiting || other.time.waiting < noiseFloor(figures))
        return;
    figures.slow = SlowRank{
        slow.rank, "in " + groupedNumber(slow.count) + " messages " + rankText(trace, other.rank) +
                       " waits " + timeText(other.time.waiting) + " for " +
                       rankText(trace, slow.rank) + ", which waits " + timeText(slow.time.waiting)};
}

void slowByCompute(const Trace& trace, DeviceFigures& figures)
{
    if (figures.devices.size() < 2)
        return;
    std::vector<Ticks> all;
    for (const DeviceActivity& one : figures.devices)
        all.push_back(one.compute);
    std::sort(all.begin(), all.end());
    const Ticks median = all[(all.size() - 1) / 2];
    const Ticks second = all[all.size() - 2];
    const auto most = std::max_element(
        figures.devices.begin(), figures.devices.end(),
        [](const DeviceActivity& a, const DeviceActivity& b) { return a.compute < b.compute; });
    // Two that compute as long as each other are no slow rank.
    constexpr Ticks part = 20, apart = 40;
    if (most->compute - median <= median / part || most->compute - second <= second / apart)
        return;
    figures.slow =
        SlowRank{most->rank, rankText(trace, most->rank) + " computes " + timeText(most->compute) +
                                 ", where the median is " + timeText(median)};
}

} // namespace

std::vector<PeerWait> peerWaits(const Trace& trace, std::span<const MessagePair> pairs)
{
    return allWaits(matchCollectives(trace), pairs);
}

void findLateRanks(const Trace& trace, DeviceFigures& figures)
{
    figures.collectives = matchCollectives(trace);
    const TraceCollectives& collectives = figures.collectives;
    const TraceMessages messages = pairMessages(trace);
    std::vector<Ticks> waited(trace.ranks.size(), 0);
    for (const PeerWait& wait : allWaits(collectives, messages.pairs))
        waited[trace.spans[static_cast<std::size_t>(wait.span)].rank.index()] += wait.waited;
    std::vector<bool> told(trace.ranks.size());
    for (const CommunicationGroup& group : collectives.groups)
        for (const TraceRankId rank : group.ranks)
            told[rank.index()] = true;
    for (DeviceActivity& one : figures.devices) {
        const bool messaged =
            messages.apart == 0 &&
            std::any_of(messages.ranks.begin(), messages.ranks.end(),
                        [&one](const RankMessages& of) { return of.rank == one.rank; });
        one.peerKnown = told[one.rank.index()] || messaged;
        one.peer = one.peerKnown ? waited[one.rank.index()] : 0;
    }
    if (!collectives.operations.empty())
        slowByCollectives(trace, collectives, figures);
    if (!figures.slow && messages.apart == 0)
        slowByMessages(trace, messages, figures);
    if (!figures.slow && collectives.operations.empty())
        slowByCompute(trace, figures);
}

} // namespace pw
