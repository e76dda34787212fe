// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/store/run_store.h"

#include "core/base/try.h"
#include "core/io/spec_names.h"
#include "core/sqlite/sqlite.h"
#include "core/store/run_rows.h"
#include "core/store/schema.h"
#include "core/store/store_file.h"
#include "core/store/stored_limits.h"
#include "core/store/writer.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <limits>
#include <sstream>

namespace pw {

namespace {

tl::unexpected<Error> noStoreName()
{
    return fail(ErrorCode::Io,
                "a store needs the name of a file: there is no home folder (HOME) to keep runs in, "
                "so name one with --store or PIPEWRIGHT_STORE");
}

/// Settings of a store that is written.
Result<void> useStore(Database& database)
{
    constexpr std::int64_t longestLog = 16'384'000; // bytes, before it goes into the store
    PW_TRY(const std::int64_t page, database.number("PRAGMA page_size"));
    const std::string settings = "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; "
                                 "PRAGMA cache_size = -16384; PRAGMA wal_autocheckpoint = " +
                                 std::to_string(longestLog / page);
    return database.run(settings.c_str(), "cannot be written");
}

} // namespace

RunStore::RunStore(std::unique_ptr<Database> database)
    : StoredRecords(std::move(database))
{
}

Result<RunStore> RunStore::open(const std::string& path, const StoreOptions& options)
{
    if (path.empty())
        return noStoreName();
    PW_DO(checkStorePlace(path));
    std::error_code ignored; // opening the file says what is wrong
    if (const std::filesystem::path folder = std::filesystem::path(path).parent_path();
        !folder.empty())
        std::filesystem::create_directories(folder, ignored);
    if (!std::filesystem::exists(path, ignored)) {
        PW_DO(makeStoreFile(path));
    } else if (isEmptyFile(path)) {
        return fail(ErrorCode::Io,
                    "%1 is empty, and so no store of runs: remove it, or name another file", path);
    }
    PW_TRY(std::unique_ptr<Database> database,
           Database::open(path, Database::Mode::Write, options.patience));
    if (options.end != nullptr)
        database->endWith(*options.end);
    // A foreign file must stay as it is: look before anything is set.
    PW_TRY(const int version, schemaVersion(*database));
    PW_DO(version > 0 ? checkTables(*database, version) : Result<void>());
    PW_DO(useStore(*database));
    PW_DO(migrate(*database));
    database->refuseViews();
    PW_DO(checkBeforeWriting(*database));
    if (options.mostBytes > 0) {
        PW_TRY(const std::int64_t page, database->number("PRAGMA page_size"));
        const std::string limit =
            "PRAGMA max_page_count = " + std::to_string(1 + options.mostBytes / page);
        PW_DO(database->run(limit.c_str(), "cannot be limited"));
    }
    return RunStore(std::move(database));
}

Result<RunStore> RunStore::openToRead(const std::string& path, const StoreOptions& options)
{
    if (path.empty())
        return noStoreName();
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored))
        return fail(ErrorCode::Io, "%1 is not there: no run has been kept in it", path);
    PW_DO(checkStorePlace(path));
    Result<std::unique_ptr<Database>> database =
        Database::open(path, Database::Mode::Read, options.patience);
    if (!database)
        return fail(database.error());
    if (options.end != nullptr)
        (*database)->endWith(*options.end);
    Result<int> version = schemaVersion(**database);
    // Reading needs a file beside the store, which a read-only place does not take. Where no other
    // file holds the latest batches, the store can be read as it lies there.
    if (!version && !std::filesystem::exists(path + "-wal", ignored)) {
        Result<std::unique_ptr<Database>> asItIs =
            Database::open(path, Database::Mode::ReadUnchanging, options.patience);
        if (asItIs && schemaVersion(**asItIs)) {
            database = std::move(asItIs);
            if (options.end != nullptr)
                (*database)->endWith(*options.end);
            version = schemaVersion(**database);
        }
    }
    if (!version)
        return fail(version.error());
    if (*version == 0)
        return fail(ErrorCode::Io, "%1 is empty, and so no store of runs: name another file", path);
    PW_DO(checkTables(**database, *version));
    if (*version == storeVersion) {
        (*database)->refuseViews();
        return RunStore(std::move(*database));
    }
    // An older store is brought up to date first.
    database->reset();
    return open(path, options);
}

Result<std::vector<StoredRun>> RunStore::runs(std::string_view search)
{
    std::istringstream words{std::string(search)};
    std::string sql = runColumns;
    std::vector<std::string> patterns;
    for (std::string word; words >> word;) {
        sql += patterns.empty() ? " WHERE " : " AND ";
        sql += "(title || '\n' || notes || '\n' || family || '\n' || origin || '\n' || host || "
               "'\n' || backend || '\n' || status) LIKE ? ESCAPE '\\'";
        patterns.push_back(likePattern(word));
    }
    PW_TRY(Statement query, database().prepare(sql + " ORDER BY number DESC"));
    for (std::size_t i = 0; i < patterns.size(); ++i)
        query.bind(static_cast<int>(i) + 1, patterns[i]);
    std::vector<StoredRun> all;
    PW_DO(query.each([&](const Statement& row) { all.push_back(readRun(row)); }));
    return all;
}

Result<RunDetails> RunStore::run(RunNumber number)
{
    RunDetails details;
    PW_TRY(StoredRun found, header(number));
    details.run = std::move(found);
    PW_TRY(Statement texts,
           database().prepare("SELECT project, settings FROM run WHERE number = ?"));
    texts.bindAll(number);
    PW_DO(texts.next());
    details.project = texts.text(0);
    details.settings = texts.text(1);
    PW_TRY(
        Statement faults,
        database().prepare("SELECT rank, peer, pass, text FROM fault WHERE run = ? ORDER BY seq"));
    faults.bindAll(number);
    const Result<void> read = faults.each([&](const Statement& row) {
        details.faults.push_back(
            {RankId(row.small(0)), RankId(row.small(1)), row.text(2), row.text(3)});
    });
    if (!read)
        return fail(read.error());
    PW_TRY(details.gpus, gpuReadings(number));
    return details;
}

Result<RunNumber> RunStore::lastRun()
{
    PW_TRY(const std::int64_t last, database().number("SELECT coalesce(max(number), 0) FROM run"));
    if (last == 0)
        return fail(ErrorCode::BadValue, "%1 has no run", path());
    return last;
}

Result<void> RunStore::change(RunNumber run, const char* sql, const std::string& text)
{
    PW_DO(header(run));
    PW_TRY(Statement* const statement, database().kept(sql));
    statement->bindAll(text, run);
    return statement->run();
}

Result<void> RunStore::rename(RunNumber run, const std::string& title)
{
    return change(run, "UPDATE run SET title = ? WHERE number = ?", title);
}

Result<void> RunStore::annotate(RunNumber run, const std::string& notes)
{
    return change(run, "UPDATE run SET notes = ? WHERE number = ?", notes);
}

namespace {

/// What takes a run away, by its number.
constexpr std::array removals = {
    "DELETE FROM pass WHERE run = ?",           "DELETE FROM message WHERE run = ?",
    "DELETE FROM memory WHERE run = ?",         "DELETE FROM host_copy WHERE run = ?",
    "DELETE FROM lane WHERE run = ?",           "DELETE FROM span WHERE run = ?",
    "DELETE FROM loss WHERE run = ?",           "DELETE FROM log WHERE run = ?",
    "DELETE FROM fault WHERE run = ?",          "DELETE FROM device WHERE run = ?",
    "DELETE FROM alignment WHERE run = ?",      "DELETE FROM clock WHERE run = ?",
    "DELETE FROM transfer WHERE run = ?",       "DELETE FROM activity WHERE run = ?",
    "DELETE FROM activity_lane WHERE run = ?",  "DELETE FROM activity_level WHERE run = ?",
    "DELETE FROM activity_name WHERE run = ?",  "DELETE FROM activity_link WHERE run = ?",
    "DELETE FROM counter WHERE run = ?",        "DELETE FROM counter_value WHERE run = ?",
    "DELETE FROM activity_label WHERE run = ?", "DELETE FROM gpu WHERE run = ?",
    "DELETE FROM process_group WHERE run = ?",  "DELETE FROM collective WHERE run = ?",
    "DELETE FROM work_sum WHERE run = ?",       "DELETE FROM job WHERE run = ?",
    "DELETE FROM job_step WHERE run = ?",       "DELETE FROM job_summary WHERE run = ?",
    "DELETE FROM job_worker WHERE run = ?",     "DELETE FROM job_cause WHERE run = ?",
    "DELETE FROM job_repair WHERE run = ?",     "DELETE FROM job_time WHERE run = ?",
    "DELETE FROM rank_file WHERE run = ?",      "DELETE FROM run WHERE number = ?"};

Result<void> removeRows(Database& database, RunNumber run)
{
    for (const char* sql : removals) {
        PW_TRY(Statement* const statement, database.kept(sql));
        statement->bindAll(run);
        PW_DO(statement->run());
    }
    return {};
}

/// Gives the room of deleted rows back to the disk where it is a quarter of the file or more.
/// Where that cannot be, as while another program is at work in the store, later runs use it.
void giveRoomBack(Database& database)
{
    constexpr std::int64_t fewBytes = 1 << 20, most = 4;
    const Result<std::int64_t> unused = database.number("PRAGMA freelist_count");
    const Result<std::int64_t> pages = database.number("PRAGMA page_count");
    const Result<std::int64_t> page = database.number("PRAGMA page_size");
    if (!unused || !pages || !page || *unused * *page < fewBytes || *unused * most < *pages)
        return;
    (void)database.makeSmaller();
}

} // namespace

Result<void> RunStore::remove(RunNumber run)
{
    PW_TRY(const StoredRun found, header(run));
    if (found.status == RunStatus::Running)
        return fail(ErrorCode::BadValue, "run %1 of %2 is still running; stop it first", run,
                    path());
    PW_TRY(Transaction transaction, Transaction::begin(database()));
    PW_DO(removeRows(database(), run));
    PW_DO(transaction.commit());
    giveRoomBack(database());
    return {};
}

} // namespace pw
