// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/families/engines.h"
#include "core/families/family.h"
#include "core/families/forms.h"
#include "core/families/parameters.h"
#include "core/families/unit_walk.h"

#include <algorithm>
#include <cmath>

namespace pw::families {

namespace {

constexpr Parameter eagerParameter =
    flagParameter("eager", "doubles the warm-up, to hide communication for more memory");

/// Device i: p−1−i forwards to warm up, then one forward, one backward in turn, then the rest of
/// the backwards.
///
/// Eager: twice the warm-up, so that a round trip of messages fits between a forward and its
/// backward. Overlapped: one forward more than eager, so that the halves of a pair do not wait for
/// each other.
WalkPlan planOf(const FamilyOptions& options)
{
    const bool overlap = isOn(options, overlapParameter);
    const bool eager = overlap || isOn(options, eagerParameter);
    WalkPlan plan;
    plan.devices = options.devices;
    plan.microBatches = options.microBatches;
    plan.overlapped = overlap;
    for (const DeviceId device : Ids<DeviceId>(plan.devices)) {
        const int below = plan.devices - 1 - device;
        plan.walks.push_back({.warmUp = (eager ? 2 * below : below) + (overlap ? 1 : 0),
                              .blockStart = -2 * Ticks{device}});
    }
    return plan;
}

Result<Schedule> build(const PipelineSpec& spec, const FamilyOptions& options, const Costs&)
{
    return finish(spec, ordersOf(planOf(options)));
}

/// F travels down one device a unit, eager 4; BW up with two; together they fill every interval.
Result<BuildingBlock> block(const FamilyOptions& options)
{
    return blockOf(planOf(options));
}

bool eagerOrOverlapped(const ClosedFormInput& in)
{
    return in.parameter("eager") != 0 || in.parameter("overlap") != 0;
}

std::optional<double> bubble(const ClosedFormInput& in)
{
    const double T = in.forward + in.fused();
    const bool overlap = in.parameter("overlap") != 0;
    if (overlap && (in.pair != T || in.hop != 0))
        return std::nullopt;
    if (in.hop == 0 || in.p < 2)
        return (in.p - 1) * T;
    if (in.parameter("eager") != 0) {
        if (2 * in.hop > T)
            return std::nullopt;
        return (in.p - 1) * (T + 2 * in.hop);
    }
    if (std::fmod(in.m, in.p) != 0)
        return std::nullopt;
    return (in.p - 1) * T + (2 * (in.p - 1) * in.m / in.p + 2 * (in.p - 2)) * in.hop;
}

std::optional<double> peak(const ClosedFormInput& in)
{
    const double more = in.parameter("overlap") != 0 ? 1 : 0;
    return std::min(in.m, eagerOrOverlapped(in) ? 2 * in.p - 1 + more : in.p);
}

} // namespace

Family one_f_one_b()
{
    Family family;
    family.id = "1f1b";
    family.title = "1F1B";
    family.summary = "One forward, one backward in turn, with a flush at the end of the step "
                     "(PipeDream-Flush, DAPPLE).";
    family.citation =
        "Narayanan et al., Memory-Efficient Pipeline-Parallel DNN Training, ICML 2021, "
        "arXiv:2006.09503; Fan et al., DAPPLE, PPoPP 2021, arXiv:2007.01045";
    family.parameters = {eagerParameter, overlapParameter};
    constexpr std::string_view formula =
        "(p−1)(T_F+T_BW) + [2(p−1)m/p + 2(p−2)]T_c; eager (p−1)(T_F+T_BW+2T_c)";
    constexpr std::string_view condition =
        "T_c = 0; or m a multiple of p; or eager and 2T_c ≤ T_F+T_BW; overlapped: T_c = 0 and a "
        "pair takes T_F+T_BW";
    family.closedForms = {{Quantity::SpanBubble, formula, condition, bubble},
                          {Quantity::WallBubble, formula, condition, bubble},
                          {Quantity::PeakActivation,
                           "min(p, m); eager min(2p−1, m); overlapped min(2p, m)", "", peak}};
    family.spec = linearShape;
    family.build = build;
    family.fixedOrder = true;
    family.engines = {{megatronEngine, "forward_backward_pipelining_without_interleaving"},
                      {galvatronEngine, "pipedream_flush"}};
    family.block = block;
    return family;
}

} // namespace pw::families
