// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/try.h"
#include "core/families/family.h"
#include "core/families/forms.h"
#include "core/families/parameters.h"
#include "core/families/unit_walk.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace pw::families {

namespace {

constexpr Parameter segmentsOfGroup = [] {
    Parameter segments = segmentsParameter;
    segments.summary = "segments a sequence; divides p, unless m is p";
    segments.fallback = 2;
    return segments;
}();

/// Interleaved 1F1B with segments for micro-batches, in groups of p segments. With p micro-batches
/// everything is warm-up, as the authors have it.
WalkPlan planOf(const FamilyOptions& options)
{
    WalkPlan plan;
    plan.devices = options.devices;
    plan.chunks = chosenWhole(options, chunksParameter);
    plan.microBatches = options.microBatches;
    plan.segments = chosenWhole(options, segmentsOfGroup);
    plan.group = plan.devices;
    const int units = plan.chunks * plan.microBatches * plan.segments;
    for (const DeviceId device : Ids<DeviceId>(plan.devices)) {
        const int warmUp =
            (plan.chunks - 1) * plan.group + 2 * (plan.devices - 1 - device) + plan.segments - 1;
        plan.walks.push_back({.warmUp = plan.microBatches == plan.devices ? units : warmUp,
                              .blockStart = -3 * Ticks{device}});
    }
    return plan;
}

Result<PipelineSpec> shape(const FamilyOptions& options)
{
    const int segments = chosenWhole(options, segmentsOfGroup);
    if (options.devices % segments != 0 && options.microBatches != options.devices) {
        return fail(ErrorCode::BadValue,
                    "segments is %1; it has to divide the %2 devices, else a group of segments "
                    "ends inside a micro-batch; micro-batches equal to the devices avoid that",
                    segments, options.devices);
    }
    if (options.microBatches % options.devices != 0) {
        return fail(ErrorCode::BadValue,
                    "micro-batches is %1; it has to be a multiple of the %2 devices",
                    options.microBatches, options.devices);
    }
    const int chunks = chosenWhole(options, chunksParameter);
    return withSegments(placedShape(options, Placement::looped(options.devices, chunks)), options,
                        segments);
}

Result<Schedule> build(const PipelineSpec& spec, const FamilyOptions& options, const Costs&)
{
    return finish(spec, ordersOf(planOf(options)));
}

Result<BuildingBlock> block(const FamilyOptions& options)
{
    PW_DO(shape(options));
    if (options.microBatches == options.devices)
        return fail(ErrorCode::BadValue, "with as many micro-batches as devices all forwards come "
                                         "first; there is no block to repeat");
    return blockOf(planOf(options));
}

std::optional<double> bubble(const ClosedFormInput& in)
{
    if (in.hop != 0 || !in.options->segmentLengths.empty())
        return std::nullopt;
    return (in.p - 1) * (in.forward + in.fused()) /
           (in.parameter("segments") * in.parameter("chunks"));
}

std::optional<double> peak(const ClosedFormInput& in)
{
    if (!in.options->segmentLengths.empty())
        return std::nullopt;
    const double v = in.parameter("chunks");
    const double k = in.parameter("segments");
    return in.m == in.p ? in.m : std::min(in.m, ((v + 1) * in.p + k - 2) / (k * v));
}

} // namespace

Family seq1f1b_interleaved()
{
    Family family;
    family.id = "seq1f1b-interleaved";
    family.title = "Seq1F1B-I";
    family.summary = "Interleaved 1F1B over segments of each sequence.";
    family.citation =
        "Sun et al., Seq1F1B: Efficient Sequence-Level Pipeline Parallelism for Large "
        "Language Model Training, NAACL 2025, arXiv:2406.03488";
    family.parameters = {chunksParameter, segmentsOfGroup};
    family.closedForms = {
        {Quantity::SpanBubble, "(p−1)(T_F+T_BW)/(kv)", "T_c = 0, equal segments", bubble},
        {Quantity::WallBubble, "(p−1)(T_F+T_BW)/(kv)", "T_c = 0, equal segments", bubble},
        {Quantity::PeakActivation, "((v+1)p+k−2)/(kv), with m = p all of m", "equal segments",
         peak}};
    family.spec = shape;
    family.build = build;
    family.fixedOrder = true;
    family.block = block;
    return family;
}

} // namespace pw::families
