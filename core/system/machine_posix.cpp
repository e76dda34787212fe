// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/system/machine.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <string_view>
#include <sys/utsname.h>
#include <unistd.h>

namespace pw::sys {

namespace {

/// What stands after the separator in the first line of a file that begins with a key.
std::string lineOf(const char* file, std::string_view key, char separator)
{
    constexpr std::string_view around = " \t\"";
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) {
        if (line.compare(0, key.size(), key) != 0)
            continue;
        const std::size_t at = line.find(separator);
        if (at == std::string::npos)
            return {};
        const std::size_t from = line.find_first_not_of(around, at + 1);
        return from == std::string::npos
                   ? std::string()
                   : line.substr(from, line.find_last_not_of(around) + 1 - from);
    }
    return {};
}

} // namespace

std::string hostName()
{
    std::array<char, 256> host{};
    return ::gethostname(host.data(), host.size() - 1) == 0 ? host.data() : std::string();
}

std::string systemName()
{
    std::string text = lineOf("/etc/os-release", "PRETTY_NAME", '=');
    ::utsname system{};
    if (::uname(&system) == 0)
        text += (text.empty() ? "" : ", ") + std::string(system.sysname) + " " + system.release;
    return text;
}

std::string processorName()
{
    return lineOf("/proc/cpuinfo", "model name", ':');
}

std::int64_t memoryBytes()
{
    const long pages = ::sysconf(_SC_PHYS_PAGES), bytes = ::sysconf(_SC_PAGESIZE);
    return pages > 0 && bytes > 0 ? std::int64_t{pages} * bytes : 0;
}

int coresOn()
{
    return static_cast<int>(std::max(1L, ::sysconf(_SC_NPROCESSORS_ONLN)));
}

double load()
{
    double average = 0;
    return ::getloadavg(&average, 1) == 1 ? average : 0;
}

} // namespace pw::sys
