// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/trace/pipeline_places.h"

#include "core/trace/group_ranks.h"

#include <algorithm>
#include <set>
#include <utility>

namespace pw {

namespace {

using Pipelines = std::vector<std::vector<std::int32_t>>;

bool saysOther(const ProcessGroup& group)
{
    constexpr std::pair<const char*, const char*> others[] = {
        {"dp", "data"},    {"tp", "tensor"},   {"ep", "expert"},
        {"cp", "context"}, {"sp", "sequence"}, {"fsdp", "replicate"}};
    return std::any_of(std::begin(others), std::end(others), [&](const auto& words) {
        return saysWord(group.description, words.first, words.second);
    });
}

/// Groups of some kind, each list of ranks once, by their lowest ranks.
template<typename Is>
Pipelines groupsThat(const Trace& trace, const Is& is)
{
    std::set<std::vector<std::int32_t>> lists;
    for (std::size_t i = 0; i < trace.groups.size(); ++i)
        if (trace.groups[i].listed() && is(i))
            if (std::vector<std::int32_t> ranks = listedRanks(trace.groups[i]); ranks.size() > 1)
                lists.insert(std::move(ranks));
    Pipelines found(lists.begin(), lists.end());
    std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
        return *std::min_element(a.begin(), a.end()) < *std::min_element(b.begin(), b.end());
    });
    return found;
}

} // namespace

PipelinePlaces::PipelinePlaces(const Trace& trace)
{
    Pipelines found = groupsThat(trace, [&trace](std::size_t i) {
        return saysWord(trace.groups[i].description, "pp", "pipeline");
    });
    if (found.empty()) {
        std::set<std::int32_t> carries;
        for (const CollectiveCall& call : trace.calls)
            if (call.kind == CollectiveKind::Message && call.group >= 0 &&
                call.end != MessageEnd::NotTold)
                carries.insert(call.group);
        found = groupsThat(trace, [&](std::size_t i) {
            return carries.count(static_cast<std::int32_t>(i)) > 0 && !saysOther(trace.groups[i]);
        });
    }
    for (std::size_t number = 0; number < found.size(); ++number) {
        const auto stages = static_cast<std::int32_t>(found[number].size());
        for (std::int32_t stage = 0; stage < stages; ++stage) {
            const std::int32_t rank = found[number][static_cast<std::size_t>(stage)];
            const PipelinePlace place{static_cast<std::int32_t>(number), stage, stages};
            if (!m_places.emplace(rank, place).second || found[number].size() != found[0].size()) {
                m_places.clear();
                return;
            }
        }
    }
    m_pipelines = std::move(found);
}

const PipelinePlace* PipelinePlaces::of(std::int32_t number) const
{
    const auto found = m_places.find(number);
    return found == m_places.end() ? nullptr : &found->second;
}

} // namespace pw
