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
    const int count = 1 + static_cast<int>(std::count(columns.begin(), columns.end(), ','));
    // A row that cannot be written ends it all: nobody needs what came before to be taken back, for
    // which SQLite would keep a copy of every page.
    std::string sql = "INSERT OR FAIL INTO " + std::string(table) + " (run, " +
                      std::string(columns) + ") SELECT ?1";
    for (int i = 0; i < count; ++i)
        sql += ", c" + std::to_string(i);
    sql += " FROM pw_rows";
    database.knowFeeds();
    PW_TRY(Statement statement, database.prepare(sql));
    statement.bind(1, run);
    return RowBatch(database, std::move(statement), count);
}

Result<void> RowBatch::flush()
{
    if (m_feed->rows() == 0)
        return {};
    PW_TRY(const bool done, m_database->runWith(*m_feed, m_statement));
    if (!done)
        return fail(m_database->error("cannot be written"));
    m_feed->clear();
    return {};
}

} // namespace pw
