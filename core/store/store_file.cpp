// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/store/store_file.h"

#include "core/base/try.h"
#include "core/store/schema.h"
#include "core/store/writer.h"

#include <cerrno>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace pw {

namespace {

/// A small store is looked through each time: a tenth of a second at most.
constexpr std::int64_t smallStore = 16 << 20;
/// A large one that was left without an end, no longer than this.
constexpr std::chrono::milliseconds longestLook{10'000};

/// A file descriptor, closed at the end.
class OpenFile
{
public:
    explicit OpenFile(int descriptor)
        : m_descriptor(descriptor)
    {
    }
    ~OpenFile()
    {
        if (m_descriptor >= 0)
            ::close(m_descriptor);
    }
    OpenFile(const OpenFile&) = delete;
    OpenFile& operator=(const OpenFile&) = delete;

    bool good() const { return m_descriptor >= 0; }
    int number() const { return m_descriptor; }
    /// Writes all of it and waits for the disk.
    bool write(std::string_view bytes) const
    {
        while (!bytes.empty()) {
            const ::ssize_t done = ::write(m_descriptor, bytes.data(), bytes.size());
            if (done < 0 && errno == EINTR)
                continue;
            if (done <= 0)
                return false;
            bytes.remove_prefix(static_cast<std::size_t>(done));
        }
        return ::fsync(m_descriptor) == 0;
    }

private:
    int m_descriptor;
};

tl::unexpected<Error> notMade(const std::string& path)
{
    return fail(ErrorCode::Io,
                "%1 cannot be made: %2; see that its folder is there and that you may write to it",
                path, systemSentence(errno));
}

/// The bytes of a store without a run, in the mode where readers and a writer do not wait for each
/// other.
Result<std::string> emptyStore()
{
    PW_TRY(std::unique_ptr<Database> memory, Database::open(":memory:", Database::Mode::Create));
    PW_DO(migrate(*memory));
    Result<std::string> image = memory->image();
    constexpr std::size_t writeVersion = 18, readVersion = 19; // of SQLite's file format
    constexpr char writeAheadLog = 2;
    if (image && image->size() > readVersion)
        (*image)[writeVersion] = (*image)[readVersion] = writeAheadLog;
    return image;
}

constexpr ::mode_t usualMode = 0666; // less what the umask takes

/// Gives the content its name at once, by a file that has no name before and is gone if the
/// program ends. @return  whether this file system can
bool linkNameless(const std::string& path, const std::string& folder, std::string_view content)
{
    const OpenFile file(::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, usualMode));
    if (!file.good() || !file.write(content))
        return false;
    const std::string self = "/proc/self/fd/" + std::to_string(file.number());
    return ::linkat(AT_FDCWD, self.c_str(), AT_FDCWD, path.c_str(), AT_SYMLINK_FOLLOW) == 0 ||
           errno == EEXIST;
}

/// The same through a name beside it, for file systems without nameless files.
bool linkNamed(const std::string& path, std::string_view content)
{
    const std::string name = path + ".new-" + std::to_string(::getpid());
    {
        const OpenFile file(
            ::open(name.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, usualMode));
        if (!file.good() || !file.write(content)) {
            const int reason = errno;
            if (file.good())
                ::unlink(name.c_str());
            errno = reason;
            return false;
        }
    }
    bool done = ::link(name.c_str(), path.c_str()) == 0 || errno == EEXIST;
    if (!done && (errno == EPERM || errno == ENOTSUP || errno == ENOSYS))
        return ::rename(name.c_str(), path.c_str()) == 0; // no links here: the last one wins
    const int reason = errno;
    ::unlink(name.c_str());
    errno = reason;
    return done;
}

} // namespace

Result<void> makeStoreFile(const std::string& path)
{
    PW_TRY(const std::string content, emptyStore());
    const std::filesystem::path parent = std::filesystem::path(path).parent_path();
    const std::string folder = parent.empty() ? "." : parent.string();
    if (!linkNameless(path, folder, content) && !linkNamed(path, content))
        return notMade(path);
    // The name is to outlive a power cut as the content does.
    const OpenFile entry(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (entry.good())
        (void)::fsync(entry.number());
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
    struct ::stat file
    {
    }, log{};
    return ::stat(path.c_str(), &file) == 0 && S_ISREG(file.st_mode) && file.st_size == 0 &&
           (::stat((path + "-wal").c_str(), &log) != 0 || log.st_size == 0);
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
