// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/trace/importers/event_file.h"
#include "core/trace/importers/trace_names.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <string_view>

namespace pw {

/// Whether the head of a content is a trace of Perfetto in Protocol Buffers.
bool looksLikePerfetto(std::string_view head);

/// Reads Perfetto's protobuf (.pftrace, .perfetto-trace): slices of track events with their tracks,
/// interned names, defaults of a sequence, incremental clocks and compressed packets. Numbers among
/// the debug annotations count as arguments do in JSON. Counters, instants, and what Perfetto
/// records of the system are counted and left out.
///
/// A packet that is damaged is listed as a repair and left out.
///
/// @param number     of the file in `Trace::files`
/// @error Syntax     no packet at all
/// @error TooLarge   a packet of more than 64 MiB
/// @error Cancelled  `goOn` said so
Result<EventFile> readPerfetto(const OpenSource& open, std::int32_t number, Trace& trace,
                               TraceNames& names, const KeepReading& goOn);

} // namespace pw
