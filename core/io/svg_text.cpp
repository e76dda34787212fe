// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/svg_text.h"

#include <array>
#include <charconv>
#include <cmath>

namespace pw {

std::string svgNumber(double value)
{
    std::array<char, 32> buffer{};
    const double rounded = std::round(value * 100) / 100;
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), rounded + 0.0).ptr;
    return {buffer.data(), end};
}

std::string svgEscaped(std::string_view text)
{
    std::string out;
    for (const char c : text) {
        if (c == '&')
            out += "&amp;";
        else if (c == '<')
            out += "&lt;";
        else if (c == '>')
            out += "&gt;";
        else if (static_cast<unsigned char>(c) >= ' ')
            out += c;
    }
    return out;
}

} // namespace pw
