// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/trace/fit.h"

#include "core/sim/dependencies.h"

#include <algorithm>
#include <filesystem>

namespace pw {

namespace {

/// Times from the end of a pass to the start of one that waited for it, and for nothing later, on
/// another device.
std::vector<Ticks> waitedMessages(const RecoveredPipeline& pipeline)
{
    const Schedule& schedule = *pipeline.schedule;
    const SimResult& measured = pipeline.measured;
    const Dependencies rules(schedule);
    std::vector<Dependency> needs;
    std::vector<Ticks> times;
    for (int device = 0; device < schedule.devices(); ++device) {
        Ticks free = 0; // when the device's pass before has ended
        for (std::int32_t i = schedule.begin(device); i < schedule.end(device); ++i) {
            const Schedule::Places& entry = schedule.places()[static_cast<std::size_t>(i)];
            const Ticks start = measured.start[static_cast<std::size_t>(i)];
            needs.clear();
            for (const PassId id : {entry.first, entry.second})
                if (id.valid() && schedule.kind(id) != PassKind::U)
                    rules.append(id, needs);
            Ticks ready = free, sent = -1;
            for (const Dependency& need : needs) {
                const auto producer = static_cast<std::size_t>(schedule.entryOf(need.producer));
                ready = std::max(ready, measured.end[producer]);
                sent = need.message ? std::max(sent, measured.end[producer]) : sent;
            }
            if (sent == ready && sent > free && start >= sent)
                times.push_back(start - sent);
            free = measured.end[static_cast<std::size_t>(i)];
        }
    }
    return times;
}

} // namespace

Result<FittedCosts> fitTrace(const Trace& trace, const RecoveredPipeline& pipeline)
{
    if (!pipeline.schedule)
        return fail(ErrorCode::BadValue,
                    "no costs can be fitted: the order of the passes could not be recovered; " +
                        whyNoOrder(pipeline));
    const PipelineSpec& spec = pipeline.schedule->spec();
    FittedCosts fitted;
    CostsFile& file = fitted.file;
    file.title = "fitted to " + std::filesystem::path(trace.files.front()).filename().string();
    file.backend = "trace";
    file.hardware = trace.origin;
    file.devices = spec.devices;
    file.stages = spec.stages();
    file.segmentLengths = spec.segmentLengths;
    file.passes = pipeline.times;
    const Spread messages = spreadOf(waitedMessages(pipeline));
    if (messages.count > 0)
        file.messages.push_back({0, messages});
    file.link.latency = messages.mean;
    const Result<Costs> costs = costsOf(file, spec);
    if (!costs)
        return fail(costs.error());
    const Result<SimResult> result = simulate(*pipeline.schedule, *costs);
    if (!result)
        return fail(result.error());
    fitted.measured = pipeline.measured.makespan;
    fitted.predicted = result->makespan;
    return fitted;
}

} // namespace pw
