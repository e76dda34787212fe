// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/text_table.h"

#include "core/base/display_text.h"

#include <algorithm>
#include <utility>

namespace pw::app {

namespace {

constexpr std::string_view colorEnd = "\x1b[0m";
constexpr int narrowestText = 20;  ///< of a last column that is broken into lines
constexpr int narrowestFirst = 24; ///< of a first one

std::string spaces(int count)
{
    return std::string(static_cast<std::size_t>(std::max(count, 0)), ' ');
}

/// Of the number that an entry of a list begins with, and of the spaces around it: further lines
/// stand below the text.
int numberWidth(std::string_view cell)
{
    const std::size_t number = std::min(cell.find_first_not_of(' '), cell.size());
    const std::size_t behind = std::min(cell.find_first_not_of("0123456789", number), cell.size());
    const bool any = behind > number && behind < cell.size() && cell[behind] == ' ';
    return static_cast<int>(any ? behind + 1 : number);
}

/// A cell in lines of a width: at spaces, and a word that is too long for a line anywhere. A colour
/// ends with its line and goes on in the next.
std::vector<std::string> brokenCell(const std::string& cell, int width)
{
    if (displayWidth(cell) <= width)
        return {cell};
    std::vector<std::string> lines(1);
    std::string color;
    int used = 0;
    const int hang = std::min(numberWidth(cell), width / 2);
    const auto nextLine = [&] {
        std::string& line = lines.back();
        line.erase(line.find_last_not_of(' ') + 1);
        if (!color.empty())
            line += colorEnd;
        lines.push_back(spaces(hang) + color);
        used = hang;
    };
    for (std::size_t i = 0; i < cell.size();) {
        std::size_t end = i + 1;
        if (cell[i] == '\x1b') {
            end = std::min(cell.find('m', i), cell.size() - 1) + 1;
            color = cell.substr(i, end - i) == colorEnd ? std::string() : cell.substr(i, end - i);
            lines.back() += cell.substr(i, end - i);
            i = end;
            continue;
        }
        if (cell[i] == ' ') {
            const std::size_t word = std::min(cell.find(' ', end), cell.size());
            const int next = displayWidth(std::string_view(cell).substr(end, word - end));
            if (used > 0 && used + 1 + std::min(next, width) > width) {
                nextLine();
                i = end;
                continue;
            }
        }
        while (end < cell.size() && (static_cast<unsigned char>(cell[end]) & 0xC0U) == 0x80U)
            ++end; // the rest of a character
        if (used >= width)
            nextLine();
        lines.back() += cell.substr(i, end - i);
        used += displayWidth(std::string_view(cell).substr(i, end - i));
        i = end;
    }
    return lines;
}

/// A row of one or several lines with the further lines of its first cell: in front of its own,
/// whose place is blank, or below it.
std::string withRest(const std::string& row, const std::vector<std::string>& first, int indent)
{
    std::string out;
    std::size_t begin = 0;
    for (std::size_t i = 0; begin < row.size() || i < first.size(); ++i) {
        const std::size_t end = std::min(row.find('\n', begin), row.size());
        std::string line = row.substr(std::min(begin, row.size()), end - std::min(begin, end));
        begin = end + 1;
        if (i > 0 && i < first.size()) {
            const std::size_t taken = static_cast<std::size_t>(indent + displayWidth(first[i]));
            const std::string rest = line.size() > taken ? line.substr(taken) : std::string();
            line = spaces(indent) + first[i] + rest;
        }
        out += line + "\n";
    }
    return out;
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

int TextTable::Layout::wholeWidth(const std::vector<Column>& columns, bool breaksLast) const
{
    int width = indent;
    for (std::size_t c = 0, last = shown.size(); c < last; ++c) {
        if (!shown[c])
            continue;
        const bool isLast = std::find(shown.begin() + static_cast<std::ptrdiff_t>(c) + 1,
                                      shown.end(), true) == shown.end();
        width += (c == 0 ? 0 : columns[c].gap) +
                 (isLast && c > 0 && breaksLast ? std::min(widths[c], narrowestText) : widths[c]);
    }
    return width;
}

TextTable::Layout TextTable::naturalLayout(int indent) const
{
    Layout layout;
    layout.indent = indent;
    layout.shown.assign(m_columns.size(), true);
    layout.widths.resize(m_columns.size());
    std::vector<int>& widths = layout.widths;
    for (std::size_t c = 0; c < m_columns.size(); ++c)
        widths[c] = std::max(displayWidth(m_columns[c].title), displayWidth(m_columns[c].unit));
    for (const Row& row : m_rows) {
        const std::size_t aligned = row.note ? 1 : std::min(row.cells.size(), widths.size());
        for (std::size_t c = 0; c < aligned; ++c)
            widths[c] = std::max(widths[c], displayWidth(row.cells[c]));
    }
    return layout;
}

bool TextTable::breaksLast(const Layout& layout) const
{
    for (std::size_t c = layout.shown.size(); c-- > 1;)
        if (layout.shown[c])
            return m_columns[c].align == Align::Left;
    return false;
}

void TextTable::fit(Layout& layout) const
{
    if (m_columns.empty())
        return;
    // A first column of text gives way before a column is left out, but stays to be read.
    const int natural = layout.widths[0];
    const int least = m_columns[0].align == Align::Left
                          ? std::min(natural, std::max(narrowestFirst, m_screen.width * 2 / 5))
                          : natural;
    const auto over = [&] {
        layout.widths[0] = least;
        return layout.wholeWidth(m_columns, breaksLast(layout)) > m_screen.width;
    };
    while (over()) {
        std::size_t worst = 0;
        for (std::size_t c = 1; c < m_columns.size(); ++c)
            if (layout.shown[c] && (worst == 0 || m_columns[c].worth <= m_columns[worst].worth))
                worst = c;
        if (worst == 0)
            break;
        layout.shown[worst] = false;
    }
    const int room = m_screen.width - layout.wholeWidth(m_columns, breaksLast(layout));
    layout.widths[0] = std::min(natural, least + std::max(room, 0));
}

std::string TextTable::leftOutText(const Layout& layout) const
{
    std::string names;
    for (std::size_t c = 0; c < m_columns.size(); ++c)
        if (!layout.shown[c] && !m_columns[c].title.empty())
            names += (names.empty() ? "" : ", ") + m_columns[c].title;
    if (names.empty())
        return {};
    return m_screen.paint(wrapped("no room here for: " + names, m_screen.width, layout.indent),
                          Role::Secondary);
}

std::string TextTable::noteLine(const Row& row, const Layout& layout) const
{
    const int second =
        layout.indent + layout.widths[0] + (m_columns.size() > 1 ? m_columns[1].gap : 2);
    const std::vector<std::string> first = brokenCell(row.cells[0], layout.widths[0]);
    return withRest(
        spaces(layout.indent) + first[0] + spaces(second - layout.indent - displayWidth(first[0])) +
            wrapped(row.cells[1], std::max(m_screen.width, second + narrowestText), second, 0),
        first, layout.indent);
}

std::string TextTable::text(int indent) const
{
    Layout layout = naturalLayout(indent);
    fit(layout);
    const auto any = [this](std::string Column::*what) {
        return std::any_of(m_columns.begin(), m_columns.end(),
                           [what](const Column& column) { return !(column.*what).empty(); });
    };
    std::string out;
    std::vector<std::string> head(m_columns.size());
    if (any(&Column::title)) {
        for (std::size_t c = 0; c < m_columns.size(); ++c)
            head[c] = m_screen.bold(m_columns[c].title);
        out += line(head, layout);
    }
    if (any(&Column::unit)) {
        for (std::size_t c = 0; c < m_columns.size(); ++c)
            head[c] = m_screen.paint(m_columns[c].unit, Role::Secondary);
        out += line(head, layout);
    }
    for (const Row& row : m_rows)
        out += row.note ? noteLine(row, layout) : line(row.cells, layout);
    return out + leftOutText(layout);
}

std::string TextTable::line(const std::vector<std::string>& cells, const Layout& layout) const
{
    std::vector<std::string> first = {std::string()};
    if (!cells.empty() && !m_columns.empty())
        first = brokenCell(cells[0], layout.widths[0]);
    std::string out = spaces(layout.indent);
    int begin = layout.indent; // of the column
    std::size_t last = 0;
    for (std::size_t c = 0; c < m_columns.size(); ++c)
        if (layout.shown[c])
            last = c;
    for (std::size_t c = 0; c < std::min(cells.size(), m_columns.size()); ++c) {
        if (!layout.shown[c])
            continue;
        const std::string& cell = c == 0 ? first[0] : cells[c];
        const std::string pad = spaces(layout.widths[c] - displayWidth(cell));
        const int gap = c == 0 ? 0 : m_columns[c].gap;
        out += spaces(gap);
        begin += gap;
        if (c == last && c > 0 && m_columns[c].align == Align::Left &&
            begin + displayWidth(cell) > m_screen.width)
            return withRest(
                out + wrapped(cell, std::max(m_screen.width, begin + narrowestText), begin, 0),
                first, layout.indent);
        begin += layout.widths[c];
        out += m_columns[c].align == Align::Right ? pad + cell : cell + pad;
    }
    out.erase(out.find_last_not_of(' ') + 1);
    return withRest(out + "\n", first, layout.indent);
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

std::string fitted(std::string_view lines, int width)
{
    std::string out;
    while (!lines.empty()) {
        const std::size_t end = std::min(lines.find('\n'), lines.size());
        const std::string_view line = lines.substr(0, end);
        const bool ended = end < lines.size();
        lines.remove_prefix(std::min(end + 1, lines.size()));
        if (displayWidth(line) <= width) {
            out += std::string(line) + (ended ? "\n" : "");
            continue;
        }
        const int indent = static_cast<int>(std::min(line.find_first_not_of(' '), line.size()));
        std::string broken = wrapped(line, width, indent + 2, indent);
        if (!ended)
            broken.pop_back();
        out += broken;
    }
    return out;
}

} // namespace pw::app
