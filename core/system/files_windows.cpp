// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/system/files.h"
#include "core/system/windows_words.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <io.h>
#include <string>
#include <system_error>
#include <vector>

namespace pw::sys {

namespace {

/// What is open can be read, renamed and removed by others, as elsewhere.
constexpr DWORD shared = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;

HANDLE handleOf(int number)
{
    return reinterpret_cast<HANDLE>(::_get_osfhandle(number));
}

/// A descriptor of the C library, or -1 with the reason in errno.
int opened(const std::filesystem::path& path, DWORD access, DWORD disposition, int flags)
{
    const HANDLE handle = ::CreateFileW(path.c_str(), access, shared, nullptr, disposition,
                                        FILE_ATTRIBUTE_NORMAL, nullptr);
    if (handle == INVALID_HANDLE_VALUE) {
        errno = lastReason();
        return -1;
    }
    const int number = ::_open_osfhandle(reinterpret_cast<std::intptr_t>(handle),
                                         flags | _O_BINARY | _O_NOINHERIT);
    if (number < 0)
        ::CloseHandle(handle);
    return number;
}

int opened(const std::filesystem::path& path, Open how)
{
    switch (how) {
    case Open::Read:
        return opened(path, GENERIC_READ, OPEN_EXISTING, _O_RDONLY);
    case Open::New: // with the right to read, which locks want
        return opened(path, GENERIC_READ | GENERIC_WRITE, CREATE_NEW, _O_RDWR);
    case Open::Over:
        return opened(path, GENERIC_WRITE, TRUNCATE_EXISTING, _O_WRONLY);
    case Open::Into:
        return opened(path, GENERIC_WRITE, OPEN_EXISTING, _O_WRONLY);
    }
    return -1;
}

/// A byte that no file reaches: what is in a locked file can be read and written all the same.
Lock lockHandle(HANDLE handle)
{
    constexpr DWORD farAway = 0x4000'0000; // of the upper half
    OVERLAPPED place = {};
    place.OffsetHigh = farAway;
    if (::LockFileEx(handle, LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0,
                     &place) != 0)
        return Lock::Mine;
    const DWORD problem = ::GetLastError();
    return problem == ERROR_LOCK_VIOLATION || problem == ERROR_IO_PENDING ? Lock::Taken
                                                                          : Lock::None;
}

bool isRegular(const std::filesystem::path& path)
{
    const DWORD attributes = ::GetFileAttributesW(path.c_str());
    return attributes != INVALID_FILE_ATTRIBUTES &&
           (attributes &
            (FILE_ATTRIBUTE_DIRECTORY | FILE_ATTRIBUTE_REPARSE_POINT | FILE_ATTRIBUTE_DEVICE)) == 0;
}

} // namespace

FileKind kindOf(const std::filesystem::path& path)
{
    const DWORD attributes = ::GetFileAttributesW(path.c_str());
    if (attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_DIRECTORY) != 0)
        return FileKind::Folder;
    // Names such as NUL and CON are devices in every folder.
    const Handle file(::CreateFileW(path.c_str(), 0, shared, nullptr, OPEN_EXISTING, 0, nullptr));
    if (!file.open())
        return attributes == INVALID_FILE_ATTRIBUTES ? FileKind::Missing : FileKind::Regular;
    switch (::GetFileType(file.get())) {
    case FILE_TYPE_DISK:
        return FileKind::Regular;
    case FILE_TYPE_PIPE:
        return FileKind::Pipe;
    default:
        break;
    }
    const Handle console(
        ::CreateFileW(path.c_str(), GENERIC_READ, shared, nullptr, OPEN_EXISTING, 0, nullptr));
    DWORD mode = 0;
    return console.open() && ::GetConsoleMode(console.get(), &mode) != 0 ? FileKind::Pipe
                                                                         : FileKind::Device;
}

bool mayWrite(const std::filesystem::path& path)
{
    const DWORD attributes = ::GetFileAttributesW(path.c_str());
    if (attributes == INVALID_FILE_ATTRIBUTES || (attributes & FILE_ATTRIBUTE_READONLY) != 0)
        return false;
    const Handle file(
        ::CreateFileW(path.c_str(), GENERIC_WRITE, shared, nullptr, OPEN_EXISTING, 0, nullptr));
    return file.open() || ::GetLastError() != ERROR_ACCESS_DENIED;
}

OpenFile::OpenFile(const std::filesystem::path& path, Open how)
    : m_number(opened(path, how))
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
    constexpr std::size_t atOnce = std::size_t{1} << 30;
    const int count = ::_read(m_number, into, static_cast<unsigned>(std::min(most, atOnce)));
    // A pipe whose other end has gone is at its end.
    got = count < 0 ? 0 : static_cast<std::size_t>(count);
    return count < 0 && errno != EPIPE ? errno : 0;
}

int OpenFile::write(std::string_view content)
{
    constexpr std::size_t atOnce = std::size_t{1} << 30;
    while (!content.empty()) {
        const int written = ::_write(m_number, content.data(),
                                     static_cast<unsigned>(std::min(content.size(), atOnce)));
        if (written <= 0)
            return written < 0 ? errno : ENOSPC;
        content.remove_prefix(static_cast<std::size_t>(written));
    }
    return 0;
}

int OpenFile::sync()
{
    return ::_commit(m_number) == 0 ? 0 : errno;
}

int OpenFile::close()
{
    const int number = std::exchange(m_number, -1);
    return number < 0 || ::_close(number) == 0 ? 0 : errno;
}

Lock OpenFile::lock()
{
    return lockHandle(handleOf(m_number));
}

bool OpenFile::hasName() const
{
    FILE_STANDARD_INFO told = {};
    return ::GetFileInformationByHandleEx(handleOf(m_number), FileStandardInfo, &told,
                                          sizeof told) == 0 ||
           (told.DeletePending == 0 && told.NumberOfLinks > 0);
}

int OpenFile::takeRightsOf(const std::filesystem::path& other)
{
    // Who may do what with the other file is written down in a list beside it; the owner stays.
    constexpr SECURITY_INFORMATION rights = DACL_SECURITY_INFORMATION;
    DWORD size = 0;
    ::GetFileSecurityW(other.c_str(), rights, nullptr, 0, &size);
    if (::GetLastError() != ERROR_INSUFFICIENT_BUFFER)
        return 0; // a file system without such lists
    std::vector<unsigned char> list(size);
    if (::GetFileSecurityW(other.c_str(), rights, list.data(), size, &size) == 0)
        return lastReason();
    std::wstring own(MAX_PATH * 4, L'\0');
    const DWORD length = ::GetFinalPathNameByHandleW(
        handleOf(m_number), own.data(), static_cast<DWORD>(own.size()), FILE_NAME_NORMALIZED);
    if (length == 0 || length >= own.size())
        return lastReason();
    own.resize(length);
    return ::SetFileSecurityW(own.c_str(), rights, list.data()) != 0 ? 0 : lastReason();
}

int openDescriptor(const std::filesystem::path& path)
{
    return opened(path, Open::Read);
}

std::FILE* openStream(const std::filesystem::path& path)
{
    return ::_wfopen(path.c_str(), L"rb");
}

void removeUnlocked(const std::filesystem::path& folder, bool (*isOurs)(std::string_view name))
{
    std::error_code none;
    for (std::filesystem::directory_iterator entry(folder, none), end; !none && entry != end;
         entry.increment(none)) {
        const std::filesystem::path& path = entry->path();
        if (!isOurs(path.filename().string()) || !isRegular(path))
            continue;
        const Handle file(
            ::CreateFileW(path.c_str(), GENERIC_READ, shared, nullptr, OPEN_EXISTING, 0, nullptr));
        if (file.open() && lockHandle(file.get()) == Lock::Mine)
            ::DeleteFileW(path.c_str());
    }
}

int rename(const std::filesystem::path& from, const std::filesystem::path& to)
{
    return ::MoveFileExW(from.c_str(), to.c_str(),
                         MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH) != 0
               ? 0
               : lastReason();
}

int makeWhole(const std::filesystem::path& path, std::string_view content)
{
    std::filesystem::path beside = path;
    beside += ".new-" + std::to_string(::GetCurrentProcessId());
    OpenFile file(beside, Open::New);
    if (file.problem() != 0)
        return file.problem();
    int reason = file.write(content);
    if (reason == 0)
        reason = file.sync();
    if (const int closed = file.close(); reason == 0)
        reason = closed;
    // Nothing is replaced: whoever was earlier keeps the name.
    if (reason == 0 && ::MoveFileExW(beside.c_str(), path.c_str(), MOVEFILE_WRITE_THROUGH) == 0)
        reason = lastReason();
    if (reason != 0)
        ::DeleteFileW(beside.c_str());
    return reason == EEXIST ? 0 : reason;
}

void syncFolder(const std::filesystem::path&)
{
    // A name is written through when it is given (rename, makeWhole).
}

int removeEmptyFolder(const std::filesystem::path& folder)
{
    return ::RemoveDirectoryW(folder.c_str()) != 0 ? 0 : lastReason();
}

FolderLock::~FolderLock()
{
    if (m_taken)
        ::CloseHandle(reinterpret_cast<HANDLE>(m_lock));
}

int FolderLock::take(const std::filesystem::path& folder)
{
    // Opened to be written, and not shared so: a second one is refused, while all can look into it.
    const HANDLE handle = ::CreateFileW(
        folder.c_str(), FILE_ADD_FILE, FILE_SHARE_READ | FILE_SHARE_DELETE, nullptr, OPEN_EXISTING,
        FILE_FLAG_BACKUP_SEMANTICS | FILE_FLAG_OPEN_REPARSE_POINT, nullptr);
    if (handle == INVALID_HANDLE_VALUE)
        return ::GetLastError() == ERROR_SHARING_VIOLATION ? EWOULDBLOCK : lastReason();
    const DWORD attributes = ::GetFileAttributesW(folder.c_str());
    if ((attributes & FILE_ATTRIBUTE_DIRECTORY) == 0 ||
        (attributes & FILE_ATTRIBUTE_REPARSE_POINT) != 0) {
        ::CloseHandle(handle);
        return ENOTDIR;
    }
    m_folder = folder;
    m_lock = reinterpret_cast<std::intptr_t>(handle);
    m_taken = true;
    return 0;
}

void FolderLock::removeFolder()
{
    if (!m_taken)
        return;
    std::error_code ignored;
    for (const std::filesystem::directory_entry& entry :
         std::filesystem::directory_iterator(m_folder, ignored))
        std::filesystem::remove_all(entry.path(), ignored);
    ::CloseHandle(reinterpret_cast<HANDLE>(m_lock));
    m_taken = false;
    removeEmptyFolder(m_folder);
}

void failPastLargestFile() {} // there is no such limit

} // namespace pw::sys
