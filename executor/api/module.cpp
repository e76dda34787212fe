// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/api/module.h"

#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>

namespace pw::exec {

namespace {

namespace fs = std::filesystem;

std::string lastLoaderError()
{
    const char* text = dlerror();
    return text == nullptr ? "no reason given" : text;
}

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
    std::error_code unreadable;
    const fs::path program = fs::read_symlink("/proc/self/exe", unreadable);
    if (!unreadable) {
        folders.push_back(program.parent_path().string());
        folders.push_back((program.parent_path().parent_path() / "lib" / "pipewright").string());
    }
    const char* given = std::getenv("PW_MODULE_PATH");
    std::string_view rest = given == nullptr ? "" : given;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find(':'), rest.size());
        if (end > 0)
            folders.emplace_back(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
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
        void* const module = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (module == nullptr) {
            broken.push_back(lastLoaderError());
            continue;
        }
        void* const address = dlsym(module, std::string(symbol).c_str());
        if (address != nullptr)
            return address;
        broken.push_back(file + " has no " + std::string(symbol));
    }
    if (!broken.empty())
        return fail(ErrorCode::BadValue,
                    "the module " + std::string(name) + " does not load: " + joined(broken));
    return fail(ErrorCode::BadValue, "there is no module " + std::string(name) + ".so in " +
                                         joined(absent) + "; PW_MODULE_PATH names further folders");
}

} // namespace pw::exec
