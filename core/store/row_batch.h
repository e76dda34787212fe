// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/sqlite/sqlite.h"
#include "core/store/run_store.h"

#include <string_view>

namespace pw {

/// Inserts rows of a run into one table, many with a statement: to begin and end one takes as long
/// as several rows, and a statement whose rows are in the order of the key goes on where its last
/// one is. In that order they take half the time.
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
        m_next = m_statement.bindFrom(m_next, values...);
        return ++m_rows < m_most ? Result<void>() : flush();
    }

    /// Writes what is left. What is not flushed at the end is lost.
    Result<void> flush();

private:
    RowBatch(Statement statement, int columns, int most)
        : m_statement(std::move(statement))
        , m_columns(columns)
        , m_most(most)
    {
    }

    static constexpr int firstParameter = 2; // behind the run

    Statement m_statement;
    int m_columns;
    int m_most;
    int m_rows = 0;
    int m_next = firstParameter;
};

} // namespace pw
