// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/import_files.h"

#include "core/base/try.h"
#include "core/reading/chrome/megatron_timers.h"
#include "core/reading/events/importer.h"
#include "core/reading/file_order.h"
#include "core/reading/sniff.h"
#include "core/system/files.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <set>

namespace pw {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t mostFiles = 65'536;

bool endsWith(const std::string& text, std::string_view end)
{
    return text.size() >= end.size() &&
           text.compare(text.size() - end.size(), end.size(), end) == 0;
}

std::string nameOf(const std::string& path)
{
    return fs::path(path).filename().string();
}

/// A name without the end that says how its content is packed.
std::string_view unpackedName(std::string_view name)
{
    for (const std::string_view end : {std::string_view(".gz"), std::string_view(".zst")})
        if (name.size() > end.size() && name.substr(name.size() - end.size()) == end)
            return name.substr(0, name.size() - end.size());
    return name;
}

bool isTextTraceByName(const std::string& path)
{
    return isTraceName(unpackedName(path), {});
}

bool isTraceByName(const std::string& path)
{
    return endsWith(path, ".zip") || isTraceName(unpackedName(path), path);
}

/// Whether a file says once more a part of what a whole one beside it says.
bool isPartBeside(const std::string& path, const std::set<std::string>& wholes)
{
    const std::string name = nameOf(path);
    return std::any_of(allImporters().begin(), allImporters().end(), [&](const Importer& importer) {
        return !importer.wholeFile.empty() && importer.named != nullptr && importer.named(name) &&
               wholes.count(
                   (fs::path(path).parent_path() / std::string(importer.wholeFile)).string()) > 0;
    });
}

bool isWholeFile(const std::string& path)
{
    const std::string name = nameOf(path);
    return std::any_of(allImporters().begin(), allImporters().end(),
                       [&](const Importer& importer) { return importer.wholeFile == name; });
}

/// "no .json, no .json.gz, no log of Paddle, …, no .sqlite of Nsight Systems and no .zip"
std::string soughtText(bool tables)
{
    std::vector<std::string> all;
    const std::span<const Importer> importers = allImporters();
    for (auto one = importers.rbegin(); one != importers.rend(); ++one) // the usual one first
        if (!one->sought.empty() && (tables || one->tables.read == nullptr))
            all.push_back("no " + std::string(one->sought));
    if (tables)
        all.push_back("no .zip");
    std::string text;
    for (const std::string& one : all)
        text += (text.empty() ? "" : &one == &all.back() ? " and " : ", ") + one;
    return text;
}

/// What a folder holds whose names say nothing of a trace: logs, what a console was sent to.
/// @param candidates  files that no name claims
std::vector<std::string> tracesByContent(std::vector<std::string> candidates)
{
    const auto other = [](const std::string& path) { return !looksLikeTrace(path); };
    candidates.erase(std::remove_if(candidates.begin(), candidates.end(), other), candidates.end());
    return candidates;
}

Result<std::vector<std::string>> tracesBelow(const std::string& folder)
{
    constexpr std::size_t mostLooked = 4096;
    std::vector<std::string> found, unnamed;
    std::error_code problem;
    std::set<std::string> wholes;
    fs::recursive_directory_iterator all(folder, problem);
    for (; !problem && all != fs::recursive_directory_iterator(); all.increment(problem)) {
        const std::string name = all->path().string();
        std::error_code ignored;
        if (isTraceByName(name) && all->is_regular_file(ignored))
            found.push_back(name);
        else if (found.empty() && unnamed.size() < mostLooked && all->is_regular_file(ignored))
            unnamed.push_back(name);
        if (isWholeFile(name))
            wholes.insert(name);
        if (found.size() > mostFiles)
            return fail(ErrorCode::TooLarge, "%1 has more than %2 files", folder, mostFiles);
    }
    if (problem)
        return fail(ErrorCode::Io, "cannot read %1: %2", folder,
                    systemSentence(sys::reasonOf(problem)));
    const auto doubled = [&](const std::string& path) { return isPartBeside(path, wholes); };
    found.erase(std::remove_if(found.begin(), found.end(), doubled), found.end());
    if (found.empty())
        found = tracesByContent(std::move(unnamed));
    if (found.empty())
        return fail(ErrorCode::Io, "%1 has %2 in it", folder, soughtText(true));
    std::sort(found.begin(), found.end(), namedBefore);
    return found;
}

/// Ranks of tensor, context and data parallelism time the same passes, and files of Megatron's
/// timers number them together.
void tellReplicas(ImportFiles& files)
{
    std::set<std::int32_t> replicas;
    for (const ImportFile& file : files.files) {
        const TimerFileName name = readTimerFileName(nameOf(file.name()));
        if (name.pipelineRank >= 0 && name.replica >= 0)
            replicas.insert(name.replica);
    }
    if (replicas.size() > 1)
        files.warnings.push_back("files of Megatron's timers number ranks of tensor, context and "
                                 "data parallelism together: each of the " +
                                 std::to_string(replicas.size()) + " is shown as a replica");
}

/// Where files lie, links followed; each folder is asked for once.
class FilePlaces
{
public:
    /// Whether it is a link, and where it leads; an empty place where nothing regular is there.
    std::pair<bool, fs::path> of(const std::string& path)
    {
        if (m_last && m_last->first == path) // an archive is asked for with each of its files
            return m_last->second;
        std::error_code problem;
        const fs::file_status status = fs::symlink_status(path, problem);
        std::pair<bool, fs::path> place{status.type() == fs::file_type::symlink, {}};
        if (place.first) {
            if (fs::is_regular_file(path, problem))
                place.second = fs::canonical(path, problem);
        } else if (status.type() == fs::file_type::regular) {
            const fs::path file(path);
            if (const fs::path& folder = folderOf(file.parent_path()); !folder.empty())
                place.second = folder / file.filename();
        }
        if (problem)
            place.second.clear();
        m_last = {path, place};
        return place;
    }

private:
    const fs::path& folderOf(const fs::path& folder)
    {
        const auto [found, made] = m_folders.try_emplace(folder);
        std::error_code problem;
        if (made)
            found->second = fs::canonical(folder.empty() ? fs::path(".") : folder, problem);
        if (problem)
            found->second.clear();
        return found->second;
    }

    std::map<fs::path, fs::path> m_folders;
    std::optional<std::pair<std::string, std::pair<bool, fs::path>>> m_last;
};

/// Links and words may lead to a file several times; it is read once, by its own name.
void leaveDoublesOut(ImportFiles& files)
{
    FilePlaces places;
    std::map<std::pair<fs::path, std::int64_t>, std::size_t> firsts; // by place, and in an archive
    std::vector<std::size_t> sameAs(files.files.size());
    std::vector<std::pair<bool, fs::path>> found;
    for (const ImportFile& file : files.files)
        found.push_back(places.of(file.path));
    for (const bool links : {false, true})
        for (std::size_t i = 0; i < sameAs.size(); ++i) {
            if (found[i].first != links)
                continue;
            const auto& member = files.files[i].member;
            sameAs[i] = found[i].second.empty()
                            ? i
                            : firsts.try_emplace({found[i].second, member ? member->header : -1}, i)
                                  .first->second;
        }
    ImportFiles kept;
    kept.warnings = std::move(files.warnings);
    for (std::size_t i = 0; i < sameAs.size(); ++i)
        if (sameAs[i] != i)
            kept.warnings.push_back(files.files[i].name() + " is " + files.files[sameAs[i]].name() +
                                    " once more; it is read once");
    for (std::size_t i = 0; i < sameAs.size(); ++i)
        if (sameAs[i] == i)
            kept.files.push_back(std::move(files.files[i]));
    files = std::move(kept);
}

/// Appends a file, or of an archive the traces in it.
Result<void> appendFile(const std::string& path, bool named, ImportFiles& files)
{
    std::error_code ignored;
    if (!fs::is_regular_file(path, ignored) || !isZip(path)) {
        files.files.push_back({path, named, {}});
        return {};
    }
    const Result<std::vector<ZipMember>> members = zipMembers(path);
    if (!members) {
        if (named)
            return fail(members.error());
        files.warnings.push_back("left out, " + members.error().message);
        return {};
    }
    std::vector<ZipMember> traces;
    std::copy_if(members->begin(), members->end(), std::back_inserter(traces),
                 [](const ZipMember& member) { return isTextTraceByName(member.name); });
    if (traces.empty() && members->size() == 1)
        traces = *members;
    if (traces.empty())
        return fail(ErrorCode::Io, "%1 has %2 in it", path, soughtText(false));
    std::sort(traces.begin(), traces.end(),
              [](const ZipMember& a, const ZipMember& b) { return namedBefore(a.name, b.name); });
    for (ZipMember& member : traces)
        files.files.push_back({path, named && traces.size() == 1, std::move(member)});
    return {};
}

} // namespace

Result<ImportFiles> importFiles(const std::vector<std::string>& words)
{
    ImportFiles files;
    // A shell that stands for * has them by their letters: worker10 before worker2.
    std::vector<std::string> ordered = words;
    if (std::is_sorted(ordered.begin(), ordered.end()))
        std::stable_sort(ordered.begin(), ordered.end(), namedBefore);
    for (const std::string& word : ordered) {
        std::error_code ignored;
        if (!fs::is_directory(word, ignored)) {
            PW_DO(appendFile(word, true, files));
            continue;
        }
        PW_TRY(const std::vector<std::string> found, tracesBelow(word));
        for (const std::string& path : found)
            PW_DO(appendFile(path, false, files));
    }
    if (files.files.empty())
        return fail(ErrorCode::BadValue, "no file to import");
    leaveDoublesOut(files);
    tellReplicas(files);
    return files;
}

} // namespace pw
