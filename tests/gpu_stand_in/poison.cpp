// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/gpu_stand_in/poison.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

namespace pw::gpu {

namespace {

constexpr int poison = 0xFF; ///< of floats: not a number
constexpr std::size_t page = 4096;
constexpr std::size_t pieceBytes = 2 << 20;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || defined(__has_feature)
constexpr bool watched = true;
#else
constexpr bool watched = false;
#endif

/// A file of poison in memory.
int poisonFile()
{
    static const int file = [] {
        const std::vector<unsigned char> bytes(pieceBytes, static_cast<unsigned char>(poison));
        const int made = ::memfd_create("poison", 0);
        if (made < 0 ||
            ::write(made, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size()))
            std::abort();
        return made;
    }();
    return file;
}

std::size_t wholePages(std::size_t bytes)
{
    return (bytes + page - 1) / page * page;
}

bool isLarge(std::size_t bytes)
{
    return !watched && bytes >= pieceBytes;
}

/// Of what is given back, by size; not where a sanitizer watches.
std::map<std::size_t, std::vector<void*>>& freeBlocks()
{
    static auto* const blocks = new std::map<std::size_t, std::vector<void*>>;
    return *blocks;
}

} // namespace

void* takePoisoned(std::size_t bytes)
{
    constexpr std::size_t alignment = 512;
    void* memory = nullptr;
    if (isLarge(bytes)) {
        // Pages that nobody writes take no memory and no time.
        const std::size_t whole = wholePages(bytes);
        memory =
            ::mmap(nullptr, whole, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (memory == MAP_FAILED)
            return nullptr;
        for (std::size_t at = 0; at < whole; at += pieceBytes) {
            if (::mmap(static_cast<std::byte*>(memory) + at, std::min(pieceBytes, whole - at),
                       PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE,
                       poisonFile(), 0) == MAP_FAILED)
                std::abort();
        }
        return memory;
    }
    if (std::vector<void*>& free = freeBlocks()[bytes]; !free.empty()) {
        memory = free.back();
        free.pop_back();
        return memory;
    }
    // No more than was asked for: what watches memory sees the first byte beyond.
    if (::posix_memalign(&memory, alignment, std::max<std::size_t>(bytes, 1)) != 0)
        return nullptr;
    return std::memset(memory, poison, bytes);
}

void giveBackPoisoned(void* memory, std::size_t bytes)
{
    if (isLarge(bytes)) {
        ::munmap(memory, wholePages(bytes));
        return;
    }
    std::memset(memory, poison, bytes);
    if (watched)
        std::free(memory);
    else
        freeBlocks()[bytes].push_back(memory); // its pages are there
}

} // namespace pw::gpu
