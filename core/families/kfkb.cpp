// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/families/family.h"
#include "core/families/forms.h"

#include <algorithm>
#include <cmath>

namespace pw::families {

namespace {

constexpr Parameter groupParameter = {.name = "group",
                                      .summary = "micro-batches in a group, k",
                                      .fallback = 2,
                                      .role = ParameterRole::Group,
                                      .shorthand = 'k'};

int groupOf(const FamilyOptions& options)
{
    return std::min(chosenWhole(options, groupParameter), options.microBatches);
}

/// 1F1B over groups: each place of its order holds the passes of a whole group. The last group may
/// be shorter.
Result<Schedule> build(const PipelineSpec& spec, const FamilyOptions& options, const Costs&)
{
    const int m = spec.microBatches;
    const int k = groupOf(options);
    const int groups = (m + k - 1) / k;
    DeviceOrders orders(static_cast<std::size_t>(spec.devices));
    for (const DeviceId device : Ids<DeviceId>(spec.devices)) {
        const StageId stage(device.value);
        auto& order = orders[device.index()];
        order.reserve(2 * static_cast<std::size_t>(m));
        const auto append = [&](PassKind kind, int group) {
            for (int j = group * k; j < std::min(m, (group + 1) * k); ++j)
                order.push_back(single({kind, 0, stage, j, 0}));
        };
        const int warmUp = std::min(spec.devices - 1 - device, groups);
        for (int g = 0; g < warmUp; ++g)
            append(PassKind::F, g);
        for (int g = 0; g < groups; ++g) {
            if (warmUp + g < groups)
                append(PassKind::F, warmUp + g);
            append(PassKind::BW, g);
        }
    }
    return finish(spec, std::move(orders));
}

/// Each hop takes a group's forwards down and its backwards up: k and 2k units of time.
Result<BuildingBlock> block(const FamilyOptions& options)
{
    const int p = options.devices;
    const int k = groupOf(options);
    BuildingBlock made;
    made.devices = p;
    made.routes = {Placement::linear(p)};
    made.microBatches = k;
    made.interval = 3 * Ticks{k};
    for (const StageId i : Ids<StageId>(p)) {
        for (int j = 0; j < k; ++j) {
            made.passes.push_back({{PassKind::F, 0, i, j, 0}, Ticks{k} * i + j, 1});
            made.passes.push_back({{PassKind::BW, 0, i, j, 0},
                                   Ticks{k} * (3 * Ticks{p} - 2 - 2 * Ticks{i}) + 2 * Ticks{j},
                                   2});
        }
    }
    return made;
}

bool wholeGroups(const ClosedFormInput& in)
{
    return std::fmod(in.m, in.parameter("group")) == 0;
}

std::optional<double> bubble(const ClosedFormInput& in)
{
    const double T = in.forward + in.fused();
    if (in.hop != 0 && (!wholeGroups(in) || 2 * in.hop > (in.parameter("group") - 1) * T))
        return std::nullopt;
    return (in.p - 1) * (T + 2 * in.hop);
}

std::optional<double> peak(const ClosedFormInput& in)
{
    return std::min(in.m, in.parameter("group") * in.p);
}

} // namespace

Family kfkb()
{
    Family family;
    family.id = "kfkb";
    family.title = "kFkB";
    family.summary = "k forwards and k backwards in turn: 1F1B over groups, which hides "
                     "communication for more memory.";
    family.citation = "Wang et al., Ada-Grouper: Accelerating Pipeline Parallelism in Preempted "
                      "Network by Adaptive Group-Scheduling for Micro-Batches, arXiv:2303.01675";
    family.parameters = {groupParameter};
    family.closedForms = {{Quantity::SpanBubble, "(p−1)(T_F+T_BW+2T_c)",
                           "T_c = 0, or m a multiple of k and 2T_c ≤ (k−1)(T_F+T_BW)", bubble},
                          {Quantity::WallBubble, "(p−1)(T_F+T_BW+2T_c)",
                           "T_c = 0, or m a multiple of k and 2T_c ≤ (k−1)(T_F+T_BW)", bubble},
                          {Quantity::PeakActivation, "min(k·p, m)", "", peak}};
    family.spec = linearShape;
    family.build = build;
    family.fixedOrder = true;
    family.regroups = true;
    family.block = block;
    return family;
}

} // namespace pw::families
