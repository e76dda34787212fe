// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/types.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace pw {

/// A decimal number in units of 10^`digits` nanoseconds as nanoseconds, without the rounding of a
/// double; digits below a nanosecond are rounded. Nothing where the text is not a number, or
/// further from 0 than `latestTime`.
std::optional<Ticks> ticksFromDecimal(std::string_view text, int digits);

constexpr int microsecondDigits = 3;
constexpr int millisecondDigits = 6;

/// A whole number from 0 up; −1 where the text is none.
std::int32_t smallNumber(std::string_view text);

/// The same in 64 bits.
std::int64_t largeNumber(std::string_view text);

} // namespace pw
