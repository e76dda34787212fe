// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/model/schedule.h"

#include <cstdint>
#include <span>
#include <vector>

namespace pw {

/// What messages take, by the devices that they go from and to.
class LinkDelays
{
public:
    explicit LinkDelays(int devices, Ticks all = 0)
        : m_devices(devices)
        , m_delays(static_cast<std::size_t>(devices) * static_cast<std::size_t>(devices), all)
    {
    }

    Ticks of(DeviceId from, DeviceId to) const { return m_delays[index(from, to)]; }
    void set(DeviceId from, DeviceId to, Ticks delay) { m_delays[index(from, to)] = delay; }

private:
    std::size_t index(DeviceId from, DeviceId to) const
    {
        return from.index() * static_cast<std::size_t>(m_devices) + to.index();
    }

    int m_devices;
    std::vector<Ticks> m_delays;
};

/// An order that is run again and again with other times: what each entry waits for, in a sequence
/// in which everything that is waited for comes first.
class OrderGraph
{
public:
    /// What an entry waits for on another device, or on its own beside the entry before it.
    struct Arc
    {
        EntryId producer;
        DeviceId from;
    };

    /// @param schedule  that does not wait in a ring, as none does that has run
    explicit OrderGraph(const Schedule& schedule);

    /// When each entry ends, the first begins at 0.
    /// @param durations  by entry
    /// @param ends       by entry; filled
    /// @return           the last end
    Ticks run(std::span<const Ticks> durations, const LinkDelays& links,
              std::vector<Ticks>& ends) const;

    std::int32_t entries() const { return static_cast<std::int32_t>(m_deviceOf.size()); }
    DeviceId deviceOf(EntryId entry) const { return m_deviceOf[entry.index()]; }
    EntryId before(EntryId entry) const { return m_before[entry.index()]; } ///< on its device
    std::span<const Arc> arcs(EntryId entry) const
    {
        const auto first = static_cast<std::size_t>(m_firstArc[entry.index()]);
        return {m_arcs.data() + first,
                static_cast<std::size_t>(m_firstArc[entry.index() + 1]) - first};
    }

private:
    std::vector<DeviceId> m_deviceOf;
    std::vector<EntryId> m_before;
    std::vector<std::int32_t> m_firstArc; // by entry, and one more
    std::vector<Arc> m_arcs;
    std::vector<EntryId> m_sequence;
};

} // namespace pw
