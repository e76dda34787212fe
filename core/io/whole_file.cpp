// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/try.h"
#include "core/io/file_problem.h"
#include "core/system/files.h"

#include <array>
#include <cerrno>
#include <filesystem>
#include <random>

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

/// What a program that was killed may have left half written: where nobody holds its lock, it goes.
/// Whoever made one and has not locked it yet finds it taken, and makes another (`isMine`).
bool isPart(std::string_view name)
{
    return name.size() == partBegin.size() + partLetters + partEnd.size() &&
           name.substr(0, partBegin.size()) == partBegin &&
           name.substr(name.size() - partEnd.size()) == partEnd;
}

/// Locks a new file. @return false: another program has taken it for an orphan
bool isMine(sys::OpenFile& file)
{
    // Where there are no locks, nobody gets the one that a file is taken away with.
    const sys::Lock lock = file.lock();
    return lock == sys::Lock::Mine ? file.hasName() : lock == sys::Lock::None;
}

/// A new file with a name of its own; removed unless it is kept.
class PartFile
{
public:
    explicit PartFile(const fs::path& folder)
        : m_file(make(folder, m_path))
    {
    }
    ~PartFile()
    {
        if (problem() == 0 && !m_path.empty()) {
            std::error_code ignored;
            fs::remove(m_path, ignored);
        }
    }
    PartFile(const PartFile&) = delete;
    PartFile& operator=(const PartFile&) = delete;

    /// @return 0, or why there is none
    int problem() const { return m_file.problem(); }
    void keep() { m_path.clear(); }
    /// Keeps it under a name that no program takes for an orphan. @return  the name
    std::string keepBeside(const fs::path& target)
    {
        std::string name = target.string() + ".new-" +
                           m_path.substr(m_path.size() - partEnd.size() - partLetters, partLetters);
        if (sys::rename(m_path, name) != 0)
            name = m_path;
        keep();
        return name;
    }

    /// @param like  an older file whose rights it takes; may be null. @return 0, or why not
    int fill(std::string_view content, const fs::path* like)
    {
        if (like != nullptr) {
            if (const int reason = m_file.takeRightsOf(*like); reason != 0)
                return reason;
        }
        if (const int reason = m_file.write(content); reason != 0)
            return reason;
        return m_file.sync();
    }

    /// Gives it the name of a file, which it replaces. @return 0, or why not
    int rename(const fs::path& target)
    {
        if (const int reason = sys::rename(m_path, target); reason != 0)
            return reason;
        keep();
        sys::syncFolder(folderOf(target));
        return m_file.close();
    }

private:
    static sys::OpenFile make(const fs::path& folder, std::string& path)
    {
        std::random_device random;
        constexpr int tries = 100;
        for (int i = 0;; ++i) {
            std::string name(partBegin);
            for (std::size_t letter = 0; letter < partLetters; ++letter)
                name += static_cast<char>('a' + random() % 26);
            path = (folder / (name + std::string(partEnd))).string();
            sys::OpenFile file(path, sys::Open::New);
            const bool again = file.problem() == EEXIST || (file.problem() == 0 && !isMine(file));
            if (!again)
                return file;
            if (i == tries)
                return sys::OpenFile::none(EEXIST);
        }
    }

    std::string m_path;
    sys::OpenFile m_file;
};

/// To a pipe or a device, or over a file.
int writeInPlace(const fs::path& target, std::string_view content, sys::Open how)
{
    sys::OpenFile file(target, how);
    if (file.problem() != 0)
        return file.problem();
    if (const int reason = file.write(content); reason != 0)
        return reason;
    return file.close();
}

/// Over a file that other names lead to, with the new content safe beside it meanwhile.
Result<void> writeShared(const std::string& path, const fs::path& target, PartFile& part,
                         std::string_view content)
{
    const int reason = writeInPlace(target, content, sys::Open::Over);
    if (reason == 0)
        return {};
    return fail(ErrorCode::Io, "cannot write %1: %2; the new content is in %3", path,
                systemSentence(reason), part.keepBeside(target));
}

} // namespace

FileKind fileKind(const std::string& path)
{
    return sys::kindOf(path);
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
    sys::OpenFile file(path, sys::Open::Read);
    if (file.problem() != 0)
        return systemFailure("cannot open %1: %2", path, file.problem());
    // Read in pieces: the size of a pipe is not known, and that of a file may change.
    std::string content;
    std::array<char, 1 << 16> buffer;
    for (;;) {
        std::size_t got = 0;
        const int reason = file.read(buffer.data(), buffer.size(), got);
        if (reason == EINTR)
            continue;
        if (reason != 0)
            return systemFailure("cannot read %1: %2", path, reason);
        if (got == 0)
            return content;
        if (static_cast<std::int64_t>(content.size() + got) > limit) {
            return fail(ErrorCode::TooLarge, "%1 is longer than %2 bytes, the most that is read",
                        path, limit);
        }
        content.append(buffer.data(), got);
    }
}

Result<void> writeFile(const std::string& path, std::string_view content)
{
    PW_TRY(const fs::path target, behindLinks(path));
    const FileKind kind = sys::kindOf(target);
    const bool there = kind == FileKind::Regular;
    if (kind == FileKind::Folder)
        return fail(ErrorCode::Io, "cannot write %1: it is a folder", path);
    if (kind == FileKind::Pipe || kind == FileKind::Device) {
        const int reason = writeInPlace(target, content, sys::Open::Into);
        return reason == 0 ? Result<void>() : systemFailure("cannot write %1: %2", path, reason);
    }
    // A new name needs the right to the folder alone; who takes a file's write bits away means it.
    if (there && !sys::mayWrite(target))
        return fail(ErrorCode::Io, "cannot write %1: it is read-only", path);
    sys::removeUnlocked(folderOf(target), isPart);
    PartFile part(folderOf(target));
    if (part.problem() != 0)
        return systemFailure("cannot write %1: %2", path, part.problem());
    if (const int reason = part.fill(content, there ? &target : nullptr); reason != 0)
        return systemFailure("cannot write %1: %2", path, reason);
    std::error_code none;
    if (there && fs::hard_link_count(target, none) > 1 && !none)
        return writeShared(path, target, part, content);
    const int reason = part.rename(target);
    return reason == 0 ? Result<void>() : systemFailure("cannot write %1: %2", path, reason);
}

} // namespace pw
