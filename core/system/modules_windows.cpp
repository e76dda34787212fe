// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/system/modules.h"

namespace pw::sys {

// Who may write to a file there is more than owner, group and the rest; no module is built for
// Windows, so that none is asked for.

std::string whyNotSafe(const std::filesystem::path&)
{
    return "modules are not loaded on Windows";
}

void* loadModule(const std::filesystem::path&, std::string& why)
{
    why = "modules are not loaded on Windows";
    return nullptr;
}

void* symbolOf(void*, const char*)
{
    return nullptr;
}

void* symbolOfAll(const char*)
{
    return nullptr;
}

} // namespace pw::sys
