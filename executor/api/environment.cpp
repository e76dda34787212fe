// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/api/environment.h"

#include "core/base/trim.h"

#include <fstream>
#include <string>
#include <sys/utsname.h>
#include <unistd.h>

namespace pw::exec {

namespace {

/// What stands after the separator in the first line of a file that begins with a key.
std::string lineOf(const char* file, std::string_view key, char separator)
{
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) {
        if (line.compare(0, key.size(), key) != 0)
            continue;
        const std::size_t from = line.find(separator);
        if (from == std::string::npos)
            return {};
        return std::string(trimmed(std::string_view(line).substr(from + 1), " \t\""));
    }
    return {};
}

} // namespace

std::string systemName()
{
    std::string text = lineOf("/etc/os-release", "PRETTY_NAME", '=');
    utsname system{};
    if (uname(&system) == 0)
        text += (text.empty() ? "" : ", ") + std::string(system.sysname) + " " + system.release;
    return text;
}

std::string processorName()
{
    return lineOf("/proc/cpuinfo", "model name", ':');
}

RunEnvironment environmentHere(std::string_view backend, std::string_view transport)
{
    RunEnvironment environment;
    char host[256] = {};
    if (gethostname(host, sizeof(host) - 1) == 0)
        environment.host = host;
    environment.backend = backend;
    environment.transport = transport;
    environment.driver = systemName();
#if defined(__clang__)
    environment.build = "Pipewright " PW_VERSION ", clang " __clang_version__;
#else
    environment.build = "Pipewright " PW_VERSION ", g++ " __VERSION__;
#endif
    return environment;
}

} // namespace pw::exec
