// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/trace/importers/import_files.h"

#include "core/trace/importers/megatron_timers.h"
#include "core/trace/importers/nsys_tables.h"

#include <algorithm>
#include <filesystem>
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

bool beginsWith(const std::string& text, std::string_view begin)
{
    return text.compare(0, begin.size(), begin) == 0;
}

std::string nameOf(const std::string& path)
{
    return fs::path(path).filename().string();
}

/// What Paddle makes of its log: the same passes, for another viewer or of one rank.
bool isPaddlePart(const std::string& path)
{
    const std::string name = nameOf(path);
    return beginsWith(name, "workerlog.") ||
           beginsWith(name, "profile_record_tmp_file_for_rank_") ||
           name == "pipeline_profile_perfetto.json";
}

bool isTraceByName(const std::string& path)
{
    return endsWith(path, ".json") || endsWith(path, ".json.gz") || isPaddlePart(path) ||
           (endsWith(path, ".sqlite") && maybeNsys(path));
}

Result<std::vector<std::string>> tracesBelow(const std::string& folder)
{
    std::vector<std::string> found;
    std::error_code problem;
    std::set<std::string> profiles; // folders with a profile of Paddle's
    fs::recursive_directory_iterator all(folder, problem);
    for (; !problem && all != fs::recursive_directory_iterator(); all.increment(problem)) {
        const std::string name = all->path().string();
        std::error_code ignored;
        if (isTraceByName(name) && all->is_regular_file(ignored))
            found.push_back(name);
        if (nameOf(name) == "pipeline_profile.json")
            profiles.insert(all->path().parent_path().string());
        if (found.size() > mostFiles)
            return fail(ErrorCode::TooLarge,
                        folder + " has more than " + std::to_string(mostFiles) + " files");
    }
    if (problem)
        return fail(ErrorCode::Io, "cannot read " + folder + ": " + problem.message());
    const auto doubled = [&](const std::string& path) {
        return isPaddlePart(path) && profiles.count(fs::path(path).parent_path().string()) > 0;
    };
    found.erase(std::remove_if(found.begin(), found.end(), doubled), found.end());
    if (found.empty())
        return fail(ErrorCode::Io, folder + " has no .json, no .json.gz, no .sqlite of Nsight "
                                            "Systems and no log of Paddle in it");
    std::sort(found.begin(), found.end());
    return found;
}

/// Ranks of tensor, context and data parallelism time the same passes; the first of each pipeline
/// rank stands for them.
void leaveReplicasOut(ImportFiles& files)
{
    std::map<std::int32_t, std::int32_t> first; // replica by pipeline rank
    const auto said = [](const std::string& path) { return readTimerFileName(nameOf(path)); };
    for (const ImportFile& file : files.files) {
        const TimerFileName name = said(file.path);
        if (name.pipelineRank < 0 || name.replica < 0)
            continue;
        const auto [found, made] = first.emplace(name.pipelineRank, name.replica);
        found->second = std::min(found->second, name.replica);
    }
    const std::size_t before = files.files.size();
    const auto other = [&](const ImportFile& file) {
        const TimerFileName name = said(file.path);
        return name.pipelineRank >= 0 && name.replica > first[name.pipelineRank];
    };
    files.files.erase(std::remove_if(files.files.begin(), files.files.end(), other),
                      files.files.end());
    if (files.files.size() < before)
        files.warnings.push_back(std::to_string(before - files.files.size()) +
                                 " files of Megatron's timers are of replicas of a rank that "
                                 "another file is of; left out");
}

} // namespace

Result<ImportFiles> importFiles(const std::vector<std::string>& words)
{
    ImportFiles files;
    for (const std::string& word : words) {
        std::error_code ignored;
        if (!fs::is_directory(word, ignored)) {
            files.files.push_back({word, true});
            continue;
        }
        const Result<std::vector<std::string>> found = tracesBelow(word);
        if (!found)
            return fail(found.error());
        for (const std::string& path : *found)
            files.files.push_back({path, false});
    }
    if (files.files.empty())
        return fail(ErrorCode::BadValue, "no file to import");
    leaveReplicasOut(files);
    return files;
}

} // namespace pw
