// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/edit/pushed_entries.h"

#include <limits>

namespace pw {

PushedEntries::PushedEntries(const Draft& draft, const Present& present)
{
    EntryId entry{0};
    for (const auto& order : draft.orders) {
        for (const OrderEntry& passes : order) {
            m_arrowsFrom.push_back(static_cast<std::int32_t>(m_arrows.size()));
            if (present.entry(passes.pass) == entry)
                present.consumers(passes.pass, m_arrows);
            if (passes.paired && present.entry(passes.partner) == entry)
                present.consumers(passes.partner, m_arrows);
            m_lastOfDevice.push_back(&passes == &order.back() ? 1 : 0);
            ++entry;
        }
    }
    m_arrowsFrom.push_back(static_cast<std::int32_t>(m_arrows.size()));
    m_reached.assign(m_lastOfDevice.size(), 0);
}

void PushedEntries::forget()
{
    for (const EntryId entry : m_found)
        m_reached[entry.index()] = 0;
    m_found.clear();
}

void PushedEntries::reach(const DraggedBody& body, EntryId entry, Ticks until)
{
    if (m_reached[entry.index()] != 0 || body.start(entry) > until)
        return;
    m_reached[entry.index()] = 1;
    m_found.push_back(entry);
    m_queue.push_back(entry);
}

void PushedEntries::reachFrom(const DraggedBody& body, EntryId entry, Ticks until)
{
    const std::size_t at = entry.index();
    for (std::int32_t i = m_arrowsFrom[at]; i < m_arrowsFrom[at + 1]; ++i)
        reach(body, m_arrows[static_cast<std::size_t>(i)], until);
    // A grabbed entry does not hold what stands behind it; it may be overtaken.
    if (!body.has(entry) && m_lastOfDevice[at] == 0)
        reach(body, entry + 1, until);
}

void PushedEntries::mark(const DraggedBody& body, Ticks until)
{
    for (const DragLane& lane : body.lanes()) {
        const EntryId begin = body.begin(lane.device);
        const std::int32_t length = body.length(lane.device);
        for (std::size_t i = 0; i < lane.grabbed.size(); ++i) {
            reach(body, begin + lane.grabbed[i], std::numeric_limits<Ticks>::max());
            if (lane.slots[i] <= lane.grabbed[i])
                continue;
            // What it does not overtake it pushes.
            std::int32_t behind = lane.slots[i];
            while (behind < length && body.has(begin + behind))
                ++behind;
            if (behind < length)
                reach(body, begin + behind, until);
        }
    }
    while (!m_queue.empty()) {
        const EntryId entry(m_queue.back());
        m_queue.pop_back();
        reachFrom(body, entry, until);
    }
}

} // namespace pw
