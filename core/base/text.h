// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/types.h"

#include <concepts>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pw {

/// The shortest decimal text that reads back as the same number, without an exponent where it is
/// short: "4.5".
std::string exactNumber(double value);

/// At most `digits` significant digits, whole numbers in full below 10^15: "0.2431", "25.5",
/// "128000".
std::string plainNumber(double value, int digits = 4);

/// The numbers of one column with the same count of decimals, at most four significant digits in
/// the largest and at most `decimals` after the point, and no more than any of them needs.
std::vector<std::string> columnNumbers(std::span<const double> values, int decimals = 4);

/// A unit that a column of times or bytes is shown in.
struct Unit
{
    std::string_view name;
    double size = 1; ///< in ticks, or in bytes
};

/// µs, ms or s, after the largest of the times to show.
Unit timeUnit(Ticks largest);

/// B, KiB, MiB … EiB, after the largest of the sizes to show.
Unit byteUnit(Bytes largest);

/// A time or size with its unit: "25.5 ms", "8.2 GiB".
std::string timeText(Ticks time);
std::string byteText(Bytes bytes);

/// A time in milliseconds, whatever its size: "12.5 ms".
std::string millisecondText(Ticks time, int digits = 6);

/// With a capital at its begin, if it begins with a letter: what stands inside another sentence as
/// one of its own.
std::string capitalised(std::string text);

/// A whole number with a comma between thousands: "64,000,000".
std::string groupedNumber(std::int64_t value);

/// A number with its thing, for what is read in English alone: "1 pass", "1,536 passes". Where
/// words can be translated, `counted` of sentence.h says it.
/// @param many  empty: `one` with an s
std::string countText(std::int64_t count, std::string_view one, std::string_view many = {});
template<std::unsigned_integral T>
std::string countText(T count, std::string_view one, std::string_view many = {})
{
    return countText(static_cast<std::int64_t>(count), one, many);
}

/// The candidate that a person probably meant by a word; empty where none is near.
std::string nearest(std::string_view word, std::span<const std::string> candidates);

} // namespace pw
