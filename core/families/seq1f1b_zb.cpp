// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/families/family.h"
#include "core/families/seq1f1b_walk.h"

#include <algorithm>

namespace pw::families {

namespace {

Result<Schedule> build(const PipelineSpec& spec, const FamilyOptions& options, const Costs&)
{
    return finish(spec, ordersOf(seq1f1bWalk(options, true)));
}

Result<BuildingBlock> block(const FamilyOptions& options)
{
    return blockOf(seq1f1bWalk(options, true));
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
    family.spec = segmentedShape;
    family.build = build;
    family.fixedOrder = true;
    family.block = block;
    return family;
}

} // namespace pw::families
