// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/trace/activity_lanes.h"
#include "core/trace/message_split.h"
#include "core/trace/trace.h"

#include <span>
#include <string>

namespace pw {

/// Whether this program has OTF2's library in it.
bool writesOtf2();

/// Writes a trace as an archive in the Open Trace Format 2, which Vampir and the tools of Score-P
/// open: a process for every rank, a location for every stream and thread, a region for every name,
/// entered and left as slices nest, and messages between the locations that send and receive. A
/// slice that ends behind the one around it ends with that.
///
/// Counters are not in it.
///
/// @param lanes     of `activityLanes` for the trace
/// @param messages  of `pairMessages`
/// @param folder    is made; where it is there, it is empty. Its `traces.otf2` is what others open
/// @error BadValue  the program was built without the library; the folder has something in it
/// @error Io        it cannot be written; nothing of it is left
/// @source          OTF2 3.0, https://doi.org/10.5281/zenodo.1240731
Result<void> writeOtf2(const Trace& trace, const ActivityLanes& lanes,
                       std::span<const MessagePair> messages, const std::string& folder);

} // namespace pw
