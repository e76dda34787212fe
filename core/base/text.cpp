// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/text.h"

#include <array>
#include <cmath>
#include <cstdio>

namespace pw {

std::string numberText(double value, int digits)
{
    if (value == 0)
        return "0";
    // %g would write large whole numbers with an exponent.
    const int whole = static_cast<int>(std::floor(std::log10(std::fabs(value)))) + 1;
    const int decimals = digits > whole ? digits - whole : 0;
    std::array<char, 64> buffer{};
    std::snprintf(buffer.data(), buffer.size(), "%.*f", decimals > 17 ? 17 : decimals, value);
    std::string text = buffer.data();
    if (text.find('.') != std::string::npos) {
        text.erase(text.find_last_not_of('0') + 1);
        if (text.back() == '.')
            text.pop_back();
    }
    return text;
}

std::string timeText(Ticks ticks, int digits)
{
    return numberText(msFromTicks(ticks), digits) + " ms";
}

std::string bytesText(Bytes bytes, int digits)
{
    constexpr std::array<const char*, 7> units = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    auto value = static_cast<double>(bytes);
    std::size_t unit = 0;
    while (std::fabs(value) >= 1024 && unit + 1 < units.size()) {
        value /= 1024;
        ++unit;
    }
    return numberText(value, digits) + " " + units[unit];
}

} // namespace pw
