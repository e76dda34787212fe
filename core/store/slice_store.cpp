// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/store/slice_store.h"

#include "core/base/try.h"
#include "core/io/file_problem.h"
#include "core/io/framed_bytes.h"
#include "core/sqlite/sqlite.h"
#include "core/store/activity_store.h"
#include "core/system/passing.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <system_error>

namespace pw {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view sliceFrame = "slices";

/// A folder of this process that goes away with what is in it.
class PassingFolder
{
public:
    PassingFolder()
    {
        std::error_code none;
        m_problem = sys::makePassingFolder(fs::temp_directory_path(none), m_path);
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
                        systemSentence(m_problem));
        return (m_path / "slices.sqlite").string();
    }

private:
    fs::path m_path;
    int m_problem = 0;
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
    PW_TRY(Statement query,
           (*database)->prepare("SELECT rank, replica, path, host, content, "
                                "read_by FROM rank_file WHERE run = ? AND (rank = ? OR ? < 0) "
                                "ORDER BY seq"));
    query.bindAll(run, rank, rank);
    std::vector<KeptRankFile> files;
    std::vector<std::string> readBy;
    PW_DO(query.each([&](const Statement& row) {
        files.push_back({static_cast<std::int32_t>(row.whole(0)),
                         static_cast<std::int32_t>(row.whole(1)), row.text(2), row.text(3),
                         row.text(4)});
        readBy.push_back(row.text(5));
    }));
    for (std::size_t i = 0; i < files.size(); ++i) {
        PW_TRY(files[i].readBy, readingRulesOf(readBy[i]));
    }
    return files;
}

Result<std::string> sliceText(Trace trace, const std::string& title)
{
    const PassingFolder folder;
    PW_TRY(const std::string path, folder.file());
    PW_DO(keepTraceActivity(trace, path, title));
    std::ifstream in(std::filesystem::path(path), std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    if (!in || bytes.empty())
        return fail(ErrorCode::Io, "%1 cannot be read", path);
    return framedBytes(sliceFrame, bytes);
}

Result<StoredTrace> traceOfSliceText(std::string_view text)
{
    const std::optional<std::string> bytes = bytesOfFrame(sliceFrame, text);
    if (!bytes)
        return fail(ErrorCode::Io, "what came is not all of the slices");
    const PassingFolder folder;
    PW_TRY(const std::string path, folder.file());
    PW_DO(writeFile(path, *bytes));
    return loadStoredTrace(path, 1);
}

} // namespace pw
