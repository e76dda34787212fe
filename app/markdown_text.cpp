// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/markdown_text.h"

#include "app/text_table.h"
#include "core/base/trim.h"

#include <algorithm>
#include <cctype>
#include <vector>

namespace pw::app {

namespace {

using MarkdownLines = std::vector<std::string_view>;

MarkdownLines markdownLinesOf(std::string_view text)
{
    MarkdownLines lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        lines.push_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

std::string_view withoutMargin(std::string_view line)
{
    return trimmed(line, " ");
}

std::size_t marginOf(std::string_view line)
{
    return std::min(line.find_first_not_of(' '), line.size());
}

bool isFence(std::string_view line)
{
    return withoutMargin(line).substr(0, 3) == "```";
}

/// How many # a line begins with, where a space follows; 0: it is not a heading.
std::size_t headingLevel(std::string_view line)
{
    const std::size_t count = std::min(line.find_first_not_of('#'), line.size());
    return count > 0 && count < line.size() && line[count] == ' ' ? count : 0;
}

/// The length of what marks an entry of a list, "- " or "12. "; 0: the line begins none.
std::size_t markLength(std::string_view text)
{
    if (text.substr(0, 2) == "- " || text.substr(0, 2) == "* ")
        return 2;
    const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
    return digits > 0 && digits <= 3 && text.substr(digits, 2) == ". " ? digits + 2 : 0;
}

/// The cells of a row of a table: `| a | b |`.
std::vector<std::string> tableCellsOf(std::string_view row)
{
    row = withoutMargin(row);
    if (!row.empty() && row.front() == '|')
        row.remove_prefix(1);
    std::vector<std::string> cells(1);
    for (std::size_t i = 0; i < row.size(); ++i) {
        if (row[i] == '\\' && i + 1 < row.size() && row[i + 1] == '|')
            cells.back() += row[++i];
        else if (row[i] == '|')
            cells.emplace_back();
        else
            cells.back() += row[i];
    }
    if (cells.size() > 1 && withoutMargin(cells.back()).empty())
        cells.pop_back();
    for (std::string& cell : cells)
        cell = std::string(withoutMargin(cell));
    return cells;
}

/// Whether a line stands between the heading of a table and its rows: `|---|---:|`.
bool isTableRule(std::string_view line)
{
    line = withoutMargin(line);
    return line.size() > 2 && line.front() == '|' &&
           line.find_first_not_of("|-: ") == std::string_view::npos;
}

/// The end of a link's target, behind its opening bracket; none: npos.
std::size_t linkEnd(std::string_view text, std::size_t words)
{
    return text.substr(words, 2) == "](" ? text.find(')', words) : std::string_view::npos;
}

/// Goes through the parts of a Markdown text and writes each for a screen.
class MarkdownWriter
{
public:
    MarkdownWriter(std::string_view markdown, const Screen& screen)
        : m_lines(markdownLinesOf(markdown))
        , m_screen(screen)
    {
    }

    std::string text()
    {
        while (m_at < m_lines.size()) {
            const std::string_view line = m_lines[m_at];
            if (withoutMargin(line).empty())
                ++m_at;
            else if (isFence(line))
                fencedCode();
            else if (headingLevel(line) > 0)
                heading();
            else if (beginsTable())
                table();
            else if (markLength(withoutMargin(line)) > 0)
                list();
            else if (marginOf(line) >= 4)
                indentedCode();
            else
                paragraph();
        }
        return std::move(m_out);
    }

private:
    /// An empty line before the next part, but for the first.
    void part() { m_out += m_out.empty() ? "" : "\n"; }

    std::string shown(std::string_view text) const { return markdownInline(text, m_screen); }

    bool beginsTable() const
    {
        return withoutMargin(m_lines[m_at]).front() == '|' && m_at + 1 < m_lines.size() &&
               isTableRule(m_lines[m_at + 1]);
    }

    /// Whether a line goes on what the line before it began.
    bool goesOn() const
    {
        return m_at < m_lines.size() && !withoutMargin(m_lines[m_at]).empty() &&
               !isFence(m_lines[m_at]) && headingLevel(m_lines[m_at]) == 0 &&
               markLength(withoutMargin(m_lines[m_at])) == 0 && !beginsTable();
    }

    void heading()
    {
        const std::size_t level = headingLevel(m_lines[m_at]);
        part();
        const std::string words(withoutMargin(m_lines[m_at++].substr(level)));
        m_out += m_screen.bold(level <= 2 && m_screen.colors != ColorDepth::None
                                   ? m_screen.paint(words, Role::Accent)
                                   : words) +
                 "\n";
        if (m_screen.colors == ColorDepth::None && level <= 2)
            m_out +=
                std::string(static_cast<std::size_t>(displayWidth(words)), level == 1 ? '=' : '-') +
                "\n";
    }

    void codeLine(std::string_view line)
    {
        m_out += line.empty() ? "\n" : "    " + std::string(line) + "\n";
    }

    void fencedCode()
    {
        part();
        const std::size_t margin = marginOf(m_lines[m_at]);
        for (++m_at; m_at < m_lines.size() && !isFence(m_lines[m_at]); ++m_at)
            codeLine(m_lines[m_at].substr(std::min(margin, marginOf(m_lines[m_at]))));
        ++m_at;
    }

    void indentedCode()
    {
        part();
        for (; m_at < m_lines.size() && marginOf(m_lines[m_at]) >= 4 &&
               !withoutMargin(m_lines[m_at]).empty();
             ++m_at)
            codeLine(m_lines[m_at].substr(4));
    }

    void paragraph()
    {
        part();
        std::string words(withoutMargin(m_lines[m_at++]));
        for (; goesOn(); ++m_at)
            words += " " + std::string(withoutMargin(m_lines[m_at]));
        m_out += wrapped(shown(words), m_screen.width);
    }

    void list()
    {
        part();
        while (m_at < m_lines.size()) {
            const std::string_view line = withoutMargin(m_lines[m_at]);
            const std::size_t mark = markLength(line);
            if (mark == 0)
                break;
            const std::size_t margin = std::min<std::size_t>(marginOf(m_lines[m_at]), 20);
            ++m_at;
            std::string words(line.substr(mark));
            for (; goesOn(); ++m_at)
                words += " " + std::string(withoutMargin(m_lines[m_at]));
            m_out += std::string(2 + margin, ' ') + std::string(line.substr(0, mark)) +
                     wrapped(shown(words), m_screen.width, static_cast<int>(2 + margin + mark), 0);
            // An empty line between two entries of the same list.
            if (m_at + 1 < m_lines.size() && withoutMargin(m_lines[m_at]).empty() &&
                markLength(withoutMargin(m_lines[m_at + 1])) > 0 &&
                counted(line) == counted(withoutMargin(m_lines[m_at + 1])))
                ++m_at;
        }
    }

    /// Whether an entry of a list begins with its number.
    static bool counted(std::string_view entry)
    {
        return std::isdigit(static_cast<unsigned char>(entry.front())) != 0;
    }

    void table()
    {
        part();
        std::vector<std::vector<std::string>> rows;
        const std::vector<std::string> rule = tableCellsOf(m_lines[m_at + 1]);
        for (std::size_t first = m_at;
             m_at < m_lines.size() && !withoutMargin(m_lines[m_at]).empty() &&
             withoutMargin(m_lines[m_at]).front() == '|';
             ++m_at) {
            if (m_at == first + 1)
                continue;
            rows.push_back(tableCellsOf(m_lines[m_at]));
            for (std::string& cell : rows.back())
                cell = shown(cell);
        }
        std::vector<TextTable::Column> columns;
        std::size_t before = 2; // of the last column
        for (std::size_t c = 0; c < rows[0].size(); ++c) {
            int widest = 0;
            for (const std::vector<std::string>& row : rows)
                widest = c < row.size() ? std::max(widest, displayWidth(row[c])) : widest;
            const bool right = c < rule.size() && !rule[c].empty() && rule[c].back() == ':';
            columns.push_back(
                {rows[0][c], "", right ? TextTable::Align::Right : TextTable::Align::Left});
            before += c + 1 < rows[0].size() ? static_cast<std::size_t>(widest) + 2 : 0;
        }
        // The last column is text, and broken into lines; where it has no room, a row is a list.
        if (before > static_cast<std::size_t>(m_screen.width) * 3 / 5)
            return rowsAsLists(rows);
        TextTable table(m_screen, columns);
        for (std::size_t r = 1; r < rows.size(); ++r)
            table.append(rows[r]);
        m_out += table.text();
    }

    void rowsAsLists(const std::vector<std::vector<std::string>>& rows)
    {
        for (std::size_t r = 1; r < rows.size(); ++r) {
            if (rows[r].empty())
                continue;
            m_out += "  " + wrapped(m_screen.bold(rows[r][0]), m_screen.width, 2, 0);
            for (std::size_t c = 1; c < rows[r].size(); ++c) {
                if (rows[r][c].empty())
                    continue;
                // Of two columns the second is about the first; of more each says its name.
                const std::string title =
                    rows[0].size() > 2 && c < rows[0].size() ? rows[0][c] : std::string();
                m_out +=
                    wrapped((title.empty() ? "" : title + ": ") + rows[r][c], m_screen.width, 6);
            }
        }
    }

    MarkdownLines m_lines;
    const Screen& m_screen;
    std::size_t m_at = 0; ///< the line that comes next
    std::string m_out;
};

} // namespace

std::string markdownInline(std::string_view text, const Screen& screen)
{
    const bool colors = screen.colors != ColorDepth::None;
    std::string out;
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t code = text[i] == '`' ? text.find('`', i + 1) : std::string_view::npos;
        if (code != std::string_view::npos) {
            out += colors ? screen.paint(text.substr(i + 1, code - i - 1), Role::Accent)
                          : std::string(text.substr(i, code - i + 1));
            i = code + 1;
            continue;
        }
        const std::size_t bold =
            text.substr(i, 2) == "**" ? text.find("**", i + 2) : std::string_view::npos;
        if (bold != std::string_view::npos) {
            out += screen.bold(markdownInline(text.substr(i + 2, bold - i - 2), Screen{}));
            i = bold + 2;
            continue;
        }
        const bool picture = text.substr(i, 2) == "![";
        if (picture || text[i] == '[') {
            const std::size_t from = i + (picture ? 2 : 1);
            const std::size_t words = text.find(']', from);
            const std::size_t end = words == std::string_view::npos ? words : linkEnd(text, words);
            if (end != std::string_view::npos) {
                const std::string inner = markdownInline(text.substr(from, words - from), screen);
                out += picture ? "[picture: " + inner + "]" : inner;
                i = end + 1;
                continue;
            }
        }
        // *words* with nothing but letters at either end of the stars.
        const std::size_t slanted =
            text[i] == '*' && i + 1 < text.size() && text[i + 1] != ' ' && text[i + 1] != '*'
                ? text.find('*', i + 1)
                : std::string_view::npos;
        if (slanted != std::string_view::npos && text[slanted - 1] != ' ') {
            out += markdownInline(text.substr(i + 1, slanted - i - 1), screen);
            i = slanted + 1;
            continue;
        }
        if (text[i] == '\\' && i + 1 < text.size() &&
            std::ispunct(static_cast<unsigned char>(text[i + 1])) != 0)
            ++i;
        out += text[i++];
    }
    return out;
}

std::string markdownText(std::string_view markdown, const Screen& screen)
{
    return MarkdownWriter(markdown, screen).text();
}

} // namespace pw::app
