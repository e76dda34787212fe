// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/text.h"

#include "core/base/float_chars.h"
#include "core/base/names.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace pw {

namespace {

constexpr int columnDigits = 4;

std::string withDecimals(double value, int decimals)
{
    std::string text = fixedDouble(value, decimals);
    // No "-0.00" for a number that rounds to nothing.
    if (text[0] == '-' && text.find_first_not_of("-0.") == std::string::npos)
        text.erase(0, 1);
    return text;
}

/// What is no number, as people read it: a dash where there is nothing to say.
std::string withoutNumber(double value)
{
    return std::isnan(value) ? "–" : value < 0 ? "−∞" : "∞";
}

int digitsBeforePoint(double value)
{
    const double size = std::abs(value);
    return size < 1 ? (size == 0 ? 1 : static_cast<int>(std::floor(std::log10(size))) + 1)
                    : static_cast<int>(std::floor(std::log10(size) + 1e-12)) + 1;
}

/// Decimals that a value needs, up to a most.
int neededDecimals(double value, int most)
{
    const std::string text = withDecimals(value, most);
    const std::size_t point = text.find('.');
    if (point == std::string::npos)
        return 0;
    const std::size_t last = text.find_last_not_of('0');
    return static_cast<int>(last - point);
}

/// Fewest single-letter changes and swaps of neighbours that make one word of the other.
std::size_t editDistance(std::string_view a, std::string_view b)
{
    std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
    for (std::size_t i = 0; i <= a.size(); ++i) {
        for (std::size_t j = 0; j <= b.size(); ++j) {
            if (i == 0 || j == 0) {
                d[i][j] = i + j;
                continue;
            }
            const std::size_t change = a[i - 1] == b[j - 1] ? 0 : 1;
            d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + change});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
        }
    }
    return d[a.size()][b.size()];
}

} // namespace

std::string exactNumber(double value)
{
    return shortestDouble(value);
}

std::string plainNumber(double value, int digits)
{
    if (!std::isfinite(value))
        return withoutNumber(value);
    constexpr double large = 1e15;
    if (std::abs(value) >= large)
        return exactNumber(value);
    const int most = std::clamp(digits - digitsBeforePoint(value), 0, 12);
    return withDecimals(value, neededDecimals(value, most));
}

std::vector<std::string> columnNumbers(std::span<const double> values, int decimals)
{
    double largest = 0;
    for (const double value : values)
        largest = std::isfinite(value) ? std::max(largest, std::abs(value)) : largest;
    const int most =
        std::clamp(columnDigits - std::max(1, digitsBeforePoint(largest)), 0, decimals);
    int needed = 0;
    for (const double value : values)
        needed = std::isfinite(value) ? std::max(needed, neededDecimals(value, most)) : needed;
    std::vector<std::string> texts;
    texts.reserve(values.size());
    for (const double value : values)
        texts.push_back(std::isfinite(value) ? withDecimals(value, needed) : withoutNumber(value));
    return texts;
}

Unit timeUnit(Ticks largest)
{
    if (largest >= 10'000 * ticksPerMs)
        return {"s", 1e9};
    if (largest > 0 && largest < ticksPerMs / 100)
        return {"µs", 1e3};
    return {"ms", 1e6};
}

Unit byteUnit(Bytes largest)
{
    constexpr std::array<std::string_view, 7> names = {"B",   "KiB", "MiB", "GiB",
                                                       "TiB", "PiB", "EiB"};
    Unit unit{names[0], 1};
    for (std::size_t i = 1; i < names.size() && static_cast<double>(largest) >= unit.size * 1024;
         ++i)
        unit = {names[i], unit.size * 1024};
    return unit;
}

std::string timeText(Ticks time)
{
    const Unit unit = timeUnit(std::abs(time));
    return plainNumber(static_cast<double>(time) / unit.size) + " " + std::string(unit.name);
}

std::string capitalised(std::string text)
{
    if (!text.empty() && text.front() >= 'a' && text.front() <= 'z')
        text.front() = static_cast<char>(text.front() - 'a' + 'A');
    return text;
}

std::string millisecondText(Ticks time, int digits)
{
    return plainNumber(msFromTicks(time), digits) + " ms";
}

std::string byteText(Bytes bytes)
{
    const Unit unit = byteUnit(std::abs(bytes));
    return plainNumber(static_cast<double>(bytes) / unit.size) + " " + std::string(unit.name);
}

std::string groupedNumber(std::int64_t value)
{
    std::string text = std::to_string(value);
    const std::size_t first = text[0] == '-' ? 1 : 0;
    for (std::size_t i = text.size(); i > first + 3; i -= 3)
        text.insert(i - 3, 1, ',');
    return text;
}

std::string countText(std::int64_t count, std::string_view one, std::string_view many)
{
    std::string text = groupedNumber(count) + ' ';
    if (count == 1 || many.empty())
        text += one;
    else
        text += many;
    if (count != 1 && many.empty())
        text += 's';
    return text;
}

namespace {

std::string smallLetters(std::string_view word)
{
    std::string small(word);
    for (char& c : small)
        c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return small;
}

} // namespace

std::string nearest(std::string_view word, std::span<const std::string> candidates)
{
    constexpr std::size_t longest = 64; // a longer word is not a slip of the finger
    std::string best;
    if (word.empty() || word.size() > longest)
        return best;
    std::size_t least = std::max<std::size_t>(2, word.size() / 3) + 1;
    for (const std::string& candidate : candidates) {
        // A word that was broken off is nearer than any other.
        const bool begun = word.size() >= 2 && candidate.rfind(word, 0) == 0;
        const std::size_t distance =
            begun || sameName(word, candidate)
                ? 1
                : editDistance(smallLetters(word), smallLetters(candidate));
        // Of a short word, half must be there: 'hw' is not 'why'.
        if (distance < least && 2 * distance <= std::max(word.size(), candidate.size())) {
            least = distance;
            best = candidate;
        }
    }
    return best;
}

} // namespace pw
