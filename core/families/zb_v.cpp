// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/try.h"
#include "core/families/parameters.h"
#include "core/families/v_forms.h"
#include "core/search/v_greedy.h"

#include <algorithm>
#include <array>
#include <string>

namespace pw::families {

namespace {

enum Order
{
    Best = 0,
    Fixed = 1,
    Greedy = 2
};

constexpr std::array<std::string_view, 3> orders = {"best", "fixed", "greedy"};

constexpr Parameter orderParameter = choiceParameter(
    "order", "the best order found for the times, the published fixed one, or the greedy one",
    orders);

VAim aimOf(const FamilyOptions& options)
{
    return chosenWhole(options, aimParameter) == 0 ? VAim::Span : VAim::Makespan;
}

Result<VOrder> orderOf(const PipelineSpec& spec, const FamilyOptions& options, const Costs& costs)
{
    const int limit = vLimit(chosen(options, memoryLimitParameter));
    const int needed = std::min(spec.devices, spec.microBatches);
    switch (chosenWhole(options, orderParameter)) {
    case Fixed:
        if (2 * needed > limit) {
            return fail(ErrorCode::MemoryLimit,
                        "the fixed order of zb-v needs a memory-limit of %1 micro-batches; the "
                        "orders best and greedy go lower",
                        needed);
        }
        return zbVFixedOrder(spec.devices, spec.microBatches);
    case Greedy:
        return zbVGreedyOrder(vProblemOf(spec, costs), limit, aimOf(options));
    default:
        return zbVBestOrder(vProblemOf(spec, costs), limit, aimOf(options));
    }
}

Result<Schedule> build(const PipelineSpec& spec, const FamilyOptions& options, const Costs& costs)
{
    PW_TRY(const auto order, orderOf(spec, options, costs));
    return vSchedule(spec, order);
}

/// The forms hold for the span as the aim, and limits that do not bind.
std::optional<double> unitOf(const ClosedFormInput& in)
{
    if (chosen(*in.options, memoryLimitParameter) < in.p || aimOf(*in.options) != VAim::Span)
        return std::nullopt;
    return vUnit(in);
}

std::optional<double> bubble(const ClosedFormInput& in)
{
    const auto unit = unitOf(in);
    const double few = 2 * in.p - 1 - in.m;
    if (!unit)
        return std::nullopt;
    if (few <= 0)
        return 0;
    if (chosenWhole(*in.options, orderParameter) == Fixed)
        return 2 * few * *unit;
    // More memory than p micro-batches is of use to the greedy while the pipeline is short of work.
    if (in.m < in.p || chosen(*in.options, memoryLimitParameter) > in.p)
        return std::nullopt;
    return few * *unit;
}

std::optional<double> wall(const ClosedFormInput& in)
{
    const auto unit = unitOf(in);
    if (!unit || in.m < 2 * in.p - 1)
        return std::nullopt;
    return (in.p - 1) * *unit;
}

std::optional<double> peak(const ClosedFormInput& in)
{
    if (!unitOf(in) || chosen(*in.options, memoryLimitParameter) > in.p)
        return std::nullopt;
    return std::min(in.p, in.m);
}

} // namespace

Family zb_v()
{
    constexpr std::string_view equal = "T_F = T_B = T_W, T_c = 0, memory-limit p";
    Family family;
    family.id = "zb-v";
    family.title = "ZB-V";
    family.summary = "Zero bubble on a V placement: 1F1B's activation, the same on every device, "
                     "and no idle time inside a device's span.";
    family.citation =
        "Qi et al., Zero Bubble Pipeline Parallelism, ICLR 2024, arXiv:2401.10241, section 6";
    family.parameters = {orderParameter, memoryLimitParameter, aimParameter};
    family.closedForms = {
        {Quantity::SpanBubble, "max(0, 2p−1−m)·T_F/2; in the fixed order max(0, 2p−1−m)·T_F",
         "T_F = T_B = T_W, T_c = 0, memory-limit p, m ≥ p (fixed order: any m)", bubble},
        {Quantity::WallBubble, "(p−1)·T_F/2",
         "T_F = T_B = T_W, T_c = 0, memory-limit ≥ p, m ≥ 2p−1", wall},
        {Quantity::PeakActivation, "min(p, m)", equal, peak}};
    family.spec = vShaped;
    family.build = build;
    return family;
}

} // namespace pw::families
