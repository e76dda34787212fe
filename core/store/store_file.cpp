// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/store/store_file.h"

#include "core/base/try.h"
#include "core/store/schema.h"
#include "core/store/writer.h"
#include "core/system/files.h"

#include <chrono>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

namespace pw {

namespace {

/// A small store is looked through each time: a tenth of a second at most.
constexpr std::int64_t smallStore = 16 << 20;
/// A large one that was left without an end, no longer than this.
constexpr std::chrono::milliseconds longestLook{10'000};

/// The bytes of a store without a run, in the mode where readers and a writer do not wait for each
/// other.
Result<std::string> emptyStore()
{
    PW_TRY(std::unique_ptr<Database> memory, Database::open(":memory:", Database::Mode::Create));
    // Rows of a run come into the middle of their table, where each page that is full is shared out
    // among its neighbours: the fewer pages, the less often. An empty store has half a megabyte.
    PW_DO(memory->run("PRAGMA page_size = 16384", "cannot be made"));
    PW_DO(migrate(*memory));
    Result<std::string> image = memory->image();
    constexpr std::size_t writeVersion = 18, readVersion = 19; // of SQLite's file format
    constexpr char writeAheadLog = 2;
    if (image && image->size() > readVersion)
        (*image)[writeVersion] = (*image)[readVersion] = writeAheadLog;
    return image;
}

} // namespace

Result<void> makeStoreFile(const std::string& path)
{
    PW_TRY(const std::string content, emptyStore());
    const int reason = sys::makeWhole(path, content);
    if (reason != 0)
        return fail(
            ErrorCode::Io,
            "%1 cannot be made: %2; see that its folder is there and that you may write to it",
            path, systemSentence(reason));
    return {};
}

Result<void> checkStorePlace(const std::string& path)
{
    std::error_code ignored; // opening it says what is wrong
    const std::filesystem::file_status there = std::filesystem::status(path, ignored);
    if (std::filesystem::is_directory(there))
        return fail(ErrorCode::Io, "%1 is a folder; a store of runs is a file: name one in it",
                    path);
    if (std::filesystem::exists(there) && !std::filesystem::is_regular_file(there))
        return fail(ErrorCode::Io, "%1 is a device and no file: name another file", path);
    return {};
}

bool isEmptyFile(const std::string& path)
{
    std::error_code none, noLog;
    const std::uintmax_t bytes = std::filesystem::file_size(path, none); // an error for a folder
    if (none || bytes > 0 || !std::filesystem::is_regular_file(path, none))
        return false;
    const std::uintmax_t log = std::filesystem::file_size(path + "-wal", noLog);
    return noLog || log == 0;
}

Result<void> checkBeforeWriting(Database& database)
{
    PW_TRY(Statement running,
           database.prepare("SELECT number, writer, touched_ms FROM run WHERE status = 'running'"));
    std::vector<std::pair<std::int64_t, std::int64_t>> left; // run, last sign
    const Result<void> read = running.each([&](const Statement& row) {
        const std::int64_t touched = row.whole(2);
        if (!writerLives(row.text(1), wallClockMs() - touched))
            left.emplace_back(row.whole(0), touched);
    });
    if (!read)
        return read;
    PW_TRY(
        const std::int64_t size,
        database.number("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"));
    if (left.empty() && size > smallStore)
        return {};
    database.limitTime(longestLook);
    Result<Statement> look = database.prepare("PRAGMA quick_check(1)");
    const Result<bool> row = look ? look->next() : fail(look.error());
    const std::string found = row && *row ? look->text(0) : "ok";
    database.limitTime(Database::usualLimit);
    if (look)
        look->reset();
    if (!row && !database.ranOutOfTime())
        return fail(row.error());
    if (found != "ok")
        return fail(ErrorCode::Io,
                    "%1 is damaged, so that no run is written to it: %2; `pipewright runs --check` "
                    "lists the damage, and --repair keeps what can be read",
                    database.path(), found);
    for (const auto& [number, touched] : left) {
        PW_TRY(Statement mark,
               database.prepare("UPDATE run SET status = 'incomplete', ended_ms = ? "
                                "WHERE number = ? AND status = 'running'"));
        mark.bindAll(touched, number);
        if (!mark.run())
            return {}; // another program writes: whoever opens the store next marks them
    }
    return {};
}

} // namespace pw
