// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/sqlite/question_memory.h"

#include <sqlite3.h>

#include <cstdint>
#include <mutex>

namespace pw {

namespace {

void countQuestions(int change)
{
    static std::mutex mutex;
    static int databases = 0;
    const std::lock_guard lock(mutex);
    const bool none = databases == 0;
    databases += change;
    // Names that stand for names twice double what has to be kept in mind, and no limit counts
    // that.
    constexpr std::int64_t mostMemory = std::int64_t{256} << 20;
    if (none)
        sqlite3_hard_heap_limit64(sqlite3_memory_used() + mostMemory);
    else if (databases == 0)
        sqlite3_hard_heap_limit64(0);
}

} // namespace

QuestionMemory::QuestionMemory()
{
    countQuestions(1);
}

QuestionMemory::~QuestionMemory()
{
    countQuestions(-1);
}

} // namespace pw
