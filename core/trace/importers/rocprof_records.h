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

/// Whether the head of a text is JSON of rocprofv3: `rocprofiler-sdk-tool`.
bool looksLikeRocprof(std::string_view head);

/// Reads the JSON of rocprofv3: kernels and copies on the queues of their agents, calls and ranges
/// (ROCTx) on the host's threads. A range whose text is a pass counts as one, and the kernels that
/// were launched in it tell its times, as with Kineto.
///
/// What rocprof and rocprofv2 write (`results.json`) are Chrome trace events, and are read as such.
///
/// @param number     of the file in `Trace::files`
/// @error Syntax     no JSON, or nothing that was recorded; with the byte
/// @error TooLarge   more than 20 million records of a process
/// @error Cancelled  `goOn` said so
Result<EventFile> readRocprof(const OpenSource& open, std::int32_t number, Trace& trace,
                              TraceNames& names, const KeepReading& goOn);

} // namespace pw
