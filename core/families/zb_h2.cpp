// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/block/draw.h"
#include "core/families/family.h"
#include "core/families/forms.h"
#include "core/families/zb_handcrafted.h"

#include <algorithm>

namespace pw::families {

namespace {

/// Forwards fill the wait for the first backward; device i holds W back by 2i backwards.
Result<Schedule> build(const PipelineSpec& spec, const FamilyOptions&, const Costs&)
{
    return delayedWeights(spec, [&spec](DeviceId device) {
        return WeightDelay{2 * (spec.devices - device) - 1, 2 * device};
    });
}

/// F travels down four units a device, which leaves room for twice the forwards of 1F1B.
Result<BuildingBlock> block(const FamilyOptions& options)
{
    const Ticks p = options.devices;
    std::vector<StageOffsets> offsets;
    for (Ticks i = 0; i < p; ++i)
        offsets.push_back({4 * i, 6 * p - 5 - 2 * i, 6 * p - 4 + 4 * i});
    return drawBlock(options.devices, Placement::linear(options.devices), 3, offsets);
}

bool shortWeights(const ClosedFormInput& in)
{
    return in.hop == 0 && in.weight <= in.forward && in.weight <= in.backward;
}

std::optional<double> bubble(const ClosedFormInput& in)
{
    if (!shortWeights(in))
        return std::nullopt;
    return (in.p - 1) * (in.forward + in.backward) - (std::min(in.m, 2 * in.p - 1) - 1) * in.weight;
}

std::optional<double> wallBubble(const ClosedFormInput& in)
{
    if (!shortWeights(in) || in.m < 2 * in.p - 1)
        return std::nullopt;
    return (in.p - 1) * (in.forward + std::max(0.0, in.backward - 2 * in.weight));
}

std::optional<double> peak(const ClosedFormInput& in)
{
    return std::min(2 * in.p - 1, in.m);
}

} // namespace

Family zb_h2()
{
    Family family;
    family.id = "zb-h2";
    family.title = "ZB-H2";
    family.summary = "Twice the warm-up forwards of 1F1B and weight gradients held back: no bubble "
                     "inside a device's span where all passes take the same.";
    family.citation = "Qi et al., Zero Bubble Pipeline Parallelism, ICLR 2024, arXiv:2401.10241";
    family.closedForms = {{Quantity::SpanBubble, "(p−1)(T_F+T_B) − (min(m, 2p−1)−1)T_W",
                           "T_c = 0, T_W ≤ T_F, T_W ≤ T_B", bubble},
                          {Quantity::WallBubble, "(p−1)(T_F + max(0, T_B−2T_W))",
                           "T_c = 0, T_W ≤ T_F, T_W ≤ T_B, m ≥ 2p−1", wallBubble},
                          {Quantity::PeakActivation, "min(2p−1, m)", "", peak}};
    family.spec = linearShape;
    family.build = build;
    family.fixedOrder = true;
    family.block = block;
    return family;
}

} // namespace pw::families
