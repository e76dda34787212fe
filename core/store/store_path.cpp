// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/store/store_path.h"

#include "core/io/user_folder.h"

#include <cstdlib>

namespace pw {

std::string defaultStorePath()
{
    if (const char* store = std::getenv("PIPEWRIGHT_STORE"); store != nullptr && *store != '\0')
        return store;
    const std::string data = userDataFolder();
    return data.empty() ? data : data + "/pipewright/runs.sqlite";
}

} // namespace pw
