// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace pw {

/// What is measured, and in what a number without a unit is.
enum class Measure : std::uint8_t
{
    Milliseconds,
    Seconds,
    Size,               ///< bytes
    Gigabytes,          ///< 10^9 bytes
    Gibibytes,          ///< 2^30 bytes
    GigabytesPerSecond, ///< 10^9 bytes a second
    Percent
};

/// Reads a number with or without a unit of its measure, as people write it: "5ms", "300 us",
/// "80GB", "80 GiB", "400Gbit/s".
///
/// Times: ns, us, µs, ms, s, min, h. Sizes: B, kB … TB of 10^3 and KiB … TiB of 2^10, in any case.
/// Rates: a size and "/s", or "ps"; where its b is small or it says bit, bits.
///
/// @return  in the measure's own unit; nothing where the text is anything else
std::optional<double> readQuantity(std::string_view text, Measure measure);

/// The units that a measure is read in, for a sentence: "ns, us, ms, s, min or h".
std::string_view unitsOf(Measure measure);

} // namespace pw
