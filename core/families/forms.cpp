// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/families/forms.h"

#include "core/base/try.h"

namespace pw::families {

Result<PipelineSpec> placedShape(const FamilyOptions& options, Placement placement)
{
    PipelineSpec spec;
    spec.devices = options.devices;
    spec.microBatches = options.microBatches;
    spec.steps = options.steps;
    spec.updates = options.updates || options.steps > 1;
    spec.routes = {std::move(placement)};
    PW_DO(check(spec));
    return spec;
}

Result<PipelineSpec> linearShape(const FamilyOptions& options)
{
    return placedShape(options, Placement::linear(options.devices));
}

Result<PipelineSpec> withSegments(Result<PipelineSpec> spec, const FamilyOptions& options,
                                  int count)
{
    if (!spec)
        return spec;
    if (options.segmentLengths.empty()) {
        spec->segmentLengths.assign(static_cast<std::size_t>(count), 1);
    } else if (options.segmentLengths.size() != static_cast<std::size_t>(count)) {
        return fail(ErrorCode::BadValue,
                    "segment lengths are given for %1 segments; segments is %2",
                    options.segmentLengths.size(), count);
    } else {
        spec->segmentLengths = options.segmentLengths;
    }
    PW_DO(check(*spec));
    return spec;
}

} // namespace pw::families
