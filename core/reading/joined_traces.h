// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/reading/events/event_file.h"
#include "core/reading/events/trace_names.h"

namespace pw {

/// Appends what was read of one file into a trace of its own, as if it had been read into this one.
/// What the file said is moved along: its places are those of the trace then.
///
/// @pre     the file is the last of `Trace::files`, and is no log
/// @param from  is used up
void joinTraces(Trace& trace, TraceNames& names, Trace& from, const TraceNames& fromNames,
                EventFile& said);

} // namespace pw
