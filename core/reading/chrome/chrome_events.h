// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/reading/events/event_file.h"
#include "core/reading/events/trace_names.h"
#include "core/reading/packing/byte_source.h"
#include "core/trace/trace.h"

#include <cstdint>

namespace pw {

/// Reads one file of Chrome trace events, as Kineto, Perfetto's JSON and many tracers write them:
/// an array of events, or an object with `traceEvents`. Appends spans of X events and of B/E pairs
/// to the trace; arguments of either end count. Other phases are only counted. Paddle's pipeline
/// profiles, Megatron's pipeline timers, and events a line without brackets (Paddle's records of a
/// rank, Pipewright's wire) are read too.
///
/// A span's `rank` and `track` are filled so that the caller can resolve them: `rank` is the
/// process, an index of `EventFile::processes`, and the track's rank likewise. Times are
/// nanoseconds, with the file's base added where it names one.
///
/// Streams: memory is that of the spans, names and tracks, and a buffer.
///
/// @param number     of the file in `Trace::files`
/// @error Syntax     no trace events, or too damaged; with the place
/// @error Cancelled  `goOn` said so
Result<EventFile> readChromeEvents(const OpenSource& open, std::int32_t number, Trace& trace,
                                   TraceNames& names, const KeepReading& goOn);

} // namespace pw
