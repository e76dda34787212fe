// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/types.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <utility>

// The shapes of lines in the logs of Megatron and DeepSpeed. Whatever launchers and loggers put in
// front of a line (dates, ranks, hosts, colours) is no part of them, and several ranks may write
// into one line.
namespace pw {

inline bool contains(std::string_view text, std::string_view part)
{
    return text.find(part) != std::string_view::npos;
}

/// A line without what is known to stand in front: "[default7]:", "7: ", "[1,7]<stdout>:",
/// "(worker pid=3)", dates, levels, colours.
std::string_view withoutPrefixes(std::string_view line);

/// A number that a field begins with: "1354.9", "57.8TFLOPS". What follows must not be a
/// sign, as where another rank wrote into the line.
std::optional<double> leadingNumber(std::string_view field);

/// The same of a whole number from 0 up; nothing for "1.5" and "None".
std::optional<std::int64_t> leadingCount(std::string_view field);

/// A time that a field is, in units of 10^`digits` ns; nothing below 0 or above a year.
std::optional<Ticks> leadingTime(std::string_view field, int digits);

/// The number behind a word, which may have blanks, "=" or ":" between: "micro_batches=8".
std::optional<std::int64_t> countAfter(std::string_view text, std::string_view word);

/// An iteration that a line tells: "iteration 10/ 1000".
struct IterationMark
{
    std::int32_t number = 0;
    std::int64_t planned = -1; ///< of all; −1: not told
    std::size_t begin = 0;     ///< of the word, in the text
    std::size_t end = 0;       ///< behind the numbers
};

/// The first one at or behind `from`.
std::optional<IterationMark> iterationMark(std::string_view text, std::size_t from);

/// Calls with the name and the value of each "name: value" between bars. The last one counts only
/// where a bar follows it or `whole`.
void eachField(std::string_view text, bool whole,
               const std::function<void(std::string_view, std::string_view)>& take);

/// "  name .......... rest": an argument, or with ":" behind the dots a timer.
struct DottedLine
{
    std::string_view name;
    std::string_view rest; ///< without blanks at its ends
    bool timer = false;
};

std::optional<DottedLine> dottedLine(std::string_view line);

/// The rank that a text says before `end`: "[Rank 7]", "rank=7"; −1: none.
std::int32_t rankBefore(std::string_view text, std::size_t end);

} // namespace pw
