// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/families/reference.h"

#include "core/base/try.h"
#include "core/families/family.h"

#include <algorithm>
#include <numeric>

namespace pw {

namespace {

/// Sums of neighbouring cells: of `per` stages and all their segments.
template<typename T>
std::vector<T> joined(const std::vector<T>& table, std::size_t per)
{
    std::vector<T> sums;
    for (std::size_t i = 0; i < table.size(); i += per)
        sums.push_back(std::accumulate(table.begin() + static_cast<std::ptrdiff_t>(i),
                                       table.begin() + static_cast<std::ptrdiff_t>(i + per), T{}));
    return sums;
}

/// The largest of neighbouring stages.
std::vector<Bytes> largest(const std::vector<Bytes>& table, std::size_t per)
{
    std::vector<Bytes> most;
    for (std::size_t i = 0; i < table.size(); i += per)
        most.push_back(*std::max_element(table.begin() + static_cast<std::ptrdiff_t>(i),
                                         table.begin() + static_cast<std::ptrdiff_t>(i + per)));
    return most;
}

/// What the last stage of each group sends on, or the first sends back.
std::vector<Bytes> messages(const std::vector<Bytes>& table, std::size_t segments,
                            std::size_t stages, bool last)
{
    const std::vector<Bytes> whole = joined(table, segments);
    std::vector<Bytes> ends;
    for (std::size_t i = 0; i < whole.size(); i += stages)
        ends.push_back(whole[last ? i + stages - 1 : i]);
    return ends;
}

} // namespace

Result<Reference> oneFOneBOf(const PipelineSpec& spec, const Costs& costs)
{
    if (spec.stages() % spec.devices != 0) {
        return fail(ErrorCode::BadValue, "%1 stages do not deal evenly to %2 devices",
                    spec.stages(), spec.devices);
    }
    PW_TRY(const Family* const family, findFamily("1f1b"));
    FamilyOptions options;
    options.devices = spec.devices;
    options.microBatches = spec.microBatches;
    options.steps = spec.steps;
    options.updates = spec.updates;
    PW_TRY(PipelineSpec shape, specOf(*family, options));
    shape.messages = spec.messages;

    const auto stages = static_cast<std::size_t>(spec.stages() / spec.devices);
    const auto segments = static_cast<std::size_t>(spec.segments());
    const std::size_t per = stages * segments;
    Costs whole;
    whole.forward = joined(costs.forward, per);
    whole.backward = joined(costs.backward, per);
    whole.weight = joined(costs.weight, per);
    whole.fused = joined(costs.fused, per);
    whole.update = joined(costs.update, stages);
    whole.link = costs.link;
    whole.links = costs.links;
    whole.linkTrace = costs.linkTrace;
    for (std::size_t i = 0; i < costs.activation.size(); i += per) {
        ActivationCost sum;
        for (std::size_t j = i; j < i + per; ++j)
            sum.activation += costs.activation[j].activation;
        sum.keptForWeight = sum.activation;
        sum.share = shareOne;
        sum.keptForWeightShare = shareOne;
        whole.activation.push_back(sum);
    }
    whole.forwardMessage = messages(costs.forwardMessage, segments, stages, true);
    whole.backwardMessage = messages(costs.backwardMessage, segments, stages, false);
    whole.weights = joined(costs.weights, stages);
    whole.gradients = joined(costs.gradients, stages);
    whole.optimizer = joined(costs.optimizer, stages);
    whole.buffers = largest(costs.buffers, stages);
    whole.workspace = largest(costs.workspace, stages);
    whole.fragments = costs.fragments;

    PW_TRY(Schedule schedule, family->build(shape, options, whole));
    PW_TRY(SimResult result, simulate(schedule, whole));
    return Reference{std::move(schedule), std::move(whole), std::move(result)};
}

} // namespace pw
