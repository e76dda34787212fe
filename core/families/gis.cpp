// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/try.h"
#include "core/families/family.h"
#include "core/families/forms.h"
#include "core/families/parameters.h"
#include "core/families/unit_walk.h"

#include <algorithm>
#include <cmath>

namespace pw::families {

namespace {

/// The smallest group that comes round in time.
int leastGroup(const FamilyOptions& options)
{
    return (options.devices + 1) / 2;
}

constexpr Parameter group = {
    .name = "group",
    .summary = "micro-batches that go through a chunk before the next chunk follows, from p/2",
    .fallbackText = "p, or the next that m allows",
    .role = ParameterRole::Group,
    .rule = [](const FamilyOptions& options) {
        return static_cast<double>(usualGroup(options, leastGroup(options)));
    }};

constexpr Parameter delayWeight =
    flagParameter("delay-weight", "puts W on device r behind the backward r places later");

/// Device r warms up with p−1−r forwards and those of all chunks but one for a group. W follows its
/// B, or, delayed, the B r places later, where the device would else wait.
WalkPlan planOf(const FamilyOptions& options)
{
    const bool delayed = isOn(options, delayWeight);
    WalkPlan plan;
    plan.devices = options.devices;
    plan.chunks = chosenWhole(options, chunksParameter);
    plan.microBatches = options.microBatches;
    plan.group = std::min(chosenWhole(options, group), options.microBatches);
    plan.split = true;
    for (const DeviceId device : Ids<DeviceId>(plan.devices)) {
        // Steps of 1 and 2 by turns let a group of half the devices come round in time, both ways.
        plan.walks.push_back({.warmUp = plan.devices - 1 - device + (plan.chunks - 1) * plan.group,
                              .weightDelay = delayed ? device : 0,
                              .blockStart = -(3 * Ticks{device} / 2)});
    }
    return plan;
}

Result<PipelineSpec> shape(const FamilyOptions& options)
{
    const int least = leastGroup(options);
    const int together = chosenWhole(options, group);
    const int chunks = chosenWhole(options, chunksParameter);
    if (auto ok = checkGroup(options.microBatches, together, least); !ok && chunks > 1)
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
    PW_DO(checkComesRound(plan, leastGroup(options)));
    return blockOf(plan);
}

std::optional<double> bubble(const ClosedFormInput& in)
{
    const double v = in.parameter("chunks");
    const double together = groupIn(in, group);
    const bool delayed = in.parameter("delay-weight") != 0;
    const double saved = in.forward + in.backward - in.weight;
    if (in.hop != 0 || std::fmod(in.m, together) != 0)
        return std::nullopt;
    if (together == in.p) {
        if (delayed && in.weight > in.forward)
            return std::nullopt;
        return (in.p - 1) * (delayed ? saved : in.forward + in.backward) / v;
    }
    // Between p/2 and p it is known for equal times only.
    const bool half = 2 * together == in.p && in.weight <= in.backward &&
                      in.backward <= in.forward + in.weight &&
                      in.forward <= in.backward + in.weight;
    const bool equal = in.forward == in.backward && in.backward == in.weight;
    if (delayed || together > in.p || 2 * together < in.p || (!half && !equal))
        return std::nullopt;
    return ((in.p - 1) * (in.forward + in.backward) + (in.p - together) * (v - 1) * saved) / v;
}

/// The last device ends later than the first where the delayed W outweighs the way of its last B.
std::optional<double> wall(const ClosedFormInput& in)
{
    const std::optional<double> span = bubble(in);
    if (!span || in.parameter("delay-weight") == 0)
        return span;
    return (in.p - 1) * (in.forward + std::max(0.0, in.backward - in.weight)) /
           in.parameter("chunks");
}

std::optional<double> peak(const ClosedFormInput& in)
{
    const double v = in.parameter("chunks");
    return std::min(in.m, (groupIn(in, group) * (v - 1) + in.p) / v);
}

} // namespace

Family gis()
{
    Family family;
    family.id = "gis";
    family.title = "GIS";
    family.summary =
        "Interleaved 1F1B with a split backward and a short warm-up; groups of p/2 make "
        "GIS-H, a delayed W makes interleaved zero bubble.";
    family.citation = "Wan et al., PipeOffload: Improving Scalability of Pipeline Parallelism with "
                      "Memory Optimization, ICML 2025, arXiv:2503.01328";
    family.parameters = {chunksParameter, group, delayWeight};
    constexpr std::string_view formula =
        "[(p−1)(T_F+T_B) + (p−group)(v−1)(T_F+T_B−T_W)]/v; with delayed W (p−1)(T_F+T_B−T_W)/v";
    constexpr std::string_view condition =
        "T_c = 0, m a multiple of the group; group p; or group p/2 and each of T_W ≤ T_B ≤ "
        "T_F+T_W, "
        "T_F ≤ T_B+T_W; or equal times; with delayed W group p and T_W ≤ T_F";
    family.closedForms = {{Quantity::SpanBubble, formula, condition, bubble},
                          {Quantity::WallBubble,
                           "the same; with delayed W (p−1)(T_F+max(0, T_B−T_W))/v", condition,
                           wall},
                          {Quantity::PeakActivation, "min(m, (group·(v−1)+p)/v)", "", peak}};
    family.spec = shape;
    family.build = build;
    family.fixedOrder = true;
    family.block = block;
    return family;
}

} // namespace pw::families
