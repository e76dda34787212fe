// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/trace/message_split.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace pw {

namespace {

MessageSide sideOf(Ticks start, Ticks end, Ticks bothFrom, Ticks bothTo)
{
    const Ticks from = std::min(bothFrom, end);
    const Ticks to = std::clamp(bothTo, from, end);
    return {from - start, to - from, end - to};
}

/// A message as both of its ends call it: the stage that sends, and what.
struct LabelledMessage
{
    PassKind kind = PassKind::F;
    std::int32_t iteration = -1, route = -1;
    StageId sender;
    std::int32_t microBatch = -1, segment = -1;

    friend bool operator<(const LabelledMessage& a, const LabelledMessage& b)
    {
        return std::tie(a.kind, a.iteration, a.route, a.sender, a.microBatch, a.segment) <
               std::tie(b.kind, b.iteration, b.route, b.sender, b.microBatch, b.segment);
    }
};

struct Ends
{
    std::vector<std::int32_t> sends, receives; // spans
};

/// Activations go up the stages, gradients down; a label has the stage of its own end.
LabelledMessage keyOf(const SpanLabel& label)
{
    const bool send = label.role == SpanRole::Send;
    const std::int32_t onward = label.kind == PassKind::F ? 1 : -1;
    return {label.kind,       label.iteration,
            label.route,      send ? label.stage : label.stage - onward,
            label.microBatch, label.segment};
}

class Pairing
{
public:
    explicit Pairing(const Trace& trace)
        : m_trace(trace)
    {
    }

    TraceMessages run()
    {
        collect();
        pairLabelled();
        pairTold();
        pairKernels();
        sum();
        return std::move(m_found);
    }

private:
    const TraceSpan& span(std::int32_t index) const
    {
        return m_trace.spans[static_cast<std::size_t>(index)];
    }

    void sortByStart(std::vector<std::int32_t>& spans) const
    {
        std::stable_sort(spans.begin(), spans.end(), [this](std::int32_t a, std::int32_t b) {
            return span(a).start < span(b).start;
        });
    }

    void collect()
    {
        std::vector<bool> kernelName;
        for (const std::string& name : m_trace.names)
            kernelName.push_back(isSendReceiveKernel(name));
        m_kernels.resize(m_trace.ranks.size());
        std::vector<std::vector<std::int32_t>> labelled(m_trace.ranks.size());
        for (std::size_t i = 0; i < m_trace.spans.size(); ++i) {
            const TraceSpan& one = m_trace.spans[i];
            const auto index = static_cast<std::int32_t>(i);
            const SpanLabel* label = m_trace.labelOf(one);
            if (label != nullptr &&
                (label->role == SpanRole::Send || label->role == SpanRole::Receive)) {
                Ends& ends = m_labelled[keyOf(*label)];
                (label->role == SpanRole::Send ? ends.sends : ends.receives).push_back(index);
                labelled[one.rank.index()].push_back(index);
            } else if (one.trust == Trust::Device &&
                       kernelName[static_cast<std::size_t>(one.name)] &&
                       isMessageKernel(m_trace, index)) {
                m_kernels[one.rank.index()].push_back(index);
            }
        }
        for (std::size_t i = 0; i < m_kernels.size(); ++i) {
            sortByStart(m_kernels[i]);
            sortByStart(labelled[i]);
            leaveOutLabelled(m_kernels[i], labelled[i]);
        }
    }

    /// Removes kernels within a labelled message. Both are sorted by start.
    void leaveOutLabelled(std::vector<std::int32_t>& kernels,
                          const std::vector<std::int32_t>& messages) const
    {
        std::size_t next = 0;
        Ticks covered = 0;
        bool any = false;
        const auto within = [&](std::int32_t kernel) {
            for (; next < messages.size() && span(messages[next]).start <= span(kernel).start;
                 ++next) {
                covered =
                    any ? std::max(covered, span(messages[next]).end) : span(messages[next]).end;
                any = true;
            }
            return any && span(kernel).end <= covered;
        };
        kernels.erase(std::remove_if(kernels.begin(), kernels.end(), within), kernels.end());
    }

    void add(std::int32_t first, std::int32_t second)
    {
        const TraceSpan& a = span(first);
        const TraceSpan& b = span(second);
        m_found.pairs.push_back({{first, second},
                                 splitMessage(a.start, a.end, b.start, b.end),
                                 std::max(a.trust, b.trust)});
    }

    void pairLabelled()
    {
        std::int64_t alone = 0;
        for (auto& [key, ends] : m_labelled) {
            sortByStart(ends.sends);
            sortByStart(ends.receives);
            // With one more on one side nobody can say which of them has no other end.
            if (ends.sends.size() != ends.receives.size()) {
                alone += static_cast<std::int64_t>(ends.sends.size() + ends.receives.size());
                continue;
            }
            for (std::size_t i = 0; i < ends.sends.size(); ++i)
                add(ends.sends[i], ends.receives[i]);
        }
        if (alone > 0)
            m_found.unknown.push_back("messages: " + std::to_string(alone) +
                                      " labelled sends and receives lack their other end");
    }

    /// Takes the kernels away that say who is at their other end, and pairs them.
    void pairTold()
    {
        std::map<std::pair<std::int32_t, std::int32_t>, Ends> told; // by the ranks from and to
        std::set<std::int32_t> here;
        for (std::size_t i = 0; i < m_kernels.size(); ++i) {
            const std::int32_t number = m_trace.ranks[i].number;
            here.insert(number);
            const auto taken = [&](std::int32_t kernel) {
                const CollectiveCall* call = m_trace.callOf(kernel);
                if (call == nullptr || call->peer < 0 || number < 0)
                    return false;
                Ends& ends = told[call->sends() ? std::pair(number, call->peer)
                                                : std::pair(call->peer, number)];
                (call->sends() ? ends.sends : ends.receives).push_back(kernel);
                return true;
            };
            std::vector<std::int32_t>& kernels = m_kernels[i];
            kernels.erase(std::remove_if(kernels.begin(), kernels.end(), taken), kernels.end());
        }
        std::size_t alone = 0;
        for (const auto& [ranks, ends] : told) {
            if (ends.sends.size() == ends.receives.size())
                for (std::size_t i = 0; i < ends.sends.size(); ++i)
                    add(ends.sends[i], ends.receives[i]);
            else if (here.count(ranks.first) > 0 && here.count(ranks.second) > 0)
                alone += ends.sends.size() + ends.receives.size();
        }
        if (alone > 0)
            m_found.unknown.push_back(
                "messages: " + std::to_string(alone) +
                " kernels of sends and receives between ranks of the trace lack their other end");
    }

    void pairKernels()
    {
        std::vector<TraceRankId> with;
        std::int64_t count = 0;
        for (const TraceRankId rank : Ids<TraceRankId>(m_kernels.size())) {
            if (!m_kernels[rank.index()].empty())
                with.push_back(rank);
            count += static_cast<std::int64_t>(m_kernels[rank.index()].size());
        }
        if (with.empty())
            return;
        if (with.size() != 2) {
            m_found.unknown.push_back(
                "messages: " + std::to_string(count) + " kernels of sends and receives on " +
                (with.size() == 1 ? "one rank" : std::to_string(with.size()) + " ranks") +
                " name no peer");
            return;
        }
        const std::vector<std::int32_t>& first = m_kernels[with[0].index()];
        const std::vector<std::int32_t>& second = m_kernels[with[1].index()];
        if (first.size() != second.size()) {
            m_found.unknown.push_back(
                "messages: " + std::to_string(first.size()) + " and " +
                std::to_string(second.size()) +
                " kernels of sends and receives on two ranks cannot be paired in order");
            return;
        }
        for (std::size_t i = 0; i < first.size(); ++i)
            add(first[i], second[i]);
    }

    void sum()
    {
        std::map<TraceRankId, RankMessages> ranks;
        for (const MessagePair& pair : m_found.pairs) {
            for (std::size_t side = 0; side < 2; ++side) {
                const TraceRankId rank = span(pair.spans[side]).rank;
                RankMessages& sums = ranks[rank];
                const MessageSide& part = pair.split.sides[side];
                sums.rank = rank;
                ++sums.count;
                sums.time.waiting += part.waiting;
                sums.time.transfer += part.transfer;
                sums.time.after += part.after;
                m_found.ownTime += part.total();
            }
            m_found.transfer += pair.split.sides[0].transfer;
            m_found.apart += pair.split.apart ? 1 : 0;
            m_found.endDifference = std::max(
                m_found.endDifference, std::abs(span(pair.spans[0]).end - span(pair.spans[1]).end));
        }
        for (const auto& [rank, sums] : ranks)
            m_found.ranks.push_back(sums);
        if (m_found.apart > 0)
            m_found.unknown.push_back(
                "transfer: of " + std::to_string(m_found.apart) + " of " +
                std::to_string(m_found.pairs.size()) +
                " messages one side ended before the other began; the clocks of the ranks differ, "
                "or the message was kept in between");
    }

    const Trace& m_trace;
    TraceMessages m_found;
    std::map<LabelledMessage, Ends> m_labelled;
    std::vector<std::vector<std::int32_t>> m_kernels; // by rank
};

} // namespace

MessageSplit splitMessage(Ticks firstStart, Ticks firstEnd, Ticks secondStart, Ticks secondEnd)
{
    const Ticks from = std::max(firstStart, secondStart);
    const Ticks to = std::min(firstEnd, secondEnd);
    return {{sideOf(firstStart, firstEnd, from, to), sideOf(secondStart, secondEnd, from, to)},
            to < from};
}

bool isSendReceiveKernel(std::string_view name)
{
    for (const std::string_view head : {"ncclDevKernel_SendRecv", "ncclKernel_SendRecv"})
        if (name.substr(0, head.size()) == head)
            return true;
    return false;
}

bool isMessageKernel(const Trace& trace, std::int32_t span)
{
    if (!isSendReceiveKernel(trace.nameOf(trace.spans[static_cast<std::size_t>(span)])))
        return false;
    const CollectiveCall* call = trace.callOf(span);
    return call == nullptr || call->kind == CollectiveKind::Message ||
           call->kind == CollectiveKind::Other;
}

TraceMessages pairMessages(const Trace& trace)
{
    return Pairing(trace).run();
}

} // namespace pw
