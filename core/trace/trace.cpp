// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/trace/trace.h"

#include <algorithm>
#include <array>
#include <utility>

namespace pw {

std::string_view name(Trust trust)
{
    constexpr std::array<std::string_view, trustCount> names = {
        "measured on the device", "host clock", "by containment", "counted", "guessed"};
    return names[static_cast<std::size_t>(trust)];
}

std::string_view name(ActivityKind kind)
{
    constexpr std::array<std::string_view, activityKindCount> names = {
        "other",  "compute", "communication", "memory", "operator",
        "launch", "wait",    "annotation",    "script"};
    return names[static_cast<std::size_t>(kind)];
}

std::string_view name(CounterKind kind)
{
    constexpr std::array<std::string_view, 3> names = {"other", "memory", "part"};
    return names[static_cast<std::size_t>(kind)];
}

void TraceRepairs::add(TraceRepair repair)
{
    ++count;
    if (list.size() < listed)
        list.push_back(std::move(repair));
}

const CollectiveCall* Trace::callOf(std::int32_t span) const
{
    const auto found = std::lower_bound(
        calls.begin(), calls.end(), span,
        [](const CollectiveCall& call, std::int32_t wanted) { return call.span < wanted; });
    return found == calls.end() || found->span != span ? nullptr : &*found;
}

} // namespace pw
