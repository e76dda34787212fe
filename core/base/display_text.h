// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace pw {

/// Text from a file, a trace or another program as a terminal may show it, on one line.
///
/// What would steer the terminal or turn the reading order is spelled out as JSON spells it:
/// control characters (C0, DEL, C1) and the marks of bidirectional text become "\u001b", so that a
/// title can neither clear the screen nor look like another one. Line and paragraph separators are
/// spelled out too. Bytes that are not UTF-8 become "�". All else stays as it is.
std::string displayText(std::string_view text);

/// The same for text of several lines: line ends and tabs stay.
std::string displayLines(std::string_view text);

/// Bytes of `text` from its start that can be shown as they are: printable ASCII, and with
/// `lines` line ends and tabs.
std::size_t plainLength(std::string_view text, bool lines);

/// Appends the character that `text` starts with, spelled out where it has to be.
///
/// @param lines  line ends and tabs are shown as they are
/// @return       bytes of it; 0: the text ends before the character does, more may follow
/// @pre          `text` is not empty
std::size_t appendShown(std::string& out, std::string_view text, bool lines);

/// A piece of a file in quotes for a message: at most 40 bytes, what cannot be printed replaced.
std::string inQuotes(std::string_view text);

} // namespace pw
