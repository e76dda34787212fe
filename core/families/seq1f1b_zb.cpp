// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/families/family.h"
#include "core/families/forms.h"
#include "core/families/parameters.h"
#include "core/families/unit_walk.h"

#include <algorithm>

namespace pw::families {

namespace {

/// Seq1F1B with the backward split; W of device i follows the B i units later, as in ZB-H1.
WalkPlan planOf(const FamilyOptions& options)
{
    WalkPlan plan;
    plan.devices = options.devices;
    plan.microBatches = options.microBatches;
    plan.segments = chosenWhole(options, segmentsParameter);
    plan.split = true;
    for (int device = 0; device < plan.devices; ++device) {
        plan.walks.push_back({.warmUp = plan.devices - 2 - device + plan.segments,
                              .weightDelay = device,
                              .blockStart = -2 * Ticks{device}});
    }
    return plan;
}

Result<PipelineSpec> shape(const FamilyOptions& options)
{
    return withSegments(linearShape(options), options, chosenWhole(options, segmentsParameter));
}

Result<Schedule> build(const PipelineSpec& spec, const FamilyOptions& options, const Costs&)
{
    return finish(spec, ordersOf(planOf(options)));
}

Result<BuildingBlock> block(const FamilyOptions& options)
{
    return blockOf(planOf(options));
}

std::optional<double> bubble(const ClosedFormInput& in)
{
    const double k = in.parameter("segments");
    const bool enough = in.m * k >= in.p + k - 1;
    if (in.hop != 0 || !enough || !in.options->segmentLengths.empty() || in.weight > in.forward)
        return std::nullopt;
    return (in.p - 1) * (in.forward + in.backward - in.weight) / k;
}

std::optional<double> peak(const ClosedFormInput& in)
{
    if (!in.options->segmentLengths.empty())
        return std::nullopt;
    const double k = in.parameter("segments");
    return std::min(in.m, (in.p + k - 1) / k);
}

} // namespace

Family seq1f1b_zb()
{
    Family family;
    family.id = "seq1f1b-zb";
    family.title = "Seq1F1B, zero bubble";
    family.summary =
        "Seq1F1B with a split backward, its weight part delayed by device as in ZB-H1.";
    family.citation = "Sun et al., Seq1F1B, NAACL 2025, arXiv:2406.03488; Qi et al., Zero Bubble "
                      "Pipeline Parallelism, ICLR 2024, arXiv:2401.10241";
    family.parameters = {segmentsParameter};
    family.closedForms = {{Quantity::SpanBubble, "(p−1)(T_F+T_B−T_W)/k",
                           "T_c = 0, equal segments, m·k ≥ p+k−1, T_W ≤ T_F", bubble},
                          {Quantity::PeakActivation, "min(m, (p+k−1)/k)", "equal segments", peak}};
    family.spec = shape;
    family.build = build;
    family.block = block;
    return family;
}

} // namespace pw::families
