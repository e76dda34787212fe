// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "app/screen.h"

#include <string>
#include <string_view>
#include <vector>

namespace pw::app {

/// Rows of aligned columns for a screen, no wider than it where that can be: texts of the first
/// column and of a last one are broken into lines, then the columns of least worth are left out and
/// named below the table. The first column always stays.
class TextTable
{
public:
    enum class Align
    {
        Left,
        Right
    };

    static constexpr int usualWorth = 50;

    struct Column
    {
        std::string title{};
        /// Under the title, in secondary colour; empty in all columns: no such line.
        std::string unit{};
        Align align = Align::Right;
        int gap = 2; ///< spaces before the column
        /// What is left out first where there is no room: the least, and of equals the last.
        int worth = usualWorth;
    };

    TextTable(const Screen& screen, std::vector<Column> columns);

    /// A row of one text a column; further columns stay empty. Texts may hold colour codes.
    void append(std::vector<std::string> row);

    /// A text that runs over the columns from the second on.
    void appendNote(std::string first, std::string note);

    /// All lines, each after `indent` spaces, without spaces at the end.
    std::string text(int indent = 2) const;

private:
    struct Row
    {
        std::vector<std::string> cells;
        bool note = false;
    };

    /// What of the columns is shown, and how wide.
    struct Layout
    {
        std::vector<bool> shown;
        std::vector<int> widths;
        int indent = 0;

        int wholeWidth(const std::vector<Column>& columns, bool breaksLast) const;
    };

    Layout naturalLayout(int indent) const;
    /// Leaves out columns and narrows texts until the table fits.
    void fit(Layout& layout) const;
    bool breaksLast(const Layout& layout) const;
    std::string line(const std::vector<std::string>& cells, const Layout& layout) const;
    std::string noteLine(const Row& row, const Layout& layout) const;
    std::string leftOutText(const Layout& layout) const;

    Screen m_screen;
    std::vector<Column> m_columns;
    std::vector<Row> m_rows;
};

/// Text without line ends and tabs, which are spelled out: what a file calls a thing cannot pretend
/// to be a further line of the output. Colours of `Screen` stay.
std::string oneLine(std::string_view text);

/// Breaks a text at spaces so that no line is longer than `width`; each line after `indent` spaces,
/// the first after `firstIndent` if that is given.
std::string wrapped(std::string_view given, int width, int indent = 0, int firstIndent = -1);

/// A text of lines, of which those that are too long are broken, and go on two columns further in.
std::string fitted(std::string_view lines, int width);

} // namespace pw::app
