// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/trace/activity_lanes.h"
#include "core/trace/message_split.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <span>
#include <string>

namespace pw {

/// A message of which both moments are known and that no slices are of.
struct PlacedMessage
{
    std::int32_t from = 0; ///< number of the rank
    std::int32_t to = 0;
    Ticks sent = 0; ///< by the trace's clock, like the other one
    Ticks received = 0;
    Bytes bytes = 0;
};

/// Whether this program has OTF2's library in it.
bool writesOtf2();

/// Writes a trace as an archive in the Open Trace Format 2, which Vampir and the tools of Score-P
/// open: a process for every rank, a location for every stream and thread, a region for every name,
/// entered and left as slices nest, messages between the locations that send and receive, and
/// every counter as a metric with a location of its own. A slice that ends behind the one around it
/// ends with that.
///
/// @param lanes     of `activityLanes` for the trace
/// @param messages  of `pairMessages`
/// @param placed    on the locations of their ranks that have passes
/// @param folder    is made; where it is there, it is empty. Its `traces.otf2` is what others open
/// @error BadValue  the program was built without the library; the folder has something in it
/// @error Io        it cannot be written; nothing of it is left
/// @source          OTF2 3.0, https://doi.org/10.5281/zenodo.1240731
Result<void> writeOtf2(const Trace& trace, const ActivityLanes& lanes,
                       std::span<const MessagePair> messages, const std::string& folder,
                       std::span<const PlacedMessage> placed = {});

} // namespace pw
