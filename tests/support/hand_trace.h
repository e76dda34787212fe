// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/trace/trace.h"

#include <algorithm>
#include <string>

namespace pw::test {

/// A trace made span by span. Times are µs.
class HandTrace
{
public:
    std::int32_t thread(int rank) { return track(rank, false, "thread"); }
    std::int32_t stream(int rank, int number, int device = 0)
    {
        return track(rank, true, "stream " + std::to_string(number), device);
    }

    /// What runs on a thread; by default a call that launches.
    std::int32_t call(std::int32_t track, const std::string& name, Ticks start, Ticks end,
                      ActivityKind kind = ActivityKind::Launch)
    {
        return add(track, name, start, end, -1, kind);
    }
    /// What runs on a device. @param launched  −1: nobody saw it
    std::int32_t kernel(std::int32_t track, const std::string& name, Ticks start, Ticks end,
                        Ticks launched = -1, ActivityKind kind = ActivityKind::Compute)
    {
        return add(track, name, start, end, launched < 0 ? -1 : start - launched, kind);
    }

    Trace trace;

private:
    std::int32_t track(int rank, bool device, const std::string& name, int number = -1)
    {
        while (static_cast<int>(trace.ranks.size()) <= rank)
            trace.ranks.push_back({static_cast<std::int32_t>(trace.ranks.size()), "", "", false});
        trace.tracks.push_back(
            {TraceRankId(rank), device ? "GPU" : "python", name, device, number});
        return static_cast<std::int32_t>(trace.tracks.size()) - 1;
    }

    std::int32_t add(std::int32_t track, const std::string& name, Ticks start, Ticks end,
                     Ticks queued, ActivityKind kind)
    {
        constexpr Ticks us = 1000;
        const auto known = std::find(trace.names.begin(), trace.names.end(), name);
        TraceSpan span;
        span.name = static_cast<std::int32_t>(known - trace.names.begin());
        if (known == trace.names.end())
            trace.names.push_back(name);
        span.start = start * us;
        span.end = end * us;
        span.track = track;
        span.rank = trace.tracks[static_cast<std::size_t>(track)].rank;
        span.activity = kind;
        span.trust =
            trace.tracks[static_cast<std::size_t>(track)].device ? Trust::Device : Trust::Host;
        span.queued = static_cast<std::int32_t>(queued < 0 ? -1 : queued * us);
        trace.spans.push_back(span);
        return static_cast<std::int32_t>(trace.spans.size()) - 1;
    }
};

} // namespace pw::test
