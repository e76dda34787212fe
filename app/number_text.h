// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/types.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pw::app {

/// The shortest decimal text that reads back as the same number, without an exponent where it is
/// short: "4.5".
std::string exactNumber(double value);

/// At most four significant digits, whole numbers in full up to a million: "0.2431", "25.5",
/// "128000".
std::string plainNumber(double value);

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

/// B, KiB, MiB, GiB or TiB, after the largest of the sizes to show.
Unit byteUnit(Bytes largest);

/// A time or size with its unit: "25.5 ms", "8.2 GiB".
std::string timeText(Ticks time);
std::string byteText(Bytes bytes);

/// A whole number with a comma between thousands: "64,000,000".
std::string groupedNumber(std::int64_t value);

} // namespace pw::app
