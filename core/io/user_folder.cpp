// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/user_folder.h"

#include "core/system/process.h"

#include <filesystem>
#include <optional>

namespace pw {

namespace {

/// A path that does not depend on the folder at hand, or else the system's.
std::string userFolder(const char* variable, std::filesystem::path (*usual)())
{
    const std::optional<std::string> value = sys::variable(variable);
    if (value && std::filesystem::path(*value).is_absolute())
        return *value;
    return usual().string();
}

} // namespace

std::string userDataFolder()
{
    return userFolder("XDG_DATA_HOME", sys::dataFolder);
}

std::string userConfigFolder()
{
    return userFolder("XDG_CONFIG_HOME", sys::settingsFolder);
}

} // namespace pw
