// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/communication/listing.h"

namespace pw::communication {

/// A listing with one action of a rank at another place of its order; passes keep theirs.
///
/// @param from  the action; a send, a receive, a wait, a gather, a free or a reduction
/// @param to    its place afterwards
/// @error BadValue     the place is not one of the rank, or the action is a pass
/// @error BadSchedule  as of `check`: a send before its producer, a receive behind its use …
Result<Listing> withMoved(const Listing& listing, const Schedule& schedule, ActionPlace from,
                          std::int32_t to);

/// The places of its rank's order that an action can be moved to, both ends counted.
struct MoveRange
{
    std::int32_t first = 0;
    std::int32_t last = 0;
};
MoveRange moveRange(const Listing& listing, const Schedule& schedule, ActionPlace place);

/// The place that puts an action where its rank comes to at a time: behind everything that is over
/// by then. @param posted  by action of the rank, when the rank comes to it; −1: never
std::int32_t placeAt(const std::vector<std::int64_t>& posted, std::int32_t from, std::int64_t time);

} // namespace pw::communication
