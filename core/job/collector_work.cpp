// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/job/collector_work.h"

#include "core/trace/collector_name.h"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>
#include <vector>

namespace pw {

namespace {

/// When a step is, by the clock of the trace.
struct StepStretch
{
    Ticks start = std::numeric_limits<Ticks>::max();
    Ticks end = 0;
};

/// From the first pass of a step to that of the next one, since saving is often behind the passes.
std::vector<StepStretch> windowsOf(const Job& job)
{
    std::vector<StepStretch> windows;
    for (const JobStep& step : job.steps) {
        StepStretch window;
        for (std::size_t r = 0; r < job.replicas.size(); ++r)
            if (step.iteration[r] >= 0)
                window.start = std::min(
                    window.start,
                    job.replicas[r]->iterations[static_cast<std::size_t>(step.iteration[r])].first);
        window.end = window.start + step.time;
        windows.push_back(window);
    }
    for (std::size_t i = 0; i + 1 < windows.size(); ++i)
        windows[i].end = std::max(windows[i].end, windows[i + 1].start);
    return windows;
}

bool isSlow(const JobStep& step, const CurveFinding& found)
{
    if (step.number < found.from || step.number > found.to)
        return false;
    return found.event != CurveEvent::Recurring || found.every <= 0 ||
           (step.number - found.from) % found.every == 0;
}

} // namespace

std::optional<CollectorWork> collectorWork(const Trace& trace, const Job& job,
                                           const CurveFinding& found)
{
    std::vector<bool> named;
    for (const std::string& name : trace.names)
        named.push_back(namesCollector(name));
    if (std::none_of(named.begin(), named.end(), [](bool one) { return one; }))
        return std::nullopt;
    const std::vector<StepStretch> windows = windowsOf(job);
    std::map<std::pair<std::int32_t, TraceRankId>, Ticks> slow, usual; // by name and rank
    std::int64_t slowSteps = 0, usualSteps = 0;
    for (const JobStep& step : job.steps)
        ++(isSlow(step, found) ? slowSteps : usualSteps);
    for (const TraceSpan& span : trace.spans) {
        if (!named[static_cast<std::size_t>(span.name)] ||
            trace.tracks[static_cast<std::size_t>(span.track)].device)
            continue;
        const auto behind =
            std::upper_bound(windows.begin(), windows.end(), span.start,
                             [](Ticks time, const StepStretch& one) { return time < one.start; });
        if (behind == windows.begin() || span.start >= std::prev(behind)->end)
            continue;
        const JobStep& step = job.steps[static_cast<std::size_t>(behind - windows.begin()) - 1];
        (isSlow(step, found) ? slow : usual)[{span.name, span.rank}] += span.end - span.start;
    }
    std::optional<CollectorWork> most;
    for (const auto& [key, time] : slow) {
        const auto elsewhere = usual.find(key);
        const Ticks often =
            elsewhere == usual.end() || usualSteps == 0 ? 0 : elsewhere->second / usualSteps;
        const Ticks more = time / std::max<std::int64_t>(slowSteps, 1) - often;
        if (!most || more > most->time)
            most = CollectorWork{trace.names[static_cast<std::size_t>(key.first)], more};
    }
    const double excess = (found.value - found.usual) * static_cast<double>(ticksPerMs);
    if (!most || static_cast<double>(most->time) * 2 < excess)
        return std::nullopt;
    return most;
}

} // namespace pw
