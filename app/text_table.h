// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "app/screen.h"

#include <string>
#include <string_view>
#include <vector>

namespace pw::app {

/// Rows of aligned columns for a screen. A last column of text is broken into lines where it is too
/// wide.
class TextTable
{
public:
    enum class Align
    {
        Left,
        Right
    };

    struct Column
    {
        std::string title{};
        /// Under the title, in secondary colour; empty in all columns: no such line.
        std::string unit{};
        Align align = Align::Right;
        int gap = 2; ///< spaces before the column
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

    std::string line(const std::vector<std::string>& cells, const std::vector<int>& widths,
                     int indent) const;

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

} // namespace pw::app
