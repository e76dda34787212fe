// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <cstdint>
#include <string_view>

namespace pw {

/// JSON files of this program, told apart by the field that says their version.
enum class OwnFile : std::uint8_t
{
    None, ///< another program's, or no JSON
    Project,
    Costs,   ///< what passes take on some machine
    Lesson,  ///< a text with levels
    Results, ///< what somebody did in the levels of lessons
    Rules    ///< how names of foreign traces are read
};

/// Which of them a text is. Only fields of the outermost object count, so that a text inside that
/// speaks of another kind does not; the first that is one of the marks decides.
///
/// @param head        a file, or its beginning: what is cut off is not asked for
/// @complexity        O(length), without recursion and without copies of values
OwnFile ownFileOf(std::string_view head);

} // namespace pw
