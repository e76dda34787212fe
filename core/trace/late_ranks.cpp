// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/trace/late_ranks.h"

#include "core/base/text.h"
#include "core/trace/message_split.h"

#include <algorithm>
#include <map>
#include <set>

namespace pw {

namespace {

/// What one rank's collectives show.
struct Lateness
{
    std::int64_t last = 0;     ///< collectives that it began last
    Ticks waited = 0;          ///< until the last rank had begun
    std::vector<Ticks> behind; ///< of those that it began last: behind the first rank
};

class Collectives
{
public:
    explicit Collectives(const Trace& trace)
        : m_trace(trace)
    {
        for (std::size_t i = 0; i < trace.spans.size(); ++i) {
            const TraceSpan& span = trace.spans[i];
            if (span.activity != ActivityKind::Communication ||
                isSendReceiveKernel(trace.nameOf(span)))
                continue;
            m_byName[span.name][span.rank].push_back(static_cast<std::int32_t>(i));
            m_ranks.insert(span.rank);
        }
    }

    /// Fills in what each rank waited. @return whether collectives could be told apart
    bool run()
    {
        if (m_ranks.size() < 2)
            return false;
        for (auto& [name, ranks] : m_byName) {
            const bool everywhere =
                ranks.size() == m_ranks.size() &&
                std::all_of(ranks.begin(), ranks.end(), [&ranks = ranks](const auto& one) {
                    return one.second.size() == ranks.begin()->second.size();
                });
            if (everywhere)
                takeName(ranks);
        }
        constexpr std::int64_t tolerated = 10;
        return m_count > 0 && m_apart * tolerated <= m_count;
    }

    std::int64_t count() const { return m_count - m_apart; }
    std::map<TraceRankId, Lateness>& ranks() { return m_late; }
    const std::vector<PeerWait>& waits() const { return m_waits; }

private:
    const TraceSpan& at(std::int32_t index) const
    {
        return m_trace.spans[static_cast<std::size_t>(index)];
    }

    using SpansOfRanks = std::map<TraceRankId, std::vector<std::int32_t>>;

    void takeName(SpansOfRanks& ranks)
    {
        for (auto& [rank, spans] : ranks)
            std::sort(spans.begin(), spans.end(),
                      [this](std::int32_t a, std::int32_t b) { return at(a).start < at(b).start; });
        const std::size_t count = ranks.begin()->second.size();
        for (std::size_t i = 0; i < count; ++i)
            takeOne(ranks, i);
    }

    void takeOne(const SpansOfRanks& ranks, std::size_t which)
    {
        ++m_count;
        std::int32_t late = ranks.begin()->second[which];
        Ticks first = at(late).start, last = first, firstEnd = at(late).end;
        for (const auto& [rank, spans] : ranks) {
            const TraceSpan& span = at(spans[which]);
            late = span.start > last ? spans[which] : late;
            first = std::min(first, span.start);
            last = std::max(last, span.start);
            firstEnd = std::min(firstEnd, span.end);
        }
        if (firstEnd < last) {
            ++m_apart;
            return;
        }
        for (const auto& [rank, spans] : ranks) {
            const Ticks waited = last - at(spans[which]).start;
            m_late[rank].waited += waited;
            if (waited > 0)
                m_waits.push_back({spans[which], late, waited});
        }
        Lateness& latest = m_late[at(late).rank];
        ++latest.last;
        latest.behind.push_back(last - first);
    }

    const Trace& m_trace;
    std::set<TraceRankId> m_ranks;
    std::map<std::int32_t, SpansOfRanks> m_byName;
    std::map<TraceRankId, Lateness> m_late;
    std::vector<PeerWait> m_waits;
    std::int64_t m_count = 0;
    std::int64_t m_apart = 0;
};

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

/// @param told  by the collectives
std::vector<PeerWait> allWaits(const Collectives& collectives, bool told,
                               std::span<const MessagePair> pairs)
{
    std::vector<PeerWait> waits = told ? collectives.waits() : std::vector<PeerWait>();
    takeMessages(pairs, waits);
    std::stable_sort(waits.begin(), waits.end(),
                     [](const PeerWait& a, const PeerWait& b) { return a.span < b.span; });
    return waits;
}

std::string rankText(const Trace& trace, TraceRankId rank)
{
    return "rank " + std::to_string(trace.ranks[rank.index()].number);
}

void slowByCollectives(const Trace& trace, Collectives& collectives, DeviceFigures& figures)
{
    auto& ranks = collectives.ranks();
    const auto most =
        std::max_element(ranks.begin(), ranks.end(), [](const auto& a, const auto& b) {
            return a.second.last < b.second.last;
        });
    // By chance each would be the last equally often.
    const auto share = static_cast<std::int64_t>(ranks.size());
    if (most == ranks.end() || most->second.last * share * 2 <= collectives.count() * 3)
        return;
    std::vector<Ticks>& behind = most->second.behind;
    const auto middle = behind.begin() + static_cast<std::ptrdiff_t>((behind.size() - 1) / 2);
    std::nth_element(behind.begin(), middle, behind.end());
    Ticks waited = 0;
    for (const auto& [rank, late] : ranks)
        waited += rank == most->first ? 0 : late.waited;
    figures.slow =
        SlowRank{most->first,
                 rankText(trace, most->first) + " begins " + groupedNumber(most->second.last) +
                     " of " + groupedNumber(collectives.count()) + " collectives last, " +
                     timeText(*middle) + " behind the first rank in the median; the other " +
                     (share == 2 ? "rank waits " : "ranks wait ") + timeText(waited) + " in them"};
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
    if (other.time.waiting <= much * slow.time.waiting)
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
    const auto most = std::max_element(
        figures.devices.begin(), figures.devices.end(),
        [](const DeviceActivity& a, const DeviceActivity& b) { return a.compute < b.compute; });
    constexpr Ticks part = 20;
    if (most->compute - median <= median / part)
        return;
    figures.slow =
        SlowRank{most->rank, rankText(trace, most->rank) + " computes " + timeText(most->compute) +
                                 ", where the median is " + timeText(median)};
}

} // namespace

std::vector<PeerWait> peerWaits(const Trace& trace, std::span<const MessagePair> pairs)
{
    Collectives collectives(trace);
    const bool told = collectives.run();
    return allWaits(collectives, told, pairs);
}

void findLateRanks(const Trace& trace, DeviceFigures& figures)
{
    Collectives collectives(trace);
    const bool told = collectives.run();
    const TraceMessages messages = pairMessages(trace);
    std::vector<Ticks> waited(trace.ranks.size(), 0);
    for (const PeerWait& wait : allWaits(collectives, told, messages.pairs))
        waited[trace.spans[static_cast<std::size_t>(wait.span)].rank.index()] += wait.waited;
    for (DeviceActivity& one : figures.devices) {
        const bool messaged =
            messages.apart == 0 &&
            std::any_of(messages.ranks.begin(), messages.ranks.end(),
                        [&one](const RankMessages& of) { return of.rank == one.rank; });
        one.peerKnown = told || messaged;
        one.peer = one.peerKnown ? waited[one.rank.index()] : 0;
    }
    if (told)
        slowByCollectives(trace, collectives, figures);
    if (!figures.slow && messages.apart == 0)
        slowByMessages(trace, messages, figures);
    if (!figures.slow)
        slowByCompute(trace, figures);
}

} // namespace pw
