// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/sqlite/sqlite.h"

#include "core/base/try.h"
#include "core/sqlite/question_memory.h"
#include "core/sqlite/row_feed.h"
#include "core/sqlite/sqlite_functions.h"

#include <sqlite3.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <system_error>
#include <thread>
#include <utility>

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
        return "; the file is damaged: `pipewright runs --repair` keeps what of a store can be "
               "read, or put it aside and name another one";
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

void Statement::bind(int parameter, RowBytes bytes)
{
    sqlite3_bind_blob64(m_statement.get(), parameter, bytes.bytes.empty() ? "" : bytes.bytes.data(),
                        bytes.bytes.size(), SQLITE_TRANSIENT);
}

std::int64_t Statement::within(int column, std::int64_t least, std::int64_t most,
                               std::string_view what) const
{
    const std::int64_t value = whole(column);
    if (isWhole(column) && value >= least && value <= most)
        return value;
    refuse(said("%1 is %2, not one from %3 to %4", what,
                isWhole(column) ? Sentence(std::to_string(value)) : said("not a number"), least,
                most));
    return least;
}

void Statement::refuse(const Sentence& what) const
{
    if (m_damage.empty())
        m_damage = what;
}

Result<void> Statement::sound() const
{
    if (m_damage.empty())
        return {};
    return fail(
        ErrorCode::Io,
        "%1 is damaged: %2; `pipewright runs --check` lists the damage, --repair keeps the rest",
        m_database->path(), m_damage);
}

Result<bool> Statement::next()
{
    m_database->beginStep();
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

void Statement::bindColumn(int parameter, const Statement& row, int column)
{
    sqlite3_bind_value(m_statement.get(), parameter,
                       sqlite3_column_value(row.m_statement.get(), column));
}

Result<void> Statement::run()
{
    m_database->beginStep();
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
    m_database->beginStep();
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
    m_damage.clear();
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

int Statement::columns() const
{
    return sqlite3_column_count(m_statement.get());
}

std::string Statement::columnName(int column) const
{
    const char* name = sqlite3_column_name(m_statement.get(), column);
    return name == nullptr ? std::string() : std::string(name);
}

bool Statement::isNumber(int column) const
{
    const int type = sqlite3_column_type(m_statement.get(), column);
    return type == SQLITE_INTEGER || type == SQLITE_FLOAT;
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

std::string_view Statement::bytes(int column) const
{
    const auto* bytes = sqlite3_column_blob(m_statement.get(), column);
    if (bytes == nullptr)
        return {};
    return {static_cast<const char*>(bytes),
            static_cast<std::size_t>(sqlite3_column_bytes(m_statement.get(), column))};
}

void Database::Close::operator()(sqlite3* handle) const
{
    sqlite3_close_v2(handle);
}

Database::Database(std::string path, sqlite3* handle, int patience)
    : m_path(std::move(path))
    , m_patience(patience)
    , m_handle(handle)
{
}

/// What SQLite's authors advise for files from elsewhere, and the limits that statements keep to.
void Database::defend()
{
    sqlite3* const handle = m_handle.get();
    sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    sqlite3_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
    sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, 0);
    constexpr int longestValue = 256 << 20; // bytes of a text; the largest is a project's
    sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, longestValue);
    constexpr int often = 20'000; // of SQLite's own steps, some tenths of a millisecond
    sqlite3_progress_handler(handle, often, &Database::progressed, this);
    sqlite3_busy_handler(handle, &Database::waited, this);
    // Rules that a stranger's tables give for their values are programs of that stranger.
    (void)sqlite3_exec(handle,
                       "PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0; "
                       "PRAGMA ignore_check_constraints = ON",
                       nullptr, nullptr, nullptr);
    boundFunctions(handle);
    addTakeFunction(handle, &m_taking);
}

int Database::progressed(void* self)
{
    auto& database = *static_cast<Database*>(self);
    const auto now = std::chrono::steady_clock::now();
    if (now.time_since_epoch().count() >= *database.m_end) {
        database.m_metItsEnd = true;
        return 1;
    }
    const RowTaking* const taking = database.m_taking;
    if (!database.m_stepBegan || (taking != nullptr && taking->isAnother()))
        database.m_stepBegan = now;
    if (database.m_limit.count() == 0 || now - *database.m_stepBegan < database.m_limit)
        return 0;
    database.m_tookTooLong = true;
    return 1;
}

/// Waits for another program's lock, and sees an interruption meanwhile.
int Database::waited(void* self, int count)
{
    auto& database = *static_cast<Database*>(self);
    const auto now = std::chrono::steady_clock::now();
    if (count == 0)
        database.m_waitBegan = now;
    database.m_metItsEnd = now.time_since_epoch().count() >= *database.m_end;
    if (database.m_metItsEnd ||
        now - database.m_waitBegan >= std::chrono::milliseconds(database.m_patience))
        return 0;
    constexpr int longestNap = 25;
    std::this_thread::sleep_for(std::chrono::milliseconds(std::min(count + 1, longestNap)));
    return 1;
}

void Database::refuseViews()
{
    sqlite3_db_config(m_handle.get(), SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
}

bool Database::insideTransaction() const
{
    return sqlite3_get_autocommit(m_handle.get()) == 0;
}

Result<std::string> Database::image()
{
    sqlite3_int64 size = 0;
    unsigned char* const bytes = sqlite3_serialize(m_handle.get(), "main", &size, 0);
    if (bytes == nullptr)
        return fail(ErrorCode::Io, "%1 cannot be copied: out of memory", m_path);
    std::string copy(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(size));
    sqlite3_free(bytes);
    return copy;
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
    std::unique_ptr<Database> database(new Database(path, handle, patience));
    if (handle == nullptr)
        return fail(ErrorCode::Io, "%1 cannot be opened: out of memory", path);
    if (code != SQLITE_OK)
        return fail(database->error("cannot be opened"));
    database->defend();
    return database;
}

Result<void> Database::run(const char* statements, std::string_view purpose)
{
    beginStep();
    const auto done = [&] {
        return sqlite3_exec(m_handle.get(), statements, nullptr, nullptr, nullptr) == SQLITE_OK;
    };
    // What fails so has done nothing yet: the tables are the first thing that it asks for.
    if (!done() && (!nowKnowsTables() || !done()))
        return fail(error(purpose));
    return {};
}

Result<Statement> Database::prepare(std::string_view sql)
{
    sqlite3_stmt* statement = nullptr;
    beginStep(); // reading the schema is work too, which a limit may end
    const auto prepared = [&] {
        return sqlite3_prepare_v3(m_handle.get(), sql.data(), static_cast<int>(sql.size()),
                                  SQLITE_PREPARE_PERSISTENT, &statement, nullptr) == SQLITE_OK;
    };
    if (!prepared() && (!nowKnowsTables() || !prepared()))
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
    PW_TRY(Statement made, prepare(sql));
    return &m_kept.emplace(sql, std::move(made)).first->second;
}

void Database::knowFeeds()
{
    if (!std::exchange(m_knowsFeeds, true))
        addFeedTable(m_handle.get(), &m_feed);
}

Result<bool> Database::runWith(RowFeed& feed, Statement& statement)
{
    m_feed = &feed;
    Result<bool> done = statement.runUnlessConflict();
    m_feed = nullptr;
    return done;
}

Result<std::int64_t> Database::eachRow(const std::string& table, const std::string& columns,
                                       const TakeRow& take)
{
    // An index that has all of the columns would give them in another order.
    PW_TRY(Statement query,
           prepare("SELECT pw_take(" + columns + ") FROM " + table + " NOT INDEXED"));
    RowTaking taking(take);
    RowTaking* const outer = std::exchange(m_taking, &taking);
    const Result<bool> done = query.next();
    m_taking = outer;
    return taking.outcome(done);
}

Result<std::int64_t> Database::number(const char* sql)
{
    PW_TRY(Statement query, prepare(sql));
    PW_TRY(const bool row, query.next());
    return row ? query.whole(0) : 0;
}

Result<void> Database::makeSmaller()
{
    // SQLite attaches the new file while it is written.
    sqlite3_limit(m_handle.get(), SQLITE_LIMIT_ATTACHED, 1);
    const Result<void> done = run("VACUUM", "cannot be made smaller");
    sqlite3_limit(m_handle.get(), SQLITE_LIMIT_ATTACHED, 0);
    PW_DO(done);
    PW_DO(number("PRAGMA wal_checkpoint(TRUNCATE)"));
    return {};
}

std::int64_t Database::lastRow() const
{
    return sqlite3_last_insert_rowid(m_handle.get());
}

Error Database::error(std::string_view purpose) const
{
    const int code = sqlite3_extended_errcode(m_handle.get());
    std::string text = m_path + " " + std::string(purpose) + ": " + sqlite3_errmsg(m_handle.get());
    if ((code & 0xff) == SQLITE_INTERRUPT && m_tookTooLong)
        return {ErrorCode::Io, m_path + " " + std::string(purpose) +
                                   ": a single answer took longer than the limit of " +
                                   std::to_string(m_limit.count()) +
                                   " ms; the file asks for more than Pipewright's do"};
    // The system's own reason says more than "unable to open database file".
    const std::error_code system(sqlite3_system_errno(m_handle.get()), std::system_category());
    if (system && (code & 0xff) == SQLITE_CANTOPEN)
        text += " (" + systemSentence(system.default_error_condition().value()).english() + ")";
    return {ErrorCode::Io, text + std::string(advice(code & 0xff))};
}

Result<Transaction> Transaction::begin(Database& database)
{
    if (database.insideTransaction())
        return Transaction(nullptr);
    PW_DO(database.run("BEGIN IMMEDIATE", "cannot be written"));
    return Transaction(&database);
}

Transaction::~Transaction()
{
    // A failed statement may have rolled everything back already; a second time does no harm.
    if (m_database != nullptr)
        (void)m_database->run("ROLLBACK", "cannot be written");
}

Result<void> Transaction::commit()
{
    if (m_database == nullptr)
        return {};
    const Result<void> done = m_database->run("COMMIT", "cannot be written");
    if (done)
        m_database = nullptr;
    return done;
}

} // namespace pw
