// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/gpu_stand_in/nccl_words.h"

#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string_view>
#include <unistd.h>

namespace pw::gpu {

namespace {

std::string hostName()
{
    char name[256] = {};
    gethostname(name, sizeof(name) - 1);
    return name;
}

std::string fileNamed(std::string_view pattern)
{
    std::string path;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        if (pattern[i] != '%' || i + 1 == pattern.size()) {
            path += pattern[i];
            continue;
        }
        const char which = pattern[++i];
        path += which == 'h'   ? hostName()
                : which == 'p' ? std::to_string(getpid())
                               : std::string{'%', which};
    }
    return path;
}

/// What was there before is gone, as with NCCL.
std::FILE* openSaid()
{
    const char* const pattern = std::getenv("NCCL_DEBUG_FILE");
    std::FILE* file = nullptr;
    if (pattern != nullptr && *pattern != '\0')
        file = std::fopen(fileNamed(pattern).c_str(), "w");
    if (file == nullptr)
        return stdout;
    std::setvbuf(file, nullptr, _IOLBF, 0);
    return file;
}

} // namespace

void ncclSays(const std::string& level, int device, const std::string& text)
{
    const char* const wanted = std::getenv("NCCL_DEBUG");
    if (wanted == nullptr || (std::string_view(wanted) == "WARN" && level != "WARN"))
        return;
    static std::mutex guard;
    const std::lock_guard lock(guard);
    static std::FILE* const file = openSaid();
    // NCCL leaves a line free before a warning.
    std::fprintf(file, "%s%s:%d:%d [%d] NCCL %s %s\n", level == "WARN" ? "\n" : "",
                 hostName().c_str(), static_cast<int>(getpid()), static_cast<int>(getpid()), device,
                 level.c_str(), text.c_str());
}

} // namespace pw::gpu
