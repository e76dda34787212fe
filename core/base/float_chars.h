// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <charconv>
#include <cstddef>
#include <string>
#include <string_view>

namespace pw {

// Numbers with a point as texts, whatever the locale. libc++ 14, which the web build has, knows
// neither std::to_chars nor std::from_chars of a double; there C's functions do the same, digit for
// digit, since its library has one locale alone.

/// A decimal number at the begin of a text, as std::from_chars reads it.
struct ReadDouble
{
    double value = 0;
    std::size_t length = 0; ///< of what was read
    std::errc problem{};    ///< as of std::from_chars
};
ReadDouble readDouble(std::string_view text);

/// The shortest text that reads back as the same number. @pre it is finite
std::string shortestDouble(double value);

/// With so many digits behind the point. @pre it is finite
std::string fixedDouble(double value, int decimals);

} // namespace pw
