// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/nsys/nsys_range_text.h"

#include "core/io/file_problem.h"

namespace pw::nsys {

RangeText readRangeText(std::string_view text)
{
    RangeText said;
    said.name = text;
    if (text.substr(0, 3) != "PP:") {
        for (const std::string_view tail : {", seq = ", ", op_id = "})
            said.name = said.name.substr(0, said.name.find(tail));
        return said;
    }
    constexpr std::string_view comma = ", ";
    std::size_t at = text.find(comma);
    said.name = text.substr(0, at);
    while (at != std::string_view::npos) {
        at += comma.size();
        const std::size_t next = text.find(comma, at);
        const std::string_view part =
            text.substr(at, next == std::string_view::npos ? next : next - at);
        const std::size_t space = part.find(' ');
        const std::string_view word = part.substr(0, space);
        const std::int32_t number =
            space == std::string_view::npos ? -1 : parseNumber(part.substr(space + 1)).value_or(-1);
        if (word == "iteration")
            said.iteration = number;
        else if (word == "rank")
            said.rankNumber = number < mostRanks ? number : -1;
        else if (word == "segment")
            said.segment = number;
        at = next;
    }
    return said;
}

} // namespace pw::nsys
