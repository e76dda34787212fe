// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/store/row_batch.h"

#include "core/base/try.h"

#include <algorithm>
#include <string>

namespace pw {

Result<RowBatch> RowBatch::open(Database& database, std::string_view table,
                                std::string_view columns, RunNumber run)
{
    constexpr int mostParameters = 768, mostRows = 64;
    const int count = 1 + static_cast<int>(std::count(columns.begin(), columns.end(), ','));
    const int most = std::clamp(mostParameters / count, 1, mostRows);
    std::string row = "(?1";
    for (int i = 0; i < count; ++i)
        row += ",?";
    row += "),";
    // The limit is how many rows have values.
    std::string sql = "INSERT INTO " + std::string(table) + " (run, " + std::string(columns) +
                      ") SELECT * FROM (VALUES ";
    for (int i = 0; i < most; ++i)
        sql += row;
    sql.back() = ')';
    sql += " LIMIT ?";
    PW_TRY(Statement statement, database.prepare(sql));
    statement.bind(1, run);
    return RowBatch(std::move(statement), count, most);
}

Result<void> RowBatch::flush()
{
    if (m_rows == 0)
        return {};
    m_statement.bind(firstParameter + m_columns * m_most, m_rows);
    m_rows = 0;
    m_next = firstParameter;
    return m_statement.run();
}

} // namespace pw
