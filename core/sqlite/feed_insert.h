// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/sqlite/row_feed.h"
#include "core/sqlite/sqlite.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pw {

/// Inserts the rows of feeds into one table, whose first column is the same in all of them. Lives
/// no longer than its database.
///
/// A column that says the same in every row of a feed is bound once, with a statement of its own
/// for those columns: one that is read row by row takes several times as long.
class FeedInsert
{
public:
    /// @param first    the column that every row has the same in
    /// @param columns  those of the feeds, in their order: "lane, level, depth"
    /// @error Io       the table has no such columns
    static Result<FeedInsert> open(Database& database, std::string_view table,
                                   std::string_view first, std::string_view columns);

    /// Of the feeds.
    int columns() const { return m_columns; }

    /// Inserts the rows of a feed from where it is. A row that breaks a rule of the table ends it,
    /// what came before is kept, and the feed is at that row.
    /// @return  false where a row broke a rule
    Result<bool> run(std::int64_t first, RowFeed& feed);

private:
    /// A statement that takes some columns from parameters.
    struct Made
    {
        std::uint32_t bound = 0; ///< a bit a column
        Statement statement;
    };

    /// Fewer rows than this are not worth a statement of their own.
    static constexpr std::size_t fewRows = 64;
    static constexpr std::size_t mostStatements = 12;

    FeedInsert(Database& database, std::string head, int columns)
        : m_database(&database)
        , m_head(std::move(head))
        , m_columns(columns)
    {
    }

    /// The statement that binds most of these columns, and no other.
    Result<Made*> statementFor(std::uint32_t alike);

    Database* m_database;
    std::string m_head; ///< of every statement, up to what is selected
    int m_columns;
    std::vector<Made> m_made; ///< the first one binds none
};

} // namespace pw
