// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

struct sqlite3;

namespace pw {

/// Rows in memory that a statement of `Database::runWith` reads as those of the table `pw_rows`
/// with the columns c0, c1, …: one statement inserts them all. A value that is bound to a parameter
/// takes as long as its insertion; one that is read takes a fraction of it.
class RowFeed
{
public:
    /// Columns of the table; a row may have fewer.
    static constexpr int mostColumns = 16;

    /// @param columns  of every row, at most `mostColumns`
    explicit RowFeed(int columns)
        : m_columns(columns)
    {
    }

    /// One more row. @param values  whole numbers, numbers, texts, or nothing, of all columns
    template<typename... Values>
    void add(const Values&... values)
    {
        (put(values), ...);
        ++m_rows;
    }
    int columns() const { return m_columns; }
    std::size_t rows() const { return m_rows; }
    void clear();

    /// The row that the statement was at when it ended, and where the next one begins.
    std::size_t at() const { return m_at; }
    void goTo(std::size_t row) { m_at = row; }

private:
    friend struct FeedTable;

    enum class Kind : std::uint8_t
    {
        Null,
        Whole,
        Number,
        Text
    };
    struct Value
    {
        std::int64_t whole = 0; ///< of a text its place in `m_texts`, of a number its bits
        std::uint32_t size = 0; ///< of a text
        Kind kind = Kind::Null;
    };

    void put(std::int64_t value) { m_values.push_back({value, 0, Kind::Whole}); }
    void put(std::int32_t value) { put(std::int64_t{value}); }
    /// Not a number is kept as NULL.
    void put(double value);
    void put(std::string_view text);
    void put(const std::string& text) { put(std::string_view(text)); }
    void put(const char* text) { put(std::string_view(text)); }
    template<typename T>
    void put(const std::optional<T>& value)
    {
        if (value)
            put(*value);
        else
            m_values.push_back({});
    }

    int m_columns;
    std::size_t m_rows = 0;
    mutable std::size_t m_at = 0;
    std::vector<Value> m_values;
    std::string m_texts;
};

/// Makes the table `pw_rows` known to a database, which reads what `slot` points at.
void addFeedTable(sqlite3* database, const RowFeed** slot);

} // namespace pw
