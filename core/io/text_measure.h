// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace pw {

/// How much room text takes, in units of the size of its letters.
struct TextMeasure
{
    std::function<double(std::string_view text, bool bold)> width; ///< of UTF-8 without line ends
    double line = 1.2;                                             ///< from a line to the next
};

/// Text whose font nobody knows: as wide as in DejaVu Sans, the widest of the usual ones.
TextMeasure unknownFont();

/// A text that is no wider than the room, cut and ended by "…" where it would be.
/// @param room  in units of the size of the letters
std::string elided(std::string_view text, double room, const TextMeasure& measure, bool bold);

/// A text in lines that are no wider than the room, broken at blanks.
std::vector<std::string> wrapped(std::string_view text, double room, const TextMeasure& measure);

} // namespace pw
