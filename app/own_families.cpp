// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/own_families.h"

#include "core/base/try.h"
#include "core/families/family_names.h"
#include "core/io/family_folder.h"
#include "core/io/file_problem.h"

#include <algorithm>

namespace pw::app {

namespace {

constexpr std::string_view optionName = "families";

} // namespace

bool isOptionOfProgram(const std::string& name)
{
    for (const Family& family : allFamilies())
        if (findParameter(family, name) != nullptr)
            return false;
    for (const Command& command : allCommands())
        for (const Option& option : allOptions(command))
            if (option.name == name)
                return true;
    return false;
}

Option familiesOption()
{
    return {.name = std::string(optionName),
            .kind = ValueKind::Text,
            .placeholder = "FOLDER",
            .summary = "families of your own: every file *.family in a folder, besides those in "
                       "~/.local/share/pipewright/families"};
}

Result<std::vector<std::string>> useFamilies(const std::string& folder,
                                             std::vector<std::string>& problems)
{
    return addFamilyFolder(folder, problems, isOptionOfProgram);
}

Result<const Family*> useFamilyFile(const std::string& path)
{
    return addFamilyFile(path, isOptionOfProgram);
}

bool isFamilyFile(const std::string& word)
{
    return isFamilyPath(word) && fileKind(word) != FileKind::Missing;
}

Result<const Family*> familyOrFile(const std::string& word)
{
    return isFamilyFile(word) ? useFamilyFile(word) : familyNamed(word);
}

namespace {

/// Files of families among the parts of a word, which may be a list or the value of an option.
Result<void> useFilesOf(const std::string& word)
{
    if (isFamilyFile(word)) {
        PW_DO(useFamilyFile(word));
        return {};
    }
    if (word.find(".family") == std::string::npos)
        return {};
    const bool option = word.rfind("--", 0) == 0;
    for (std::size_t begin = option ? word.find('=') + 1 : 0; begin <= word.size();) {
        const std::size_t end = std::min(word.find(',', begin), word.size());
        const std::string part = word.substr(begin, end - begin);
        if (isFamilyFile(part)) {
            PW_DO(useFamilyFile(part));
        }
        begin = end + 1;
    }
    return {};
}

} // namespace

tl::expected<void, Failure> useFamilies(std::span<const std::string> words)
{
    const std::string option = "--" + std::string(optionName);
    for (std::size_t i = 0; i < words.size() && words[i] != "--"; ++i) {
        std::string folder;
        if (words[i] == option && i + 1 < words.size())
            folder = words[i + 1];
        else if (words[i].rfind(option + "=", 0) == 0)
            folder = words[i].substr(option.size() + 1);
        if (folder.empty())
            continue;
        std::vector<std::string> problems;
        const Result<std::vector<std::string>> ids = useFamilies(folder, problems);
        if (!ids)
            return usage(option + ": " + ids.error().message);
        if (!problems.empty())
            return usage(option + ": " + problems.front());
    }
    for (const std::string& word : words) {
        PW_DO(useFilesOf(word));
    }
    return {};
}

std::vector<std::string> useOwnFamilies()
{
    std::vector<std::string> problems;
    const std::string folder = ownFamilyFolder();
    if (folder.empty() || fileKind(folder) != FileKind::Folder)
        return problems;
    const Result<std::vector<std::string>> ids = useFamilies(folder, problems);
    if (!ids)
        problems.push_back(ids.error().message);
    return problems;
}

} // namespace pw::app
