// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/families/forms.h"
#include "core/families/parameters.h"
#include "core/families/unit_walk.h"

// What Seq1F1B and its form with a split backward share.
namespace pw::families {

/// 1F1B over segments; the warm-up is longer by the segments that have to be forward before the
/// first backward.
///
/// @param split  B and W apart; W of device i follows the B i units later, as in ZB-H1
inline WalkPlan seq1f1bWalk(const FamilyOptions& options, bool split)
{
    WalkPlan plan;
    plan.devices = options.devices;
    plan.microBatches = options.microBatches;
    plan.segments = chosenWhole(options, segmentsParameter);
    plan.split = split;
    for (const DeviceId device : Ids<DeviceId>(plan.devices)) {
        plan.walks.push_back({.warmUp = plan.devices - 2 - device + plan.segments,
                              .weightDelay = split ? device : 0,
                              .blockStart = -2 * Ticks{device}});
    }
    return plan;
}

inline Result<PipelineSpec> segmentedShape(const FamilyOptions& options)
{
    return withSegments(linearShape(options), options, chosenWhole(options, segmentsParameter));
}

} // namespace pw::families
