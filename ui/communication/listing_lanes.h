// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/communication/expert_pair.h"
#include "core/communication/play.h"
#include "ui/models/lanes.h"

#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace pw::ui {

/// A listing that was played, as lanes: of every device its passes, below them its sends, its
/// receives, gathers and reductions, and parts of its passes, where there are any. What waits in
/// its communicator is hatched, what travels is not; what a ring holds reaches to the end.
struct ListingLanes
{
    LanesPtr lanes;
    std::vector<communication::ActionPlace> places; ///< by entry of a span
    /// By entry: the part of its pass that it shows, at its real times; none: the whole action.
    std::vector<std::optional<communication::PartSpan>> parts;
    std::vector<RankId> rankOfLane;
    std::vector<int> rowsOfGroup; ///< lanes of passes, sends, receives … of each device in turn
    /// The span of an action, of its travelling where it has two; invalid: it is not drawn.
    SpanRef spanOf(communication::ActionPlace place) const;
    /// The action of a span.
    communication::ActionPlace placeOf(SpanRef span) const;
    /// The part of a pass that a span shows; null: none.
    const communication::PartSpan* partOf(SpanRef span) const;

    std::map<std::pair<RankId, int>, SpanRef> spans; ///< by rank and action
};

/// Layers of every stage.
using StageLayers = std::vector<std::vector<communication::LayerTimes>>;

/// @param layers  of passes with inner parts: each device has two lanes more, what it computes and
///                what it exchanges with the other devices of its experts; empty: none
/// @param like    keep as many lanes as these have, and shorten what waits where there are too few
ListingLanes lanesOf(const std::shared_ptr<const Schedule>& schedule,
                     const communication::Listing& listing, const communication::Played& played,
                     const StageLayers& layers = {}, const ListingLanes* like = nullptr);

} // namespace pw::ui
