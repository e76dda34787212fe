// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/sqlite/row_values.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

struct sqlite3;
struct sqlite3_stmt;

namespace pw {

class Database;
class QuestionMemory;
class RowFeed;

/// Bytes of a value that is no text.
struct RowBytes
{
    std::string_view bytes;
};

/// A prepared statement. Columns and parameters count as SQLite counts them: columns from 0,
/// parameters from 1. Lives no longer than its database.
class Statement
{
public:
    Statement() = default;

    void bind(int parameter, std::int64_t value);
    void bind(int parameter, std::int32_t value) { bind(parameter, std::int64_t{value}); }
    /// Not a number is kept as NULL.
    void bind(int parameter, double value);
    void bind(int parameter, std::string_view text);
    void bind(int parameter, RowBytes bytes);
    void bind(int parameter, const std::string& text) { bind(parameter, std::string_view(text)); }
    void bind(int parameter, const char* text) { bind(parameter, std::string_view(text)); }
    /// Nothing is kept as NULL.
    template<typename Value>
    void bind(int parameter, const std::optional<Value>& value)
    {
        if (value)
            bind(parameter, *value);
        else
            bindNull(parameter);
    }
    void bindNull(int parameter);
    /// The value of a column of another statement's row, of whatever kind it is.
    void bindColumn(int parameter, const Statement& row, int column);

    /// Binds all parameters in order.
    template<typename... Values>
    void bindAll(const Values&... values)
    {
        bindFrom(1, values...);
    }
    /// Binds parameters in order from one on; returns the parameter after them.
    template<typename... Values>
    int bindFrom(int parameter, const Values&... values)
    {
        (bind(parameter++, values), ...);
        return parameter;
    }

    /// Goes to the next row; false after the last, and the statement can then be used again.
    Result<bool> next();
    /// Calls `take(*this)` for every row.
    template<typename Take>
    Result<void> each(const Take& take)
    {
        for (;;) {
            const Result<bool> row = next();
            if (!row)
                return fail(row.error());
            if (!*row)
                return {};
            take(*this);
            if (Result<void> good = sound(); !good) {
                reset();
                return good;
            }
        }
    }
    /// Runs to the end, rows left aside, and makes the statement ready to be used again.
    Result<void> run();
    /// The same, with a conflict of keys told apart from failures: false for a conflict.
    Result<bool> runUnlessConflict();
    /// Leaves the rows that are not read.
    void reset();

    /// Of the rows that it gives.
    int columns() const;
    std::string columnName(int column) const;

    /// What a column of the row at hand really holds, whatever its table says.
    bool isNull(int column) const;
    bool isNumber(int column) const;
    bool isWhole(int column) const;

    /// A whole number between two limits. Anything else counts as damage of the file, which `sound`
    /// and `each` report; the lower limit is returned then.
    /// @param what  in the message: "the kind of a pass"
    std::int64_t within(int column, std::int64_t least, std::int64_t most,
                        std::string_view what) const;
    /// Notes damage that a row shows. The first one counts.
    void refuse(const Sentence& what) const;
    /// Whether the rows so far were whole.
    /// @error Io  names the file and what is wrong in it
    Result<void> sound() const;

    std::int64_t whole(int column) const;
    std::int32_t small(int column) const { return static_cast<std::int32_t>(whole(column)); }
    /// NULL reads as not a number.
    double number(int column) const;
    std::string text(int column) const;
    /// The same without a copy; until the next row, or another reading of the column.
    std::string_view view(int column) const;
    /// The bytes of a value that is no text; likewise.
    std::string_view bytes(int column) const;

private:
    friend class Database;

    struct Finalize
    {
        void operator()(sqlite3_stmt* statement) const;
    };

    Statement(Database& database, sqlite3_stmt* statement)
        : m_database(&database)
        , m_statement(statement)
    {
    }

    Database* m_database = nullptr;
    std::unique_ptr<sqlite3_stmt, Finalize> m_statement;
    mutable std::string m_damage;
};

/// An SQLite file. For one thread at a time; not moved while statements or transactions of it live.
///
/// A file may come from anyone. SQLite's defensive mode is on and the schema is not trusted, so
/// that no text in the file runs functions with effects; and whatever goes on for longer than the
/// limit without a row is ended.
///
/// Errors (Io) say which file, what was to be done, SQLite's words, and what a person can do.
class Database
{
public:
    enum class Mode
    {
        Read,           ///< the file must be there
        ReadUnchanging, ///< the same, where nobody writes to it: needs no locks
        Write,          ///< the file must be there
        Create          ///< write; a file that is not there is made
    };

    /// @param patience  milliseconds to wait for another program's lock
    static Result<std::unique_ptr<Database>> open(const std::string& path, Mode mode,
                                                  int patience = 5000);
    ~Database();
    Database(const Database&) = delete;
    Database& operator=(const Database&) = delete;

    const std::string& path() const { return m_path; }

    /// The longest time that a query may take for a row, or a change for all of it.
    static constexpr std::chrono::milliseconds usualLimit{120'000};
    /// @param limit  0: none
    void limitTime(std::chrono::milliseconds limit) { m_limit = limit; }
    /// Tables only from now on: a view is refused wherever a statement names it.
    void refuseViews();
    /// From now on a statement only reads, whatever its text: no pragma, no other file, no change,
    /// no function whose call can take long, no more than 256 MiB of memory.
    /// @param longestText  bytes of a value that a statement may make
    void onlyQueries(int longestText);
    /// From any thread: what runs at that time is ended, what is begun later is refused.
    void endBy(std::chrono::steady_clock::time_point time)
    {
        *m_end = time.time_since_epoch().count();
    }
    /// The same, by a time that someone else keeps and may change. It outlives the database.
    void endWith(std::atomic<std::chrono::steady_clock::rep>& end) { m_end = &end; }
    /// From any thread: the time of `endBy` is over for the statement that runs, within a row's
    /// work. What begins after it is not met.
    void interrupt();
    bool insideTransaction() const;
    /// Whether the last failure was that of the time limit.
    bool ranOutOfTime() const { return m_tookTooLong; }
    /// Whether the last failure was that of `endBy`, `endWith` or `interrupt`, whatever was under
    /// way: a row, a statement that was made ready, another program's lock. Another look at the
    /// clock tells less: it has gone on meanwhile.
    bool metItsEnd() const { return m_metItsEnd || m_interrupted; }
    /// Whether the last failure was the statement's own, its text or its values, and neither the
    /// file's nor the machine's.
    bool statementIsWrong() const;
    /// The whole content as the bytes of a file.
    Result<std::string> image();

    /// Runs statements that give no rows.
    /// @param purpose  what they are for, in the message of an error: "the schema cannot be made"
    Result<void> run(const char* statements, std::string_view purpose);
    Result<Statement> prepare(std::string_view sql);
    /// The same for what a person wrote. @param words  how an error calls it
    /// @error Syntax  more than one statement, or none; with SQLite's words
    /// @error Io      it cannot be made ready for another reason, such as the end of the time
    Result<Statement> prepareOne(std::string_view sql, std::string_view words);
    /// A statement that is kept for the next time; its rows are left. @pre no one else uses it now
    Result<Statement*> kept(const char* sql);
    /// Statements may name `pw_rows` from now on, the rows of a feed.
    void knowFeeds();
    /// Runs such a statement with a feed, from the row that the feed is at. Where a row breaks a
    /// rule of its table, the feed is at that row then.
    /// @return  as of `Statement::runUnlessConflict`
    Result<bool> runWith(RowFeed& feed, Statement& statement);
    /// Hands the rows of a table to `take`, in the order of the file, inside one run of a
    /// statement: half the time of a step for every row. `take` may ask the database other things.
    /// @param columns  at most `RowValues::mostColumns`: "start, \"end\", NULL"
    /// @return         rows that were taken, also where `take` ended it
    Result<std::int64_t> eachRow(const std::string& table, const std::string& columns,
                                 const TakeRow& take);
    /// The one number that a query gives.
    Result<std::int64_t> number(const char* sql);
    /// Gives pages that nothing is on back to the disk: the file is written anew.
    /// @error Io  also where another program is at work in it
    Result<void> makeSmaller();
    /// Row number of the last insertion.
    std::int64_t lastRow() const;

    /// The last failure in words.
    Error error(std::string_view purpose) const;

private:
    friend class Statement;

    struct Close
    {
        void operator()(sqlite3* handle) const;
    };

    Database(std::string path, sqlite3* handle, int patience);
    void defend();
    /// Whether the last failure was that the file's tables or indexes compute with functions that
    /// SQLite keeps from files; then what they are is known from now on, and still not computed.
    bool nowKnowsTables();
    void beginStep()
    {
        m_stepBegan.reset();
        m_tookTooLong = false;
        m_metItsEnd = false;
    }
    static int progressed(void* self);
    static int waited(void* self, int count);

    std::string m_path;
    int m_patience = 0; ///< milliseconds
    std::chrono::milliseconds m_limit = usualLimit;
    std::optional<std::chrono::steady_clock::time_point> m_stepBegan;
    std::chrono::steady_clock::time_point m_waitBegan;
    bool m_tookTooLong = false;
    bool m_metItsEnd = false;
    std::atomic<bool> m_interrupted{false};
    std::unique_ptr<QuestionMemory> m_questions; ///< null: any statement may run
    /// On the steady clock, in its own unit.
    std::atomic<std::chrono::steady_clock::rep> m_ownEnd =
        std::numeric_limits<std::chrono::steady_clock::rep>::max();
    std::atomic<std::chrono::steady_clock::rep>* m_end = &m_ownEnd;
    std::unique_ptr<sqlite3, Close> m_handle;
    const RowFeed* m_feed = nullptr; ///< of the statement that runs; outlives none
    RowTaking* m_taking = nullptr;   ///< likewise
    bool m_knowsFeeds = false;
    std::map<std::string, Statement, std::less<>> m_kept; // goes before the handle does
};

/// Everything between its begin and its commit happens or nothing of it; without a commit nothing.
class Transaction
{
public:
    /// Takes the write lock at once, so that nothing in between can fail for want of it. Inside
    /// another transaction it is a part of that one.
    static Result<Transaction> begin(Database& database);
    ~Transaction();
    Transaction(Transaction&& other) noexcept
        : m_database(std::exchange(other.m_database, nullptr))
    {
    }
    Transaction& operator=(Transaction&&) = delete;

    Result<void> commit();

private:
    explicit Transaction(Database* database)
        : m_database(database)
    {
    }

    Database* m_database; ///< none: the outer transaction decides
};

/// A pattern of LIKE … ESCAPE '\' that finds a word anywhere.
std::string likePattern(const std::string& word);

} // namespace pw
