// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/system/modules.h"
#include "core/system/process.h"

#include <cerrno>
#include <cstring>
#include <dlfcn.h>
#include <sys/stat.h>
#include <unistd.h>

namespace pw::sys {

namespace fs = std::filesystem;

namespace {

/// Who may be behind a file besides us: the administrator, and whoever gave us this program.
bool isTrusted(::uid_t owner)
{
#ifdef __linux__
    const fs::path own = "/proc/self/exe"; // whatever has become of its name
#else
    const fs::path own = programFile();
#endif
    struct ::stat program = {};
    return owner == 0 || owner == ::geteuid() ||
           (::stat(own.c_str(), &program) == 0 && owner == program.st_uid);
}

/// Why others could put code of theirs at a path; empty: they cannot.
std::string whyOpenToOthers(const fs::path& path)
{
    struct ::stat found = {};
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

} // namespace

std::string whyNotSafe(const fs::path& file)
{
    std::error_code problem;
    const fs::path real = fs::canonical(file, problem);
    if (problem)
        return file.string() + ": " + problem.message();
    for (const fs::path& path : {real, real.parent_path()}) {
        if (std::string why = whyOpenToOthers(path); !why.empty())
            return why;
    }
    // Whoever can rename a folder above can put another in its place.
    for (fs::path folder = real.parent_path().parent_path(); folder.has_relative_path();
         folder = folder.parent_path()) {
        struct ::stat found = {};
        if (::stat(folder.c_str(), &found) == 0 && (found.st_mode & S_IWOTH) != 0 &&
            (found.st_mode & S_ISVTX) == 0)
            return "others may write to " + folder.string();
    }
    return {};
}

void* loadModule(const fs::path& file, std::string& why)
{
    void* const module = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (module == nullptr) {
        const char* const text = ::dlerror();
        why = text == nullptr ? "no reason given" : text;
    }
    return module;
}

void* symbolOf(void* module, const char* name)
{
    return ::dlsym(module, name);
}

void* symbolOfAll(const char* name)
{
    return ::dlsym(RTLD_DEFAULT, name);
}

} // namespace pw::sys
