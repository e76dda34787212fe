// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/svg_copies.h"

#include "core/io/colors.h"
#include "core/io/svg_text.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>
#include <vector>

namespace pw {

namespace {

constexpr const char* awayStyle = "ho";
constexpr const char* backStyle = "hb";
constexpr const char* rimStyle = "hr";

std::string copyBar(std::string_view style, double x, double y, double width, double height)
{
    return "<rect class=\"" + std::string(style) + "\" x=\"" + svgNumber(x) + "\" y=\"" +
           svgNumber(y) + "\" width=\"" + svgNumber(width) + "\" height=\"" + svgNumber(height) +
           "\"/>\n";
}

/// Of the blocks' upper corners: the right one where the activation leaves, the left one where it
/// is needed again.
std::string copyCorner(std::string_view style, double x, double y, double inwards)
{
    constexpr double side = 6;
    return "<path class=\"" + std::string(style) + "\" d=\"M" + svgNumber(x) + ' ' + svgNumber(y) +
           'h' + svgNumber(inwards * side) + 'L' + svgNumber(x) + ' ' + svgNumber(y + side) +
           "z\"/>\n";
}

} // namespace

std::string svgCopyStyle()
{
    const auto fill = [](Role role) {
        return "{fill:" + hexOf(colorOf(role, Ground::Light)) + "}";
    };
    return "." + std::string(awayStyle) + fill(Role::Accent) + "." + backStyle + fill(Role::Later) +
           "." + rimStyle + fill(Role::Lane);
}

std::string svgCopies(const SimResult& result, const SvgLane& lane)
{
    constexpr double leastLane = 12, leastMarked = 7;
    std::string out;
    if (lane.height < leastLane)
        return out;
    const double row = std::clamp(std::floor(lane.height / 12), 1.0, 3.0);
    std::string corners;
    std::vector<std::pair<Ticks, Ticks>> ways[2]; // there, back
    for (const HostCopy& copy : result.copies) {
        if (copy.device != lane.device)
            continue;
        ways[0].emplace_back(copy.outStart, copy.outEnd);
        if (copy.needed >= 0)
            ways[1].emplace_back(copy.backStart, copy.backEnd);
        const auto corner = [&](EntryId entry, bool back) {
            const auto at = static_cast<std::size_t>(entry);
            const double left = lane.x(result.start[at]), right = lane.x(result.end[at]);
            if (right - left < leastMarked)
                return;
            corners += back ? copyCorner(backStyle, left, lane.top, 1)
                            : copyCorner(awayStyle, right - 0.8, lane.top, -1);
        };
        corner(copy.forward, false);
        if (copy.needed >= 0)
            corner(copy.needed, true);
    }
    for (const bool back : {false, true}) {
        auto& times = ways[back ? 1 : 0];
        std::sort(times.begin(), times.end());
        const double y = lane.top + lane.height - (back ? row : 2 * row + 1);
        double drawn = -1;
        for (const auto& [start, end] : times) {
            const double left = std::max(lane.x(start), drawn), right = lane.x(end);
            if (right - left < 0.25)
                continue;
            drawn = right;
            const double width = right - left > 3 ? right - left - 0.8 : right - left;
            // A rim of the ground keeps it apart from the block that it lies on.
            out += copyBar(rimStyle, left, y - 1, width, row + 1);
            out += copyBar(back ? backStyle : awayStyle, left, y, width, row);
        }
    }
    return corners + out;
}

std::string svgCopyLegend(double x, double y)
{
    constexpr double sign = 13, gap = 6, between = 14;
    std::string out;
    for (const bool back : {false, true}) {
        const char* style = back ? backStyle : awayStyle;
        const std::string_view words = back ? "back from there" : "to the host's memory";
        out += copyCorner(style, back ? x : x + sign, y, back ? 1 : -1) +
               copyBar(style, x, y + 9, sign, 3);
        x += sign + gap;
        out += "<text class=\"key\" x=\"" + svgNumber(x) + "\" y=\"" + svgNumber(y + 9.5) + "\">" +
               std::string(words) + "</text>\n";
        x += svgTextWidth(words.size(), 10.2) + between;
    }
    return out;
}

} // namespace pw
