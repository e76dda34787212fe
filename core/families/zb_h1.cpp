// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/block/draw.h"
#include "core/families/family.h"
#include "core/families/forms.h"
#include "core/families/zb_handcrafted.h"

#include <algorithm>

namespace pw::families {

namespace {

/// As many warm-up forwards as 1F1B; device i holds W back by i backwards.
Result<Schedule> build(const PipelineSpec& spec, const FamilyOptions&, const Costs&)
{
    return delayedWeights(spec, [&spec](DeviceId device) {
        return WeightDelay{spec.devices - device, device};
    });
}

/// W of device i runs i intervals after the place that it has in 1F1B.
Result<BuildingBlock> block(const FamilyOptions& options)
{
    const Ticks p = options.devices;
    std::vector<StageOffsets> offsets;
    for (Ticks i = 0; i < p; ++i)
        offsets.push_back({i, 3 * p - 2 - 2 * i, 3 * p - 1 + i});
    return drawBlock(options.devices, Placement::linear(options.devices), 3, offsets);
}

std::optional<double> bubble(const ClosedFormInput& in)
{
    if (in.hop != 0)
        return std::nullopt;
    return (in.p - 1) * (in.forward + in.backward) -
           (std::min(in.m, in.p) - 1) * std::min(in.forward, in.weight);
}

std::optional<double> wallBubble(const ClosedFormInput& in)
{
    return in.weight <= in.forward && in.weight <= in.backward ? bubble(in) : std::nullopt;
}

std::optional<double> peak(const ClosedFormInput& in)
{
    return std::min(in.p, in.m);
}

} // namespace

Family zb_h1()
{
    constexpr std::string_view formula = "(p−1)(T_F+T_B) − (min(m, p)−1)·min(T_F, T_W)";
    Family family;
    family.id = "zb-h1";
    family.title = "ZB-H1";
    family.summary = "1F1B with the weight gradients held back to fill the bubbles, within the "
                     "memory of 1F1B.";
    family.citation = "Qi et al., Zero Bubble Pipeline Parallelism, ICLR 2024, arXiv:2401.10241";
    family.closedForms = {
        {Quantity::SpanBubble, formula, "T_c = 0", bubble},
        {Quantity::WallBubble, formula, "T_c = 0, T_W ≤ T_F, T_W ≤ T_B", wallBubble},
        {Quantity::PeakActivation, "min(p, m)", "", peak}};
    family.spec = linearShape;
    family.build = build;
    family.fixedOrder = true;
    family.block = block;
    return family;
}

} // namespace pw::families
