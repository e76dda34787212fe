// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors

// Starts a program that was unpacked somewhere, on any x86-64 Linux: with the system's own C
// library where that is as new as it has to be, else with the one that is beside it. It needs no
// library itself, and no shell.
//
//   FOLDER/bin/NAME        this
//   FOLDER/libexec/NAME    the program
//   FOLDER/lib             its libraries; in lib/glibc a C library with its loader, and in its file
//                          "needed" the version from which on the system's is taken
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace {

constexpr const char* systemLoader = "/lib64/ld-linux-x86-64.so.2";
constexpr const char* loaderName = "/ld-linux-x86-64.so.2";

std::string contentOf(const std::string& path)
{
    std::string content;
    std::FILE* file = std::fopen(path.c_str(), "rb");
    if (file == nullptr)
        return content;
    char part[65536];
    while (const std::size_t got = std::fread(part, 1, sizeof part, file))
        content.append(part, got);
    std::fclose(file);
    return content;
}

/// Of the version that a text begins with, "2.36": 2036. 0: none.
int versionAt(const char* text)
{
    constexpr int each = 1000;
    int major = 0, minor = 0;
    return std::sscanf(text, "%d.%d", &major, &minor) == 2 ? each * major + minor : 0;
}

/// The version of the C library that a loader is of. Those before 2.33 do not say it. 0: not known.
int versionOfLoader(const std::string& path)
{
    constexpr const char* said = " stable release version ";
    const std::string content = contentOf(path);
    const std::size_t at = content.find(said);
    return at == std::string::npos ? 0 : versionAt(content.c_str() + at + std::strlen(said));
}

bool isThere(const std::string& path)
{
    struct ::stat found
    {
    };
    return ::stat(path.c_str(), &found) == 0;
}

/// Says where something is, if the system has it nowhere.
void lend(const char* variable, const char* ofSystem, const std::string& own)
{
    if (std::getenv(variable) == nullptr && !isThere(ofSystem) && isThere(own))
        ::setenv(variable, own.c_str(), 1);
}

} // namespace

int main(int, char** argv)
{
    char place[PATH_MAX] = {};
    if (::readlink("/proc/self/exe", place, sizeof place - 1) <= 0) {
        std::fputs("pipewright: /proc is not there, so it is not known where the program is\n",
                   stderr);
        return 1;
    }
    const std::string self = place;
    const std::size_t slash = self.rfind('/');
    const std::string name = self.substr(slash + 1);
    const std::string folder = self.substr(0, self.rfind('/', slash - 1));
    const std::string program = folder + "/libexec/" + name;
    std::string libraries = folder + "/lib";
    std::string loader = systemLoader;
    const std::string own = libraries + "/glibc";
    if (versionOfLoader(loader) < versionAt(contentOf(own + "/needed").c_str())) {
        loader = own + loaderName;
        libraries = own + ":" + libraries;
    }
    ::setenv("PIPEWRIGHT_PROGRAM", self.c_str(), 1);
    lend("FONTCONFIG_FILE", "/etc/fonts/fonts.conf", folder + "/share/fonts/fonts.conf");
    lend("XKB_CONFIG_ROOT", "/usr/share/X11/xkb", folder + "/share/xkb");
    std::string words[] = {loader, "--argv0", argv[0], "--library-path", libraries, program};
    std::vector<char*> all;
    for (std::string& word : words)
        all.push_back(word.data());
    for (char** one = argv + 1; *one != nullptr; ++one)
        all.push_back(*one);
    all.push_back(nullptr);
    ::execv(loader.c_str(), all.data());
    std::perror(loader.c_str());
    return 1;
}
