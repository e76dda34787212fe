// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/sqlite/feed_insert.h"
#include "core/store/run_store.h"

#include <memory>
#include <string_view>
#include <utility>

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
    RowBatch(Database& database, FeedInsert insert, RunNumber run)
        : m_database(&database)
        , m_insert(std::move(insert))
        , m_run(run)
        , m_feed(std::make_unique<RowFeed>(m_insert.columns()))
    {
    }

    static constexpr std::size_t mostRows = 1024;

    Database* m_database;
    FeedInsert m_insert;
    RunNumber m_run;
    std::unique_ptr<RowFeed> m_feed;
};

} // namespace pw
