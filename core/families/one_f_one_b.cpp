// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/block/draw.h"
#include "core/families/family.h"
#include "core/families/forms.h"

#include <algorithm>
#include <cmath>

namespace pw::families {

namespace {

Result<PipelineSpec> shape(const FamilyOptions& options)
{
    return linearShape(options);
}

/// Device i: p−1−i forwards to warm up, then one forward, one backward in turn, then the rest of
/// the backwards.
Result<Schedule> build(const PipelineSpec& spec, const FamilyOptions&, const Costs&)
{
    const int m = spec.microBatches;
    DeviceOrders orders(static_cast<std::size_t>(spec.devices));
    for (int device = 0; device < spec.devices; ++device) {
        auto& order = orders[static_cast<std::size_t>(device)];
        order.reserve(2 * static_cast<std::size_t>(m));
        const int warmUp = std::min(spec.devices - 1 - device, m);
        for (int j = 0; j < warmUp; ++j)
            order.push_back(single({PassKind::F, 0, device, j, 0}));
        for (int j = 0; j < m; ++j) {
            if (warmUp + j < m)
                order.push_back(single({PassKind::F, 0, device, warmUp + j, 0}));
            order.push_back(single({PassKind::BW, 0, device, j, 0}));
        }
    }
    return finish(spec, std::move(orders));
}

/// F travels down one device a unit, BW up with two; together they fill every interval.
Result<BuildingBlock> block(const FamilyOptions& options)
{
    const Ticks p = options.devices;
    std::vector<StageOffsets> offsets;
    for (Ticks i = 0; i < p; ++i)
        offsets.push_back({i, 3 * p - 2 - 2 * i, std::nullopt});
    return drawBlock(options.devices, Placement::linear(options.devices), 3, offsets);
}

std::optional<double> bubble(const ClosedFormInput& in)
{
    const double T = in.forward + in.fused();
    if (in.hop == 0)
        return (in.p - 1) * T;
    if (std::fmod(in.m, in.p) != 0 || in.p < 2)
        return std::nullopt;
    return (in.p - 1) * T + (2 * (in.p - 1) * in.m / in.p + 2 * (in.p - 2)) * in.hop;
}

std::optional<double> peak(const ClosedFormInput& in)
{
    return std::min(in.p, in.m);
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
    family.closedForms = {{Quantity::SpanBubble, "(p−1)(T_F+T_BW) + [2(p−1)m/p + 2(p−2)]T_c",
                           "T_c = 0, or m a multiple of p", bubble},
                          {Quantity::PeakActivation, "min(p, m)", "", peak}};
    family.spec = shape;
    family.build = build;
    family.block = block;
    return family;
}

} // namespace pw::families
