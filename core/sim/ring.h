// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/model/schedule.h"

#include <vector>

namespace pw {

/// One device of a ring of waiting devices.
struct RingLink
{
    int device = 0;
    Pass waiting; ///< the pass that the device cannot start
    Pass needed;  ///< what it waits for, later in the order of the next link's device
};

/// The ring in which devices wait for each other.
///
/// @param reached  for each device the entry that it could not start, or its end
/// @return         the links in order, each waits for the next and the last for the first; empty if
/// nothing waits
std::vector<RingLink> waitingRing(const Schedule& schedule,
                                  const std::vector<std::int32_t>& reached);

/// The ring as an error: names every device and pass of it.
Error deadlockError(const Schedule& schedule, const std::vector<std::int32_t>& reached);

} // namespace pw
