// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/events/linked_passes.h"
#include "core/trace/pipeline_places.h"
#include "core/trace/recover.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>

namespace pw {

namespace {

/// The passes of a file that were found by links.
struct LinkedRank
{
    std::int32_t number = -1;                          ///< of the rank, as its file says
    std::vector<std::int32_t> labels;                  ///< of passes and messages
    std::vector<std::pair<Ticks, bool>> order;         ///< by start; whether it is a forward
    std::vector<Ticks> forwards;                       ///< starts, by number
    std::vector<std::pair<Ticks, std::int32_t>> steps; ///< of the profiler: start and number

    /// Forwards of each step, by the moments at which none is in flight.
    std::vector<std::int32_t> stepsInFlight() const
    {
        std::vector<std::int32_t> counts;
        std::int32_t count = 0, open = 0;
        for (const auto& [start, forward] : order) {
            count += forward ? 1 : 0;
            open += forward ? 1 : -1;
            if (open == 0) {
                counts.push_back(count);
                count = 0;
            }
        }
        return counts;
    }

    /// The same, by the profiler's steps; none where a forward is in none.
    std::vector<std::int32_t> stepsToldBy() const
    {
        std::vector<std::int32_t> counts;
        std::int32_t last = -1;
        for (const Ticks start : forwards) {
            const auto behind = std::upper_bound(
                steps.begin(), steps.end(), start,
                [](Ticks moment, const auto& step) { return moment < step.first; });
            if (behind == steps.begin())
                return {};
            const std::int32_t step = std::prev(behind)->second;
            if (counts.empty() || step != last)
                counts.push_back(0);
            ++counts.back();
            last = step;
        }
        return counts;
    }

    std::int32_t warmUp() const
    {
        return static_cast<std::int32_t>(
            std::find_if(order.begin(), order.end(), [](const auto& one) { return !one.second; }) -
            order.begin());
    }
};

std::vector<LinkedRank> ranksOf(const Trace& trace, const std::vector<EventFile>& files)
{
    std::vector<LinkedRank> ranks;
    for (std::size_t file = 0; file < files.size(); ++file) {
        if (!files[file].linkedPasses)
            continue;
        LinkedRank rank;
        rank.number = files[file].rankNumber;
        std::set<std::tuple<bool, std::int32_t>>
            seen; // a pass on the device is one of the host too
        const std::size_t end =
            file + 1 < files.size() ? files[file + 1].firstSpan : trace.spans.size();
        for (std::size_t i = files[file].firstSpan; i < end; ++i) {
            const TraceSpan& span = trace.spans[i];
            const SpanLabel* label = trace.labelOf(span);
            if (label == nullptr)
                continue;
            if (label->role == SpanRole::Step) {
                rank.steps.emplace_back(span.start, label->iteration);
                continue;
            }
            rank.labels.push_back(span.label);
            const bool forward = label->kind == PassKind::F;
            if (label->role != SpanRole::Pass || !seen.emplace(forward, label->microBatch).second)
                continue;
            rank.order.emplace_back(span.start, forward);
            if (forward)
                rank.forwards.push_back(span.start);
        }
        std::sort(rank.steps.begin(), rank.steps.end());
        std::sort(rank.order.begin(), rank.order.end());
        ranks.push_back(std::move(rank));
    }
    return ranks;
}

/// Forwards of each step, which all ranks have alike; empty: they do not fit together.
std::vector<std::int32_t> commonSteps(const std::vector<LinkedRank>& ranks)
{
    const std::size_t all = ranks.front().forwards.size();
    if (std::any_of(ranks.begin(), ranks.end(),
                    [all](const LinkedRank& rank) { return rank.forwards.size() != all; }))
        return {};
    std::vector<std::int32_t> told = ranks.front().stepsToldBy();
    if (!told.empty() && std::all_of(ranks.begin(), ranks.end(), [&](const LinkedRank& rank) {
            return rank.stepsToldBy() == told;
        }))
        return told;
    std::vector<std::int32_t> fewest;
    for (const LinkedRank& rank : ranks)
        if (const auto counts = rank.stepsInFlight();
            fewest.empty() || counts.size() < fewest.size())
            fewest = counts;
    return fewest;
}

/// Stages by the places of ranks in the process groups of their pipelines; none where a rank has
/// none.
std::vector<std::int32_t> stagesByGroups(const Trace& trace, const std::vector<LinkedRank>& ranks)
{
    const PipelinePlaces places(trace);
    std::vector<std::int32_t> stages;
    for (const LinkedRank& rank : ranks) {
        const PipelinePlace* place = places.of(rank.number);
        if (place == nullptr)
            return {};
        stages.push_back(place->stage);
    }
    return stages;
}

/// Stages by groups, else by warm-ups, where p of them are 1 … p, each as often; else none.
std::vector<std::int32_t> stagesOf(const Trace& trace, const std::vector<LinkedRank>& ranks)
{
    if (std::vector<std::int32_t> stages = stagesByGroups(trace, ranks); !stages.empty())
        return stages;
    std::map<std::int32_t, std::int32_t> counts;
    for (const LinkedRank& rank : ranks)
        ++counts[rank.warmUp()];
    std::int32_t expected = 0;
    for (const auto& [warmUp, count] : counts)
        if (warmUp != ++expected || count != counts.begin()->second)
            return {};
    std::vector<std::int32_t> stages;
    for (const LinkedRank& rank : ranks)
        stages.push_back(expected - rank.warmUp());
    return stages;
}

} // namespace

void numberLinkedPasses(Trace& trace, const std::vector<EventFile>& files)
{
    const std::vector<LinkedRank> ranks = ranksOf(trace, files);
    if (ranks.empty())
        return;
    const std::vector<std::int32_t> steps = commonSteps(ranks);
    if (steps.empty())
        trace.warnings.emplace_back(
            "no pass is labelled, and the forwards that autograd tells are not as many in every "
            "file; " +
            std::string(labelsLine));
    const std::vector<std::int32_t> stages = steps.empty() ? steps : stagesOf(trace, ranks);
    std::vector<std::pair<std::int32_t, std::int32_t>> places; // step and micro-batch
    for (std::size_t step = 0; step < steps.size(); ++step)
        for (std::int32_t one = 0; one < steps[step]; ++one)
            places.emplace_back(static_cast<std::int32_t>(step), one);
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
        const std::set<std::int32_t> labels(ranks[rank].labels.begin(), ranks[rank].labels.end());
        for (const std::int32_t index : labels) {
            SpanLabel& label = trace.labels[static_cast<std::size_t>(index)];
            const auto number = static_cast<std::size_t>(label.microBatch);
            const bool known = number < places.size();
            // Whose message it is, only stages tell.
            if (!known || (stages.empty() && label.role != SpanRole::Pass)) {
                label = {};
                continue;
            }
            std::tie(label.iteration, label.microBatch) = places[number];
            label.stage = stages.empty() ? StageId::none() : StageId(stages[rank]);
        }
    }
}

} // namespace pw
