// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/trace/activity_lanes.h"
#include "core/trace/message_split.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace pw {

/// How one slice follows from another.
enum class SliceLinkKind : std::uint8_t
{
    Launch,  ///< the call that launched it, and what ran on the device
    Message, ///< the side that sends, and the one that receives
    Backward ///< an operator, and its backward
};

/// "launch", "message", "backward".
std::string_view name(SliceLinkKind kind);

/// An arrow between two spans.
struct SliceLink
{
    SliceLinkKind kind = SliceLinkKind::Launch;
    std::int32_t from = -1; ///< of `Trace::spans`
    std::int32_t to = -1;

    friend bool operator==(const SliceLink&, const SliceLink&) = default;
};

/// The arrows that begin or end at a span, at most 64. What launched a kernel is told by when it
/// was launched: two calls of a rank that begin in the same nanosecond cannot be told apart.
/// @param pairs     of `pairMessages` for the trace
/// @complexity      O(spans) for a launch, else O(lanes log spans + links)
std::vector<SliceLink> linksAt(const Trace& trace, const ActivityLanes& lanes,
                               std::span<const MessagePair> pairs, std::int32_t span);

/// The call that launched an activity of a device, as `linksAt` tells it; −1: not in the trace.
/// @complexity  O(lanes log spans)
std::int32_t launchOf(const Trace& trace, const ActivityLanes& lanes, const TraceSpan& activity);

/// The lane that a span stands on; −1: on none.
std::int32_t laneOfSpan(const Trace& trace, const ActivityLanes& lanes, std::int32_t span);

} // namespace pw
