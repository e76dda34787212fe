// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/analysis/collectives.h"
#include "core/analysis/device_activity.h"
#include "core/trace/message_split.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <span>
#include <vector>

namespace pw {

/// The spans that waited, by their number. `DeviceActivity::peer` is their sum; what is known is
/// told there.
/// @param pairs  of `pairMessages` for the trace
std::vector<PeerWait> peerWaits(const Trace& trace, std::span<const MessagePair> pairs);

/// Finds how long ranks wait for each other in communication, and the rank that they wait for.
///
/// Whoever begins a collective (`matchCollectives`) last keeps the others waiting until then. Sends
/// and receives count as `pairMessages` splits them. A rank is named that begins collectives last
/// half as often again as chance would have it, or for which the others wait most of all that they
/// wait, and only above the noise: a hundredth of the span, and twice as far behind as the others
/// are apart. Where no collective tells it, the rank that its peer waits for in messages, else the
/// one whose compute is longest, if it is a twentieth above the median and no other is near.
///
/// @param figures  with its devices; gets `peer`, `collectives` and `slow`
void findLateRanks(const Trace& trace, DeviceFigures& figures);

} // namespace pw
