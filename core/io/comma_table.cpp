// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/comma_table.h"

#include "core/base/trim.h"

#include <algorithm>

namespace pw {

namespace {

std::vector<std::string_view> commaCells(std::string_view line)
{
    std::vector<std::string_view> cells;
    for (;;) {
        const std::size_t comma = line.find(',');
        cells.push_back(trimmed(line.substr(0, comma)));
        if (comma == std::string_view::npos)
            return cells;
        line.remove_prefix(comma + 1);
    }
}

} // namespace

CommaTable::CommaTable(std::string_view text)
    : m_rest(text)
{
    if (std::optional<CommaRow> names = nextLine())
        m_names = *std::move(names);
}

std::optional<std::size_t> CommaTable::column(std::string_view name) const
{
    const auto found = std::find(names().begin(), names().end(), name);
    if (found == names().end())
        return std::nullopt;
    return static_cast<std::size_t>(found - names().begin());
}

Result<std::optional<CommaRow>> CommaTable::next()
{
    std::optional<CommaRow> row = nextLine();
    if (row && row->cells.size() != names().size())
        return fail(ErrorCode::Syntax, "line %1: it has %2 cells, the first line has %3", row->line,
                    row->cells.size(), names().size());
    return row;
}

std::optional<CommaRow> CommaTable::nextLine()
{
    while (!m_rest.empty()) {
        const std::size_t end = m_rest.find('\n');
        const std::string_view line = trimmed(m_rest.substr(0, end));
        m_rest.remove_prefix(end == std::string_view::npos ? m_rest.size() : end + 1);
        ++m_line;
        if (!line.empty())
            return CommaRow{commaCells(line), m_line};
    }
    return std::nullopt;
}

} // namespace pw
