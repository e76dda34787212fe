// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/sqlite/row_feed.h"
#include "core/sqlite/sqlite.h"
#include "core/store/run_store.h"

#include <memory>
#include <string_view>

namespace pw {

/// Inserts rows of a run into one table, many with a statement, which reads them where they are. In
/// the order of the table's key they take half the time.
class RowBatch
{
public:
    /// @param columns  of the table beside `run`: "lane, level, depth"
    static Result<RowBatch> open(Database& database, std::string_view table,
                                 std::string_view columns, RunNumber run);

    /// One more row; it may be written later. @param values  of all columns, in their order
    template<typename... Values>
    Result<void> add(const Values&... values)
    {
        m_feed->add(values...);
        return m_feed->rows() < mostRows ? Result<void>() : flush();
    }

    /// Writes what is left. What is not flushed at the end is lost.
    Result<void> flush();

private:
    RowBatch(Database& database, Statement statement, int columns)
        : m_database(&database)
        , m_statement(std::move(statement))
        , m_feed(std::make_unique<RowFeed>(columns))
    {
    }

    static constexpr std::size_t mostRows = 1024;

    Database* m_database;
    Statement m_statement;
    std::unique_ptr<RowFeed> m_feed;
};

} // namespace pw
