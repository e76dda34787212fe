// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/events/event_time.h"

#include "core/base/number.h"
#include "core/reading/events/event_file.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace pw {

namespace {

/// A number as profilers write their times: a few digits, a point, at most three digits. So it is
/// far from any limit.
/// @return  −1: it is another one
Ticks plainTicks(std::string_view text)
{
    constexpr std::size_t longest = 18;
    constexpr std::array<Ticks, 4> scales{1000, 100, 10, 1};
    if (text.size() > longest)
        return -1;
    Ticks value = 0;
    std::size_t at = 0;
    const auto digits = [&] {
        const std::size_t first = at;
        for (; at < text.size(); ++at) {
            const auto digit = static_cast<unsigned>(text[at]) - '0';
            if (digit > 9)
                break;
            value = value * 10 + static_cast<Ticks>(digit);
        }
        return at - first;
    };
    // 15 digits and three behind the point are below 2^60.
    const std::size_t whole = digits();
    if (whole == 0 || whole > longest - 3)
        return -1;
    if (at == text.size())
        return value * scales[0];
    if (text[at++] != '.')
        return -1;
    const std::size_t behind = digits();
    return at == text.size() && behind > 0 && behind < scales.size() ? value * scales[behind] : -1;
}

} // namespace

std::optional<Ticks> ticksFromDecimal(std::string_view text, int digits)
{
    if (digits == microsecondDigits)
        if (const Ticks plain = plainTicks(text); plain >= 0)
            return plain;
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
