// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pw {

/// A number in a text that says what it is: `{9 ms|par.time}` shows 9 ms, and has to be the par.
struct NumberMark
{
    std::string shown;
    std::string formula;  ///< empty: what is shown is a relation that holds by itself
    bool rounded = false; ///< written as ~ in front: the shown digits are those of a longer number
    std::vector<std::pair<std::string, std::string>> where; ///< names for this mark, with formulas

    /// The part behind |, in one form; the same in all languages.
    std::string subject() const;
};

/// The text that people read: of each mark what it shows.
std::string shownText(std::string_view written);

/// Whether a text has marks.
bool hasMarks(std::string_view written);

/// The marks of a text, in sequence.
std::vector<NumberMark> marksOf(std::string_view written);

/// Numbers outside of all marks: digits, and words for numbers in front of what is counted
/// ("three devices"). Names are none ("1F1B", "F 0", "device 2", "Table 6"), nor what is in `code`,
/// nor the places of sources (arXiv:…, §2.3).
std::vector<std::string> bareNumbers(std::string_view written, std::string_view language);

} // namespace pw
