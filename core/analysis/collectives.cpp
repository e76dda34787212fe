// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/analysis/collectives.h"

#include "core/base/text.h"
#include "core/trace/message_split.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace pw {

namespace {

using SpansOfRanks = std::map<TraceRankId, std::vector<std::int32_t>>;

/// What the ranks of one operation contribute, each its span.
using Sides = std::vector<std::int32_t>;

Bytes bytesOf(const CollectiveCall& call, std::int32_t ranks)
{
    switch (call.kind) {
    case CollectiveKind::AllGather:
    case CollectiveKind::Gather:
        return call.received >= 0 ? call.received : call.sent >= 0 ? call.sent * ranks : -1;
    case CollectiveKind::ReduceScatter:
        return call.sent >= 0 ? call.sent : call.received >= 0 ? call.received * ranks : -1;
    case CollectiveKind::Broadcast:
        return std::max(call.sent, call.received);
    default:
        return call.sent;
    }
}

class Matching
{
public:
    explicit Matching(const Trace& trace)
        : m_trace(trace)
    {
    }

    TraceCollectives run()
    {
        collect();
        if (m_ranks.size() < 2)
            return {};
        for (auto& [group, ranks] : m_byGroup)
            takeGroup(group, ranks);
        takeUntold();
        if (m_apart > 0)
            m_found.unknown.push_back(
                "collectives: " + groupedNumber(m_apart) +
                " kernels that should be of one operation did not run at the same time on all "
                "ranks; clocks differ, or their order is another one");
        return std::move(m_found);
    }

private:
    /// What was taken for one operation so far, to be kept only if it proves right.
    struct Candidate
    {
        std::vector<Collective> operations;
        std::vector<std::int32_t> sides;
        std::int64_t apart = 0;
        Ticks startsApart = 0;
        Ticks endsApart = 0;
    };

    const TraceSpan& at(std::int32_t index) const
    {
        return m_trace.spans[static_cast<std::size_t>(index)];
    }

    void collect()
    {
        std::vector<bool> messageName;
        for (const std::string& name : m_trace.names)
            messageName.push_back(isSendReceiveKernel(name));
        for (std::size_t i = 0; i < m_trace.spans.size(); ++i) {
            const TraceSpan& span = m_trace.spans[i];
            const auto index = static_cast<std::int32_t>(i);
            if (span.activity != ActivityKind::Communication)
                continue;
            const CollectiveCall* call = m_trace.callOf(index);
            if ((call != nullptr && call->kind == CollectiveKind::Message) ||
                (messageName[static_cast<std::size_t>(span.name)] &&
                 isMessageKernel(m_trace, index)))
                continue;
            m_ranks.insert(span.rank);
            if (call != nullptr && call->group >= 0)
                m_byGroup[call->group][span.rank].push_back(index);
            else
                m_byName[{span.name, kindOf(index)}][span.rank].push_back(index);
        }
        joinNamesOfOne();
        for (auto& [group, ranks] : m_byGroup)
            sortByStart(ranks);
        for (auto& [name, ranks] : m_byName)
            sortByStart(ranks);
    }

    /// Ranks may number their groups each for itself: groups of the same ranks are one where every
    /// rank knows only one of them.
    void joinNamesOfOne()
    {
        std::map<std::string_view, std::vector<std::int32_t>> byRanks;
        for (const auto& [group, ranks] : m_byGroup)
            if (const ProcessGroup& told = m_trace.groups[static_cast<std::size_t>(group)];
                told.listed())
                byRanks[told.ranks].push_back(group);
        for (const auto& [listed, groups] : byRanks) {
            std::size_t members = 0;
            std::set<TraceRankId> different;
            for (const std::int32_t group : groups)
                for (const auto& [rank, spans] : m_byGroup[group]) {
                    ++members;
                    different.insert(rank);
                }
            if (groups.size() < 2 || members > different.size())
                continue;
            for (auto group = groups.begin() + 1; group != groups.end(); ++group) {
                m_byGroup[groups.front()].merge(m_byGroup[*group]);
                m_byGroup.erase(*group);
            }
        }
    }

    void sortByStart(SpansOfRanks& ranks) const
    {
        for (auto& [rank, spans] : ranks)
            std::sort(spans.begin(), spans.end(), [this](std::int32_t a, std::int32_t b) {
                return std::pair(at(a).start, a) < std::pair(at(b).start, b);
            });
    }

    CollectiveKind kindOf(std::int32_t span) const
    {
        const CollectiveCall* call = m_trace.callOf(span);
        return call == nullptr ? CollectiveKind::Other : call->kind;
    }

    std::int64_t sequenceOf(std::int32_t span) const
    {
        const CollectiveCall* call = m_trace.callOf(span);
        return call == nullptr ? -1 : call->sequence;
    }

    static std::int64_t countOf(const SpansOfRanks& ranks)
    {
        std::int64_t count = 0;
        for (const auto& [rank, spans] : ranks)
            count += static_cast<std::int64_t>(spans.size());
        return count;
    }

    static bool equallyOften(const SpansOfRanks& ranks)
    {
        return std::all_of(ranks.begin(), ranks.end(), [&](const auto& one) {
            return one.second.size() == ranks.begin()->second.size();
        });
    }

    /// The n-th spans of the ranks. @pre they have equally many
    static std::vector<Sides> inOrder(const SpansOfRanks& ranks)
    {
        std::vector<Sides> all(ranks.begin()->second.size());
        for (const auto& [rank, spans] : ranks)
            for (std::size_t i = 0; i < spans.size(); ++i)
                all[i].push_back(spans[i]);
        return all;
    }

    bool kindsAgree(const Sides& sides) const
    {
        return std::all_of(sides.begin(), sides.end(), [&](std::int32_t side) {
            return kindOf(side) == kindOf(sides.front());
        });
    }

    /// By the numbers of the operations; empty where they are not numbered, or two have a number.
    std::vector<Sides> bySequence(const SpansOfRanks& ranks) const
    {
        std::map<std::int64_t, Sides> numbered;
        for (const auto& [rank, spans] : ranks)
            for (const std::int32_t span : spans) {
                Sides& sides = numbered[sequenceOf(span)];
                if (sequenceOf(span) < 0 || (!sides.empty() && at(sides.back()).rank == rank))
                    return {};
                sides.push_back(span);
            }
        std::vector<Sides> all;
        for (auto& [number, sides] : numbered)
            if (sides.size() == ranks.size()) // else a recording began later or ended earlier
                all.push_back(std::move(sides));
        if (!std::all_of(all.begin(), all.end(),
                         [this](const Sides& one) { return kindsAgree(one); }))
            return {};
        return all;
    }

    /// The operations of a group; fewer than there are where their order is not told.
    std::vector<Sides> operationsOf(const SpansOfRanks& ranks) const
    {
        std::vector<Sides> all = bySequence(ranks);
        if (!all.empty())
            return all;
        if (equallyOften(ranks)) {
            all = inOrder(ranks);
            if (std::all_of(all.begin(), all.end(),
                            [this](const Sides& one) { return kindsAgree(one); }))
                return all;
        }
        all.clear();
        std::map<CollectiveKind, SpansOfRanks> kinds;
        for (const auto& [rank, spans] : ranks)
            for (const std::int32_t span : spans)
                kinds[kindOf(span)][rank].push_back(span);
        for (const auto& [kind, some] : kinds)
            if (some.size() == ranks.size() && equallyOften(some)) {
                std::vector<Sides> more = inOrder(some);
                std::move(more.begin(), more.end(), std::back_inserter(all));
            }
        return all;
    }

    void takeGroup(std::int32_t number, const SpansOfRanks& ranks)
    {
        const ProcessGroup& told = m_trace.groups[static_cast<std::size_t>(number)];
        if (ranks.size() < 2)
            return; // its other ranks are not in the trace
        const auto here = static_cast<std::int32_t>(ranks.size());
        if (told.size > 0 && told.size < here) {
            m_found.unknown.push_back("collectives: " + nameOf(told) + " has " +
                                      std::to_string(told.size) + " ranks and is named on " +
                                      std::to_string(here) +
                                      "; which of them communicate is not known");
            return;
        }
        const std::vector<Sides> operations = operationsOf(ranks);
        std::int64_t taken = 0;
        for (const Sides& one : operations)
            taken += static_cast<std::int64_t>(one.size());
        Candidate candidate = candidateOf(operations);
        // Groups beside each other may have one name; what ends together is one of them.
        if (!told.listed() && !told.unique && !endTogether(candidate))
            taken = 0;
        else
            keep(std::move(candidate), number, sizeOf(told, here), ranks);
        if (const std::int64_t rest = countOf(ranks) - taken; rest > 0)
            m_found.unknown.push_back("collectives: of " + groupedNumber(countOf(ranks)) +
                                      " kernels of " + nameOf(told) + " " + groupedNumber(rest) +
                                      " cannot be told apart by their order");
    }

    /// What says no group.
    void takeUntold()
    {
        std::int64_t unknown = 0;
        Candidate all;
        for (const auto& [name, ranks] : m_byName) {
            Candidate one;
            if (ranks.size() == m_ranks.size() && equallyOften(ranks))
                one = candidateOf(inOrder(ranks));
            if (one.operations.empty() || !endTogether(one)) {
                unknown += countOf(ranks);
                continue;
            }
            for (Collective& operation : one.operations) {
                operation.firstSide += all.sides.size();
                all.operations.push_back(operation);
            }
            all.sides.insert(all.sides.end(), one.sides.begin(), one.sides.end());
            all.apart += one.apart;
        }
        SpansOfRanks ranks;
        for (const TraceRankId rank : m_ranks)
            ranks[rank];
        keep(std::move(all), -1, static_cast<std::int32_t>(ranks.size()), ranks);
        if (unknown > 0)
            m_found.unknown.push_back("collectives: " + groupedNumber(unknown) +
                                      " kernels do not say their process group, and do not end "
                                      "together on all ranks; who waits for whom in them is not "
                                      "known");
    }

    /// @param here  its ranks in the trace
    static std::int32_t sizeOf(const ProcessGroup& group, std::int32_t here)
    {
        if (group.size > 0)
            return group.size;
        const auto commas = std::count(group.ranks.begin(), group.ranks.end(), ',');
        return group.listed() ? std::max(here, static_cast<std::int32_t>(commas) + 1) : -1;
    }

    static std::string nameOf(const ProcessGroup& group)
    {
        const std::string name = "process group " + (group.name.empty() ? "?" : group.name);
        return group.description.empty() ? name : name + " (" + group.description + ")";
    }

    Candidate candidateOf(const std::vector<Sides>& operations) const
    {
        Candidate candidate;
        for (const Sides& sides : operations) {
            Collective one;
            one.kind = kindOf(sides.front());
            one.late = sides.front();
            one.start = at(one.late).start;
            Ticks firstEnd = at(one.late).end, lastEnd = firstEnd;
            for (const std::int32_t side : sides) {
                const TraceSpan& span = at(side);
                one.late = span.start > at(one.late).start ? side : one.late;
                one.start = std::min(one.start, span.start);
                firstEnd = std::min(firstEnd, span.end);
                lastEnd = std::max(lastEnd, span.end);
            }
            const Ticks last = at(one.late).start;
            if (firstEnd < last) {
                ++candidate.apart;
                continue;
            }
            one.skew = last - one.start;
            one.together = lastEnd - last;
            one.firstSide = candidate.sides.size();
            one.sides = sides.size();
            for (const std::int32_t side : sides) {
                one.waited += last - at(side).start;
                if (const CollectiveCall* call = m_trace.callOf(side))
                    one.bytes = std::max(one.bytes,
                                         bytesOf(*call, static_cast<std::int32_t>(sides.size())));
            }
            candidate.startsApart += one.skew;
            candidate.endsApart += lastEnd - firstEnd;
            candidate.sides.insert(candidate.sides.end(), sides.begin(), sides.end());
            candidate.operations.push_back(one);
        }
        return candidate;
    }

    /// Whether ranks that begin apart end together.
    static bool endTogether(const Candidate& candidate)
    {
        // Starts that are less apart than this tell nothing, and nobody waits.
        constexpr Ticks little = 10'000;
        const auto count = static_cast<Ticks>(candidate.operations.size());
        return candidate.startsApart <= little * count ||
               2 * candidate.endsApart <= candidate.startsApart;
    }

    void keep(Candidate candidate, std::int32_t number, std::int32_t size,
              const SpansOfRanks& ranks)
    {
        constexpr std::int64_t tolerated = 10;
        const auto known = static_cast<std::int64_t>(candidate.operations.size());
        const bool trusted = candidate.apart * tolerated <= known + candidate.apart;
        m_apart += candidate.apart + (trusted ? 0 : known);
        if (!trusted || known == 0)
            return;
        CommunicationGroup group;
        group.group = number;
        group.size = size;
        for (const auto& [rank, spans] : ranks)
            group.ranks.push_back(rank);
        group.waited.resize(group.ranks.size());
        group.operations = known;
        for (Collective& one : candidate.operations) {
            for (std::size_t i = 0; i < one.sides; ++i) {
                const std::int32_t side = candidate.sides[one.firstSide + i];
                const Ticks waited = at(one.late).start - at(side).start;
                if (waited == 0)
                    continue;
                m_found.waits.push_back({side, one.late, waited});
                const auto rank =
                    std::lower_bound(group.ranks.begin(), group.ranks.end(), at(side).rank);
                group.waited[static_cast<std::size_t>(rank - group.ranks.begin())] += waited;
            }
            one.firstSide += m_found.sides.size();
            one.group = static_cast<std::int32_t>(m_found.groups.size());
        }
        std::stable_sort(
            candidate.operations.begin(), candidate.operations.end(),
            [](const Collective& a, const Collective& b) { return a.start < b.start; });
        m_found.operations.insert(m_found.operations.end(), candidate.operations.begin(),
                                  candidate.operations.end());
        m_found.sides.insert(m_found.sides.end(), candidate.sides.begin(), candidate.sides.end());
        m_found.groups.push_back(std::move(group));
    }

    const Trace& m_trace;
    TraceCollectives m_found;
    std::set<TraceRankId> m_ranks; // with a collective
    std::map<std::int32_t, SpansOfRanks> m_byGroup;
    std::map<std::pair<std::int32_t, CollectiveKind>, SpansOfRanks> m_byName;
    std::int64_t m_apart = 0;
};

} // namespace

TraceCollectives matchCollectives(const Trace& trace)
{
    return Matching(trace).run();
}

CollectiveBandwidth bandwidthOf(CollectiveKind kind, std::int32_t ranks, Bytes bytes, Ticks time)
{
    if (bytes <= 0 || time <= 0 || ranks < 1)
        return {};
    constexpr double nanoseconds = 1e9;
    const double algorithm = static_cast<double>(bytes) * nanoseconds / static_cast<double>(time);
    const double others = static_cast<double>(ranks - 1) / ranks;
    switch (kind) {
    case CollectiveKind::AllReduce:
        return {algorithm, 2 * others * algorithm};
    case CollectiveKind::AllGather:
    case CollectiveKind::ReduceScatter:
    case CollectiveKind::AllToAll:
    case CollectiveKind::Gather:
    case CollectiveKind::Scatter:
        return {algorithm, others * algorithm};
    case CollectiveKind::Other:
    case CollectiveKind::Broadcast:
    case CollectiveKind::Reduce:
    case CollectiveKind::Barrier:
    case CollectiveKind::Message:
        break;
    }
    return {algorithm, algorithm};
}

} // namespace pw
