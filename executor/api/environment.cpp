// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/api/environment.h"

#include "core/system/machine.h"

namespace pw::exec {

RunEnvironment environmentHere(std::string_view backend, std::string_view transport)
{
    RunEnvironment environment;
    environment.host = sys::hostName();
    environment.backend = backend;
    environment.transport = transport;
    environment.driver = sys::systemName();
#if defined(__clang__)
    environment.build = "Pipewright " PW_VERSION ", clang " __clang_version__;
#else
    environment.build = "Pipewright " PW_VERSION ", g++ " __VERSION__;
#endif
    return environment;
}

} // namespace pw::exec
