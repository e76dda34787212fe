// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <cstdint>
#include <optional>

namespace pw::sys {

enum class Stream : std::uint8_t
{
    Input,
    Output,
    Errors
};

/// Whether a standard stream is a terminal that a person looks at.
bool isTerminal(Stream stream);
/// The columns of the terminal that standard output is; none: it is no terminal, or does not say.
std::optional<int> terminalColumns();
/// Takes the line that the cursor is in off the terminal that standard error is; can be called
/// while a signal is handled. @return  false: it did not go
bool clearErrorLine();

} // namespace pw::sys
