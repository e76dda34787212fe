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

class Statement;

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
        if (m_used + sizeof...(values) > m_values.size())
            m_values.resize(2 * m_values.size() + sizeof...(values));
        Value* to = m_values.data() + m_used;
        ((*to++ = valueOf(values)), ...);
        m_used += sizeof...(values);
        ++m_rows;
    }
    int columns() const { return m_columns; }
    std::size_t rows() const { return m_rows; }
    void clear();

    /// The row that the statement was at when it ended, and where the next one begins.
    std::size_t at() const { return m_at; }
    void goTo(std::size_t row) { m_at = row; }

    /// Columns that have one whole number, or nothing, in all rows: a bit each.
    std::uint32_t columnsAlike() const;
    /// Binds the value of such a column. @pre there is a row
    void bindFirst(int column, Statement& statement, int parameter) const;

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

    static Value valueOf(std::int64_t value) { return {value, 0, Kind::Whole}; }
    static Value valueOf(std::int32_t value) { return valueOf(std::int64_t{value}); }
    /// Not a number is kept as NULL.
    static Value valueOf(double value);
    Value valueOf(std::string_view text);
    Value valueOf(const std::string& text) { return valueOf(std::string_view(text)); }
    Value valueOf(const char* text) { return valueOf(std::string_view(text)); }
    template<typename T>
    Value valueOf(const std::optional<T>& value)
    {
        return value ? valueOf(*value) : Value();
    }

    int m_columns;
    std::size_t m_rows = 0;
    mutable std::size_t m_at = 0;
    std::vector<Value> m_values; ///< room for them; the first `m_used` are
    std::size_t m_used = 0;
    std::string m_texts;
};

/// Makes the table `pw_rows` known to a database, which reads what `slot` points at.
void addFeedTable(sqlite3* database, const RowFeed** slot);

} // namespace pw
