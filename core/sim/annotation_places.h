// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/model/annotation.h"
#include "core/sim/draft_times.h"
#include "core/sim/simulator.h"

#include <vector>

namespace pw {

// Where annotations stand over the lanes of a simulated schedule, in their order.
//
// An anchor on a pass is where the pass is now, or where the other backward of its cell is, as BW
// for W. Where the schedule has neither, and for an anchor on none, it is at the time and on the
// device that the anchor says, inside of what there is: no later than the end, and on the last
// device at most.

/// @pre         the result is of this schedule
/// @complexity  O(annotations)
std::vector<PlacedAnnotation> placeAnnotations(const std::vector<Annotation>& annotations,
                                               const Schedule& schedule, const SimResult& result);

/// Of equal passes of a draft the first counts. Where the draft has no passes yet, times stay.
/// @pre         the times are of this draft
/// @complexity  O(annotations + entries), where an anchor is on a pass; else O(annotations)
std::vector<PlacedAnnotation> placeAnnotations(const std::vector<Annotation>& annotations,
                                               const Draft& draft, const DraftTimes& times);

} // namespace pw
