// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/store/store_path.h"

#include <cstdlib>

namespace pw {

namespace {

std::string variable(const char* name)
{
    const char* value = std::getenv(name);
    return value == nullptr ? std::string() : std::string(value);
}

} // namespace

std::string defaultStorePath()
{
    if (const std::string store = variable("PIPEWRIGHT_STORE"); !store.empty())
        return store;
    if (const std::string data = variable("XDG_DATA_HOME"); !data.empty())
        return data + "/pipewright/runs.sqlite";
    if (const std::string home = variable("HOME"); !home.empty())
        return home + "/.local/share/pipewright/runs.sqlite";
    return "runs.sqlite";
}

} // namespace pw
