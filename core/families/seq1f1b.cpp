// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/families/family.h"
#include "core/families/seq1f1b_walk.h"

#include <algorithm>

namespace pw::families {

namespace {

Result<Schedule> build(const PipelineSpec& spec, const FamilyOptions& options, const Costs&)
{
    return finish(spec, ordersOf(seq1f1bWalk(options, false)));
}

Result<BuildingBlock> block(const FamilyOptions& options)
{
    return blockOf(seq1f1bWalk(options, false));
}

bool equalSegments(const ClosedFormInput& in)
{
    return in.options->segmentLengths.empty();
}

std::optional<double> bubble(const ClosedFormInput& in)
{
    if (in.hop != 0 || !equalSegments(in))
        return std::nullopt;
    return (in.p - 1) * (in.forward + in.fused()) / in.parameter("segments");
}

std::optional<double> peak(const ClosedFormInput& in)
{
    if (!equalSegments(in))
        return std::nullopt;
    const double k = in.parameter("segments");
    return std::min(in.m, (in.p + k - 1) / k);
}

} // namespace

Family seq1f1b()
{
    Family family;
    family.id = "seq1f1b";
    family.title = "Seq1F1B";
    family.summary = "1F1B over segments of each sequence: forwards from the first segment, "
                     "backwards from the last.";
    family.citation =
        "Sun et al., Seq1F1B: Efficient Sequence-Level Pipeline Parallelism for Large "
        "Language Model Training, NAACL 2025, arXiv:2406.03488";
    family.parameters = {segmentsParameter};
    family.closedForms = {
        {Quantity::SpanBubble, "(p−1)(T_F+T_BW)/k", "T_c = 0, equal segments", bubble},
        {Quantity::WallBubble, "(p−1)(T_F+T_BW)/k", "T_c = 0, equal segments", bubble},
        {Quantity::PeakActivation, "min(m, (p+k−1)/k)", "equal segments", peak}};
    family.spec = segmentedShape;
    family.build = build;
    family.fixedOrder = true;
    family.block = block;
    return family;
}

} // namespace pw::families
