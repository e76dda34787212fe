// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/store/sqlite.h"

#include <sqlite3.h>

#include <cmath>
#include <cstring>
#include <limits>

namespace pw {

namespace {

/// What a person can do about a failure.
std::string_view advice(int code)
{
    switch (code) {
    case SQLITE_FULL:
        return "; make room on its disk, or name another file";
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return "; another program holds the file: wait until it is done, or end it";
    case SQLITE_NOTADB:
        return "; name another file";
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_AUTH:
        return "; name a file in a place that you may write to";
    case SQLITE_CANTOPEN:
        return "; see that its folder is there and that you may use it";
    case SQLITE_CORRUPT:
        return "; the file is damaged: put it aside and name another one";
    default:
        return "";
    }
}

/// A path as a part of a URI.
std::string escaped(const std::string& path)
{
    constexpr std::string_view digits = "0123456789ABCDEF";
    std::string text;
    for (const char c : path) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '%' || c == '?' || c == '#') {
            text += '%';
            text += digits[byte >> 4];
            text += digits[byte & 15];
        } else {
            text += c;
        }
    }
    return text;
}

} // namespace

void Statement::Finalize::operator()(sqlite3_stmt* statement) const
{
    sqlite3_finalize(statement);
}

void Statement::bind(int parameter, std::int64_t value)
{
    sqlite3_bind_int64(m_statement.get(), parameter, value);
}

void Statement::bind(int parameter, double value)
{
    if (std::isnan(value))
        sqlite3_bind_null(m_statement.get(), parameter);
    else
        sqlite3_bind_double(m_statement.get(), parameter, value);
}

void Statement::bind(int parameter, std::string_view text)
{
    // A null pointer would bind NULL.
    sqlite3_bind_text64(m_statement.get(), parameter, text.empty() ? "" : text.data(), text.size(),
                        SQLITE_TRANSIENT, SQLITE_UTF8);
}

Result<bool> Statement::next()
{
    const int code = sqlite3_step(m_statement.get());
    if (code == SQLITE_ROW)
        return true;
    if (code == SQLITE_DONE) {
        reset();
        return false;
    }
    const Error error = m_database->error("cannot be read");
    reset();
    return fail(error);
}

void Statement::bindNull(int parameter)
{
    sqlite3_bind_null(m_statement.get(), parameter);
}

Result<void> Statement::run()
{
    int code = SQLITE_ROW;
    while (code == SQLITE_ROW)
        code = sqlite3_step(m_statement.get());
    if (code == SQLITE_DONE) {
        reset();
        return {};
    }
    const Error error = m_database->error("cannot be written");
    reset();
    return fail(error);
}

Result<bool> Statement::runUnlessConflict()
{
    const int code = sqlite3_step(m_statement.get());
    if (code == SQLITE_DONE) {
        reset();
        return true;
    }
    const Error error = m_database->error("cannot be written");
    reset();
    if ((code & 0xff) == SQLITE_CONSTRAINT)
        return false;
    return fail(error);
}

void Statement::reset()
{
    sqlite3_reset(m_statement.get());
}

std::int64_t Statement::whole(int column) const
{
    return sqlite3_column_int64(m_statement.get(), column);
}

double Statement::number(int column) const
{
    if (isNull(column))
        return std::numeric_limits<double>::quiet_NaN();
    return sqlite3_column_double(m_statement.get(), column);
}

bool Statement::isNull(int column) const
{
    return sqlite3_column_type(m_statement.get(), column) == SQLITE_NULL;
}

bool Statement::isWhole(int column) const
{
    return sqlite3_column_type(m_statement.get(), column) == SQLITE_INTEGER;
}

std::string Statement::text(int column) const
{
    return std::string(view(column));
}

std::string_view Statement::view(int column) const
{
    const auto* text = sqlite3_column_text(m_statement.get(), column);
    if (text == nullptr)
        return {};
    return {reinterpret_cast<const char*>(text),
            static_cast<std::size_t>(sqlite3_column_bytes(m_statement.get(), column))};
}

void Database::Close::operator()(sqlite3* handle) const
{
    sqlite3_close_v2(handle);
}

Database::Database(std::string path, sqlite3* handle)
    : m_path(std::move(path))
    , m_handle(handle)
{
}

Database::~Database() = default;

Result<std::unique_ptr<Database>> Database::open(const std::string& path, Mode mode, int patience)
{
    int flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
    std::string name = path;
    switch (mode) {
    case Mode::Read:
        flags |= SQLITE_OPEN_READONLY;
        break;
    case Mode::ReadUnchanging:
        flags |= SQLITE_OPEN_READONLY | SQLITE_OPEN_URI;
        name = "file:" + escaped(path) + "?immutable=1";
        break;
    case Mode::Write:
        flags |= SQLITE_OPEN_READWRITE;
        break;
    case Mode::Create:
        flags |= SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
        break;
    }
    sqlite3* handle = nullptr;
    const int code = sqlite3_open_v2(name.c_str(), &handle, flags, nullptr);
    std::unique_ptr<Database> database(new Database(path, handle));
    if (handle == nullptr)
        return fail(ErrorCode::Io, path + " cannot be opened: out of memory");
    if (code != SQLITE_OK)
        return fail(database->error("cannot be opened"));
    sqlite3_busy_timeout(handle, patience);
    return database;
}

Result<void> Database::run(const char* statements, std::string_view purpose)
{
    if (sqlite3_exec(m_handle.get(), statements, nullptr, nullptr, nullptr) != SQLITE_OK)
        return fail(error(purpose));
    return {};
}

Result<Statement> Database::prepare(std::string_view sql)
{
    sqlite3_stmt* statement = nullptr;
    const int code = sqlite3_prepare_v3(m_handle.get(), sql.data(), static_cast<int>(sql.size()),
                                        SQLITE_PREPARE_PERSISTENT, &statement, nullptr);
    if (code != SQLITE_OK)
        return fail(error("cannot be used"));
    return Statement(*this, statement);
}

Result<Statement*> Database::kept(const char* sql)
{
    const auto found = m_kept.find(std::string_view(sql));
    if (found != m_kept.end()) {
        found->second.reset();
        return &found->second;
    }
    Result<Statement> made = prepare(sql);
    if (!made)
        return fail(made.error());
    return &m_kept.emplace(sql, std::move(*made)).first->second;
}

Result<std::int64_t> Database::number(const char* sql)
{
    Result<Statement> query = prepare(sql);
    if (!query)
        return fail(query.error());
    const Result<bool> row = query->next();
    if (!row)
        return fail(row.error());
    return *row ? query->whole(0) : 0;
}

std::int64_t Database::lastRow() const
{
    return sqlite3_last_insert_rowid(m_handle.get());
}

Error Database::error(std::string_view purpose) const
{
    const int code = sqlite3_extended_errcode(m_handle.get());
    std::string text = m_path + " " + std::string(purpose) + ": " + sqlite3_errmsg(m_handle.get());
    // The system's own reason says more than "unable to open database file".
    if (const int reason = sqlite3_system_errno(m_handle.get());
        reason != 0 && (code & 0xff) == SQLITE_CANTOPEN)
        text += std::string(" (") + std::strerror(reason) + ")";
    return {ErrorCode::Io, text + std::string(advice(code & 0xff))};
}

Result<Transaction> Transaction::begin(Database& database)
{
    if (const Result<void> begun = database.run("BEGIN IMMEDIATE", "cannot be written"); !begun)
        return fail(begun.error());
    return Transaction(database);
}

Transaction::~Transaction()
{
    // A failed statement may have rolled everything back already; a second time does no harm.
    if (m_database != nullptr)
        (void)m_database->run("ROLLBACK", "cannot be written");
}

Result<void> Transaction::commit()
{
    const Result<void> done = m_database->run("COMMIT", "cannot be written");
    if (done)
        m_database = nullptr;
    return done;
}

} // namespace pw
