// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/reading/events/event_file.h"
#include "core/sqlite/sqlite.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace pw {

/// The tables of an Nsight Systems export. They are made only where there is data, and their
/// columns differ between versions, so each reader says what it cannot do without.
class NsysTables
{
public:
    /// A column that a reader asks for. Absent ones that are not needed read as NULL.
    struct Column
    {
        const char* name = nullptr;
        bool needed = true;
    };

    /// @param goOn  may be empty
    /// @error Io      the file cannot be opened
    /// @error Syntax  it is damaged, or no export: it has neither ranges nor device activity
    static Result<std::unique_ptr<NsysTables>> open(const std::string& path, KeepReadingRows goOn);

    const std::string& path() const { return m_database->path(); }
    bool has(std::string_view table) const { return m_tables.find(table) != m_tables.end(); }
    bool has(std::string_view table, std::string_view column) const;

    /// The rows of these tables count as all that is to be read, for the progress.
    void expect(const std::vector<std::string_view>& tables);
    /// About how many rows one of them has, and no more than its file has room for.
    std::int64_t expectedRows(std::string_view table) const;

    /// What is done with a row; an error ends the reading.
    using Take = std::function<Result<void>(const RowValues&)>;

    /// Takes each row of a table, in the order of the file, with the columns as listed. A table
    /// that is not there has no rows.
    ///
    /// @error Syntax     a needed column is missing, or the table is damaged, with name and row
    /// @error Cancelled  on request
    Result<void> each(std::string_view table, const std::vector<Column>& columns, const Take& take);

    /// The error of a table that lacks a column.
    Error lacks(std::string_view table, std::string_view column) const;

    /// The text of a string id; empty where it is none.
    /// @error Syntax  as above
    Result<std::string> text(std::int64_t id);

private:
    struct Table
    {
        std::vector<std::string> columns;
        std::int64_t rows = 0; // about; of those that are expected
        bool keyed = false;    // its first column is the row's number
    };

    explicit NsysTables(std::unique_ptr<Database> database, KeepReadingRows goOn)
        : m_database(std::move(database))
        , m_goOn(std::move(goOn))
    {
    }

    Result<void> list(std::int64_t fileBytes);
    Result<void> readAllTexts();
    bool goesOn(std::int64_t rows) const;
    Error damaged(std::string_view where, const Error& error) const;

    std::unique_ptr<Database> m_database;
    KeepReadingRows m_goOn;
    std::map<std::string, Table, std::less<>> m_tables;
    std::vector<std::string> m_found; // names of all tables, for a message
    std::int64_t m_mostRows = 0;      // that a file of this size can have
    std::int64_t m_expected = 0;
    std::int64_t m_read = 0;
    bool m_textsRead = false;
    std::unordered_map<std::int64_t, std::string> m_texts; // where ids are not keys of their table
};

/// The first bytes of every file of SQLite.
constexpr std::string_view sqliteMark = "SQLite format 3";

/// Whether a file is SQLite by its first bytes.
bool isSqlite(const std::string& path);

/// Whether a file in a folder is to be read as an export: it is one, or too damaged to tell.
bool maybeNsys(const std::string& path);

} // namespace pw
