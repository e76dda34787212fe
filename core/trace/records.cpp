// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/trace/records.h"

#include <numeric>

namespace pw {

std::string_view name(MemoryUse use)
{
    constexpr std::array<std::string_view, memoryUseCount> names = {
        "weights",     "weight versions", "gradients", "optimizer",
        "activations", "held for W",      "messages",  "workspace"};
    return names[static_cast<std::size_t>(use)];
}

Bytes MemorySample::total() const
{
    return std::accumulate(bytes.begin(), bytes.end(), Bytes{0});
}

std::string_view name(LogLevel level)
{
    return level == LogLevel::Info ? "info" : "warning";
}

std::string_view name(RunStatus status)
{
    constexpr std::array<std::string_view, 5> names = {"running", "finished", "stopped", "failed",
                                                       "incomplete"};
    return names[static_cast<std::size_t>(status)];
}

} // namespace pw
