// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/number.h"

#include "core/base/float_chars.h"

#include <charconv>
#include <cmath>

namespace pw {

namespace {

bool isDecimalDigit(char c)
{
    return c >= '0' && c <= '9';
}

/// Digits in front of the exponent, with the point among them.
std::string_view significandOf(std::string_view text)
{
    return text.substr(0, text.find_first_of("eE"));
}

/// Of a number that is none of the doubles: whether it lies beyond the largest, and not below the
/// least.
bool isHuge(std::string_view text)
{
    const std::size_t exponentAt = text.find_first_of("eE");
    if (exponentAt != std::string_view::npos) {
        // The exponent decides where it has more digits than the text can make up for.
        std::string_view exponent = text.substr(exponentAt + 1);
        const bool down = !exponent.empty() && exponent.front() == '-';
        if (!exponent.empty() && !isDecimalDigit(exponent.front()))
            exponent.remove_prefix(1);
        std::int64_t tens = 0;
        const auto [end, problem] =
            std::from_chars(exponent.data(), exponent.data() + exponent.size(), tens);
        if (problem == std::errc::result_out_of_range ||
            tens > static_cast<std::int64_t>(text.size()))
            return !down;
    }
    const std::string_view digits = significandOf(text);
    const std::size_t first = digits.find_first_not_of("-0");
    return first != std::string_view::npos && isDecimalDigit(digits[first]);
}

} // namespace

std::optional<double> decimalNumber(std::string_view text)
{
    // readDouble alone would also take "inf" and "nan".
    const std::string_view digits = text.substr(!text.empty() && text.front() == '-' ? 1 : 0);
    if (digits.empty() || !(digits.front() == '.' || isDecimalDigit(digits.front())))
        return std::nullopt;
    const ReadDouble read = readDouble(text);
    const double value = read.value;
    if (read.length != text.size() || read.problem == std::errc::invalid_argument)
        return std::nullopt;
    if (read.problem == std::errc::result_out_of_range) {
        if (isHuge(text))
            return std::nullopt;
        return text.front() == '-' ? -0.0 : 0.0;
    }
    if (!std::isfinite(value))
        return std::nullopt;
    return value;
}

std::optional<std::int64_t> wholeNumber(std::string_view text)
{
    std::int64_t value = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (problem != std::errc() || end != text.data() + text.size())
        return std::nullopt;
    return value;
}

bool lostToZero(std::string_view text)
{
    const std::optional<double> value = decimalNumber(text);
    return value && *value == 0 &&
           significandOf(text).find_first_of("123456789") != std::string_view::npos;
}

} // namespace pw
