// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/system/file_kind.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string_view>
#include <system_error>

namespace pw::sys {

// What this folder asks of the operating system stands nowhere else: files NAME_posix.cpp for Linux
// and its relatives, NAME_windows.cpp for Windows. What can fail gives 0, or the number of errno
// that says why; whoever calls makes a sentence of it. Paths that are made from text are UTF-8.

/// Each of them ends a folder's name in a path.
inline constexpr std::string_view pathSeparators =
    std::filesystem::path::preferred_separator == '/' ? "/" : "/\\";

/// Why the standard library was refused: its numbers are the system's own, which may be others.
inline int reasonOf(const std::error_code& problem)
{
    return problem.default_error_condition().value();
}

FileKind kindOf(const std::filesystem::path& path);

/// Whether a file is open for writing to this user: he has the right to, and nobody has taken the
/// write bits away.
bool mayWrite(const std::filesystem::path& path);

/// How a file is opened.
enum class Open : std::uint8_t
{
    Read,
    New,  ///< to write; there is none of this name yet, nor a link
    Over, ///< to write; what it holds goes
    Into  ///< to write; a pipe or a device
};

enum class Lock : std::uint8_t
{
    Mine,
    Taken,
    None ///< this file system knows no locks
};

/// A file that is open, until it is closed or this ends. Programs that are started do not have it.
class OpenFile
{
public:
    OpenFile(const std::filesystem::path& path, Open how);
    /// One that is not open, for this reason.
    static OpenFile none(int problem) { return OpenFile(problem); }
    ~OpenFile();
    OpenFile(OpenFile&& other) noexcept;
    OpenFile& operator=(OpenFile&&) = delete;

    /// @return 0, or why it is not open
    int problem() const { return m_problem; }
    /// Takes what has come; 0 bytes at the end.
    /// @return 0, or why not; EINTR: a signal came, and it can be asked again
    int read(char* into, std::size_t most, std::size_t& got);
    /// @return 0, or why not all of it was written
    int write(std::string_view content);
    /// Waits until it is safe on the disc. @return 0, or why it is not
    int sync();
    /// @return 0, or why what was written may not be there
    int close();

    /// Locks it against other programs' lock(), without waiting.
    Lock lock();
    /// Whether nobody has removed it since it was made.
    bool hasName() const;
    /// Gives it the rights of another file, and its owner and group as far as this user may.
    /// @return 0, or why it has not the rights
    int takeRightsOf(const std::filesystem::path& other);

private:
    explicit OpenFile(int problem)
        : m_problem(problem)
    {
    }

    int m_number = -1;
    int m_problem = 0;
};

/// For libraries that read by themselves: a descriptor, or a stream, of a file to be read from its
/// beginning. Whoever asks closes it. @return  -1, or null, with the reason in errno
int openDescriptor(const std::filesystem::path& path);
std::FILE* openStream(const std::filesystem::path& path);

/// Removes the regular files of a folder whose names `isOurs` and that no program has locked.
void removeUnlocked(const std::filesystem::path& folder, bool (*isOurs)(std::string_view name));

/// Gives a file another name, which is its alone from then on: who opens that finds the old file or
/// the new one.
/// @return 0, or why not
int rename(const std::filesystem::path& from, const std::filesystem::path& to);

/// Makes a file with this content: under its name at once, and safe on the disc. Where the name is
/// taken already, by whoever was earlier, that file stays as it is, and nothing has failed.
/// @return 0, or why not
int makeWhole(const std::filesystem::path& path, std::string_view content);

/// Waits until the names in a folder are safe on the disc, where the file system can.
void syncFolder(const std::filesystem::path& folder);

/// Removes a folder that holds nothing. @return 0, or why not
int removeEmptyFolder(const std::filesystem::path& folder);

/// A folder that no other program has locked so, and no link; until this ends.
class FolderLock
{
public:
    FolderLock() = default;
    ~FolderLock();
    FolderLock(const FolderLock&) = delete;
    FolderLock& operator=(const FolderLock&) = delete;

    /// @return 0, or why not; EWOULDBLOCK: another program has it
    int take(const std::filesystem::path& folder);
    bool taken() const { return m_taken; }
    /// Removes the folder with all that is in it, and lets go of it.
    void removeFolder();

private:
    std::filesystem::path m_folder;
    std::intptr_t m_lock = -1;
    bool m_taken = false;
};

/// From now on a write past the largest file that a process may make (ulimit -f) fails with the
/// system's reason, and does not end the program.
void failPastLargestFile();

} // namespace pw::sys
