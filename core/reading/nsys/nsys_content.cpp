// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/nsys/nsys_content.h"

#include "core/base/text.h"
#include "core/base/try.h"
#include "core/reading/events/event_counters.h"

#include <algorithm>

namespace pw::nsys {

Content::Content(Trace& theTrace, TraceNames& theNames)
    : trace(theTrace)
    , names(theNames)
{
    file.firstSpan = trace.spans.size();
    file.origin = "Nsight Systems";
}

std::int32_t Content::processOf(std::int64_t id)
{
    const auto [found, made] =
        processOfId.try_emplace(id, static_cast<std::int32_t>(processes.size()));
    if (made)
        processes.push_back({id, {}});
    return found->second;
}

std::int32_t Content::findThread(std::int64_t globalThread)
{
    const auto [found, made] =
        threadOfId.try_emplace(globalThread, static_cast<std::int32_t>(threads.size()));
    if (made) {
        Thread thread;
        thread.id = globalThread;
        thread.process = processOf(globalThread >> threadBits);
        threads.push_back(std::move(thread));
    }
    lastThread = *found;
    return found->second;
}

std::int32_t Content::deviceOf(std::int32_t process, std::int64_t number)
{
    const auto [found, made] = deviceOfNumber.emplace(std::pair(process, number),
                                                      static_cast<std::int32_t>(devices.size()));
    if (made) {
        Device device;
        device.process = process;
        device.number = number;
        devices.push_back(std::move(device));
    }
    return found->second;
}

std::int32_t Content::newTrack()
{
    trace.tracks.emplace_back();
    return static_cast<std::int32_t>(trace.tracks.size()) - 1;
}

namespace {

/// Whose device a GPU of the machine is; none: nothing ran on it.
ProcessId ownerOfGpu(const Content& content, std::int64_t gpu)
{
    for (const Device& device : content.devices)
        if (content.file.processes[device.owner.index()].device == gpu || device.number == gpu)
            return device.owner;
    return content.devices.size() == 1 ? content.devices.front().owner : ProcessId::none();
}

} // namespace

Result<void> readMetrics(NsysTables& tables, Content& content)
{
    constexpr const char* samples = "GPU_METRICS";
    constexpr std::int64_t gpuMask = 0xFF;
    using Key = std::pair<std::int64_t, std::int64_t>; // type, metric
    std::map<Key, std::string> names;
    PW_DO(tables.each(
        "TARGET_INFO_GPU_METRICS", {{"typeId"}, {"metricId"}, {"metricName"}},
        [&](const RowValues& row) -> Result<void> {
            names[{row.whole(0), row.whole(1)}] = cleanText(row.view(2).substr(0, longestName));
            return {};
        }));
    std::map<Key, TraceCounter> counters;
    std::int64_t taken = 0, leftOut = 0;
    PW_DO(tables.each(samples, {{"timestamp"}, {"typeId"}, {"metricId"}, {"value"}},
                      [&](const RowValues& row) -> Result<void> {
                          const Key key{row.whole(1), row.whole(2)};
                          constexpr Ticks furthest = latestTime / 4;
                          const Ticks time = row.whole(0);
                          const ProcessId owner = ownerOfGpu(content, key.first & gpuMask);
                          if (!row.isWhole(0) || time < -furthest || time > furthest ||
                              !owner.valid() || taken >= EventCounters::mostSamples) {
                              ++leftOut;
                              return {};
                          }
                          ++taken;
                          TraceCounter& counter = counters[key];
                          if (counter.samples.empty()) {
                              const auto name = names.find(key);
                              counter.rank = rankAsYet(owner);
                              counter.device = true;
                              counter.name = name == names.end()
                                                 ? "metric " + std::to_string(key.second)
                                                 : name->second;
                              counter.kind = counter.name.find('%') == std::string::npos
                                                 ? CounterKind::Other
                                                 : CounterKind::Part;
                          }
                          constexpr double percent = 0.01;
                          const auto value = static_cast<double>(row.whole(3));
                          counter.samples.push_back(
                              {time, counter.kind == CounterKind::Part ? value * percent : value});
                          return {};
                      }));
    if (leftOut > 0)
        content.trace.warnings.push_back(
            content.trace.files.back() + ": " + groupedNumber(leftOut) +
            " values of GPU_METRICS have no time, are of a GPU that nothing ran on, or are beyond "
            "the " +
            groupedNumber(EventCounters::mostSamples) + " that are read; left out");
    for (auto& [key, counter] : counters) {
        std::stable_sort(
            counter.samples.begin(), counter.samples.end(),
            [](const CounterSample& a, const CounterSample& b) { return a.time < b.time; });
        content.file.counters.push_back(std::move(counter));
    }
    return {};
}

} // namespace pw::nsys
