// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/api/module.h"

#include "core/io/own_program.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

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

/// Who may be behind a file besides us: the administrator, and whoever gave us this program.
bool isTrusted(::uid_t owner)
{
    struct ::stat program
    {
    };
    return owner == 0 || owner == ::geteuid() ||
           (::stat("/proc/self/exe", &program) == 0 && owner == program.st_uid);
}

/// Why others could put code of theirs at a path; empty: they cannot.
std::string whyNotSafe(const fs::path& path)
{
    struct ::stat found
    {
    };
    if (::stat(path.c_str(), &found) != 0)
        return path.string() + " cannot be looked at: " + std::strerror(errno);
    if (!isTrusted(found.st_uid))
        return path.string() + " belongs to another user, number " + std::to_string(found.st_uid);
    const bool byGroup =
        (found.st_mode & S_IWGRP) != 0 && found.st_gid != 0 && found.st_gid != ::getegid();
    if ((found.st_mode & S_IWOTH) != 0 || byGroup)
        return "others may write to " + path.string();
    return {};
}

/// The same for a module with its folder, and for the folders above: whoever can rename one of
/// them can put another in its place.
std::string whyNotLoaded(const std::string& file)
{
    std::error_code problem;
    const fs::path real = fs::canonical(file, problem);
    if (problem)
        return file + ": " + problem.message();
    for (const fs::path& path : {real, real.parent_path()}) {
        if (std::string why = whyNotSafe(path); !why.empty())
            return why;
    }
    for (fs::path folder = real.parent_path().parent_path(); folder.has_relative_path();
         folder = folder.parent_path()) {
        struct ::stat found
        {
        };
        if (::stat(folder.c_str(), &found) == 0 && (found.st_mode & S_IWOTH) != 0 &&
            (found.st_mode & S_ISVTX) == 0)
            return "others may write to " + folder.string();
    }
    return {};
}

} // namespace

std::vector<std::string> moduleFolders()
{
    std::vector<std::string> folders;
    // What somebody asked for goes before what is there anyway.
    const char* given = std::getenv("PW_MODULE_PATH");
    std::string_view rest = given == nullptr ? "" : given;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find(':'), rest.size());
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
        if (const std::string why = whyNotLoaded(file); !why.empty()) {
            broken.push_back(file + " is not loaded: " + why);
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
        return fail(ErrorCode::BadValue, "the module %1 does not load: %2", name, joined(broken));
    return fail(ErrorCode::BadValue,
                "there is no module %1.so in %2; PW_MODULE_PATH names further folders", name,
                joined(absent));
}

} // namespace pw::exec
