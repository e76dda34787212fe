// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/trace/device_activity.h"
#include "core/trace/message_split.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <span>
#include <vector>

namespace pw {

/// How long a span of communication waited for the rank that began last. Spans are of
/// `Trace::spans`.
struct PeerWait
{
    std::int32_t span = -1;
    std::int32_t peer = -1; ///< of that rank
    Ticks waited = 0;       ///< from the start of the span; more than 0

    friend bool operator==(const PeerWait&, const PeerWait&) = default;
};

/// The spans that waited, by their number. `DeviceActivity::peer` is their sum; what is known is
/// told there.
/// @param pairs  of `pairMessages` for the trace
std::vector<PeerWait> peerWaits(const Trace& trace, std::span<const MessagePair> pairs);

/// Finds how long ranks wait for each other in communication, and the rank that they wait for.
///
/// Kernels of one name that all ranks run equally often, none of them a send or a receive, are one
/// collective each, in the order of their starts. Whoever begins a collective last keeps the others
/// waiting until then. Two kernels that do not run at the same time are of no collective; where
/// more than one in ten are so, clocks differ or the ranks belong to different groups, and nothing
/// is said. Sends and receives count as `pairMessages` splits them. Where no communication tells
/// it, the rank whose compute is longest is named if it is a twentieth above the median.
///
/// @param figures  with its devices; gets `peer` and `slow`
void findLateRanks(const Trace& trace, DeviceFigures& figures);

} // namespace pw
