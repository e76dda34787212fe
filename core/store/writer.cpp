// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/store/writer.h"

#include "core/io/file_problem.h"
#include "core/system/process.h"

#include <chrono>
#include <optional>
#include <sstream>

namespace pw {

std::string thisWriter()
{
    const std::int64_t process = sys::processNumber();
    return std::to_string(process) + " " + sys::beginningOf(process) + " " + sys::processPlace();
}

bool writerLives(std::string_view writer, std::int64_t quietMs)
{
    std::istringstream words{std::string(writer)};
    std::string process, beginning, where;
    words >> process >> beginning;
    std::getline(words >> std::ws, where);
    constexpr std::int64_t longQuiet = 120'000;
    const std::optional<std::int64_t> number = parseNumber(process);
    if (!number || where != sys::processPlace())
        return quietMs < longQuiet;
    return !beginning.empty() && sys::beginningOf(*number) == beginning;
}

std::int64_t wallClockMs()
{
    return std::chrono::duration_cast<std::chrono::milliseconds>(
               std::chrono::system_clock::now().time_since_epoch())
        .count();
}

} // namespace pw
