// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/system/end_unseen.h"
#include "core/system/files.h"
#include "core/system/machine.h"
#include "core/system/process.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <execinfo.h>
#include <fstream>
#include <limits>
#include <pwd.h>
#include <sstream>
#include <sys/resource.h>
#include <unistd.h>

#ifdef __APPLE__
#include <mach-o/dyld.h>
#endif

namespace pw::sys {

namespace {

/// A user's own folder, below his home.
std::filesystem::path inHome(const char* folder)
{
    const char* const home = std::getenv("HOME");
    if (home != nullptr && home[0] == '/')
        return std::filesystem::path(home) / folder;
    ::passwd entry = {};
    ::passwd* found = nullptr;
    std::array<char, 16384> texts{};
    if (::getpwuid_r(::getuid(), &entry, texts.data(), texts.size(), &found) != 0 ||
        found == nullptr || found->pw_dir == nullptr || found->pw_dir[0] != '/')
        return {};
    return std::filesystem::path(found->pw_dir) / folder;
}

#ifdef __linux__
std::string firstLine(const std::string& path)
{
    std::ifstream file(path);
    std::string line;
    std::getline(file, line);
    return line;
}
#endif

} // namespace

std::int64_t processNumber()
{
    return ::getpid();
}

#ifdef __linux__

std::string beginningOf(std::int64_t process)
{
    const std::string line = firstLine("/proc/" + std::to_string(process) + "/stat");
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

std::string processPlace()
{
    std::array<char, 64> space{};
    if (::readlink("/proc/self/ns/pid", space.data(), space.size() - 1) < 0)
        space[0] = '\0';
    return firstLine("/proc/sys/kernel/random/boot_id") + " " + space.data() + " " + hostName();
}

std::string clockPlace()
{
    const std::string start = firstLine("/proc/sys/kernel/random/boot_id");
    std::error_code unknown;
    const std::string space = std::filesystem::read_symlink("/proc/self/ns/time", unknown).string();
    return start.empty() ? start : start + " " + space;
}

std::filesystem::path programFile()
{
    std::error_code unreadable;
    const std::filesystem::path own = std::filesystem::read_symlink("/proc/self/exe", unreadable);
    return unreadable ? std::filesystem::path() : own;
}

std::int64_t addressesLeft()
{
    ::rlimit limit = {};
    if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return std::numeric_limits<std::int64_t>::max();
    std::int64_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    return static_cast<std::int64_t>(limit.rlim_cur) - pages * ::sysconf(_SC_PAGESIZE);
}

#else

std::string beginningOf(std::int64_t process)
{
    return ::kill(static_cast<::pid_t>(process), 0) == 0 || errno == EPERM ? "there" : "";
}

std::string processPlace()
{
    return hostName();
}

std::string clockPlace()
{
    return {};
}

std::filesystem::path programFile()
{
#ifdef __APPLE__
    std::array<char, 4096> path{};
    std::uint32_t size = path.size();
    std::error_code unreadable;
    if (::_NSGetExecutablePath(path.data(), &size) == 0)
        return std::filesystem::canonical(path.data(), unreadable);
#endif
    return {};
}

std::int64_t addressesLeft()
{
    return std::numeric_limits<std::int64_t>::max(); // what is mapped already is not told
}

#endif

std::filesystem::path dataFolder()
{
    return inHome(".local/share");
}

std::filesystem::path settingsFolder()
{
    return inHome(".config");
}

std::optional<std::string> variable(const char* name)
{
    const char* const value = std::getenv(name);
    return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

std::vector<std::string> programWords(int argc, char** argv)
{
    return {argv + (argc > 0 ? 1 : 0), argv + argc};
}

void beginProgram()
{
    failPastLargestFile();
    // The C library looks up what unwinds its frames when it first needs it, which takes memory.
    void* frame = nullptr;
    (void)::backtrace(&frame, 1);
}

void sayWithoutMemory(std::string_view text)
{
    (void)!::write(STDERR_FILENO, text.data(), text.size());
}

void endProcess(int status)
{
    ::_exit(status);
}

void atEnd(void (*last)(int status), int otherwise)
{
#ifdef __linux__
    (void)otherwise;
    ::on_exit([](int status, void* function) { reinterpret_cast<void (*)(int)>(function)(status); },
              reinterpret_cast<void*>(last));
#else
    atEndUnseen(last, otherwise);
#endif
}

void killProcess()
{
    ::kill(::getpid(), SIGKILL);
}

} // namespace pw::sys
