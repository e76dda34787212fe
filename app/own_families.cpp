// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/own_families.h"

#include "core/families/family.h"
#include "core/io/family_folder.h"
#include "core/io/file_problem.h"

namespace pw::app {

namespace {

constexpr std::string_view optionName = "families";

/// Whether a command has an option of this name that is no parameter of a family.
bool isOfACommand(const std::string& name)
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

} // namespace

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
    return addFamilyFolder(folder, problems, isOfACommand);
}

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
