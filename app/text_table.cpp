// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/text_table.h"

#include "core/base/display_text.h"

#include <algorithm>
#include <utility>

namespace pw::app {

namespace {

std::string spaces(int count)
{
    return std::string(static_cast<std::size_t>(std::max(count, 0)), ' ');
}

} // namespace

std::string oneLine(std::string_view text)
{
    std::string line;
    for (const char c : text) {
        if (c == '\n' || c == '\t')
            line += displayText({&c, 1});
        else
            line += c;
    }
    return line;
}

TextTable::TextTable(const Screen& screen, std::vector<Column> columns)
    : m_screen(screen)
    , m_columns(std::move(columns))
{
}

void TextTable::append(std::vector<std::string> row)
{
    for (std::string& cell : row)
        cell = m_screen.colors == ColorDepth::None ? displayText(cell) : oneLine(cell);
    m_rows.push_back({std::move(row), false});
}

void TextTable::appendNote(std::string first, std::string note)
{
    m_rows.push_back({{oneLine(first), oneLine(note)}, true});
}

std::string TextTable::text(int indent) const
{
    std::vector<int> widths(m_columns.size());
    bool titles = false, units = false;
    for (std::size_t c = 0; c < m_columns.size(); ++c) {
        widths[c] = std::max(displayWidth(m_columns[c].title), displayWidth(m_columns[c].unit));
        titles = titles || !m_columns[c].title.empty();
        units = units || !m_columns[c].unit.empty();
    }
    for (const Row& row : m_rows) {
        const std::size_t aligned = row.note ? 1 : std::min(row.cells.size(), widths.size());
        for (std::size_t c = 0; c < aligned; ++c)
            widths[c] = std::max(widths[c], displayWidth(row.cells[c]));
    }

    std::string out;
    std::vector<std::string> head(m_columns.size());
    if (titles) {
        for (std::size_t c = 0; c < m_columns.size(); ++c)
            head[c] = m_screen.bold(m_columns[c].title);
        out += line(head, widths, indent);
    }
    if (units) {
        for (std::size_t c = 0; c < m_columns.size(); ++c)
            head[c] = m_screen.paint(m_columns[c].unit, Role::Secondary);
        out += line(head, widths, indent);
    }
    for (const Row& row : m_rows) {
        if (!row.note) {
            out += line(row.cells, widths, indent);
            continue;
        }
        const int second = indent + widths[0] + (m_columns.size() > 1 ? m_columns[1].gap : 2);
        const std::string first =
            spaces(indent) + row.cells[0] + spaces(second - indent - displayWidth(row.cells[0]));
        const std::string note =
            wrapped(row.cells[1], std::max(m_screen.width, second + 20), second, 0);
        out += first + note;
    }
    return out;
}

std::string TextTable::line(const std::vector<std::string>& cells, const std::vector<int>& widths,
                            int indent) const
{
    std::string out = spaces(indent);
    int begin = indent; // of the column
    for (std::size_t c = 0; c < std::min(cells.size(), m_columns.size()); ++c) {
        const std::string pad = spaces(widths[c] - displayWidth(cells[c]));
        const int gap = c == 0 ? 0 : m_columns[c].gap;
        out += spaces(gap);
        begin += gap;
        constexpr int narrowest = 20; // of a column of text that is broken into lines
        if (c + 1 == m_columns.size() && m_columns[c].align == Align::Left &&
            begin + displayWidth(cells[c]) > m_screen.width)
            return out + wrapped(cells[c], std::max(m_screen.width, begin + narrowest), begin, 0);
        begin += widths[c];
        out += m_columns[c].align == Align::Right ? pad + cells[c] : cells[c] + pad;
    }
    out.erase(out.find_last_not_of(' ') + 1);
    return out + "\n";
}

std::string wrapped(std::string_view given, int width, int indent, int firstIndent)
{
    const std::string text = oneLine(given);
    std::string out = spaces(firstIndent < 0 ? indent : firstIndent);
    int column = indent;
    bool lineStart = true;
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t end = std::min(text.find(' ', i), text.size());
        const std::string_view word = std::string_view(text).substr(i, end - i);
        i = end + 1;
        if (word.empty())
            continue;
        const int length = displayWidth(word);
        if (!lineStart && column + 1 + length > width) {
            out += "\n" + spaces(indent);
            column = indent;
            lineStart = true;
        }
        if (!lineStart) {
            out += ' ';
            ++column;
        }
        out += word;
        column += length;
        lineStart = false;
    }
    return out + "\n";
}

} // namespace pw::app
