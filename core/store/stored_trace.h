// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/store/run_store.h"
#include "core/trace/activity_lanes.h"
#include "core/trace/message_split.h"
#include "core/trace/trace.h"

#include <functional>
#include <string>
#include <vector>

namespace pw {

/// A trace as it was kept: its slices, names, labels, counters and arrows, in lanes. It has no
/// files, no repairs and no warnings; its spans stand lane by lane.
struct StoredTrace
{
    std::string title; ///< of its run
    Trace trace;
    ActivityLanes lanes;
    std::vector<MessagePair> pairs; ///< only which spans they join
};

/// Reads all of a kept trace.
/// @param goOn  asked now and then with the part of the slices that is read; false stops; may be
///              empty
/// @error       as of `RunStore`; BadValue where no trace was kept with the run; Cancelled
/// @complexity  O(slices), in a thread a lane on up to four processors
Result<StoredTrace> loadStoredTrace(const std::string& store, RunNumber run,
                                    const std::function<bool(double)>& goOn = {});

} // namespace pw
