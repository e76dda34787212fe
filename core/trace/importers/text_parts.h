// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/trace/importers/plain_spans.h"
#include "core/trace/importers/text_lines.h"

#include <cstdint>
#include <string_view>

// The forms of lines, each in a file of its own; nobody but training_log.cpp includes this.
namespace pw {

constexpr std::string_view paddleJobMark = "Profiler Info: Job (";
constexpr std::string_view eachRankMark = "times across ranks (ms):";
constexpr std::string_view extremesMark = "time across ranks (ms):";
constexpr std::string_view passTableHead =
    "device,kind,route,stage,micro_batch,segment,start_ms,end_ms";

Result<void> readPaddleJobs(TextLines& lines, std::int32_t number, PlainSpans& spans);
Result<void> readMegatronTimers(TextLines& lines, std::int32_t number, PlainSpans& spans);
Result<void> readPassTable(TextLines& lines, std::int32_t number, PlainSpans& spans);

/// What stands between the next `before` and `after`, which are cut off with it; `after` empty:
/// up to the end. Nothing where they are not there, and then nothing is cut.
std::string_view takeBetween(std::string_view& text, std::string_view before,
                             std::string_view after);

/// A line that cannot be read, in the list of repairs.
void unreadable(PlainSpans& spans, const TextLines& lines, std::int32_t number, const char* what);

/// A stretch of time between two texts of milliseconds. @return false: they are none
bool readStretch(std::string_view start, std::string_view end, Ticks& from, Ticks& to);

} // namespace pw
