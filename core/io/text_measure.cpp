// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/text_measure.h"

#include <array>
#include <cstdint>

namespace pw {

namespace {

/// Widths of DejaVu Sans from the blank on, 2048 an em.
constexpr std::array<std::uint16_t, 95> widths = {
    651,  821,  942,  1716, 1303, 1946, 1597, 563,  799,  799,  1024, 1716, 651,  739,  651,  690,
    1303, 1303, 1303, 1303, 1303, 1303, 1303, 1303, 1303, 1303, 690,  690,  1716, 1716, 1716, 1087,
    2048, 1401, 1405, 1430, 1577, 1294, 1178, 1587, 1540, 604,  604,  1343, 1141, 1767, 1532, 1612,
    1235, 1612, 1423, 1300, 1251, 1499, 1401, 2025, 1403, 1251, 1403, 799,  690,  799,  1716, 1024,
    1024, 1255, 1300, 1126, 1300, 1260, 721,  1300, 1298, 569,  569,  1186, 569,  1995, 1298, 1253,
    1300, 1300, 842,  1067, 803,  1298, 1212, 1675, 1212, 1212, 1075, 1303, 690,  1303, 1716};

bool continues(char byte)
{
    return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

double wideWidth(std::string_view text, bool bold)
{
    constexpr double other = 0.62, wide = 1, heavier = 1.1;
    double width = 0;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte >= ' ' && byte <= '~')
            width += widths[static_cast<std::size_t>(byte - ' ')] / 2048.0;
        else if (byte >= 0xE3)
            width += wide; // scripts of Asia, signs
        else if (byte >= 0xC0)
            width += other;
    }
    return bold ? heavier * width : width;
}

} // namespace

TextMeasure unknownFont()
{
    return {wideWidth, 1.2};
}

std::string elided(std::string_view text, double room, const TextMeasure& measure, bool bold)
{
    if (measure.width(text, bold) <= room)
        return std::string(text);
    constexpr std::string_view dots = "…";
    while (!text.empty()) {
        // Whole letters: all their bytes but the first continue them.
        while (text.size() > 1 && continues(text.back()))
            text.remove_suffix(1);
        text.remove_suffix(1);
        std::string cut = std::string(text) + std::string(dots);
        if (measure.width(cut, bold) <= room)
            return cut;
    }
    return std::string(dots);
}

std::vector<std::string> wrapped(std::string_view text, double room, const TextMeasure& measure)
{
    std::vector<std::string> lines;
    std::string line;
    while (!text.empty()) {
        const std::size_t blank = text.find(' ');
        const std::string_view word = text.substr(0, blank);
        text.remove_prefix(blank == std::string_view::npos ? text.size() : blank + 1);
        const std::string longer =
            line.empty() ? std::string(word) : line + ' ' + std::string(word);
        if (!line.empty() && measure.width(longer, false) > room) {
            lines.push_back(std::move(line));
            line = word;
        } else {
            line = longer;
        }
    }
    if (!line.empty())
        lines.push_back(std::move(line));
    return lines;
}

} // namespace pw
