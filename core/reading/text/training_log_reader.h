// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/reading/events/plain_spans.h"
#include "core/reading/events/text_lines.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace pw {

/// The first byte at which a text shows that it is a log of Megatron's, or of one of those who took
/// its lines over: its list of arguments, the line of an iteration, a block of timers. npos: none.
std::size_t megatronLogMark(std::string_view text);

/// The same of DeepSpeed's: its line of an iteration, its table of stages, its timers.
std::size_t deepSpeedLogMark(std::string_view text);

/// Reads a log of either, and of both in one, as logs of Megatron-DeepSpeed are.
///
/// What is told goes to `Trace::log`, which a job's other files may have begun. Iterations become
/// spans one behind the other, and timers of single ranks become rows of spans that begin with
/// their iteration and are as long as was measured: they are sums, guessed, and no passes.
///
/// @error Syntax  neither an iteration nor a timer nor an argument in it can be read
Result<void> readTrainingLog(TextLines& lines, std::int32_t number, PlainSpans& spans);

} // namespace pw
