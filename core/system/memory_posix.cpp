// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/system/memory.h"

#include <cstdint>
#include <cstring>
#include <sys/mman.h>

namespace pw::sys {

void adviseLargePages(void* memory, std::size_t bytes)
{
#ifdef MADV_HUGEPAGE
    constexpr std::uintptr_t page = std::uintptr_t{2} << 20;
    const auto from = (reinterpret_cast<std::uintptr_t>(memory) + page - 1) / page * page;
    const auto to = (reinterpret_cast<std::uintptr_t>(memory) + bytes) / page * page;
    // Only whole pages, so that nobody else's memory is in them. A system without them says no.
    if (from < to)
        (void)::madvise(reinterpret_cast<void*>(from), to - from, MADV_HUGEPAGE);
#else
    (void)memory;
    (void)bytes;
#endif
}

bool hasBytes(std::string_view all, std::string_view part)
{
    return ::memmem(all.data(), all.size(), part.data(), part.size()) != nullptr;
}

} // namespace pw::sys
