// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/system/terminal.h"
#include "core/system/windows_words.h"

#include <array>

namespace pw::sys {

namespace {

DWORD nameOf(Stream stream)
{
    switch (stream) {
    case Stream::Input:
        return STD_INPUT_HANDLE;
    case Stream::Output:
        return STD_OUTPUT_HANDLE;
    case Stream::Errors:
        return STD_ERROR_HANDLE;
    }
    return STD_OUTPUT_HANDLE;
}

} // namespace

bool isTerminal(Stream stream)
{
    DWORD mode = 0;
    return ::GetConsoleMode(::GetStdHandle(nameOf(stream)), &mode) != 0;
}

std::optional<int> terminalColumns()
{
    CONSOLE_SCREEN_BUFFER_INFO told = {};
    if (::GetConsoleScreenBufferInfo(::GetStdHandle(STD_OUTPUT_HANDLE), &told) == 0)
        return std::nullopt;
    return told.srWindow.Right - told.srWindow.Left + 1;
}

bool clearErrorLine()
{
    constexpr std::array<char, 4> lineAway = {'\r', '\x1b', '[', 'K'};
    DWORD written = 0;
    return !isTerminal(Stream::Errors) ||
           ::WriteFile(::GetStdHandle(STD_ERROR_HANDLE), lineAway.data(), lineAway.size(), &written,
                       nullptr) != 0;
}

} // namespace pw::sys
