// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/api/module.h"

#include "core/io/own_program.h"
#include "core/system/modules.h"
#include "core/system/process.h"
#include "core/system/programs.h"

#include <algorithm>
#include <filesystem>

namespace pw::exec {

namespace {

namespace fs = std::filesystem;

std::string joined(const std::vector<std::string>& parts)
{
    std::string text;
    for (const std::string& part : parts)
        text += (text.empty() ? "" : ", ") + part;
    return text;
}

} // namespace

std::vector<std::string> moduleFolders()
{
    std::vector<std::string> folders;
    // What somebody asked for goes before what is there anyway.
    const std::string given = sys::variable("PW_MODULE_PATH").value_or("");
    std::string_view rest = given;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find(sys::listSeparator), rest.size());
        if (end > 0)
            folders.emplace_back(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    if (const fs::path program = ownProgram(); !program.empty()) {
        folders.push_back(program.parent_path().string());
        folders.push_back((program.parent_path().parent_path() / "lib" / "pipewright").string());
    }
    return folders;
}

Result<void*> loadModule(std::string_view name, std::string_view symbol)
{
    std::vector<std::string> absent;
    std::vector<std::string> broken;
    for (const std::string& folder : moduleFolders()) {
        const std::string file = (fs::path(folder) / (std::string(name) + ".so")).string();
        std::error_code ignored;
        if (!fs::exists(file, ignored)) {
            absent.push_back(folder);
            continue;
        }
        // Code that is loaded here can do all that its user can.
        if (const std::string why = sys::whyNotSafe(file); !why.empty()) {
            broken.push_back(file + " is not loaded: " + why);
            continue;
        }
        std::string why;
        void* const module = sys::loadModule(file, why);
        if (module == nullptr) {
            broken.push_back(why);
            continue;
        }
        void* const address = sys::symbolOf(module, std::string(symbol).c_str());
        if (address != nullptr)
            return address;
        broken.push_back(file + " has no " + std::string(symbol));
    }
    if (!broken.empty())
        return fail(ErrorCode::BadValue, "the module %1 does not load: %2", name, joined(broken));
    return fail(ErrorCode::BadValue,
                "there is no module %1.so in %2; PW_MODULE_PATH names further folders", name,
                joined(absent));
}

} // namespace pw::exec
