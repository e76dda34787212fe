// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/nsys/nsys_tables.h"

#include "core/base/try.h"
#include "core/io/file_problem.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>

namespace pw {

namespace {

namespace fs = std::filesystem;

/// Any of these makes a file an export.
constexpr std::array<std::string_view, 5> telling = {
    "NVTX_EVENTS", "CUPTI_ACTIVITY_KIND_KERNEL", "CUPTI_ACTIVITY_KIND_MEMCPY",
    "CUPTI_ACTIVITY_KIND_MEMSET", "CUPTI_ACTIVITY_KIND_GRAPH_TRACE"};

constexpr std::array<std::string_view, 9> useful = {"CUPTI_ACTIVITY_KIND_RUNTIME",
                                                    "StringIds",
                                                    "ThreadNames",
                                                    "PROCESSES",
                                                    "TARGET_INFO_CUDA_DEVICE",
                                                    "TARGET_INFO_SESSION_START_TIME",
                                                    "META_DATA_EXPORT",
                                                    "GPU_METRICS",
                                                    "TARGET_INFO_GPU_METRICS"};

template<typename List>
bool contains(const List& list, std::string_view name)
{
    return std::find(list.begin(), list.end(), name) != list.end();
}

std::string asIdentifier(std::string_view name)
{
    return "\"" + std::string(name) + "\"";
}

/// A file with a journal beside it has to be read with locks; a folder without rights allows none.
Database::Mode modeOf(const std::string& path)
{
    std::error_code ignored;
    return fs::exists(path + "-wal", ignored) || fs::exists(path + "-journal", ignored)
               ? Database::Mode::Read
               : Database::Mode::ReadUnchanging;
}

} // namespace

Result<std::unique_ptr<NsysTables>> NsysTables::open(const std::string& path, KeepReadingRows goOn)
{
    std::error_code problem;
    const auto bytes = static_cast<std::int64_t>(fs::file_size(path, problem));
    PW_TRY(std::unique_ptr<Database> database, Database::open(path, modeOf(path)));
    std::unique_ptr<NsysTables> tables(new NsysTables(std::move(database), std::move(goOn)));
    PW_DO(tables->list(problem ? 0 : bytes));
    const bool any = std::any_of(telling.begin(), telling.end(),
                                 [&](std::string_view name) { return tables->has(name); });
    if (any)
        return tables;
    constexpr std::size_t mostListed = 5;
    std::string names;
    for (std::size_t i = 0; i < std::min(tables->m_found.size(), mostListed); ++i)
        names += (i == 0 ? "" : ", ") + tables->m_found[i];
    if (tables->m_found.size() > mostListed)
        names += " …";
    return fail(ErrorCode::Syntax,
                "%1 is an SQLite file, but no export of Nsight Systems with anything to show: it "
                "has no table NVTX_EVENTS, CUPTI_ACTIVITY_KIND_KERNEL, CUPTI_ACTIVITY_KIND_MEMCPY "
                "or CUPTI_ACTIVITY_KIND_MEMSET%2",
                path, names.empty() ? said("; it has no tables") : said("; it has %1", names));
}

bool NsysTables::has(std::string_view table, std::string_view column) const
{
    const auto found = m_tables.find(table);
    return found != m_tables.end() && contains(found->second.columns, column);
}

Error NsysTables::lacks(std::string_view table, std::string_view column) const
{
    return {ErrorCode::Syntax, path() + ": table " + std::string(table) + " has no column " +
                                   std::string(column) +
                                   "; no export of Nsight Systems that is known"};
}

Error NsysTables::damaged(std::string_view where, const Error& error) const
{
    return {ErrorCode::Syntax, path() + " is not an export of Nsight Systems that can be read: " +
                                   std::string(where) + ": " + error.message};
}

Result<void> NsysTables::list(std::int64_t fileBytes)
{
    // A row takes a few bytes at the least, so a file that has more rows goes in circles.
    constexpr std::int64_t leastRow = 4;
    m_mostRows = fileBytes / leastRow;
    // Views of a stranger are not read, whatever the list of tables calls them; damage is found
    // early.
    m_database->refuseViews();
    if (const Result<void> careful = m_database->run(
            "PRAGMA trusted_schema=OFF; PRAGMA cell_size_check=ON", "cannot be read");
        !careful)
        return fail(damaged("the list of its tables", careful.error()));
    Result<Statement> tables =
        m_database->prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 0");
    if (!tables)
        return fail(damaged("the list of its tables", tables.error()));
    const Result<void> listed =
        tables->each([&](const Statement& row) { m_found.push_back(row.text(0)); });
    if (!listed)
        return fail(damaged("the list of its tables", listed.error()));
    for (const std::string& name : m_found) {
        if (!contains(telling, name) && !contains(useful, name))
            continue;
        Result<Statement> columns =
            m_database->prepare("PRAGMA table_xinfo(" + asIdentifier(name) + ")");
        if (!columns)
            return fail(damaged("table " + name, columns.error()));
        Table table;
        std::string computed;
        const Result<void> known = columns->each([&](const Statement& row) {
            table.keyed = table.keyed || (row.text(1) == "id" && row.whole(5) == 1);
            table.columns.push_back(row.text(1));
            // It is computed, by whatever the file says, whenever it is read.
            if (row.whole(6) != 0)
                computed = row.text(1);
        });
        if (!known)
            return fail(damaged("table " + name, known.error()));
        if (!computed.empty())
            return fail(ErrorCode::Syntax,
                        "%1: the column %2 of its table %3 is computed by an expression in the "
                        "file; no export of Nsight Systems has such",
                        path(), computed, name);
        m_tables.emplace(name, std::move(table));
    }
    return {};
}

void NsysTables::expect(const std::vector<std::string_view>& tables)
{
    for (const std::string_view name : tables) {
        const auto table = m_tables.find(name);
        if (table == m_tables.end())
            continue;
        // The last row's number is found at once; counting would read the table twice. Where it
        // cannot be had, the reading of the table says why.
        const std::string query = "SELECT max(rowid) FROM " + asIdentifier(name);
        if (const Result<std::int64_t> rows = m_database->number(query.c_str()))
            table->second.rows = std::clamp<std::int64_t>(*rows, 0, m_mostRows);
        m_expected += table->second.rows;
    }
}

std::int64_t NsysTables::expectedRows(std::string_view table) const
{
    const auto found = m_tables.find(table);
    return found == m_tables.end() ? 0 : found->second.rows;
}

Result<void> NsysTables::each(std::string_view table, const std::vector<Column>& columns,
                              const Take& take)
{
    const auto found = m_tables.find(table);
    if (found == m_tables.end())
        return {};
    std::string asked;
    std::string absent; // behind the last one that is there: not asked for, and read as NULL
    for (const Column& column : columns) {
        const std::string comma = &column == &columns.front() ? "" : ", ";
        if (contains(found->second.columns, column.name)) {
            asked += absent + comma + asIdentifier(column.name);
            absent.clear();
        } else if (column.needed) {
            return fail(lacks(table, column.name));
        } else {
            absent += comma + "NULL";
        }
    }
    if (asked.empty())
        asked = absent;
    const Error stopped{ErrorCode::Cancelled, said("%1: reading was stopped", path())};
    if (!goesOn(0))
        return fail(stopped);
    constexpr std::int64_t often = 4096;
    std::int64_t rows = 0;
    Result<void> ended;
    const Result<std::int64_t> read =
        m_database->eachRow(asIdentifier(table), asked, [&](const RowValues& row) {
            if (++rows > m_mostRows)
                ended = fail(ErrorCode::Syntax,
                             "%1: table %2 has more rows than its file has room for; it is damaged",
                             path(), found->first);
            else if (rows % often == 0 && !goesOn(rows))
                ended = fail(stopped);
            else if (Result<void> taken = take(row); taken)
                return true;
            else
                ended = std::move(taken);
            return false;
        });
    if (!read)
        return fail(damaged("table " + found->first +
                                (rows == 0 ? "" : ", behind row " + std::to_string(rows)),
                            read.error()));
    m_read += *read;
    return ended;
}

/// Says how far it is. @param rows  that were read of the table at hand
bool NsysTables::goesOn(std::int64_t rows) const
{
    const double part =
        m_expected > 0 ? static_cast<double>(m_read + rows) / static_cast<double>(m_expected) : 0;
    return !m_goOn || m_goOn(std::min(part, 1.0));
}

Result<void> NsysTables::readAllTexts()
{
    m_textsRead = true;
    return each("StringIds", {{"id"}, {"value"}}, [this](const RowValues& row) -> Result<void> {
        m_texts.emplace(row.whole(0), std::string(row.view(1)));
        return {};
    });
}

Result<std::string> NsysTables::text(std::int64_t id)
{
    const auto table = m_tables.find(std::string_view("StringIds"));
    if (table == m_tables.end())
        return std::string();
    for (const char* column : {"id", "value"})
        if (!contains(table->second.columns, column))
            return fail(lacks("StringIds", column));
    // Without a key each look-up would read the whole table.
    if (!table->second.keyed) {
        if (!m_textsRead)
            PW_DO(readAllTexts());
        const auto found = m_texts.find(id);
        return found == m_texts.end() ? std::string() : found->second;
    }
    const Result<Statement*> query = m_database->kept("SELECT value FROM StringIds WHERE id = ?1");
    if (!query)
        return fail(damaged("table StringIds", query.error()));
    (*query)->bind(1, id);
    const Result<bool> row = (*query)->next();
    if (!row)
        return fail(damaged("table StringIds, id " + std::to_string(id), row.error()));
    std::string text = *row ? (*query)->text(0) : std::string();
    if (*row)
        (*query)->reset();
    return text;
}

bool isSqlite(const std::string& path)
{
    // As it lies there: what is packed cannot be read as a database.
    if (!checkReadable(path))
        return false;
    char head[sqliteMark.size()];
    std::ifstream file(std::filesystem::path(path), std::ios::binary);
    return file.read(head, sizeof head) && std::string_view(head, sizeof head) == sqliteMark;
}

bool maybeNsys(const std::string& path)
{
    const Result<std::unique_ptr<Database>> database = Database::open(path, modeOf(path));
    if (!database || !isSqlite(path))
        return false;
    std::string list;
    for (const std::string_view name : telling)
        list += (list.empty() ? "'" : ", '") + std::string(name) + "'";
    const std::string query = "SELECT count(*) FROM sqlite_master WHERE name IN (" + list + ")";
    const Result<std::int64_t> count = (*database)->number(query.c_str());
    return !count || *count > 0;
}

} // namespace pw
