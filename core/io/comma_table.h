// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace pw {

/// One row of a table, cells in the order of its columns.
struct CommaRow
{
    std::vector<std::string_view> cells;
    int line = 0; ///< of the text, from 1 on
};

/// Rows of a comma-separated text without quotes, one after another. The first line that is not
/// blank names the columns; blanks around a cell and blank lines do not count. The text outlives
/// the table.
class CommaTable
{
public:
    explicit CommaTable(std::string_view text);

    /// Names of the columns. Empty: the text is blank.
    const std::vector<std::string_view>& names() const { return m_names.cells; }
    /// Line of the names.
    int line() const { return m_names.line; }
    std::optional<std::size_t> column(std::string_view name) const;

    /// The next row; none at the end.
    /// @error Syntax  it has another number of cells than the first line; names the line
    Result<std::optional<CommaRow>> next();

private:
    std::optional<CommaRow> nextLine();

    std::string_view m_rest;
    int m_line = 0; ///< read so far
    CommaRow m_names;
};

} // namespace pw
