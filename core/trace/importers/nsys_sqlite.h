// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/trace/importers/event_file.h"
#include "core/trace/importers/nsys_tables.h"
#include "core/trace/importers/trace_names.h"
#include "core/trace/trace.h"

#include <string>

namespace pw {

/// Reads one SQLite export of Nsight Systems (schema 3.x) and appends its spans to a trace, with
/// ranks and tracks as `readChromeEvents` leaves them.
///
/// Kernels, copies and memsets are spans of their stream, measured on the device. NVTX ranges are
/// spans of their thread, by the host's clock; ", seq = …" and what follows is cut off their names.
/// A device that a process works on is a rank, unless ranges name ranks themselves.
///
/// Kernels are joined to the call that launched them by correlation id and process, and so to the
/// labelled range that was open then on the calling thread, else on the only other thread of the
/// process that has one for the same rank (autograd's thread has none). From the first to the last
/// of them is a span of that label, by containment; sends and receives do not lengthen a pass. Then
/// the range itself has no label: the host's times and the device's do not mix on a rank. A pass
/// that launched nothing, between others that did, has no length and stands behind the one before
/// it, guessed; not so in a file that lacks launches.
///
/// Tables that are not there have no rows. Memory is that of the spans and names, and 32 bytes for
/// each of the device's.
///
/// @error Io         the file cannot be opened
/// @error Syntax     it is damaged, no export, or lacks a column; with file, table and column or
/// row
/// @error Cancelled  `goOn` said so
Result<EventFile> readNsysSqlite(const std::string& path, Trace& trace, TraceNames& names,
                                 const KeepReadingRows& goOn);

} // namespace pw
