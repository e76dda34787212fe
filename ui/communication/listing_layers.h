// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/communication/listing_lanes.h"
#include "ui/timeline/overlay_painter.h"

namespace pw::ui {

// What is drawn over the lanes of a listing.

/// The ring that devices wait in for each other, and messages that are mixed up.
WrongLayer wrongOf(const communication::Played& played, const ListingLanes& shown);

/// The arrow of the message that an action sends or receives; none: it does neither.
LinkLayer linksOf(communication::ActionPlace place, const communication::Listing& listing,
                  const ListingLanes& shown);

} // namespace pw::ui
