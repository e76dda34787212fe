// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/runs/run_timeline.h"

#include "core/base/try.h"
#include "core/trace/trace_memory.h"
#include "ui/document/schedule_document.h"

#include <QCoreApplication>

#include <algorithm>
#include <numeric>

namespace pw::ui {

namespace {

/// Whether the spans of a lane are as `Lane` wants them.
bool inOrder(const Lane& lane)
{
    for (std::size_t i = 0; i < lane.size(); ++i)
        if (lane.end[i] == 0 || (i > 0 && lane.start[i] < lane.end[i - 1]))
            return false;
    return true;
}

/// The recorded spans by start. Where two overlap, which clocks that were joined can make, the
/// later one begins at the end of the earlier one.
Lane tidied(const Lane& lane)
{
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < lane.size(); ++i)
        if (lane.end[i] != 0)
            order.push_back(i);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return lane.start[a] < lane.start[b]; });
    Lane tidy;
    tidy.title = lane.title;
    tidy.detail = lane.detail;
    tidy.copies = lane.copies;
    Ticks last = 0;
    for (const std::size_t i : order) {
        const Ticks start = std::max(lane.start[i], last);
        last = std::max(lane.end[i], start);
        tidy.start.push_back(start);
        tidy.end.push_back(last);
        tidy.look.push_back(lane.look[i]);
        tidy.entry.push_back(lane.entry[i]);
    }
    return tidy;
}

/// What a store says of its passes, by entry of the schedule and counted.
void takeTrust(const StoredIteration& from, RunTimeline& to)
{
    to.trust.assign(static_cast<std::size_t>(from.schedule.entryCount()), Trust::Device);
    for (std::size_t i = 0; i < from.passes.size() && i < from.trust.size(); ++i) {
        // A later program may know more of them.
        const auto trust = static_cast<Trust>(std::min<int>(from.trust[i], trustCount - 1));
        ++to.trustCounts[static_cast<std::size_t>(trust)];
        const EntryId entry = from.passes[i].entry;
        if (entry < 0 || entry >= from.schedule.entryCount())
            continue;
        Trust& known = to.trust[entry.index()];
        known = std::max(known, trust);
    }
}

/// Of the counters of memory the one of each device that says most of it.
std::vector<TraceCounter> countersByDevice(std::vector<StoredCounter> stored,
                                           const RunTimeline& timeline)
{
    std::map<DeviceId, std::vector<TraceCounter>> all;
    for (StoredCounter& one : stored) {
        for (CounterSample& sample : one.counter.samples)
            sample.time = std::max<Ticks>(sample.time - timeline.base, 0);
        all[one.device].push_back(std::move(one.counter));
    }
    std::vector<TraceCounter> chosen;
    for (const DeviceId device : Ids<DeviceId>(timeline.schedule->devices())) {
        const std::vector<TraceCounter>& own = all[device];
        const std::int32_t at = memoryCounter(own);
        chosen.push_back(at < 0 ? TraceCounter{} : own[static_cast<std::size_t>(at)]);
    }
    return chosen;
}

} // namespace

LanesPtr measuredLanes(const std::shared_ptr<const Schedule>& schedule, const SimResult& measured,
                       const std::vector<Trust>& trust)
{
    LanesPtr lanes = lanesOf(schedule, measured);
    const bool guessed = std::find(trust.begin(), trust.end(), Trust::Guessed) != trust.end();
    if (!guessed && std::all_of(lanes->lanes().begin(), lanes->lanes().end(), inOrder))
        return lanes;
    std::vector<Lane> tidy;
    for (const Lane& lane : lanes->lanes()) {
        tidy.push_back(inOrder(lane) ? lane : tidied(lane));
        Lane& last = tidy.back();
        for (std::size_t i = 0; guessed && i < last.size(); ++i)
            last.look[i].guessed =
                trust[static_cast<std::size_t>(last.entry[i])] == Trust::Guessed ? 1 : 0;
    }
    return std::make_shared<const Lanes>(
        std::move(tidy), [schedule](std::int32_t entry, bool partner) {
            const OrderEntry both = schedule->entry(EntryId(entry));
            return partner ? both.partner : both.pass;
        });
}

QString runTitle(const StoredRun& run)
{
    const QString number = QCoreApplication::translate("pw::ui::RunTimeline", "run %1")
                               .arg(static_cast<qlonglong>(run.number));
    return run.title.empty() ? number : number + QStringLiteral(" · ") + text(run.title);
}

std::int64_t RunTimeline::passCount() const
{
    return std::accumulate(trustCounts.begin(), trustCounts.end(), std::int64_t{0});
}

QString RunTimeline::title() const
{
    return runTitle(details.run);
}

Result<RunTimelinePtr> loadTimeline(RunStore& store, RunNumber run,
                                    std::optional<std::int32_t> iteration, bool memory)
{
    PW_TRY(StoredIteration loaded, loadIteration(store, run, iteration, memory));
    auto timeline = std::make_shared<RunTimeline>();
    takeTrust(loaded, *timeline);
    timeline->details = std::move(loaded.details);
    timeline->iterations = std::move(loaded.iterations);
    timeline->iteration = loaded.iteration;
    timeline->base = loaded.base;
    timeline->schedule = std::make_shared<const Schedule>(std::move(loaded.schedule));
    timeline->costs = std::move(loaded.costs);
    timeline->predicted = std::move(loaded.predicted);
    timeline->measured = std::move(loaded.measured);
    timeline->memory = wholePeak(loaded.memory);
    timeline->lanes = measuredLanes(timeline->schedule, timeline->measured, timeline->trust);
    timeline->order = {timeline->schedule->spec(), timeline->schedule->orders()};
    for (const DeviceId device : Ids<DeviceId>(timeline->schedule->devices()))
        timeline->orderTimes.begin.push_back(timeline->schedule->begin(device));
    timeline->orderTimes.begin.push_back(EntryId(timeline->schedule->entryCount()));
    timeline->orderTimes.times = timeline->measured;
    timeline->unrecorded =
        timeline->schedule->entryCount() - static_cast<std::int64_t>(timeline->lanes->spanCount());
    return RunTimelinePtr(std::move(timeline));
}

Result<RunRecordsPtr> loadRecords(RunStore& store, const RunTimeline& timeline)
{
    RecordQuery query{timeline.details.run.number};
    query.iteration = timeline.iteration;
    Result<std::vector<RecordedMessage>> messages = store.messages(query);
    if (!messages)
        return fail(messages.error());
    Result<std::vector<MemorySample>> memory = store.memory(query);
    if (!memory)
        return fail(memory.error());
    Result<std::vector<StepLoss>> losses = store.losses(query.run);
    if (!losses)
        return fail(losses.error());
    Result<std::vector<RunLog>> logs = store.logs(query.run);
    if (!logs)
        return fail(logs.error());
    Result<TraceFigures> imported = store.traceFigures(query.run);
    if (!imported)
        return fail(imported.error());
    Result<std::vector<StoredCounter>> counters = store.memoryCounters(
        query.run, timeline.base, timeline.base + timeline.measured.makespan + 1);
    if (!counters)
        return fail(counters.error());
    const Result<std::int64_t> ranks = store.traceRanks(query.run);
    if (!ranks)
        return fail(ranks.error());
    auto records = std::make_shared<RunRecords>();
    records->several =
        std::max<std::int64_t>(*ranks, timeline.details.run.ranks) > timeline.schedule->devices();
    records->counters = countersByDevice(std::move(*counters), timeline);
    records->imported = std::move(*imported);
    records->arrivals = RecordedArrivals(*timeline.schedule, *messages, timeline.base);
    for (RecordedMessage& message : *messages) {
        message.posted -= timeline.base;
        message.started -= timeline.base;
        message.ended -= timeline.base;
    }
    records->messages = std::move(*messages);
    records->memory.resize(static_cast<std::size_t>(timeline.schedule->devices()));
    for (MemorySample& sample : *memory) {
        if (sample.rank < 0 || sample.rank >= timeline.schedule->devices())
            continue;
        sample.time -= timeline.base;
        records->memory[sample.rank.index()].push_back(sample);
    }
    records->losses = std::move(*losses);
    records->logs = std::move(*logs);
    return RunRecordsPtr(std::move(records));
}

} // namespace pw::ui
