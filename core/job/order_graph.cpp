// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/job/order_graph.h"

#include "core/sim/dependencies.h"

#include <algorithm>

namespace pw {

OrderGraph::OrderGraph(const Schedule& schedule)
    : m_deviceOf(static_cast<std::size_t>(schedule.entryCount()))
    , m_before(m_deviceOf.size())
{
    const Dependencies rules(schedule);
    std::vector<Dependency> needs;
    std::vector<std::vector<EntryId>> consumers(m_deviceOf.size());
    std::vector<std::int32_t> open(m_deviceOf.size(), 0);
    for (const DeviceId device : Ids<DeviceId>(static_cast<std::size_t>(schedule.devices())))
        for (const EntryId entry : schedule.entries(device)) {
            m_deviceOf[entry.index()] = device;
            m_before[entry.index()] =
                entry == schedule.begin(device) ? EntryId::none() : EntryId(entry.value - 1);
        }
    for (const EntryId entry : schedule.entries()) {
        m_firstArc.push_back(static_cast<std::int32_t>(m_arcs.size()));
        const auto wait = [&](EntryId producer) {
            consumers[producer.index()].push_back(entry);
            ++open[entry.index()];
        };
        if (before(entry).valid())
            wait(before(entry));
        const Schedule::Places& places = schedule.places()[entry.index()];
        needs.clear();
        for (const PassId id : {places.first, places.second})
            if (id.valid())
                rules.append(id, needs);
        for (const Dependency& need : needs) {
            const EntryId producer = schedule.entryOf(need.producer);
            if (producer == entry)
                continue;
            m_arcs.push_back({producer, m_deviceOf[producer.index()]});
            wait(producer);
        }
    }
    m_firstArc.push_back(static_cast<std::int32_t>(m_arcs.size()));
    for (const EntryId entry : schedule.entries())
        if (open[entry.index()] == 0)
            m_sequence.push_back(entry);
    for (std::size_t i = 0; i < m_sequence.size(); ++i)
        for (const EntryId consumer : consumers[m_sequence[i].index()])
            if (--open[consumer.index()] == 0)
                m_sequence.push_back(consumer);
}

Ticks OrderGraph::run(std::span<const Ticks> durations, const LinkDelays& links,
                      std::vector<Ticks>& ends) const
{
    ends.assign(m_deviceOf.size(), 0);
    Ticks last = 0;
    for (const EntryId entry : m_sequence) {
        const DeviceId device = m_deviceOf[entry.index()];
        const EntryId previous = m_before[entry.index()];
        Ticks start = previous.valid() ? ends[previous.index()] : 0;
        for (const Arc& arc : arcs(entry)) {
            const Ticks delay = arc.from == device ? 0 : links.of(arc.from, device);
            start = std::max(start, ends[arc.producer.index()] + delay);
        }
        ends[entry.index()] = start + durations[entry.index()];
        last = std::max(last, ends[entry.index()]);
    }
    return last;
}

} // namespace pw
