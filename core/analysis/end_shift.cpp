// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/analysis/end_shift.h"

#include "core/trace/waits.h"

namespace pw {

EntryId sameEntry(const Schedule& schedule, const Pass& pass)
{
    const PipelineSpec& spec = schedule.spec();
    const bool update = pass.kind == PassKind::U;
    const int updates = spec.updates ? spec.updatesPerStage() : 0;
    if (pass.stage >= spec.stages() || pass.route >= spec.routeCount() ||
        pass.microBatch >= (update ? updates : spec.totalMicroBatches()) ||
        pass.segment >= spec.segments() || (!update && spec.route(pass.microBatch) != pass.route))
        return EntryId::none();
    return schedule.entryOf(schedule.table().id(pass));
}

SameWork sameWork(const Schedule& schedule, const Pass& pass)
{
    SameWork work{sameEntry(schedule, pass), EntryId::none()};
    Pass other = pass;
    if (pass.kind == PassKind::BW) {
        other.kind = PassKind::W;
        work.second = sameEntry(schedule, other);
    } else if (pass.kind == PassKind::W && work.first < 0) {
        other.kind = PassKind::B;
        // Without a W of its own the cell has a BW, and that stands where a B would.
        work.first = sameEntry(schedule, other);
    }
    return work;
}

EndShifts endShifts(const Schedule& before, const SimResult& beforeTimes, const Schedule& after,
                    const SimResult& afterTimes)
{
    const auto at = [](EntryId entry) { return static_cast<std::size_t>(entry); };
    EndShifts shifts;
    shifts.total = afterTimes.makespan - beforeTimes.makespan;
    Ticks moved = 0; // of the last link that both have
    for (const ChainLink& link : decidingChain(after, afterTimes)) {
        EndShift one;
        one.entry = link.entry;
        one.message = link.message;
        one.before = sameEntry(before, after.entry(link.entry).pass);
        // An entry that was never recorded has no times.
        if (one.before >= 0 && beforeTimes.end[at(one.before)] == 0)
            one.before = EntryId::none();
        if (one.before >= 0) {
            const Ticks length = afterTimes.end[at(link.entry)] - afterTimes.start[at(link.entry)];
            const Ticks was = beforeTimes.end[at(one.before)] - beforeTimes.start[at(one.before)];
            const Ticks now = afterTimes.end[at(link.entry)] - beforeTimes.end[at(one.before)];
            one.shift = now - moved;
            one.grown = length - was;
            one.waited = one.shift - one.grown;
            moved = now;
        }
        shifts.links.push_back(one);
    }
    shifts.other = shifts.total - moved;
    return shifts;
}

} // namespace pw
