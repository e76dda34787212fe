// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/trace/records.h"

#include <algorithm>
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

std::string devicesText(const std::vector<RunDevice>& devices)
{
    struct Kind
    {
        std::string name;
        bool part;
        int count;
    };
    std::vector<Kind> kinds;
    for (const RunDevice& device : devices) {
        const std::size_t end = device.name.find(", part "); // as the executor of GPUs names them
        const Kind one{device.name.substr(0, end), end != std::string::npos, 1};
        const auto same = std::find_if(kinds.begin(), kinds.end(), [&](const Kind& kind) {
            return kind.name == one.name && kind.part == one.part;
        });
        if (same == kinds.end())
            kinds.push_back(one);
        else
            ++same->count;
    }
    std::string text;
    for (const Kind& kind : kinds)
        text += (text.empty() ? "" : ", ") + std::to_string(kind.count) +
                (kind.part ? " parts of " : " × ") + kind.name;
    return text;
}

std::string_view name(RunStatus status)
{
    constexpr std::array<std::string_view, 5> names = {"running", "finished", "stopped", "failed",
                                                       "incomplete"};
    return names[static_cast<std::size_t>(status)];
}

} // namespace pw
