// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/own_file.h"

#include <array>
#include <cstddef>

namespace pw {

namespace {

struct OwnMark
{
    std::string_view field;
    OwnFile kind;
};

constexpr std::array<OwnMark, 5> ownMarks = {{{"pipewright", OwnFile::Project},
                                              {"pipewright_costs", OwnFile::Costs},
                                              {"pipewright_lesson", OwnFile::Lesson},
                                              {"pipewright_results", OwnFile::Results},
                                              {"pipewright_rules", OwnFile::Rules}}};

constexpr std::string_view ownBlanks = " \t\r\n";

/// The place behind a string that begins at `at`; npos: it has no end.
std::size_t behindString(std::string_view text, std::size_t at)
{
    for (std::size_t i = at + 1; i < text.size(); ++i) {
        if (text[i] == '\\')
            ++i;
        else if (text[i] == '"')
            return i + 1;
    }
    return std::string_view::npos;
}

} // namespace

OwnFile ownFileOf(std::string_view head)
{
    constexpr std::string_view byteOrder = "\xEF\xBB\xBF";
    if (head.substr(0, byteOrder.size()) == byteOrder)
        head.remove_prefix(byteOrder.size());
    const std::size_t first = head.find_first_not_of(ownBlanks);
    if (first == std::string_view::npos || head[first] != '{')
        return OwnFile::None;
    std::size_t depth = 0;
    for (std::size_t i = first; i < head.size();) {
        const char c = head[i];
        if (c != '"') {
            if (c == '{' || c == '[')
                ++depth;
            else if ((c == '}' || c == ']') && --depth == 0)
                return OwnFile::None;
            ++i;
            continue;
        }
        const std::size_t end = behindString(head, i);
        if (end == std::string_view::npos)
            return OwnFile::None;
        const std::string_view name = head.substr(i + 1, end - i - 2);
        i = end;
        const std::size_t next = head.find_first_not_of(ownBlanks, end);
        if (depth != 1 || next == std::string_view::npos || head[next] != ':')
            continue;
        for (const OwnMark& mark : ownMarks)
            if (mark.field == name)
                return mark.kind;
    }
    return OwnFile::None;
}

} // namespace pw
