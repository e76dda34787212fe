// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/file_problem.h"

#include "core/base/assert.h"

#include <charconv>

namespace pw {

void FileProblems::add(FilePlace place, std::string text, std::string repair)
{
    ++count;
    if (list.size() < listed)
        list.push_back({place, std::move(text), std::move(repair)});
}

Error FileProblems::error(std::string_view lineName, std::string_view columnName) const
{
    PW_ASSERT(!none());
    std::string message = describe(list.front(), lineName, columnName);
    if (count > 1)
        message += " (and " + std::to_string(count - 1) + " more)";
    return {ErrorCode::Syntax, std::move(message)};
}

std::string describe(const FileProblem& problem, std::string_view lineName,
                     std::string_view columnName)
{
    std::string text;
    if (problem.place.line > 0) {
        text.append(lineName).append(" ").append(std::to_string(problem.place.line));
        if (problem.place.column > 0)
            text.append(", ")
                .append(columnName)
                .append(" ")
                .append(std::to_string(problem.place.column));
        text.append(": ");
    }
    text += problem.text;
    if (!problem.repair.empty())
        text += "; " + problem.repair;
    return text;
}

std::string inQuotes(std::string_view text)
{
    constexpr std::size_t most = 40;
    std::string shown = "'";
    for (const char c : text.substr(0, most))
        shown += c >= ' ' && c <= '~' ? c : '?';
    return shown + (text.size() > most ? "…'" : "'");
}

std::optional<std::int32_t> parseNumber(std::string_view digits)
{
    if (digits.empty() || digits.front() < '0' || digits.front() > '9')
        return std::nullopt;
    std::int32_t value = 0;
    const char* end = digits.data() + digits.size();
    const auto [stop, code] = std::from_chars(digits.data(), end, value);
    if (code != std::errc() || stop != end)
        return std::nullopt;
    return value;
}

std::string_view trimmed(std::string_view text)
{
    constexpr std::string_view blanks = " \t\r\n";
    const std::size_t first = text.find_first_not_of(blanks);
    if (first == std::string_view::npos)
        return {};
    return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

} // namespace pw
