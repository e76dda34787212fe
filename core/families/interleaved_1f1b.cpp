// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/try.h"
#include "core/families/engines.h"
#include "core/families/family.h"
#include "core/families/forms.h"
#include "core/families/parameters.h"
#include "core/families/unit_walk.h"

#include <algorithm>
#include <cmath>

namespace pw::families {

namespace {

constexpr Parameter group = {
    .name = "group",
    .summary = "micro-batches that go through a chunk before the next chunk follows",
    .fallbackText = "p, or the next that m allows",
    .role = ParameterRole::Group,
    .rule = [](const FamilyOptions& options) {
        return static_cast<double>(usualGroup(options, options.devices));
    }};

/// Device r warms up with 2(p−1−r) forwards and those of all chunks but one for a group; with
/// overlapped pairs one more, so that the halves of a pair do not wait for each other.
WalkPlan planOf(const FamilyOptions& options)
{
    WalkPlan plan;
    plan.devices = options.devices;
    plan.chunks = chosenWhole(options, chunksParameter);
    plan.microBatches = options.microBatches;
    plan.group = std::min(chosenWhole(options, group), options.microBatches);
    plan.overlapped = isOn(options, overlapParameter);
    for (const DeviceId device : Ids<DeviceId>(plan.devices)) {
        const int warmUp = 2 * (plan.devices - 1 - device) + (plan.chunks - 1) * plan.group;
        plan.walks.push_back(
            {.warmUp = warmUp + (plan.overlapped ? 1 : 0), .blockStart = -3 * Ticks{device}});
    }
    return plan;
}

Result<PipelineSpec> shape(const FamilyOptions& options)
{
    const int together = chosenWhole(options, group);
    const int chunks = chosenWhole(options, chunksParameter);
    if (auto ok = checkGroup(options.microBatches, together, options.devices); !ok && chunks > 1)
        return fail(ok.error());
    return placedShape(options, Placement::looped(options.devices, chunks));
}

Result<Schedule> build(const PipelineSpec& spec, const FamilyOptions& options, const Costs&)
{
    return finish(spec, ordersOf(planOf(options)));
}

Result<BuildingBlock> block(const FamilyOptions& options)
{
    PW_DO(shape(options));
    const WalkPlan plan = planOf(options);
    PW_DO(checkComesRound(plan, plan.devices));
    return blockOf(plan);
}

/// T_c on the critical path, where a hop is short against a chunk's passes; none where it is not
/// known.
std::optional<double> hops(const ClosedFormInput& in)
{
    const double v = in.parameter("chunks");
    const double T = in.forward + in.fused();
    if (in.hop == 0 || in.p < 2)
        return 0;
    if (v == 1)
        return 2 * in.hop <= T ? std::optional(2 * (in.p - 1)) : std::nullopt;
    if (v * in.hop > std::min(in.forward, in.fused()) || std::fmod(in.m, groupIn(in, group)) != 0)
        return std::nullopt;
    if (groupIn(in, group) == in.p)
        return 2 * (in.p * v - 1);
    return groupIn(in, group) >= 2 * in.p ? std::optional(2 * (in.p - 1)) : std::nullopt;
}

std::optional<double> bubble(const ClosedFormInput& in)
{
    const double v = in.parameter("chunks");
    const double T = in.forward + in.fused();
    if (in.parameter("overlap") != 0 && (in.pair != T || in.hop != 0))
        return std::nullopt;
    const std::optional<double> messages = hops(in);
    if (!messages)
        return std::nullopt;
    return (in.p - 1 + (v - 1) * std::max(0.0, in.p - in.m)) * T / v + *messages * in.hop;
}

/// The closed form that Zero Bubble's tables print; the order itself waits for up to p·T_c more.
std::optional<double> published(const ClosedFormInput& in)
{
    const double v = in.parameter("chunks");
    if (in.p < 2 || groupIn(in, group) != in.p || std::fmod(in.m, in.p) != 0 ||
        in.parameter("overlap") != 0)
        return std::nullopt;
    return (in.p - 1) * (in.forward + in.fused()) / v + (2 * (in.p * v - 1) - in.p) * in.hop;
}

std::optional<double> peak(const ClosedFormInput& in)
{
    const double v = in.parameter("chunks");
    const double more = in.parameter("overlap") != 0 ? 1 : 0;
    return std::min(in.m, ((v - 1) * groupIn(in, group) + 2 * in.p - 1 + more) / v);
}

} // namespace

Family interleaved_1f1b()
{
    Family family;
    family.id = "interleaved-1f1b";
    family.title = "Interleaved 1F1B";
    family.summary =
        "1F1B with several chunks a device, laid round and round: a smaller bubble for "
        "more messages and memory (Megatron's virtual pipeline).";
    family.citation = "Narayanan et al., Efficient Large-Scale Language Model Training on GPU "
                      "Clusters Using Megatron-LM, SC 2021, arXiv:2104.04473";
    family.parameters = {chunksParameter, group, overlapParameter};
    constexpr std::string_view formula =
        "(p−1+(v−1)·max(0, p−m))(T_F+T_BW)/v + 2(pv−1)T_c; groups of 2p or more: 2(p−1)T_c";
    constexpr std::string_view condition =
        "T_c = 0; or m a multiple of the group, that is p or at least 2p, and v·T_c ≤ T_F, T_BW; "
        "overlapped: T_c = 0 and a pair takes T_F+T_BW";
    family.closedForms = {
        {Quantity::SpanBubble, formula, condition, bubble},
        {Quantity::WallBubble, formula, condition, bubble},
        {Quantity::SpanBubble, "(p−1)(T_F+T_BW)/v + (2(pv−1)−p)T_c",
         "as Zero Bubble's tables have it, m a multiple of the group p; the order waits p·T_c more",
         published, true},
        {Quantity::PeakActivation, "min(m, ((v−1)·group+2p−1)/v), overlapped 1/v more", "", peak}};
    family.spec = shape;
    family.build = build;
    family.fixedOrder = true;
    family.engines = {{megatronEngine, "forward_backward_pipelining_with_interleaving"}};
    family.block = block;
    return family;
}

} // namespace pw::families
