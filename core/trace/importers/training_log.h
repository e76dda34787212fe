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

/// What a text of lines holds, beside much else.
enum class TextForm : std::uint8_t
{
    None,
    PaddleJobs,     ///< Paddle's log of a rank, with the times of its jobs
    MegatronTimers, ///< Megatron's log with timers over the ranks
    PassTable       ///< Pipewright's own table, a row a pass
};

/// The form of a line, or of lines up to the first that has one; of JSON None.
TextForm textForm(std::string_view lines);

/// The same of a whole file, which is read up to there. Stopping it is no error here.
Result<TextForm> findTextForm(const OpenSource& open, const KeepReading& goOn);

/// Reads one file of such a form, other than None, and appends its spans to a trace, with ranks and
/// tracks as `readChromeEvents` leaves them.
///
/// Jobs and rows are passes; a line that is cut or damaged is left out and listed as a repair.
/// Timers are sums over an iteration of each rank: rows of spans that are as long as was measured
/// and lie at the begin of their iteration, guessed, and no passes.
///
/// @param number     of the file in `Trace::files`
/// @error Syntax     nothing of the form can be read, or only extremes over the ranks are in it
/// @error Cancelled  `goOn` said so
Result<EventFile> readText(TextForm form, const OpenSource& open, std::int32_t number, Trace& trace,
                           TraceNames& names, const KeepReading& goOn);

} // namespace pw
