// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/whole_folder.h"

#include "core/base/try.h"
#include "core/io/file_problem.h"

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <set>
#include <sstream>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace pw {

namespace {

namespace fs = std::filesystem;

constexpr const char* listName = ".pipewright-files";
constexpr const char* stagingName = ".pipewright-new";
constexpr std::int64_t longestList = 1 << 20, longestOld = 1 << 28;

tl::unexpected<Error> folderFailure(Pattern<std::string, Sentence> what, const fs::path& path,
                                    int reason)
{
    return fail(ErrorCode::Io, what, path.string(), systemSentence(reason));
}

/// Tells contents apart that nobody made to be mistaken for each other.
std::string markOf(std::string_view content)
{
    std::uint64_t hash = 14695981039346656037U; // FNV-1a
    for (const char c : content)
        hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
    char text[40];
    std::snprintf(text, sizeof text, "%016llx-%zu", static_cast<unsigned long long>(hash),
                  content.size());
    return text;
}

/// Marks and names of the files that this program has written into a folder.
class WrittenFiles
{
public:
    explicit WrittenFiles(const fs::path& folder)
    {
        const std::string path = (folder / listName).string();
        struct stat status = {};
        if (::lstat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode))
            return;
        const Result<std::string> content = readFile(path, longestList);
        std::istringstream lines(content ? *content : std::string());
        for (std::string line; std::getline(lines, line);)
            m_lines.insert(line);
    }

    bool has(const std::string& path, std::string_view content) const
    {
        return m_lines.find(lineOf(path, content)) != m_lines.end();
    }
    void add(const std::string& path, std::string_view content)
    {
        m_lines.insert(lineOf(path, content));
    }
    std::string text() const
    {
        std::string all;
        for (const std::string& line : m_lines)
            all += line + "\n";
        return all;
    }

private:
    static std::string lineOf(const std::string& path, std::string_view content)
    {
        return markOf(content) + " " + path;
    }

    std::set<std::string> m_lines;
};

/// The folder and those that it is in, made as far as they are not there; removed again unless
/// they are kept.
class MadeFolders
{
public:
    MadeFolders() = default;
    ~MadeFolders()
    {
        for (auto path = m_made.rbegin(); path != m_made.rend(); ++path)
            ::rmdir(path->c_str());
    }
    MadeFolders(const MadeFolders&) = delete;
    MadeFolders& operator=(const MadeFolders&) = delete;

    Result<void> make(const fs::path& folder)
    {
        std::error_code none;
        if (folder.empty() || fs::is_directory(folder, none))
            return {};
        PW_DO(make(folder.parent_path()));
        // A name that ends in a slash has an empty last part.
        if (::mkdir(folder.c_str(), 0777) != 0)
            return errno == EEXIST && fs::is_directory(folder, none)
                       ? Result<void>()
                       : folderFailure("cannot make the folder %1: %2", folder, errno);
        m_made.push_back(folder);
        return {};
    }
    void keep() { m_made.clear(); }

private:
    std::vector<fs::path> m_made;
};

/// A folder in the folder, with everything that is to be in it; goes away in the end.
class StagedFiles
{
public:
    explicit StagedFiles(const fs::path& folder)
        : m_path(folder / stagingName)
    {
    }
    ~StagedFiles()
    {
        if (m_lock < 0)
            return;
        std::error_code ignored;
        fs::remove_all(m_path, ignored);
        ::close(m_lock);
    }
    StagedFiles(const StagedFiles&) = delete;
    StagedFiles& operator=(const StagedFiles&) = delete;

    Result<void> begin()
    {
        if (::mkdir(m_path.c_str(), 0777) != 0 && errno != EEXIST)
            return folderFailure("cannot write into %1: %2", m_path.parent_path(), errno);
        const int lock = ::open(m_path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (lock < 0)
            return folderFailure("cannot write into %1: %2", m_path.parent_path(), errno);
        if (::flock(lock, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
            ::close(lock);
            return fail(ErrorCode::Io,
                        "cannot write into %1: another program writes into it at this time",
                        m_path.parent_path().string());
        }
        m_lock = lock;
        // What a program that was killed has left.
        std::error_code ignored;
        for (const fs::directory_entry& entry : fs::directory_iterator(m_path, ignored))
            fs::remove_all(entry.path(), ignored);
        return {};
    }

    Result<void> add(const FolderFile& file)
    {
        const fs::path path = m_path / std::to_string(m_count++);
        PW_DO(writeFile(path.string(), file.text));
        std::error_code problem;
        if (file.runs)
            fs::permissions(path,
                            fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec,
                            fs::perm_options::add, problem);
        if (problem)
            return fail(ErrorCode::Io, "cannot make %1 a program: %2", file.path,
                        problem.message());
        return {};
    }

    Result<void> place(int number, const fs::path& target) const
    {
        if (::rename((m_path / std::to_string(number)).c_str(), target.c_str()) != 0)
            return folderFailure("cannot write %1: %2", target, errno);
        return {};
    }

private:
    fs::path m_path;
    int m_lock = -1;
    int m_count = 0;
};

tl::unexpected<Error> inTheWay(const fs::path& path)
{
    return fail(ErrorCode::Io,
                "%1 is there already, and Pipewright has not written it, or it was changed since; "
                "name another folder, or move it away",
                path.string());
}

/// Whether a file may be put at its place.
Result<void> checkPlace(const fs::path& folder, const FolderFile& file, WrittenFiles& written)
{
    fs::path place = folder;
    for (const fs::path& part : fs::path(file.path).parent_path()) {
        place /= part;
        struct stat status = {};
        if (::lstat(place.c_str(), &status) == 0 && !S_ISDIR(status.st_mode))
            return inTheWay(place);
    }
    const fs::path path = folder / file.path;
    struct stat status = {};
    if (::lstat(path.c_str(), &status) != 0)
        return {};
    if (!S_ISREG(status.st_mode))
        return inTheWay(path);
    const Result<std::string> content = readFile(path.string(), longestOld);
    if (!content || (*content != file.text && !written.has(file.path, *content)))
        return inTheWay(path);
    constexpr mode_t anyWrite = S_IWUSR | S_IWGRP | S_IWOTH;
    if ((status.st_mode & anyWrite) == 0 || ::access(path.c_str(), W_OK) != 0)
        return fail(ErrorCode::Io, "cannot write %1: it is read-only", path.string());
    return {};
}

} // namespace

Result<void> writeFolder(const std::string& folder, const std::vector<FolderFile>& files)
{
    const fs::path at(folder);
    MadeFolders made;
    PW_DO(made.make(at));
    WrittenFiles written(at);
    for (const FolderFile& file : files) {
        PW_DO(checkPlace(at, file, written));
    }
    StagedFiles staged(at);
    PW_DO(staged.begin());
    for (const FolderFile& file : files)
        written.add(file.path, file.text);
    PW_DO(staged.add({listName, written.text(), false}));
    for (const FolderFile& file : files) {
        PW_DO(staged.add(file));
    }
    for (const FolderFile& file : files) {
        PW_DO(made.make((at / file.path).parent_path()));
    }
    made.keep();
    // The list comes first: with old and new marks it holds whatever of the rest is there.
    PW_DO(staged.place(0, at / listName));
    int number = 0;
    for (const FolderFile& file : files) {
        PW_DO(staged.place(++number, at / file.path));
    }
    return {};
}

} // namespace pw
