// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/sqlite/feed_insert.h"

#include "core/base/try.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace pw {

namespace {

constexpr int firstParameter = 2; // of a feed's columns; 1 is the column that is always bound

} // namespace

Result<FeedInsert> FeedInsert::open(Database& database, std::string_view table,
                                    std::string_view first, std::string_view columns)
{
    // A row that cannot be written ends it all: nobody needs what came before to be taken back, for
    // which SQLite would keep a copy of every page.
    std::string head = "INSERT OR FAIL INTO " + std::string(table) + " (" + std::string(first) +
                       ", " + std::string(columns) + ") SELECT ?1";
    database.knowFeeds();
    FeedInsert made(database, std::move(head),
                    1 + static_cast<int>(std::count(columns.begin(), columns.end(), ',')));
    PW_DO(made.statementFor(0));
    return made;
}

Result<bool> FeedInsert::run(std::int64_t first, RowFeed& feed)
{
    PW_TRY(Made* const made, statementFor(feed.rows() < fewRows ? 0 : feed.columnsAlike()));
    made->statement.bind(1, first);
    for (int column = 0; column < m_columns; ++column)
        if ((made->bound >> column & 1U) != 0)
            feed.bindFirst(column, made->statement, firstParameter + column);
    return m_database->runWith(feed, made->statement);
}

Result<FeedInsert::Made*> FeedInsert::statementFor(std::uint32_t alike)
{
    Made* best = nullptr;
    for (Made& made : m_made)
        if ((made.bound & ~alike) == 0 &&
            (best == nullptr || std::popcount(made.bound) > std::popcount(best->bound)))
            best = &made;
    if (best != nullptr && (best->bound == alike || m_made.size() == mostStatements))
        return best;
    std::string sql = m_head;
    for (int column = 0; column < m_columns; ++column)
        sql += (alike >> column & 1U) != 0 ? ", ?" + std::to_string(firstParameter + column)
                                           : ", c" + std::to_string(column);
    sql += " FROM pw_rows";
    PW_TRY(Statement statement, m_database->prepare(sql));
    m_made.push_back({alike, std::move(statement)});
    return &m_made.back();
}

} // namespace pw
