// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/sim/dependencies.h"
#include "core/sim/simulator.h"
#include "executor/api/recording_sink.h"
#include "executor/api/runner.h"
#include "executor/emulated/emulated_worker.h"
#include "executor/transport/local.h"

#include <QtTest>

#include <algorithm>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace pw::test {

/// A run of the emulated devices: when each entry was by the plan's clock, which is the machine's
/// neither in speed nor in stalls, and what the run recorded of the real one.
struct PlannedRun
{
    /// @param before  called on the rank's thread before an entry begins, which may hold it up
    explicit PlannedRun(const exec::RunPlan& plan,
                        const std::function<void(const OrderEntry&)>& before = {})
    {
        const auto entries = static_cast<std::size_t>(plan.schedule.entryCount());
        start.assign(entries, -1);
        end.assign(entries, -1);
        exec::RunClock clock;
        exec::PlanClock planned(plan.schedule.devices());
        exec::LocalTransport transport(plan, clock, exec::LinkTimes::Planned, &planned);
        const auto note = [&](const OrderEntry& entry, Ticks from, Ticks to) {
            if (before)
                before(entry);
            // The table of a plan without updates in its order has no places for them.
            if (entry.pass.kind == PassKind::U && !plan.schedule.spec().updates)
                return;
            const EntryId index = plan.schedule.entryOf(plan.schedule.table().id(entry.pass));
            const std::lock_guard lock(m_mutex);
            base = transport.iterationStart();
            start[static_cast<std::size_t>(index)] = from;
            end[static_cast<std::size_t>(index)] = to;
        };
        exec::RecordingSink sink;
        const exec::Stop stop;
        figures = exec::runRanks(
            plan,
            [&](RankId rank, const exec::RunClock&) -> Result<std::unique_ptr<exec::Worker>> {
                exec::EmulatedDevice device;
                device.planned = &planned;
                device.iterationStart = [&] { return transport.iterationStart(); };
                device.ended = [&] { return transport.aborted(); };
                device.listener = note;
                return exec::makeEmulatedWorker(plan, rank, clock, std::move(device));
            },
            transport, clock, RunEnvironment{}, sink, stop);
        record = sink.record();
    }

    Ticks base = 0;           ///< 0 of the plan's clock on the run's, in the last iteration
    std::vector<Ticks> start; ///< by entry
    std::vector<Ticks> end;   ///< by entry
    Result<RunFigures> figures;
    exec::RecordingSink::Record record;

private:
    std::mutex m_mutex;
};

/// Nothing where every entry was when the simulation has it, to the tick, and none was recorded
/// before its time; else the first that was not.
inline QString differenceFrom(const SimResult& simulated, const PlannedRun& ran,
                              const Schedule& schedule)
{
    if (!ran.figures)
        return QString::fromStdString(ran.figures.error().message.english());
    const auto nameOf = [&schedule](std::size_t entry) {
        return QString::fromStdString(
            describe(schedule.entry(EntryId(entry)).pass, schedule.spec()));
    };
    for (std::size_t entry = 0; entry < ran.start.size(); ++entry) {
        if (ran.start[entry] != simulated.start[entry] || ran.end[entry] != simulated.end[entry])
            return QString("%1: %2 to %3, simulated %4 to %5")
                .arg(nameOf(entry))
                .arg(ran.start[entry])
                .arg(ran.end[entry])
                .arg(simulated.start[entry])
                .arg(simulated.end[entry]);
    }
    int last = 0;
    for (const RecordedPass& pass : ran.record.passes)
        last = std::max(last, pass.iteration);
    for (const RecordedPass& pass : ran.record.passes) {
        if (pass.entry < 0 || pass.iteration != last)
            continue;
        const auto at = static_cast<std::size_t>(pass.entry);
        if (pass.start < ran.base + simulated.start[at] || pass.end < ran.base + simulated.end[at])
            return QString("%1 was recorded before its time").arg(nameOf(at));
    }
    return {};
}

} // namespace pw::test
