// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/analysis/recorded_rounds.h"

#include "core/trace/measured_gaps.h"
#include "core/trace/waits.h"

#include <algorithm>
#include <limits>
#include <map>

namespace pw {

namespace {

constexpr Ticks notRecorded = std::numeric_limits<Ticks>::min();

struct IterationRecords
{
    std::vector<Ticks> start, end; ///< by entry
    std::vector<RecordedMessage> messages;
};

/// Goes through the entries of one iteration.
class RoundTaker
{
public:
    explicit RoundTaker(const Schedule& schedule)
        : m_schedule(schedule)
        , m_rules(schedule)
    {
    }

    RecordedIteration take(std::int32_t number, const IterationRecords& records)
    {
        RecordedIteration out;
        out.iteration = number;
        const Ticks first = *std::min_element(records.start.begin(), records.start.end());
        out.makespan = *std::max_element(records.end.begin(), records.end.end()) - first;
        const std::size_t entries = records.start.size();
        out.took.assign(entries, -1);
        out.gap.assign(entries, -1);
        out.message.assign(entries, -1);
        const RecordedArrivals arrivals(m_schedule, records.messages, first);
        for (const DeviceId device : Ids<DeviceId>(m_schedule.devices())) {
            for (const EntryId e : m_schedule.entries(device)) {
                const auto at = static_cast<std::size_t>(e);
                const OrderEntry entry = m_schedule.entry(e);
                out.took[at] = records.end[at] - records.start[at];
                out.times.entries[kindOf(entry)].push_back(out.took[at]);
                const bool opens = e == m_schedule.begin(device);
                takeStart(e, entry, records, first, opens, arrivals, out);
            }
        }
        return out;
    }

private:
    void takeStart(EntryId e, const OrderEntry& entry, const IterationRecords& records, Ticks base,
                   bool opens, const RecordedArrivals& arrivals, RecordedIteration& out)
    {
        const auto at = [](EntryId entryAt) { return entryAt.index(); };
        const Ticks start = records.start[at(e)] - base;
        const Ticks before = opens ? 0 : records.end[at(e - 1)] - base;
        const EntryInput* last = nullptr;
        Ticks produced = 0, there = 0;
        m_rules.find(e, m_inputs);
        for (const EntryInput& input : m_inputs) {
            if (!input.message)
                continue;
            const Ticks made = records.end[at(input.producer)] - base;
            const RecordedMessage* message = arrivals.of(input.pass);
            const Ticks came = message == nullptr ? made : std::max(made, message->ended);
            if (last == nullptr || came > there) {
                last = &input;
                produced = made;
                there = came;
            }
        }
        const bool update = entry.pass.kind == PassKind::U;
        if (last != nullptr && produced > before) {
            const PassKind carried = m_schedule.kind(last->pass);
            const PassKind carries = update                   ? PassKind::U
                                     : carried == PassKind::F ? PassKind::F
                                                              : PassKind::B;
            const int segment = update ? 0 : m_schedule.pass(last->pass).segment;
            out.message[at(e)] = std::max<Ticks>(start - produced, 0);
            out.times.messages[{carries, segment}].push_back(out.message[at(e)]);
        } else if (there > before) {
            // Made while the device was busy, it came when it was not any more.
            out.message[at(e)] = std::max<Ticks>(start - produced, 0);
        } else {
            out.gap[at(e)] = std::max<Ticks>(start - before, 0);
            std::vector<Ticks>& gaps = update ? out.times.updateGaps : out.times.gaps;
            (opens ? out.times.openings : gaps).push_back(out.gap[at(e)]);
        }
    }

    const Schedule& m_schedule;
    EntryInputs m_rules;
    std::vector<EntryInput> m_inputs;
};

} // namespace

std::vector<RecordedIteration> recordedIterations(const Schedule& schedule,
                                                  std::span<const RecordedPass> passes,
                                                  std::span<const RecordedMessage> messages)
{
    const auto entries = static_cast<std::size_t>(schedule.entryCount());
    std::map<std::int32_t, IterationRecords> all;
    for (const RecordedPass& pass : passes) {
        if (pass.iteration < 0 || pass.entry < 0)
            continue;
        const auto [place, fresh] = all.try_emplace(pass.iteration);
        IterationRecords& records = place->second;
        if (fresh) {
            records.start.assign(entries, notRecorded);
            records.end.assign(entries, notRecorded);
        }
        const std::size_t at = pass.entry.index();
        // The two passes of a pair share an entry.
        Ticks& start = records.start[at];
        start = start == notRecorded ? pass.start : std::min(start, pass.start);
        records.end[at] = std::max(records.end[at], pass.end);
    }
    for (const RecordedMessage& message : messages) {
        const auto place = all.find(message.iteration);
        if (place != all.end() && message.message >= 0)
            place->second.messages.push_back(message);
    }
    RoundTaker taker(schedule);
    std::vector<RecordedIteration> out;
    for (const auto& [number, records] : all) {
        const bool whole =
            std::find(records.end.begin(), records.end.end(), notRecorded) == records.end.end();
        if (whole && entries > 0)
            out.push_back(taker.take(number, records));
    }
    return out;
}

} // namespace pw
