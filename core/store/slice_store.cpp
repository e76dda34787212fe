// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/store/slice_store.h"

#include "core/base/try.h"
#include "core/io/file_problem.h"
#include "core/sqlite/sqlite.h"
#include "core/store/activity_store.h"

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

namespace pw {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view opening = "pipewright-slices:", closing = ":end",
                           digits = "0123456789abcdef";

/// A folder of this process that goes away with what is in it.
class PassingFolder
{
public:
    PassingFolder()
    {
        std::error_code none;
        std::string path = (fs::temp_directory_path(none) / "pipewright-XXXXXX").string();
        if (::mkdtemp(path.data()) != nullptr)
            m_path = path;
    }
    ~PassingFolder()
    {
        std::error_code unimportant;
        if (!m_path.empty())
            fs::remove_all(m_path, unimportant);
    }
    PassingFolder(const PassingFolder&) = delete;
    PassingFolder& operator=(const PassingFolder&) = delete;

    /// @error Io  it could not be made
    Result<std::string> file() const
    {
        if (m_path.empty())
            return fail(ErrorCode::Io, "no folder can be made among the temporary files: %1",
                        systemSentence(errno));
        return m_path + "/slices.sqlite";
    }

private:
    std::string m_path;
};

} // namespace

Result<std::vector<KeptRankFile>> rankFiles(const std::string& store, RunNumber run,
                                            std::int32_t rank)
{
    PW_TRY(RunStore opened, RunStore::openToRead(store));
    PW_DO(opened.run(run));
    Result<std::unique_ptr<Database>> database = Database::open(store, Database::Mode::Read);
    if (!database || !(*database)->number("SELECT count(*) FROM rank_file"))
        database = Database::open(store, Database::Mode::ReadUnchanging);
    if (!database)
        return fail(database.error());
    (*database)->refuseViews();
    PW_TRY(Statement query, (*database)->prepare("SELECT rank, replica, path, host, content FROM "
                                                 "rank_file WHERE run = ? AND (rank = ? OR ? < 0) "
                                                 "ORDER BY seq"));
    query.bindAll(run, rank, rank);
    std::vector<KeptRankFile> files;
    PW_DO(query.each([&files](const Statement& row) {
        files.push_back({static_cast<std::int32_t>(row.whole(0)),
                         static_cast<std::int32_t>(row.whole(1)), row.text(2), row.text(3),
                         row.text(4)});
    }));
    return files;
}

Result<std::string> sliceText(Trace trace, const std::string& title)
{
    const PassingFolder folder;
    PW_TRY(const std::string path, folder.file());
    PW_DO(keepTraceActivity(trace, path, title));
    std::ifstream in(path, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    if (!in || bytes.empty())
        return fail(ErrorCode::Io, "%1 cannot be read", path);
    constexpr unsigned half = 15;
    std::string text(opening);
    text.reserve(opening.size() + 2 * bytes.size() + closing.size());
    for (const char c : bytes) {
        const auto byte = static_cast<unsigned char>(c);
        text += digits[byte >> 4U];
        text += digits[byte & half];
    }
    return text += closing;
}

Result<StoredTrace> traceOfSliceText(std::string_view text)
{
    const std::size_t opens = text.find(opening);
    const std::size_t begin =
        opens == std::string_view::npos ? text.size() : opens + opening.size();
    const std::size_t end = text.find(closing, begin);
    if (end == std::string_view::npos)
        return fail(ErrorCode::Io, "what came is not all of the slices");
    std::string bytes;
    bytes.reserve((end - begin) / 2);
    for (std::size_t at = begin; at + 1 < end; at += 2) {
        const std::size_t high = digits.find(text[at]), low = digits.find(text[at + 1]);
        if (high == std::string_view::npos || low == std::string_view::npos)
            return fail(ErrorCode::Io, "what came is not all of the slices");
        bytes += static_cast<char>(high << 4U | low);
    }
    const PassingFolder folder;
    PW_TRY(const std::string path, folder.file());
    PW_DO(writeFile(path, bytes));
    return loadStoredTrace(path, 1);
}

} // namespace pw
