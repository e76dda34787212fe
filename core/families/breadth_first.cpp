// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/families/family.h"
#include "core/families/forms.h"
#include "core/families/parameters.h"

#include <algorithm>

namespace pw::families {

namespace {

Result<PipelineSpec> shape(const FamilyOptions& options)
{
    const int chunks = chosenWhole(options, chunksParameter);
    return placedShape(options, Placement::looped(options.devices, chunks));
}

/// Chunk after chunk, each with all micro-batches, so that a chunk's weights are gathered once;
/// backwards all reversed.
Result<Schedule> build(const PipelineSpec& spec, const FamilyOptions& options, const Costs&)
{
    const int m = spec.microBatches;
    const int chunks = chosenWhole(options, chunksParameter);
    DeviceOrders orders(static_cast<std::size_t>(spec.devices));
    for (const DeviceId device : Ids<DeviceId>(spec.devices)) {
        auto& order = orders[static_cast<std::size_t>(device)];
        order.reserve(2 * static_cast<std::size_t>(m) * static_cast<std::size_t>(chunks));
        for (int c = 0; c < chunks; ++c) {
            for (int j = 0; j < m; ++j)
                order.push_back(single({PassKind::F, 0, StageId(c * spec.devices + device), j, 0}));
        }
        for (int c = chunks - 1; c >= 0; --c) {
            for (int j = m - 1; j >= 0; --j)
                order.push_back(
                    single({PassKind::BW, 0, StageId(c * spec.devices + device), j, 0}));
        }
    }
    return finish(spec, std::move(orders));
}

std::optional<double> bubble(const ClosedFormInput& in)
{
    if (in.hop != 0)
        return std::nullopt;
    const double v = in.parameter("chunks");
    return (in.p - 1 + (v - 1) * std::max(0.0, in.p - in.m)) * (in.forward + in.fused()) / v;
}

std::optional<double> peak(const ClosedFormInput& in)
{
    return in.m;
}

} // namespace

Family breadth_first()
{
    Family family;
    family.id = "breadth-first";
    family.title = "Looped breadth-first";
    family.summary =
        "All micro-batches through a chunk before the next chunk: each chunk's weights "
        "are gathered and its gradients reduced once.";
    family.citation =
        "Lamy-Poirier, Breadth-First Pipeline Parallelism, MLSys 2023, arXiv:2211.05953";
    family.parameters = {chunksParameter};
    family.closedForms = {
        {Quantity::SpanBubble, "(p−1+(v−1)·max(0, p−m))(T_F+T_BW)/v", "T_c = 0", bubble},
        {Quantity::WallBubble, "(p−1+(v−1)·max(0, p−m))(T_F+T_BW)/v", "T_c = 0", bubble},
        {Quantity::PeakActivation, "m", "", peak}};
    family.spec = shape;
    family.build = build;
    family.fixedOrder = true;
    return family;
}

} // namespace pw::families
