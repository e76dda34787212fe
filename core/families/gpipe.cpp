// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/families/engines.h"
#include "core/families/family.h"
#include "core/families/forms.h"

namespace pw::families {

namespace {

constexpr Parameter recomputeParameter =
    flagParameter("recompute", "keeps stage inputs only and runs each forward once more");

constexpr Parameter inOrderParameter =
    flagParameter("in-order", "runs backwards in the order of their forwards, as PyTorch does");

/// All forwards, then all backwards, in reverse order or not. With recompute an R stands before
/// each backward.
Result<Schedule> build(const PipelineSpec& spec, const FamilyOptions& options, const Costs&)
{
    const bool recompute = isOn(options, recomputeParameter);
    const bool inOrder = isOn(options, inOrderParameter);
    DeviceOrders orders(static_cast<std::size_t>(spec.devices));
    for (const DeviceId device : Ids<DeviceId>(spec.devices)) {
        const StageId stage(device.value);
        auto& order = orders[device.index()];
        order.reserve(static_cast<std::size_t>(spec.microBatches) * (recompute ? 3 : 2));
        for (int j = 0; j < spec.microBatches; ++j)
            order.push_back(single({PassKind::F, 0, stage, j, 0}));
        for (int i = 0; i < spec.microBatches; ++i) {
            const int j = inOrder ? i : spec.microBatches - 1 - i;
            if (recompute)
                order.push_back(single({PassKind::R, 0, stage, j, 0}));
            order.push_back(single({PassKind::BW, 0, stage, j, 0}));
        }
    }
    return finish(spec, std::move(orders));
}

/// With recompute too: an R runs while its device waits for the gradient.
std::optional<double> bubble(const ClosedFormInput& in)
{
    return (in.p - 1) * (in.forward + in.fused() + 2 * in.hop);
}

std::optional<double> peak(const ClosedFormInput& in)
{
    // With recompute the boundary tensors come on top; their size is a matter of the costs.
    if (in.parameter("recompute") != 0)
        return std::nullopt;
    return in.m;
}

} // namespace

Family gpipe()
{
    Family family;
    family.id = "gpipe";
    family.title = "GPipe";
    family.summary = "All forwards, then all backwards; optionally with re-materialisation.";
    family.citation = "Huang et al., GPipe: Efficient Training of Giant Neural Networks using "
                      "Pipeline Parallelism, NeurIPS 2019, arXiv:1811.06965";
    family.parameters = {recomputeParameter, inOrderParameter};
    family.closedForms = {{Quantity::SpanBubble, "(p−1)(T_F+T_BW+2T_c)", "", bubble},
                          {Quantity::WallBubble, "(p−1)(T_F+T_BW+2T_c)", "", bubble},
                          {Quantity::PeakActivation, "m", "no recompute", peak}};
    family.spec = linearShape;
    family.build = build;
    family.fixedOrder = true;
    family.engines = {{galvatronEngine, "gpipe"}};
    return family;
}

} // namespace pw::families
