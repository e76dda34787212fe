// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/job/tensor_ranks.h"

#include "core/base/medians.h"
#include "core/trace/group_ranks.h"

#include <algorithm>

namespace pw {

namespace {

/// What each rank computes in all: kernels, by themselves or as a digest sums them up; of ranks
/// without any, their passes.
std::vector<double> computedBy(const Trace& trace)
{
    std::vector<double> kernels(trace.ranks.size(), 0), sums = kernels, passes = kernels;
    for (const TraceSpan& span : trace.spans) {
        const auto time = static_cast<double>(span.end - span.start);
        const SpanLabel* label = trace.labelOf(span);
        if (trace.tracks[static_cast<std::size_t>(span.track)].device &&
            span.activity == ActivityKind::Compute)
            kernels[span.rank.index()] += time;
        if (label != nullptr && label->role == SpanRole::Pass)
            passes[span.rank.index()] += time;
    }
    for (const WorkSum& sum : trace.sums)
        if (sum.name < 0 && sum.kind == ActivityKind::Compute)
            sums[sum.rank.index()] += static_cast<double>(sum.total);
    const auto any = [](const std::vector<double>& all) {
        return std::any_of(all.begin(), all.end(), [](double one) { return one > 0; });
    };
    return any(sums) ? sums : any(kernels) ? kernels : passes;
}

} // namespace

TensorRanks::TensorRanks(const Trace& trace)
{
    std::map<std::int32_t, TraceRankId> byNumber;
    for (const TraceRankId rank : Ids<TraceRankId>(trace.ranks.size()))
        if (trace.ranks[rank.index()].number >= 0)
            byNumber.emplace(trace.ranks[rank.index()].number, rank);
    for (const std::vector<std::int32_t>& numbers : tensorGroups(trace)) {
        std::vector<TraceRankId> group;
        for (const std::int32_t number : numbers)
            if (const auto rank = byNumber.find(number); rank != byNumber.end())
                group.push_back(rank->second);
        if (group.size() > 1)
            for (const TraceRankId rank : group)
                m_groups.emplace(rank, group);
    }
    if (!m_groups.empty())
        m_work = computedBy(trace);
}

TensorRanks::Named TensorRanks::of(TraceRankId first) const
{
    constexpr double factor = 1.05;
    const auto found = m_groups.find(first);
    if (found == m_groups.end())
        return {first, {}};
    const std::vector<TraceRankId>& group = found->second;
    const TraceRankId most =
        *std::max_element(group.begin(), group.end(), [this](TraceRankId a, TraceRankId b) {
            return m_work[a.index()] < m_work[b.index()];
        });
    std::vector<double> others;
    for (const TraceRankId rank : group)
        if (rank != most)
            others.push_back(m_work[rank.index()]);
    if (m_work[most.index()] >= factor * medianOf(std::move(others)) && m_work[most.index()] > 0)
        return {most, {}};
    return {first, group};
}

} // namespace pw
