// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/types.h"
#include "core/model/schedule.h"
#include "core/sim/event_clock.h"

#include <cstddef>
#include <utility>
#include <vector>

namespace pw {

/// The frame of every list scheduler: plays passes in the order of time, so that a device takes one
/// of those that may start whenever it is free. Which one is the rule's.
///
/// A rule has `take(device, ready)`, for a pass that may start from now on; `ended(device)`, for
/// the device's entry that is over; and `choose(device)`, which calls `start` or leaves the device
/// waiting. All that an instant brings is taken before a device chooses. A device chooses only at
/// instants that bring something to it: what it may start depends on nothing else.
///
/// @tparam Ready  what tells a pass that may start
/// @complexity    O(log t) for an event, t instants ahead
template<typename Ready>
class ListScheduler
{
public:
    explicit ListScheduler(int devices)
        : m_busyUntil(static_cast<std::size_t>(devices), 0)
        , m_orders(static_cast<std::size_t>(devices))
    {
    }

    Ticks now() const { return m_clock.now(); }

    /// Whether the device's last entry is over.
    bool isFree(DeviceId device) const { return m_busyUntil[device.index()] <= now(); }

    /// A pass of the device may start from a time on.
    void ready(Ticks time, DeviceId device, const Ready& pass)
    {
        m_clock.add(time, {device.value, pass});
    }

    /// The device begins an entry now. @param time  ticks that it takes
    void start(DeviceId device, const OrderEntry& entry, Ticks time)
    {
        const Ticks end = now() + time;
        m_orders[device.index()].push_back(entry);
        m_busyUntil[device.index()] = end;
        m_clock.add(end, {~device.value, Ready()});
    }

    /// The entries of a device so far.
    std::vector<OrderEntry>& order(DeviceId device) { return m_orders[device.index()]; }
    const std::vector<OrderEntry>& order(DeviceId device) const { return m_orders[device.index()]; }

    DeviceOrders takeOrders() { return std::move(m_orders); }

    /// Plays until nothing is ahead; may be called again after more has become ready.
    template<typename Rule>
    void run(Rule& rule)
    {
        while (!m_clock.empty()) {
            m_touched.clear();
            do {
                m_clock.next(m_instant);
                for (const Event& event : m_instant) {
                    const DeviceId device(event.device < 0 ? ~event.device : event.device);
                    if (event.device < 0)
                        rule.ended(device);
                    else
                        rule.take(device, event.ready);
                    m_touched.push_back(device);
                }
            } while (m_clock.moreNow());
            for (const DeviceId device : m_touched)
                rule.choose(device);
        }
    }

private:
    struct Event
    {
        std::int32_t device; // ~device where its entry is over
        Ready ready;
    };

    std::vector<Ticks> m_busyUntil; // by device
    DeviceOrders m_orders;
    EventClock<Event> m_clock;
    std::vector<Event> m_instant;
    std::vector<DeviceId> m_touched; // by this instant, some more than once
};

} // namespace pw
