// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace pw {

/// A number that is written as people and JSON write it: "-12", "0.25", ".5", "3e8".
///
/// The same in every locale; the nearest double, however many digits there are. Of a number that is
/// nearer to 0 than any double, 0.
///
/// @return  nothing where the text is anything else, as "inf", "0x1" or "1 ", or is beyond the
///          largest double
std::optional<double> decimalNumber(std::string_view text);

/// A whole number of at most 64 bits: digits, with or without "-" in front. Nothing else.
std::optional<std::int64_t> wholeNumber(std::string_view text);

/// Whether a text that `decimalNumber` reads as 0 says something else: "1e-400".
bool lostToZero(std::string_view text);

} // namespace pw
