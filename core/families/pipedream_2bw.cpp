// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/families/unflushed.h"

#include <string>

namespace pw::families {

namespace {

/// With fewer than p micro-batches a step, the first device would start a step before the update of
/// two steps ago, whose version that step reads.
Result<PipelineSpec> shape(const FamilyOptions& options)
{
    if (options.microBatches < options.devices) {
        return fail(ErrorCode::BadValue,
                    "micro-batches is %1; pipedream-2bw needs at least one a device, %2, to get by "
                    "with two weight versions",
                    options.microBatches, options.devices);
    }
    return unflushedShape(options, UpdateRule::DoubleBuffered);
}

std::optional<double> versions(const ClosedFormInput& in)
{
    if (in.options != nullptr && in.options->steps < 2)
        return std::nullopt;
    return 2;
}

} // namespace

Family pipedream_2bw()
{
    Family family;
    family.id = "pipedream-2bw";
    family.title = "PipeDream-2BW";
    family.summary = "1F1B without a flush: gradients of a step make a version that is first read "
                     "two steps later, so two versions are enough.";
    family.citation =
        "Narayanan et al., Memory-Efficient Pipeline-Parallel DNN Training, ICML 2021, "
        "arXiv:2006.09503";
    family.closedForms = {{Quantity::SpanBubble,
                           "(p−1)(T_F+T_BW) once a run; 0 in the steady state", "T_c = 0, T_U = 0",
                           unflushedBubble},
                          {Quantity::PeakActivation, "p; p−i on device i", "", unflushedPeak},
                          {Quantity::WeightVersions, "2", "two steps or more", versions}};
    family.spec = shape;
    family.build = buildUnflushed;
    family.fixedOrder = true;
    family.block = unflushedBlock;
    return family;
}

} // namespace pw::families
