// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/communication/play.h"
#include "ui/models/lanes.h"

#include <map>
#include <memory>
#include <vector>

namespace pw::ui {

/// A listing that was played, as lanes: of every device its passes, below them its sends, its
/// receives, and gathers and reductions where there are any. What waits in its communicator is
/// hatched, what travels is not; what a ring holds reaches to the end.
struct ListingLanes
{
    LanesPtr lanes;
    std::vector<communication::ActionPlace> places; ///< by entry of a span
    std::vector<int> rankOfLane;
    /// The span of an action, of its travelling where it has two; invalid: it is not drawn.
    SpanRef spanOf(communication::ActionPlace place) const;
    /// The action of a span.
    communication::ActionPlace placeOf(SpanRef span) const;

    std::map<std::pair<int, int>, SpanRef> spans; ///< by rank and action
};

ListingLanes lanesOf(const std::shared_ptr<const Schedule>& schedule,
                     const communication::Listing& listing, const communication::Played& played);

} // namespace pw::ui
