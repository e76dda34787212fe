// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/store/store_path.h"

#include "core/io/user_folder.h"
#include "core/system/process.h"

namespace pw {

std::string defaultStorePath()
{
    if (std::optional<std::string> store = sys::variable("PIPEWRIGHT_STORE");
        store && !store->empty())
        return *store;
    const std::string data = userDataFolder();
    return data.empty() ? data : data + "/pipewright/runs.sqlite";
}

} // namespace pw
