// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/family_folder.h"

#include "core/base/try.h"
#include "core/families/file_families.h"
#include "core/io/listed_file.h"
#include "core/io/user_folder.h"
#include "core/system/files.h"
#include "core/system/process.h"

#include <algorithm>
#include <filesystem>

namespace pw {

std::string ownFamilyFolder()
{
    if (std::optional<std::string> folder = sys::variable("PIPEWRIGHT_FAMILIES");
        folder && !folder->empty())
        return *folder;
    const std::string data = userDataFolder();
    return data.empty() ? data : data + "/pipewright/families";
}

Result<families::FamilyFile> loadFamilyFile(const std::string& path)
{
    PW_TRY(const std::string text, readListedFile(path, families::maxFamilyFileBytes));
    return families::parseFamilyFile(text, path);
}

Result<FamilyFolder> readFamilyFolder(const std::string& path)
{
    namespace fs = std::filesystem;
    std::error_code problem;
    std::vector<std::string> names;
    for (fs::directory_iterator at(path, problem), end; !problem && at != end;
         at.increment(problem)) {
        if (!isFamilyPath(at->path().string()))
            continue;
        names.push_back(at->path().string());
        if (names.size() > maxFileFamilies)
            return fail(ErrorCode::TooLarge, "%1 has more than %2 families", path, maxFileFamilies);
    }
    if (problem)
        return fail(ErrorCode::Io, "cannot list %1: %2", path,
                    systemSentence(sys::reasonOf(problem)));
    std::sort(names.begin(), names.end());
    FamilyFolder folder;
    for (const std::string& name : names) {
        Result<families::FamilyFile> file = loadFamilyFile(name);
        if (file)
            folder.files.push_back(std::move(*file));
        else
            folder.problems.push_back(file.error().message);
    }
    return folder;
}

namespace {

Result<std::vector<std::string>> addFamily(families::FamilyFile file,
                                           bool (*taken)(const std::string& name))
{
    for (const families::FileParameter& parameter : file.parameters) {
        if (taken != nullptr && taken(parameter.name))
            return fail(ErrorCode::BadValue,
                        "%1: --%2 is an option of the program; the parameter needs another name",
                        file.path, parameter.name);
    }
    std::vector<families::FamilyFile> one;
    one.push_back(std::move(file));
    return addFileFamilies(std::move(one));
}

} // namespace

bool isFamilyPath(std::string_view path)
{
    constexpr std::string_view ending = ".family";
    return path.size() > ending.size() && path.substr(path.size() - ending.size()) == ending;
}

Result<const Family*> addFamilyFile(const std::string& path, bool (*taken)(const std::string& name))
{
    PW_TRY(families::FamilyFile file, loadFamilyFile(path));
    PW_TRY(const std::vector<std::string> ids, addFamily(std::move(file), taken));
    return findFamily(ids.front());
}

Result<std::vector<std::string>> addFamilyFolder(const std::string& path,
                                                 std::vector<std::string>& problems,
                                                 bool (*taken)(const std::string& name))
{
    PW_TRY(FamilyFolder found, readFamilyFolder(path));
    problems.insert(problems.end(), found.problems.begin(), found.problems.end());
    std::vector<std::string> ids;
    for (families::FamilyFile& file : found.files) {
        const Result<std::vector<std::string>> added = addFamily(std::move(file), taken);
        if (added)
            ids.insert(ids.end(), added->begin(), added->end());
        else
            problems.push_back(added.error().message);
    }
    return ids;
}

} // namespace pw
