// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/analysis/replay.h"

#include "core/base/try.h"
#include "core/sim/dependencies.h"
#include "core/trace/match.h"

#include <algorithm>

namespace pw {

namespace {

std::int64_t violatedBy(const Schedule& schedule, const SimResult& times)
{
    const Dependencies rules(schedule);
    std::vector<Dependency> needs;
    std::int64_t violated = 0;
    for (const EntryId i : schedule.entries()) {
        const Schedule::Places& entry = schedule.places()[static_cast<std::size_t>(i)];
        needs.clear();
        for (const PassId id : {entry.first, entry.second})
            if (id.valid())
                rules.append(id, needs);
        for (const Dependency& need : needs)
            violated += times.start[static_cast<std::size_t>(i)] <
                                times.end[static_cast<std::size_t>(schedule.entryOf(need.producer))]
                            ? 1
                            : 0;
    }
    return violated;
}

/// The entries of every device by their start.
DeviceOrders orderOf(const Schedule& schedule, const SimResult& times, bool& same)
{
    DeviceOrders orders(static_cast<std::size_t>(schedule.devices()));
    for (const DeviceId device : Ids<DeviceId>(schedule.devices())) {
        std::vector<EntryId> entries;
        for (const EntryId i : schedule.entries(device))
            entries.push_back(i);
        const auto earlier = [&times](EntryId a, EntryId b) {
            const std::size_t i = a.index(), j = b.index();
            return std::pair(times.start[i], times.end[i]) <
                   std::pair(times.start[j], times.end[j]);
        };
        same = same && std::is_sorted(entries.begin(), entries.end(), earlier);
        std::stable_sort(entries.begin(), entries.end(), earlier);
        for (const EntryId entry : entries)
            orders[static_cast<std::size_t>(device)].push_back(schedule.entry(entry));
    }
    return orders;
}

} // namespace

Result<std::vector<ReplayedIteration>> replayIterations(const RecoveredPipeline& pipeline,
                                                        Ticks hop)
{
    std::vector<ReplayedIteration> replayed;
    const Schedule& schedule = *pipeline.schedule;
    Costs costs = medianCosts(pipeline);
    costs.link.latency = hop;
    for (const RecoveredIteration& iteration : pipeline.iterations) {
        ReplayedIteration one;
        one.number = iteration.number;
        one.measured = iteration.makespan();
        one.warmUp = iteration.warmUp;
        const Result<SimResult> times = measuredResult(schedule, iteration.passes, {});
        if (!iteration.complete || !times) {
            replayed.push_back(one);
            continue;
        }
        one.violated = violatedBy(schedule, *times);
        const DeviceOrders orders = orderOf(schedule, *times, one.sameOrder);
        Costs own = costs;
        own.single.clear();
        for (const EntryId i : schedule.entries()) {
            const OrderEntry entry = schedule.entry(i);
            const auto at = static_cast<std::size_t>(i);
            own.single.push_back(
                {entry.pass, std::min(times->end[at] - times->start[at], longestPass)});
            if (entry.paired) // with single times a pair takes their sum
                own.single.push_back({entry.partner, 0});
        }
        std::sort(own.single.begin(), own.single.end(),
                  [](const PassTime& a, const PassTime& b) { return a.pass < b.pass; });
        PW_TRY(const Schedule order, one.sameOrder ? Result<Schedule>(schedule)
                                                   : Schedule::make(schedule.spec(), orders));
        PW_TRY(const SimResult again, simulate(order, own));
        one.replayed = again.makespan;
        replayed.push_back(one);
    }
    return replayed;
}

} // namespace pw
