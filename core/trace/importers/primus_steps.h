// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/trace/importers/event_file.h"
#include "core/trace/importers/trace_names.h"
#include "core/trace/origins.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <string_view>

namespace pw {

/// Whether the head of a text is what Primus writes of a rank: an object by the number of the
/// iteration, with arrays such as "fwd_start" in each.
bool looksLikePrimus(std::string_view head);

/// Whether it is the `config.json` that Primus writes beside those: the shape of the run.
bool looksLikePrimusConfig(std::string_view head);

/// Reads what Primus writes of one rank, `pp_rank_3.json`: milliseconds by events of the device
/// since the rank's own start of the step, and the highest memory in GiB (2^30 bytes).
///
/// Passes say micro-batch and chunk where the file does; else they are counted, and `countPasses`
/// finds out. An F that ends behind the start of its own backward is cut there.
///
/// @param number     of the file in `Trace::files`
/// @error Syntax     no JSON, or no pass that can be read
/// @error TooLarge   more than 256 MiB
/// @error Cancelled  `goOn` said so
Result<EventFile> readPrimusSteps(const OpenSource& open, std::int32_t number, Trace& trace,
                                  TraceNames& names, const KeepReading& goOn);

/// Reads the shape of the run, which is no rank. Errors as above.
Result<EventFile> readPrimusConfig(const OpenSource& open, std::int32_t number, Trace& trace,
                                   TraceNames& names, const KeepReading& goOn);

} // namespace pw
