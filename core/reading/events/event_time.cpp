// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/events/event_time.h"

#include "core/base/number.h"
#include "core/reading/events/event_file.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace pw {

std::optional<Ticks> ticksFromDecimal(std::string_view text, int digits)
{
    bool negative = false;
    if (!text.empty() && text.front() == '-') {
        negative = true;
        text.remove_prefix(1);
    }
    std::int64_t value = 0;
    std::size_t at = 0;
    int decimals = -1; // behind the point; −1: before it
    bool up = false;
    for (; at < text.size(); ++at) {
        const char c = text[at];
        if (c == '.' && decimals < 0) {
            decimals = 0;
        } else if (c < '0' || c > '9') {
            break;
        } else if (decimals < digits) {
            if (value > (latestTime - 9) / 10)
                return std::nullopt;
            value = value * 10 + (c - '0');
            decimals += decimals < 0 ? 0 : 1;
        } else if (decimals == digits) {
            up = c >= '5';
            decimals = digits + 1;
        }
    }
    if (text.empty() || at != text.size()) {
        // An exponent, or no number at all.
        const std::optional<double> read = decimalNumber(text);
        const double number = read.value_or(0) * std::pow(10.0, digits);
        if (!read || text.front() == '-' || !(std::abs(number) < static_cast<double>(latestTime)))
            return std::nullopt;
        const auto ticks = static_cast<Ticks>(std::llround(number));
        return negative ? -ticks : ticks;
    }
    for (int places = std::max(decimals, 0); places < digits; ++places) {
        if (value > latestTime / 10)
            return std::nullopt;
        value *= 10;
    }
    value += up ? 1 : 0;
    return negative ? -value : value;
}

namespace {

template<typename Number>
Number numberOf(std::string_view text)
{
    Number value = -1;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    return problem == std::errc{} && end == text.data() + text.size() && value >= 0 ? value : -1;
}

} // namespace

std::int32_t smallNumber(std::string_view text)
{
    return numberOf<std::int32_t>(text);
}

std::int64_t largeNumber(std::string_view text)
{
    return numberOf<std::int64_t>(text);
}

} // namespace pw
