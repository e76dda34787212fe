// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/support/recorded_run.h"

#include "core/io/project_file.h"
#include "core/lower/program.h"
#include "core/sim/memory.h"
#include "core/sim/metrics.h"
#include "core/sim/simulator.h"

#include <algorithm>
#include <cstdlib>
#include <map>

namespace pw::test {

namespace {

/// The costs with the length of every single pass of one iteration.
Costs lengthened(const Schedule& schedule, Costs costs, int iteration, const PassLength& length)
{
    if (!length)
        return costs;
    costs.single.clear();
    for (const EntryId e : schedule.entries()) {
        const OrderEntry entry = schedule.entry(e);
        const Ticks time = length(iteration, entry, entryTime(costs, schedule.spec(), entry));
        costs.single.push_back({entry.pass, time});
        if (entry.paired)
            costs.single.push_back({entry.partner, 0});
    }
    std::sort(costs.single.begin(), costs.single.end(),
              [](const PassTime& a, const PassTime& b) { return a.pass < b.pass; });
    return costs;
}

template<typename T>
T orStop(Result<T> result)
{
    if (!result) {
        std::fprintf(stderr, "recorded run: %s\n", result.error().message.c_str());
        std::abort();
    }
    return std::move(*result);
}

} // namespace

RunBatch recordedRun(const Schedule& schedule, const Costs& costs, int warmup, int iterations,
                     const PassLength& length)
{
    const Program program = orStop(lower(schedule));
    RunBatch batch;
    Ticks base = 1000;
    for (int iteration = -warmup; iteration < iterations; ++iteration) {
        const Costs taken = lengthened(schedule, costs, iteration, length);
        const SimResult result = orStop(simulate(schedule, taken));
        for (const DeviceId device : Ids<DeviceId>(schedule.devices())) {
            for (const EntryId e : schedule.entries(device)) {
                const auto at = static_cast<std::size_t>(e);
                const OrderEntry entry = schedule.entry(e);
                const RecordedPass record{
                    iteration,  rankOf(device),          e,
                    entry.pass, base + result.start[at], base + result.end[at]};
                batch.passes.push_back(record);
                if (entry.paired) {
                    batch.passes.push_back(record);
                    batch.passes.back().pass = entry.partner;
                }
            }
            for (const MemoryPoint& point : memoryCurve(schedule, taken, result, device)) {
                MemorySample sample{iteration, rankOf(device), base + point.time, {}};
                std::copy(point.bytes.begin(), point.bytes.end(), sample.bytes.begin());
                batch.memory.push_back(sample);
            }
        }
        for (std::size_t i = 0; i < program.messages.size(); ++i) {
            const Message& message = program.messages[i];
            const PassId producer = schedule.table().id(message.producer);
            const Ticks sent =
                base + result.end[static_cast<std::size_t>(schedule.entryOf(producer))];
            const Bytes bytes =
                messageBytes(taken, schedule.spec(), message.producer, message.consumer.kind);
            batch.messages.push_back(
                {iteration, static_cast<std::int32_t>(i), message.from, message.to,
                 message.producer, bytes, sent, sent,
                 sent + nominalMessageTime(taken, schedule.spec(), deviceOf(message.from),
                                           deviceOf(message.to), bytes)});
        }
        for (int step = 0; step < schedule.spec().steps; ++step) {
            const int number = (iteration + warmup) * schedule.spec().steps + step;
            batch.losses.push_back({number, 4.0 / (1 + number)});
        }
        base += result.makespan + 500;
    }
    batch.logs.push_back(
        {0, RankId::none(), LogLevel::Info, "backend: emulated, since no GPU is here"});
    return batch;
}

NewRun newRun(const Schedule& schedule, const Costs& costs, const char* title, const char* family)
{
    Project project;
    project.title = title;
    project.draft = {schedule.spec(), schedule.orders()};
    setTables(project, costs);
    NewRun run;
    run.title = title;
    run.family = family;
    run.project = orStop(writeProject(project));
    run.settings = "{\"seed\": \"1\"}";
    run.ranks = schedule.devices();
    run.environment = {"a-host", "emulated", "in-process", "none", "Pipewright 0.1.0, g++ 12", {}};
    for (int rank = 0; rank < run.ranks; ++rank)
        run.environment.devices.push_back({"emulated device " + std::to_string(rank), 1LL << 33});
    return run;
}

RunFigures figuresOf(const Schedule& schedule, const Costs& costs, const RunBatch& run)
{
    const SimResult predicted = orStop(simulate(schedule, costs));
    std::map<std::int32_t, std::pair<Ticks, Ticks>> spans;
    for (const RecordedPass& record : run.passes) {
        if (record.iteration < 0)
            continue;
        const auto [at, made] =
            spans.try_emplace(record.iteration, std::pair(record.start, record.end));
        at->second.first = std::min(at->second.first, record.start);
        at->second.second = std::max(at->second.second, record.end);
    }
    std::vector<Ticks> makespans;
    for (const auto& [iteration, span] : spans)
        makespans.push_back(span.second - span.first);
    std::sort(makespans.begin(), makespans.end());
    RunFigures figures;
    figures.iterations = static_cast<int>(makespans.size());
    if (!makespans.empty()) {
        figures.makespan = makespans[makespans.size() / 2];
        figures.makespanLow = makespans.front();
        figures.makespanHigh = makespans.back();
    }
    figures.predictedMakespan = predicted.makespan;
    figures.predictedLow = predicted.makespan - predicted.makespan / 8;
    figures.predictedHigh = predicted.makespan + predicted.makespan / 4;
    figures.spanBubble = spanBubble(predicted).rate();
    figures.predictedSpanBubble = figures.spanBubble;
    for (const MemorySample& sample : run.memory)
        figures.peakActivation = std::max(figures.peakActivation, sample.activation());
    figures.predictedPeakActivation = peakActivation(predicted);
    if (!run.losses.empty()) {
        figures.firstLoss = run.losses.front().loss;
        figures.lastLoss = run.losses.back().loss;
    }
    return figures;
}

} // namespace pw::test
