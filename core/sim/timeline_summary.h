// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/sim/simulator.h"

#include <algorithm>
#include <limits>

namespace pw {

/// What follows from the times of all devices: each one's figures, and the makespan.
class TimelineSummary
{
public:
    /// @param result  with the times of all entries; gets `devices` and `makespan`
    explicit TimelineSummary(SimResult& result)
        : m_result(result)
    {
        m_result.makespan = 0;
    }

    /// Adds a device that has the entries from one to before another.
    /// @param done  with its time busy and its peaks
    void add(DeviceId device, DeviceResult done, EntryId begin, EntryId end)
    {
        DeviceResult& out = m_result.devices[device.index()];
        out = done;
        if (begin == end)
            return;
        out.firstStart = m_result.start[begin.index()];
        out.lastEnd = m_result.end[(end - 1).index()];
        m_first = std::min(m_first, out.firstStart);
        m_last = std::max(m_last, out.lastEnd);
    }

    /// When all devices are there.
    void finish()
    {
        if (m_first != std::numeric_limits<Ticks>::max())
            m_result.makespan = m_last - m_first;
    }

private:
    SimResult& m_result;
    Ticks m_first = std::numeric_limits<Ticks>::max();
    Ticks m_last = 0;
};

} // namespace pw
