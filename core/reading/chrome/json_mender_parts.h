// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

// Characters of JSON, for the parts of JsonMender.
namespace pw {

inline bool isBlank(int c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

inline bool endsWord(int c)
{
    return c < 0 || isBlank(c) || c == ',' || c == ':' || c == '{' || c == '}' || c == '[' ||
           c == ']' || c == '"';
}

} // namespace pw
