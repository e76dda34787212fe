// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/try.h"
#include "core/io/file_problem.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <filesystem>
#include <memory>
#include <random>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace pw {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view partBegin = ".pipewright-", partEnd = ".part";
constexpr std::size_t partLetters = 8;

tl::unexpected<Error> systemFailure(Pattern<std::string, Sentence> what, const std::string& path,
                                    int reason)
{
    return fail(ErrorCode::Io, what, path, systemSentence(reason));
}

/// An open file; closed at the end.
class Descriptor
{
public:
    explicit Descriptor(int number)
        : m_number(number)
    {
    }
    ~Descriptor() { close(); }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;

    int number() const { return m_number; }
    bool open() const { return m_number >= 0; }
    /// @return 0, or why not
    int close()
    {
        const int number = m_number;
        m_number = -1;
        return number < 0 || ::close(number) == 0 ? 0 : errno;
    }

private:
    int m_number;
};

/// @return 0, or why not all of it was written
int writeAll(int file, std::string_view content)
{
    while (!content.empty()) {
        const ssize_t written = ::write(file, content.data(), content.size());
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return errno;
        content.remove_prefix(static_cast<std::size_t>(written));
    }
    return 0;
}

/// Where a path leads, link by link; it need not exist. @error Io  links in a ring
Result<fs::path> behindLinks(const std::string& path)
{
    constexpr int mostLinks = 40; // as the kernel's
    fs::path place = path;
    for (int links = 0; links < mostLinks; ++links) {
        std::error_code none;
        const fs::path next = fs::read_symlink(place, none);
        if (none)
            return place;
        place = next.is_absolute() ? next : place.parent_path() / next;
    }
    return systemFailure("cannot write %1: %2", path, ELOOP);
}

fs::path folderOf(const fs::path& file)
{
    return file.has_parent_path() ? file.parent_path() : fs::path(".");
}

bool isPart(std::string_view name)
{
    return name.size() == partBegin.size() + partLetters + partEnd.size() &&
           name.substr(0, partBegin.size()) == partBegin &&
           name.substr(name.size() - partEnd.size()) == partEnd;
}

/// Removes what programs that were killed have left half written in a folder: nobody holds its
/// lock. Whoever made one and has not locked it yet finds it taken, and makes another (`isMine`).
void removeOrphans(const fs::path& folder)
{
    const std::unique_ptr<DIR, int (*)(DIR*)> all(::opendir(folder.c_str()), &::closedir);
    if (!all)
        return;
    while (const dirent* entry = ::readdir(all.get())) {
        struct stat status = {};
        const int in = ::dirfd(all.get());
        if (!isPart(entry->d_name) ||
            ::fstatat(in, entry->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0 ||
            !S_ISREG(status.st_mode))
            continue;
        const Descriptor file(::openat(in, entry->d_name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
        if (file.open() && ::flock(file.number(), LOCK_EX | LOCK_NB) == 0)
            ::unlinkat(in, entry->d_name, 0);
    }
}

/// Locks a new file. @return false: another program has taken it for an orphan
bool isMine(int file)
{
    // Where there are no locks, nobody gets the one that a file is taken away with.
    if (::flock(file, LOCK_EX | LOCK_NB) != 0)
        return errno != EWOULDBLOCK;
    struct stat status = {};
    return ::fstat(file, &status) != 0 || status.st_nlink > 0;
}

/// A new file with a name of its own; removed unless it is kept.
class PartFile
{
public:
    explicit PartFile(const fs::path& folder)
        : m_file(make(folder, m_path))
        , m_problem(m_file.open() ? 0 : errno)
    {
    }
    ~PartFile()
    {
        if (m_problem == 0 && !m_path.empty())
            ::unlink(m_path.c_str());
    }
    PartFile(const PartFile&) = delete;
    PartFile& operator=(const PartFile&) = delete;

    /// @return 0, or why there is none
    int problem() const { return m_problem; }
    void keep() { m_path.clear(); }
    /// Keeps it under a name that no program takes for an orphan. @return  the name
    std::string keepBeside(const fs::path& target)
    {
        std::string name = target.string() + ".new-" +
                           m_path.substr(m_path.size() - partEnd.size() - partLetters, partLetters);
        if (::rename(m_path.c_str(), name.c_str()) != 0)
            name = m_path;
        keep();
        return name;
    }

    /// @param like  an older file whose rights it takes; may be null. @return 0, or why not
    int fill(std::string_view content, const struct stat* like)
    {
        if (like != nullptr) {
            // Only the system's administrator may give files away; the rights count most.
            if (like->st_uid != ::geteuid() || like->st_gid != ::getegid())
                (void)!::fchown(m_file.number(), like->st_uid, like->st_gid);
            if (::fchmod(m_file.number(), like->st_mode & 07777) != 0)
                return errno;
        }
        if (const int reason = writeAll(m_file.number(), content); reason != 0)
            return reason;
        return ::fsync(m_file.number()) == 0 ? 0 : errno;
    }

    /// Gives it the name of a file, which it replaces. @return 0, or why not
    int rename(const fs::path& target)
    {
        if (::rename(m_path.c_str(), target.c_str()) != 0)
            return errno;
        keep();
        const Descriptor folder(
            ::open(folderOf(target).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
        if (folder.open())
            ::fsync(folder.number()); // some file systems know no such thing
        return m_file.close();
    }

private:
    static int make(const fs::path& folder, std::string& path)
    {
        std::random_device random;
        constexpr int tries = 100;
        for (int i = 0; i < tries; ++i) {
            std::string name(partBegin);
            for (std::size_t letter = 0; letter < partLetters; ++letter)
                name += static_cast<char>('a' + random() % 26);
            path = (folder / (name + std::string(partEnd))).string();
            const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
            if (file < 0 && errno != EEXIST)
                return file;
            if (file >= 0 && isMine(file))
                return file;
            if (file >= 0)
                ::close(file);
        }
        errno = EEXIST;
        return -1;
    }

    std::string m_path;
    Descriptor m_file;
    int m_problem;
};

/// To a pipe or a device, or over a file.
int writeInPlace(const fs::path& target, std::string_view content, int flags)
{
    Descriptor file(::open(target.c_str(), O_WRONLY | O_CLOEXEC | flags));
    if (!file.open())
        return errno;
    if (const int reason = writeAll(file.number(), content); reason != 0)
        return reason;
    return file.close();
}

/// Over a file that other names lead to, with the new content safe beside it meanwhile.
Result<void> writeShared(const std::string& path, const fs::path& target, PartFile& part,
                         std::string_view content)
{
    const int reason = writeInPlace(target, content, O_TRUNC);
    if (reason == 0)
        return {};
    return fail(ErrorCode::Io, "cannot write %1: %2; the new content is in %3", path,
                systemSentence(reason), part.keepBeside(target));
}

} // namespace

FileKind fileKind(const std::string& path)
{
    struct stat status = {};
    if (::stat(path.c_str(), &status) != 0)
        return FileKind::Missing;
    if (S_ISREG(status.st_mode))
        return FileKind::Regular;
    if (S_ISDIR(status.st_mode))
        return FileKind::Folder;
    if (S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode))
        return FileKind::Pipe;
    if (S_ISCHR(status.st_mode)) {
        const Descriptor file(::open(path.c_str(), O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC));
        if (file.open() && ::isatty(file.number()) == 1)
            return FileKind::Pipe;
    }
    return FileKind::Device;
}

Result<void> checkReadable(const std::string& path)
{
    const FileKind kind = fileKind(path);
    if (kind == FileKind::Folder)
        return fail(ErrorCode::Io, "cannot read %1: it is a folder", path);
    if (kind == FileKind::Device)
        return fail(ErrorCode::Io, "cannot read %1: it is a device and no file", path);
    return {};
}

Result<std::string> readFile(const std::string& path, std::int64_t limit)
{
    PW_DO(checkReadable(path));
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!file.open())
        return systemFailure("cannot open %1: %2", path, errno);
    // Read in pieces: the size of a pipe is not known, and that of a file may change.
    std::string content;
    std::array<char, 1 << 16> buffer;
    for (;;) {
        const ssize_t got = ::read(file.number(), buffer.data(), buffer.size());
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return systemFailure("cannot read %1: %2", path, errno);
        if (got == 0)
            return content;
        if (static_cast<std::int64_t>(content.size()) + got > limit) {
            return fail(ErrorCode::TooLarge, "%1 is longer than %2 bytes, the most that is read",
                        path, limit);
        }
        content.append(buffer.data(), static_cast<std::size_t>(got));
    }
}

void failPastLargestFile()
{
    (void)std::signal(SIGXFSZ, SIG_IGN);
}

Result<void> writeFile(const std::string& path, std::string_view content)
{
    PW_TRY(const fs::path target, behindLinks(path));
    struct stat old = {};
    const bool there = ::stat(target.c_str(), &old) == 0;
    if (there && S_ISDIR(old.st_mode))
        return fail(ErrorCode::Io, "cannot write %1: it is a folder", path);
    if (there && !S_ISREG(old.st_mode)) {
        const int reason = writeInPlace(target, content, 0);
        return reason == 0 ? Result<void>() : systemFailure("cannot write %1: %2", path, reason);
    }
    // A new name needs the right to the folder alone; who takes a file's write bits away means it.
    constexpr mode_t anyWrite = S_IWUSR | S_IWGRP | S_IWOTH;
    if (there && ((old.st_mode & anyWrite) == 0 || ::access(target.c_str(), W_OK) != 0))
        return fail(ErrorCode::Io, "cannot write %1: it is read-only", path);
    removeOrphans(folderOf(target));
    PartFile part(folderOf(target));
    if (part.problem() != 0)
        return systemFailure("cannot write %1: %2", path, part.problem());
    if (const int reason = part.fill(content, there ? &old : nullptr); reason != 0)
        return systemFailure("cannot write %1: %2", path, reason);
    if (there && old.st_nlink > 1)
        return writeShared(path, target, part, content);
    const int reason = part.rename(target);
    return reason == 0 ? Result<void>() : systemFailure("cannot write %1: %2", path, reason);
}

} // namespace pw
