// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/model/costs.h"
#include "core/model/schedule.h"
#include "core/sim/simulator.h"

#include <string>

namespace pw {

/// A simulated timeline as Chrome trace events, which Perfetto and chrome://tracing open.
///
/// One process a device with one thread "compute"; a slice (X) an entry, labelled as `entryLabel`,
/// with kind, route, stage, chunk, micro-batch, segment and entry number as arguments; an arrow (s,
/// f) a message between devices, from the end of its producer to the start of its consumer, with an
/// id of its own; counters (C) of memory in bytes by kind where the costs have bytes; names and
/// sort indices (M). A device that offloads activations has two further threads, "to host" and
/// "from host", with a slice a copy, named by its F. Times are µs with three decimals, so exact to
/// the nanosecond.
///
/// @pre the result is of this schedule and these costs
std::string writeChromeJson(const Schedule& schedule, const Costs& costs, const SimResult& result);

/// A simulated timeline as a table: `device,kind,route,stage,micro_batch,segment,start_ms,end_ms`,
/// a row a pass, by device and time; both passes of an overlapped pair have the pair's times.
/// Milliseconds are exact.
///
/// @pre the result is of this schedule
std::string writeTimelineCsv(const Schedule& schedule, const SimResult& result);

} // namespace pw
