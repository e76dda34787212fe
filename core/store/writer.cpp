// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/store/writer.h"

#include <array>
#include <chrono>
#include <fstream>
#include <sstream>
#include <unistd.h>

namespace pw {

namespace {

std::string firstLine(const std::string& path)
{
    std::ifstream file(path);
    std::string line;
    std::getline(file, line);
    return line;
}

/// When a process began, as the kernel counts; empty where there is no such process, or only what
/// is left of one whose end nobody has asked for.
std::string beginningOf(const std::string& process)
{
    const std::string line = firstLine("/proc/" + process + "/stat");
    // The name in brackets may hold anything; what follows its end is state, parent …
    const std::size_t name = line.rfind(')');
    if (name == std::string::npos)
        return {};
    std::istringstream fields(line.substr(name + 1));
    std::string field;
    constexpr int stateField = 3, beginningField = 22;
    for (int number = stateField; number <= beginningField && fields >> field; ++number) {
        if (number == stateField && (field == "Z" || field == "X"))
            return {};
    }
    return field;
}

/// Where process numbers mean the same: boot, process namespace, host.
std::string place()
{
    std::array<char, 256> host{};
    if (::gethostname(host.data(), host.size() - 1) != 0)
        host[0] = '\0';
    std::array<char, 64> space{};
    if (::readlink("/proc/self/ns/pid", space.data(), space.size() - 1) < 0)
        space[0] = '\0';
    return firstLine("/proc/sys/kernel/random/boot_id") + " " + space.data() + " " + host.data();
}

} // namespace

std::string thisWriter()
{
    return std::to_string(::getpid()) + " " + beginningOf("self") + " " + place();
}

bool writerLives(std::string_view writer, std::int64_t quietMs)
{
    std::istringstream words{std::string(writer)};
    std::string process, beginning, where;
    words >> process >> beginning;
    std::getline(words >> std::ws, where);
    constexpr std::int64_t longQuiet = 120'000;
    if (process.find_first_not_of("0123456789") != std::string::npos || where != place())
        return quietMs < longQuiet;
    return !beginning.empty() && beginningOf(process) == beginning;
}

std::int64_t wallClockMs()
{
    return std::chrono::duration_cast<std::chrono::milliseconds>(
               std::chrono::system_clock::now().time_since_epoch())
        .count();
}

} // namespace pw
