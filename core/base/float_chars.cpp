// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/float_chars.h"

#include <array>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace pw {

#ifdef __cpp_lib_to_chars

ReadDouble readDouble(std::string_view text)
{
    ReadDouble read;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), read.value);
    read.length = static_cast<std::size_t>(end - text.data());
    read.problem = problem;
    return read;
}

std::string shortestDouble(double value)
{
    std::array<char, 32> buffer{};
    return {buffer.data(), std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr};
}

std::string fixedDouble(double value, int decimals)
{
    std::array<char, 400> buffer{};
    return {buffer.data(), std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                         std::chars_format::fixed, decimals)
                               .ptr};
}

#else

ReadDouble readDouble(std::string_view text)
{
    ReadDouble read;
    const std::string ended(text);
    const bool sign = !ended.empty() && ended.front() == '-';
    const std::string_view digits = text.substr(sign ? 1 : 0);
    // strtod also takes spaces, a plus and hexadecimal digits.
    const bool begins = !digits.empty() &&
                        (digits.front() == '.' || (digits.front() >= '0' && digits.front() <= '9'));
    const bool hexadecimal = digits.size() > 1 && digits[0] == '0' && (digits[1] | 0x20) == 'x';
    if (!begins) {
        read.problem = std::errc::invalid_argument;
        return read;
    }
    if (hexadecimal) {
        read.length = sign ? 2 : 1;
        return read;
    }
    char* end = nullptr;
    errno = 0;
    read.value = std::strtod(ended.c_str(), &end);
    read.length = static_cast<std::size_t>(end - ended.c_str());
    if (read.length == 0)
        read.problem = std::errc::invalid_argument;
    else if (std::isinf(read.value) || (errno == ERANGE && read.value == 0))
        read.problem = std::errc::result_out_of_range;
    return read;
}

std::string fixedDouble(double value, int decimals)
{
    std::array<char, 400> buffer{};
    const int length = std::snprintf(buffer.data(), buffer.size(), "%.*f", decimals, value);
    return {buffer.data(), static_cast<std::size_t>(length)};
}

std::string shortestDouble(double value)
{
    constexpr int enough = 17; // digits that tell every double from all others
    std::array<char, 40> buffer{};
    std::string scientific;
    int digits = 1;
    for (; digits <= enough; ++digits) {
        std::snprintf(buffer.data(), buffer.size(), "%.*e", digits - 1, value);
        scientific = buffer.data();
        if (std::strtod(buffer.data(), nullptr) == value)
            break;
    }
    const int tens = std::atoi(scientific.c_str() + scientific.find('e') + 1);
    const int decimals = digits - 1 - tens;
    const std::string fixed = fixedDouble(value, decimals > 0 ? decimals : 0);
    return fixed.size() <= scientific.size() ? fixed : scientific;
}

#endif

} // namespace pw
