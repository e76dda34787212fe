// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/file_problem.h"

#include "core/base/assert.h"
#include "core/base/display_text.h"

#include <charconv>

namespace pw {

void FileProblems::add(FilePlace place, Sentence text, Sentence repair)
{
    ++count;
    if (list.size() < listed)
        list.push_back({place, std::move(text), std::move(repair)});
}

Error FileProblems::error(std::string_view lineName, std::string_view columnName) const
{
    PW_ASSERT(!none());
    const Sentence first = describe(list.front(), lineName, columnName);
    return {ErrorCode::Syntax, count > 1 ? said("%1 (and %2 more)", first, count - 1) : first};
}

Sentence describe(const FileProblem& problem, std::string_view lineName,
                  std::string_view columnName)
{
    const FilePlace& place = problem.place;
    const Sentence text =
        problem.repair.empty() ? problem.text : said("%1; %2", problem.text, problem.repair);
    if (place.line <= 0)
        return text;
    // A row or a cell is named by the reader of its format.
    const Sentence line = lineName == "line" ? said("line") : Sentence(lineName);
    const Sentence column = columnName == "column" ? said("column") : Sentence(columnName);
    return place.column > 0 ? said("%1 %2, %3 %4: %5", line, place.line, column, place.column, text)
                            : said("%1 %2: %3", line, place.line, text);
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

} // namespace pw
