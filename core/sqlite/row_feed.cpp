// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/sqlite/row_feed.h"

#include "core/base/assert.h"
#include "core/sqlite/sqlite.h"

#include <sqlite3.h>

#include <bit>
#include <cmath>
#include <new>

namespace pw {

/// What SQLite asks of a table that a program keeps: https://sqlite.org/vtab.html
struct FeedTable
{
    struct Table
    {
        sqlite3_vtab base;
        const RowFeed** slot;
    };
    struct Cursor
    {
        sqlite3_vtab_cursor base;
        const RowFeed* feed;
    };

    static int connect(sqlite3* database, void* slot, int, const char* const*, sqlite3_vtab** made,
                       char**)
    {
        const int code = sqlite3_declare_vtab(
            database, "CREATE TABLE x(c0,c1,c2,c3,c4,c5,c6,c7,c8,c9,c10,c11,c12,c13,c14,c15)");
        if (code != SQLITE_OK)
            return code;
        auto* table = new (std::nothrow) Table{{}, static_cast<const RowFeed**>(slot)};
        if (table == nullptr)
            return SQLITE_NOMEM;
        // No view or trigger of a file names it.
        sqlite3_vtab_config(database, SQLITE_VTAB_DIRECTONLY);
        *made = &table->base;
        return SQLITE_OK;
    }

    static int disconnect(sqlite3_vtab* table)
    {
        delete reinterpret_cast<Table*>(table);
        return SQLITE_OK;
    }

    static int plan(sqlite3_vtab*, sqlite3_index_info*) { return SQLITE_OK; }

    static int open(sqlite3_vtab* table, sqlite3_vtab_cursor** made)
    {
        auto* cursor = new (std::nothrow) Cursor{{}, *reinterpret_cast<Table*>(table)->slot};
        if (cursor == nullptr)
            return SQLITE_NOMEM;
        *made = &cursor->base;
        return SQLITE_OK;
    }

    static int close(sqlite3_vtab_cursor* cursor)
    {
        delete reinterpret_cast<Cursor*>(cursor);
        return SQLITE_OK;
    }

    static const RowFeed* feedOf(sqlite3_vtab_cursor* cursor)
    {
        return reinterpret_cast<Cursor*>(cursor)->feed;
    }

    /// From where the feed is.
    static int begin(sqlite3_vtab_cursor* cursor, int, const char*, int, sqlite3_value**)
    {
        return feedOf(cursor) == nullptr ? SQLITE_MISUSE : SQLITE_OK;
    }

    static int next(sqlite3_vtab_cursor* cursor)
    {
        ++feedOf(cursor)->m_at;
        return SQLITE_OK;
    }

    static int ended(sqlite3_vtab_cursor* cursor)
    {
        const RowFeed& feed = *feedOf(cursor);
        return feed.m_at >= feed.m_rows ? 1 : 0;
    }

    static int column(sqlite3_vtab_cursor* cursor, sqlite3_context* to, int column)
    {
        const RowFeed& feed = *feedOf(cursor);
        if (column >= feed.m_columns)
            return SQLITE_OK; // NULL
        const RowFeed::Value& value =
            feed.m_values[feed.m_at * static_cast<std::size_t>(feed.m_columns) +
                          static_cast<std::size_t>(column)];
        switch (value.kind) {
        case RowFeed::Kind::Null:
            break;
        case RowFeed::Kind::Whole:
            sqlite3_result_int64(to, value.whole);
            break;
        case RowFeed::Kind::Number:
            sqlite3_result_double(to, std::bit_cast<double>(value.whole));
            break;
        case RowFeed::Kind::Text:
            // It outlives the statement.
            sqlite3_result_text(to, feed.m_texts.data() + value.whole, static_cast<int>(value.size),
                                SQLITE_STATIC);
            break;
        }
        return SQLITE_OK;
    }

    static int rowid(sqlite3_vtab_cursor* cursor, sqlite3_int64* row)
    {
        *row = static_cast<sqlite3_int64>(feedOf(cursor)->m_at);
        return SQLITE_OK;
    }
};

RowFeed::Value RowFeed::valueOf(double value)
{
    return {std::bit_cast<std::int64_t>(value), 0, std::isnan(value) ? Kind::Null : Kind::Number};
}

RowFeed::Value RowFeed::valueOf(std::string_view text)
{
    const Value value{static_cast<std::int64_t>(m_texts.size()),
                      static_cast<std::uint32_t>(text.size()), Kind::Text};
    m_texts += text;
    return value;
}

std::uint32_t RowFeed::columnsAlike() const
{
    const auto columns = static_cast<std::size_t>(m_columns);
    std::uint32_t alike = 0;
    for (std::size_t column = 0; column < columns && m_rows > 0; ++column) {
        const Value& first = m_values[column];
        std::size_t at = column;
        if (first.kind == Kind::Whole || first.kind == Kind::Null)
            while (at < m_used && m_values[at].whole == first.whole &&
                   m_values[at].kind == first.kind)
                at += columns;
        alike |= std::uint32_t{at >= m_used ? 1U : 0U} << column;
    }
    return alike;
}

void RowFeed::bindFirst(int column, Statement& statement, int parameter) const
{
    const Value& value = m_values[static_cast<std::size_t>(column)];
    PW_ASSERT(m_rows > 0 && (value.kind == Kind::Whole || value.kind == Kind::Null));
    if (value.kind == Kind::Whole)
        statement.bind(parameter, value.whole);
    else
        statement.bindNull(parameter);
}

void RowFeed::clear()
{
    m_used = 0;
    m_texts.clear();
    m_rows = 0;
    m_at = 0;
}

void addFeedTable(sqlite3* database, const RowFeed** slot)
{
    static const sqlite3_module module = [] {
        sqlite3_module made{};
        made.xConnect = FeedTable::connect; // no xCreate: it is there by its name alone
        made.xBestIndex = FeedTable::plan;
        made.xDisconnect = FeedTable::disconnect;
        made.xOpen = FeedTable::open;
        made.xClose = FeedTable::close;
        made.xFilter = FeedTable::begin;
        made.xNext = FeedTable::next;
        made.xEof = FeedTable::ended;
        made.xColumn = FeedTable::column;
        made.xRowid = FeedTable::rowid;
        return made;
    }();
    sqlite3_create_module(database, "pw_rows", &module, slot);
}

} // namespace pw
