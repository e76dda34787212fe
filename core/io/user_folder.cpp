// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/user_folder.h"

#include <array>
#include <cstdlib>
#include <pwd.h>
#include <string_view>
#include <unistd.h>

namespace pw {

namespace {

/// A path that does not depend on the folder at hand, or nothing.
std::string absoluteVariable(const char* name)
{
    const char* const value = std::getenv(name);
    return value != nullptr && value[0] == '/' ? std::string(value) : std::string();
}

std::string homeFolder()
{
    if (std::string home = absoluteVariable("HOME"); !home.empty())
        return home;
    passwd entry = {};
    passwd* found = nullptr;
    std::array<char, 16384> texts{};
    if (::getpwuid_r(::getuid(), &entry, texts.data(), texts.size(), &found) != 0 ||
        found == nullptr || found->pw_dir == nullptr || found->pw_dir[0] != '/')
        return {};
    return found->pw_dir;
}

std::string userFolder(const char* variable, std::string_view inHome)
{
    if (std::string folder = absoluteVariable(variable); !folder.empty())
        return folder;
    const std::string home = homeFolder();
    return home.empty() ? home : home + std::string(inHome);
}

} // namespace

std::string userDataFolder()
{
    return userFolder("XDG_DATA_HOME", "/.local/share");
}

std::string userConfigFolder()
{
    return userFolder("XDG_CONFIG_HOME", "/.config");
}

} // namespace pw
