// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/what_if_lists.h"

#include "core/base/quantity.h"
#include "core/base/text.h"

#include <cmath>
#include <string_view>

namespace pw::app {

namespace {

constexpr double longestHopMs = 1e6;

} // namespace

std::vector<std::string> listParts(const std::string& text)
{
    std::vector<std::string> cells;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        std::string cell = text.substr(begin, end - begin);
        cell.erase(0, cell.find_first_not_of(' '));
        cell.erase(cell.find_last_not_of(' ') + 1);
        cells.push_back(std::move(cell));
        begin = end + 1;
    }
    return cells;
}

tl::expected<std::vector<double>, Failure> numbersOf(const Arguments& arguments,
                                                     const std::string& name, bool whole)
{
    std::vector<double> numbers;
    for (const std::string& cell : listParts(arguments.text(name))) {
        const std::optional<double> number = parseNumber(cell);
        constexpr double most = 1e9;
        if (!number || *number < 0 || *number > most ||
            (whole && (*number != std::floor(*number) || *number < 1)))
            return usage("--" + name + " takes " + (whole ? "whole " : "") +
                         "numbers with commas between, not " + quotedWord(arguments.text(name)));
        numbers.push_back(*number);
    }
    return numbers;
}

tl::expected<std::vector<LinkChange>, Failure> linksOf(const Arguments& arguments)
{
    std::vector<LinkChange> links;
    if (!arguments.has("link"))
        return std::vector<LinkChange>{{}};
    for (const std::string& cell : listParts(arguments.text("link"))) {
        const bool factor = !cell.empty() && cell.back() == 'x';
        const std::optional<double> number =
            factor ? parseNumber(std::string_view(cell).substr(0, cell.size() - 1))
                   : readQuantity(cell, Measure::Milliseconds);
        if (!number || *number < 0 || *number > longestHopMs)
            return usage("--link takes milliseconds, or factors such as 2x, with commas between, "
                         "not " +
                         quotedWord(arguments.text("link")));
        if (!factor && isBelowTick(*number))
            return usage("--link " + quotedWord(cell) + " is " + belowTickText);
        if (factor)
            links.push_back({"links " + plainNumber(*number) + " times as slow", {}, *number});
        else
            links.push_back({"links of " + timeText(ticksFromMs(*number)), ticksFromMs(*number)});
    }
    return links;
}

} // namespace pw::app
