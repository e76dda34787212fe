// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/whole_folder.h"

#include "core/base/try.h"
#include "core/io/file_problem.h"
#include "core/system/files.h"

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <set>
#include <sstream>
#include <system_error>

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
        std::error_code none;
        if (fs::symlink_status(path, none).type() != fs::file_type::regular)
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
            sys::removeEmptyFolder(*path);
    }
    MadeFolders(const MadeFolders&) = delete;
    MadeFolders& operator=(const MadeFolders&) = delete;

    Result<void> make(const fs::path& folder)
    {
        std::error_code none;
        if (folder.empty() || fs::is_directory(folder, none))
            return {};
        PW_DO(make(folder.parent_path()));
        std::error_code problem;
        if (fs::create_directory(folder, problem)) // false where somebody else has made it
            m_made.push_back(folder);
        return problem
                   ? folderFailure("cannot make the folder %1: %2", folder, sys::reasonOf(problem))
                   : Result<void>();
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
    ~StagedFiles() { m_lock.removeFolder(); }
    StagedFiles(const StagedFiles&) = delete;
    StagedFiles& operator=(const StagedFiles&) = delete;

    Result<void> begin()
    {
        std::error_code none; // whether it was there or is no folder, the lock says
        fs::create_directory(m_path, none);
        const int reason = m_lock.take(m_path);
        if (reason == EWOULDBLOCK)
            return fail(ErrorCode::Io,
                        "cannot write into %1: another program writes into it at this time",
                        m_path.parent_path().string());
        if (reason != 0)
            return folderFailure("cannot write into %1: %2", m_path.parent_path(),
                                 none ? sys::reasonOf(none) : reason);
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
                        systemSentence(sys::reasonOf(problem)));
        return {};
    }

    Result<void> place(int number, const fs::path& target) const
    {
        const int reason = sys::rename(m_path / std::to_string(number), target);
        return reason == 0 ? Result<void>() : folderFailure("cannot write %1: %2", target, reason);
    }

private:
    fs::path m_path;
    sys::FolderLock m_lock;
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
        std::error_code none;
        const fs::file_status status = fs::symlink_status(place, none);
        if (fs::exists(status) && !fs::is_directory(status))
            return inTheWay(place);
    }
    const fs::path path = folder / file.path;
    std::error_code none;
    const fs::file_status status = fs::symlink_status(path, none);
    if (!fs::exists(status))
        return {};
    if (!fs::is_regular_file(status))
        return inTheWay(path);
    const Result<std::string> content = readFile(path.string(), longestOld);
    if (!content || (*content != file.text && !written.has(file.path, *content)))
        return inTheWay(path);
    if (!sys::mayWrite(path))
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
