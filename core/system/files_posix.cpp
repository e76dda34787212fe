// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/system/files.h"

#include <cerrno>
#include <csignal>
#include <dirent.h>
#include <fcntl.h>
#include <memory>
#include <string>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace pw::sys {

namespace {

constexpr ::mode_t usualMode = 0666; // less what the umask takes

int flagsOf(Open how)
{
    switch (how) {
    case Open::Read:
        return O_RDONLY | O_CLOEXEC;
    case Open::New:
        return O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC;
    case Open::Over:
        return O_WRONLY | O_TRUNC | O_CLOEXEC;
    case Open::Into:
        return O_WRONLY | O_CLOEXEC;
    }
    return O_RDONLY;
}

/// @return 0, or why not all of it was written
int writeAll(int file, std::string_view content)
{
    while (!content.empty()) {
        const ::ssize_t written = ::write(file, content.data(), content.size());
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return errno;
        content.remove_prefix(static_cast<std::size_t>(written));
    }
    return 0;
}

/// A file descriptor, closed at the end.
class Descriptor
{
public:
    explicit Descriptor(int number)
        : m_number(number)
    {
    }
    ~Descriptor()
    {
        if (m_number >= 0)
            ::close(m_number);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;

    bool open() const { return m_number >= 0; }
    int number() const { return m_number; }
    /// @return 0, or why not all of it is safe on the disc
    int writeSafely(std::string_view content) const
    {
        if (const int reason = writeAll(m_number, content); reason != 0)
            return reason;
        return ::fsync(m_number) == 0 ? 0 : errno;
    }

private:
    int m_number;
};

#ifdef __linux__
/// Gives the content its name at once, by a file that has no name before and is gone if the program
/// ends.
/// @return  whether this file system can
bool linkNameless(const std::filesystem::path& path, const std::filesystem::path& folder,
                  std::string_view content)
{
    const Descriptor file(::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, usualMode));
    if (!file.open() || file.writeSafely(content) != 0)
        return false;
    const std::string self = "/proc/self/fd/" + std::to_string(file.number());
    return ::linkat(AT_FDCWD, self.c_str(), AT_FDCWD, path.c_str(), AT_SYMLINK_FOLLOW) == 0 ||
           errno == EEXIST;
}
#else
bool linkNameless(const std::filesystem::path&, const std::filesystem::path&, std::string_view)
{
    return false;
}
#endif

/// The same through a name beside it, for file systems without nameless files.
int linkNamed(const std::filesystem::path& path, std::string_view content)
{
    const std::string name = path.string() + ".new-" + std::to_string(::getpid());
    {
        const Descriptor file(
            ::open(name.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, usualMode));
        if (!file.open())
            return errno;
        if (const int reason = file.writeSafely(content); reason != 0) {
            ::unlink(name.c_str());
            return reason;
        }
    }
    int reason = ::link(name.c_str(), path.c_str()) == 0 || errno == EEXIST ? 0 : errno;
    if (reason == EPERM || reason == ENOTSUP || reason == ENOSYS)
        return ::rename(name.c_str(), path.c_str()) == 0 ? 0 : errno; // no links: the last one wins
    ::unlink(name.c_str());
    return reason;
}

} // namespace

FileKind kindOf(const std::filesystem::path& path)
{
    struct ::stat status = {};
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

bool mayWrite(const std::filesystem::path& path)
{
    // Root may write whatever the bits say; who takes a file's write bits away means it.
    constexpr ::mode_t anyWrite = S_IWUSR | S_IWGRP | S_IWOTH;
    struct ::stat status = {};
    return ::stat(path.c_str(), &status) == 0 && (status.st_mode & anyWrite) != 0 &&
           ::access(path.c_str(), W_OK) == 0;
}

OpenFile::OpenFile(const std::filesystem::path& path, Open how)
    : m_number(::open(path.c_str(), flagsOf(how), usualMode))
    , m_problem(m_number >= 0 ? 0 : errno)
{
}

OpenFile::~OpenFile()
{
    close();
}

OpenFile::OpenFile(OpenFile&& other) noexcept
    : m_number(std::exchange(other.m_number, -1))
    , m_problem(other.m_problem)
{
}

int OpenFile::read(char* into, std::size_t most, std::size_t& got)
{
    const ::ssize_t count = ::read(m_number, into, most);
    got = count < 0 ? 0 : static_cast<std::size_t>(count);
    return count < 0 ? errno : 0;
}

int OpenFile::write(std::string_view content)
{
    return writeAll(m_number, content);
}

int OpenFile::sync()
{
    return ::fsync(m_number) == 0 ? 0 : errno;
}

int OpenFile::close()
{
    const int number = std::exchange(m_number, -1);
    return number < 0 || ::close(number) == 0 ? 0 : errno;
}

Lock OpenFile::lock()
{
    if (::flock(m_number, LOCK_EX | LOCK_NB) == 0)
        return Lock::Mine;
    return errno == EWOULDBLOCK ? Lock::Taken : Lock::None;
}

bool OpenFile::hasName() const
{
    struct ::stat status = {};
    return ::fstat(m_number, &status) != 0 || status.st_nlink > 0;
}

int OpenFile::takeRightsOf(const std::filesystem::path& other)
{
    struct ::stat like = {};
    if (::stat(other.c_str(), &like) != 0)
        return errno;
    // Only the system's administrator may give files away; the rights count most.
    if (like.st_uid != ::geteuid() || like.st_gid != ::getegid())
        (void)!::fchown(m_number, like.st_uid, like.st_gid);
    constexpr ::mode_t rights = 07777;
    return ::fchmod(m_number, like.st_mode & rights) == 0 ? 0 : errno;
}

int openDescriptor(const std::filesystem::path& path)
{
    return ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
}

std::FILE* openStream(const std::filesystem::path& path)
{
    return std::fopen(path.c_str(), "rb");
}

void removeUnlocked(const std::filesystem::path& folder, bool (*isOurs)(std::string_view name))
{
    const std::unique_ptr<DIR, int (*)(DIR*)> all(::opendir(folder.c_str()), &::closedir);
    if (!all)
        return;
    while (const dirent* entry = ::readdir(all.get())) {
        struct ::stat status = {};
        const int in = ::dirfd(all.get());
        if (!isOurs(entry->d_name) ||
            ::fstatat(in, entry->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0 ||
            !S_ISREG(status.st_mode))
            continue;
        const Descriptor file(::openat(in, entry->d_name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
        if (file.open() && ::flock(file.number(), LOCK_EX | LOCK_NB) == 0)
            ::unlinkat(in, entry->d_name, 0);
    }
}

int rename(const std::filesystem::path& from, const std::filesystem::path& to)
{
    return ::rename(from.c_str(), to.c_str()) == 0 ? 0 : errno;
}

int makeWhole(const std::filesystem::path& path, std::string_view content)
{
    const std::filesystem::path parent = path.parent_path();
    const std::filesystem::path folder = parent.empty() ? std::filesystem::path(".") : parent;
    if (!linkNameless(path, folder, content)) {
        if (const int reason = linkNamed(path, content); reason != 0)
            return reason;
    }
    syncFolder(folder); // the name is to outlive a power cut as the content does
    return 0;
}

void syncFolder(const std::filesystem::path& folder)
{
    const Descriptor names(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (names.open())
        (void)::fsync(names.number()); // some file systems know no such thing
}

int removeEmptyFolder(const std::filesystem::path& folder)
{
    return ::rmdir(folder.c_str()) == 0 ? 0 : errno;
}

FolderLock::~FolderLock()
{
    if (m_lock >= 0)
        ::close(static_cast<int>(m_lock));
}

int FolderLock::take(const std::filesystem::path& folder)
{
    const int lock = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (lock < 0)
        return errno;
    // Where there are no locks, nobody holds one.
    if (::flock(lock, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        ::close(lock);
        return EWOULDBLOCK;
    }
    m_folder = folder;
    m_lock = lock;
    m_taken = true;
    return 0;
}

void FolderLock::removeFolder()
{
    if (!m_taken)
        return;
    std::error_code ignored;
    std::filesystem::remove_all(m_folder, ignored);
    ::close(static_cast<int>(std::exchange(m_lock, -1)));
    m_taken = false;
}

void failPastLargestFile()
{
    (void)std::signal(SIGXFSZ, SIG_IGN);
}

} // namespace pw::sys
