// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/system/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

namespace pw::sys {

bool isTerminal(Stream stream)
{
    switch (stream) {
    case Stream::Input:
        return ::isatty(STDIN_FILENO) == 1;
    case Stream::Output:
        return ::isatty(STDOUT_FILENO) == 1;
    case Stream::Errors:
        return ::isatty(STDERR_FILENO) == 1;
    }
    return false;
}

std::optional<int> terminalColumns()
{
    ::winsize size{};
    if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
        return std::nullopt;
    return size.ws_col;
}

bool clearErrorLine()
{
    constexpr char lineAway[] = "\r\x1b[K";
    return !isTerminal(Stream::Errors) ||
           ::write(STDERR_FILENO, lineAway, sizeof lineAway - 1) >= 0;
}

} // namespace pw::sys
