// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/edit/finisher.h"

#include <algorithm>

// Why the list scheduler stands still.
namespace pw {

/// What is missing is followed to what it waits for itself.
Pass Finisher::waitsFor(const Pass& pass) const
{
    Pass at = pass;
    std::vector<Dependency> needs;
    for (;;) {
        needs.clear();
        const PassId id = m_wanted.table().id(at);
        m_dependencies.append(id, needs);
        if (const PassId update = updateBefore(at); update.valid())
            needs.push_back({update, false});
        bool open = false;
        for (const Dependency& need : needs) {
            const Pass producer = m_wanted.pass(need.producer);
            open = !ran(producer);
            if (open) {
                at = producer;
                break;
            }
        }
        if (!open || m_fixed[index(at)])
            return at;
    }
}

bool Finisher::ran(const Pass& pass) const
{
    const auto& order = m_scheduler.order(m_spec.device(pass.route, pass.stage));
    return std::any_of(order.begin(), order.end(), [&](const OrderEntry& entry) {
        return entry.pass == pass || (entry.paired && entry.partner == pass);
    });
}

std::vector<RingLink> Finisher::ring() const
{
    std::vector<RingLink> walk;
    DeviceId device{0};
    while (m_lanes[static_cast<std::size_t>(device)].next ==
           m_draft.orders[static_cast<std::size_t>(device)].size())
        ++device;
    for (;;) {
        const auto seen = std::find_if(walk.begin(), walk.end(),
                                       [&](const RingLink& link) { return link.device == device; });
        if (seen != walk.end())
            return {seen, walk.end()};
        const auto at = static_cast<std::size_t>(device);
        const OrderEntry& head = m_draft.orders[at][m_lanes[at].next];
        const Pass& waiting = mayStart(head.pass) && head.paired ? head.partner : head.pass;
        const Pass needed = waitsFor(waiting);
        walk.push_back({device, waiting, needed});
        device = m_spec.device(needed.route, needed.stage);
    }
}

} // namespace pw
