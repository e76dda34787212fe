// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/text/log_line.h"

#include "core/base/number.h"
#include "core/base/trim.h"
#include "core/reading/events/event_time.h"

#include <algorithm>
#include <array>

namespace pw {

namespace {

constexpr std::string_view lineBlanks = " \t";
constexpr std::string_view digitSigns = "0123456789";

bool isLineDigit(char c)
{
    return c >= '0' && c <= '9';
}

bool isLineLetter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// How many bytes at the front are a prefix; 0: none.
std::size_t bracketLength(std::string_view text)
{
    constexpr std::size_t longest = 96;
    std::size_t end = std::string_view::npos;
    if (text.starts_with("\x1B["))
        end = text.find('m');
    else if (text.starts_with('['))
        end = text.find(']');
    else if (text.starts_with('(') &&
             text.substr(0, longest).find("pid=") != std::string_view::npos)
        end = text.find(')');
    if (end >= longest) // npos too
        return 0;
    ++end;
    for (const std::string_view stream :
         {std::string_view("<stdout>"), std::string_view("<stderr>")})
        if (text.substr(end).starts_with(stream))
            end += stream.size();
    return end + (text.substr(end).starts_with(':') ? 1 : 0);
}

/// A rank that srun writes, a date, a time, or a level: the first word, if it is one of them.
std::size_t wordLength(std::string_view text)
{
    const std::string_view word = text.substr(0, text.find_first_of(lineBlanks));
    if (word.empty())
        return 0;
    constexpr std::array<std::string_view, 9> levels = {
        "-", "INFO", "WARNING", "DEBUG", "ERROR", "INFO:", "WARN", "|", ":"};
    if (std::find(levels.begin(), levels.end(), word) != levels.end())
        return word.size();
    if (!isLineDigit(word[0]))
        return 0;
    const std::size_t number = std::min(word.find_first_not_of(digitSigns), word.size());
    if (word.substr(number) == ":" && word.size() < text.size())
        return word.size();
    const auto signs = std::count_if(word.begin(), word.end(),
                                     [](char c) { return c == ':' || c == '-' || c == '/'; });
    const bool date =
        word.find_first_not_of("0123456789:-/.,+TZ") == std::string_view::npos && signs >= 2;
    return date ? word.size() : 0;
}

/// The part of a field that is a number, without what follows it.
std::string_view numberPart(std::string_view field, std::string_view characters)
{
    field = trimmed(field, lineBlanks);
    std::size_t end = std::min(field.find_first_not_of(characters), field.size());
    // An "e" belongs to it only as an exponent.
    while (end > 0 && (field[end - 1] == 'e' || field[end - 1] == 'E' || field[end - 1] == '+' ||
                       field[end - 1] == '-'))
        --end;
    return field.substr(0, end);
}

} // namespace

std::string_view withoutPrefixes(std::string_view line)
{
    for (;;) {
        line.remove_prefix(std::min(line.find_first_not_of(lineBlanks), line.size()));
        const std::size_t length = std::max(bracketLength(line), wordLength(line));
        if (length == 0)
            return line;
        line.remove_prefix(std::min(length, line.size()));
    }
}

std::optional<double> leadingNumber(std::string_view field)
{
    field = trimmed(field, lineBlanks);
    const std::string_view number = numberPart(field, "0123456789.eE+-");
    const char behind = number.size() < field.size() ? field[number.size()] : ' ';
    constexpr std::string_view unitSigns = " \t%/"; // "5023.1/5040.2": this one, and the mean
    if (unitSigns.find(behind) == std::string_view::npos && !isLineLetter(behind))
        return std::nullopt;
    return decimalNumber(number);
}

std::optional<std::int64_t> leadingCount(std::string_view field)
{
    field = trimmed(field, lineBlanks);
    const std::size_t end = std::min(field.find_first_not_of(digitSigns), field.size());
    const std::string_view rest = field.substr(end);
    // A table of arguments may go on with dots and what the default was.
    if (end == 0 || (!rest.empty() && rest[0] != ' ' && rest[0] != ',' && rest[0] != ')' &&
                     !rest.starts_with("..")))
        return std::nullopt;
    return wholeNumber(field.substr(0, end));
}

std::optional<Ticks> leadingTime(std::string_view field, int unit)
{
    constexpr Ticks longest = Ticks{365} * 24 * 3600 * 1'000'000'000;
    if (!leadingNumber(field))
        return std::nullopt;
    const auto time = ticksFromDecimal(numberPart(field, "0123456789.eE+-"), unit);
    return time && *time >= 0 && *time <= longest ? time : std::nullopt;
}

std::optional<std::int64_t> countAfter(std::string_view text, std::string_view word)
{
    const std::size_t at = text.find(word);
    if (at == std::string_view::npos)
        return std::nullopt;
    std::string_view rest = text.substr(at + word.size());
    rest.remove_prefix(std::min(rest.find_first_not_of(" \t=:"), rest.size()));
    return leadingCount(rest.substr(0, rest.find_first_not_of(digitSigns)));
}

std::optional<IterationMark> iterationMark(std::string_view text, std::size_t from)
{
    constexpr std::string_view word = "iteration";
    for (std::size_t at = text.find(word, from); at != std::string_view::npos;
         at = text.find(word, at + 1)) {
        const std::size_t number = text.find_first_not_of(lineBlanks, at + word.size());
        if (number == std::string_view::npos || number == at + word.size() ||
            !isLineDigit(text[number]))
            continue;
        std::size_t end = std::min(text.find_first_not_of(digitSigns, number), text.size());
        IterationMark mark;
        mark.number = smallNumber(text.substr(number, end - number));
        mark.begin = at;
        const std::size_t slash = text.find_first_not_of(lineBlanks, end);
        if (mark.number < 0 || slash == std::string_view::npos || text[slash] != '/')
            continue;
        const std::size_t planned = text.find_first_not_of(lineBlanks, slash + 1);
        end = slash + 1;
        if (planned != std::string_view::npos && isLineDigit(text[planned])) {
            end = std::min(text.find_first_not_of(digitSigns, planned), text.size());
            mark.planned = largeNumber(text.substr(planned, end - planned));
        }
        mark.end = end;
        return mark;
    }
    return std::nullopt;
}

void eachField(std::string_view text, bool whole,
               const std::function<void(std::string_view, std::string_view)>& take)
{
    while (!text.empty()) {
        const std::size_t bar = text.find('|');
        const bool last = bar == std::string_view::npos;
        const std::string_view field = trimmed(text.substr(0, bar), lineBlanks);
        text.remove_prefix(last ? text.size() : bar + 1);
        const std::size_t colon = field.rfind(':');
        if (colon != std::string_view::npos && (!last || whole))
            take(trimmed(field.substr(0, colon), lineBlanks),
                 trimmed(field.substr(colon + 1), lineBlanks));
    }
}

std::optional<DottedLine> dottedLine(std::string_view line)
{
    const std::size_t dots = line.find(" ..");
    if (dots == std::string_view::npos)
        return std::nullopt;
    const std::size_t end = line.find_first_not_of('.', dots + 1);
    if (end == std::string_view::npos || (line[end] != ' ' && line[end] != ':'))
        return std::nullopt;
    const std::string_view before = line.substr(0, dots);
    const std::size_t blank = before.find_last_of(" \t:");
    DottedLine found;
    found.name = blank == std::string_view::npos ? before : before.substr(blank + 1);
    found.timer = line[end] == ':';
    found.rest = trimmed(line.substr(end + (found.timer ? 1 : 0)), lineBlanks);
    if (found.name.empty())
        return std::nullopt;
    return found;
}

std::int32_t rankBefore(std::string_view text, std::size_t end)
{
    text = text.substr(0, end);
    std::int32_t found = -1;
    std::size_t best = 0;
    for (const std::string_view word : {std::string_view("[Rank "), std::string_view("rank=")}) {
        const std::size_t at = text.rfind(word);
        if (at == std::string_view::npos || at < best)
            continue;
        const std::string_view number = text.substr(at + word.size());
        const std::size_t length = std::min(number.find_first_not_of(digitSigns), number.size());
        if (const std::int32_t rank = smallNumber(number.substr(0, length)); rank >= 0) {
            found = rank;
            best = at;
        }
    }
    return found;
}

} // namespace pw
