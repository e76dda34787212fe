// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <string_view>
#include <utility>

struct sqlite3;
struct sqlite3_value;

namespace pw {

/// A row that `Database::eachRow` hands over. Columns count from 0; what a column holds is what it
/// really holds, whatever its table says. Behind those that were asked for all are NULL.
class RowValues
{
public:
    /// Columns of a row.
    static constexpr int mostColumns = 16;

    bool isNull(int column) const { return kindAt(column) == Kind::Null; }
    bool isWhole(int column) const { return kindAt(column) == Kind::Whole; }
    /// Anything else becomes a whole number as SQLite makes one of it.
    std::int64_t whole(int column) const
    {
        return isWhole(column) ? m_wholes[static_cast<std::size_t>(column)] : converted(column);
    }
    /// Until the next row.
    std::string_view view(int column) const;

private:
    friend class RowTaking;

    enum class Kind : std::uint8_t
    {
        Null,
        Whole,
        Other
    };

    Kind kindAt(int column) const { return m_kinds[static_cast<std::size_t>(column)]; }
    std::int64_t converted(int column) const;

    sqlite3_value** m_values = nullptr;
    std::array<std::int64_t, mostColumns> m_wholes{};
    std::array<Kind, mostColumns> m_kinds{};
};

/// What is done with a row. @return  whether it goes on
using TakeRow = std::function<bool(const RowValues&)>;

/// Who takes the rows of the query that runs, and what came of it.
class RowTaking
{
public:
    /// @param take  outlives this
    explicit RowTaking(const TakeRow& take)
        : m_take(take)
    {
    }

    /// The next row, of so many values. @return  whether the query goes on
    bool next(int count, sqlite3_value** values);
    /// Whether there was a row since this was asked: the limit of time is for each.
    bool isAnother() const { return m_rows != std::exchange(m_seen, m_rows); }
    /// What became of the query. Throws what `take` threw: nothing is thrown through SQLite.
    /// @param done  what SQLite says of it, which is no failure where `take` ended it
    /// @return      rows that were taken
    Result<std::int64_t> outcome(const Result<bool>& done) const;

private:
    const TakeRow& m_take;
    bool m_ended = false;
    std::exception_ptr m_thrown;
    std::int64_t m_rows = 0;
    mutable std::int64_t m_seen = 0;
    RowValues m_row;
};

/// Makes the function `pw_take` known to a database, which gives its arguments to what `slot`
/// points at.
void addTakeFunction(sqlite3* database, RowTaking** slot);

} // namespace pw
