// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

// Characters of names, as rules compare them.
namespace pw {

constexpr bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

constexpr char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

/// Bytes above 127 are parts of letters.
constexpr bool isLetter(char c)
{
    return (lower(c) >= 'a' && lower(c) <= 'z') || static_cast<unsigned char>(c) >= 0x80;
}

constexpr char plainWord(char c)
{
    return c == '_' || c == ' ' ? '-' : lower(c);
}

} // namespace pw
