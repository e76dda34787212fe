// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/run/live_lanes.h"

#include "core/sim/simulator.h"

#include <algorithm>
#include <utility>

namespace pw::ui {

LiveLanes::LiveLanes(std::shared_ptr<const Schedule> schedule)
    : m_schedule(std::move(schedule))
    , m_seen(static_cast<std::size_t>(m_schedule->entryCount()))
{
    SimResult none;
    none.start.resize(m_seen.size());
    none.end.resize(m_seen.size());
    m_plan = lanesOf(m_schedule, none);
}

void LiveLanes::begin(std::int32_t iteration)
{
    m_lanes.assign(m_plan->lanes().size(), {});
    for (std::size_t i = 0; i < m_lanes.size(); ++i) {
        m_lanes[i].title = m_plan->lanes()[i].title;
        m_lanes[i].detail = m_plan->lanes()[i].detail;
    }
    m_seen.assign(m_seen.size(), false);
    m_iteration = iteration;
    m_count = 0;
    m_begun = true;
}

void LiveLanes::add(std::span<const RecordedPass> batch)
{
    for (const RecordedPass& record : batch) {
        if (record.rank >= m_schedule->devices() ||
            record.entry < m_schedule->begin(deviceOf(record.rank)) ||
            record.entry >= m_schedule->end(deviceOf(record.rank)))
            continue;
        if (!m_begun || record.iteration > m_iteration)
            begin(record.iteration);
        const auto entry = static_cast<std::size_t>(record.entry);
        if (record.iteration != m_iteration)
            continue;
        Lane& lane = m_lanes[static_cast<std::size_t>(record.rank)];
        // The second record of an overlapped pair belongs to the span of the first.
        if (m_seen[entry]) {
            if (lane.size() > 0 && lane.entry.back() == record.entry)
                lane.end.back() = std::max(lane.end.back(), record.end);
            continue;
        }
        if (lane.size() > 0 && record.start < lane.end.back())
            continue;
        m_seen[entry] = true;
        lane.start.push_back(record.start);
        lane.end.push_back(record.end);
        lane.entry.push_back(record.entry);
        const auto place =
            static_cast<std::size_t>(record.entry - m_schedule->begin(deviceOf(record.rank)));
        lane.look.push_back(m_plan->lanes()[static_cast<std::size_t>(record.rank)].look[place]);
        m_first = m_count == 0 ? record.start : std::min(m_first, record.start);
        m_last = m_count == 0 ? record.end : std::max(m_last, record.end);
        ++m_count;
        m_fresh = true;
        if (m_count == m_schedule->entryCount())
            m_whole = {m_last - m_first <= briefly ? make() : nullptr, m_iteration, true};
    }
}

LanesPtr LiveLanes::make() const
{
    std::vector<Lane> lanes = m_lanes;
    for (Lane& lane : lanes) {
        for (Ticks& time : lane.start)
            time -= m_first;
        for (Ticks& time : lane.end)
            time -= m_first;
    }
    return std::make_shared<const Lanes>(std::move(lanes),
                                         [shared = m_schedule](std::int32_t entry, bool partner) {
                                             const OrderEntry both = shared->entry(EntryId(entry));
                                             return partner ? both.partner : both.pass;
                                         });
}

IterationLanes LiveLanes::current()
{
    m_fresh = false;
    if (m_count == 0)
        return m_whole;
    if (m_whole.lanes != nullptr && m_last - m_first <= briefly)
        return m_whole;
    return {make(), m_iteration, m_count == m_schedule->entryCount()};
}

} // namespace pw::ui
