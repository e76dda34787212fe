// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/families/unflushed.h"

namespace pw::families {

namespace {

Result<PipelineSpec> shape(const FamilyOptions& options)
{
    return unflushedShape(options, UpdateRule::Stashed);
}

std::optional<double> versions(const ClosedFormInput& in)
{
    if (totalMicroBatches(in) < 2 * (in.p - 1))
        return std::nullopt;
    return in.p;
}

} // namespace

Family pipedream()
{
    Family family;
    family.id = "pipedream";
    family.title = "PipeDream";
    family.summary = "1F1B without a flush: each stage updates its weights after every micro-batch "
                     "and keeps the version that a micro-batch started with for its backward.";
    family.citation = "Narayanan et al., PipeDream: Generalized Pipeline Parallelism for DNN "
                      "Training, SOSP 2019; Harlap et al., arXiv:1806.03377";
    family.closedForms = {
        {Quantity::SpanBubble, "(p−1)(T_F+T_BW) once a run; 0 in the steady state",
         "T_c = 0, T_U = 0", unflushedBubble},
        {Quantity::PeakActivation, "min(p, m·steps); p−i on device i", "", unflushedPeak},
        {Quantity::WeightVersions, "p; p−i on device i", "m·steps ≥ 2(p−1)", versions}};
    family.spec = shape;
    family.build = buildUnflushed;
    family.fixedOrder = true;
    family.block = unflushedBlock;
    return family;
}

} // namespace pw::families
