// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/sim/draft_run.h"

namespace pw {

void DraftRings::unlink(DraftRun& run, DeviceId index)
{
    DraftDevice& device = run.m_devices[index.index()];
    Ticks& slot = run.m_places.slot(device.needed);
    const Ticks rest = device.nextWaiter < 0 ? undone : waiterCode(device.nextWaiter);
    if (waiterOf(slot) == index) {
        slot = rest;
        return;
    }
    DeviceId before = waiterOf(slot);
    while (run.m_devices[before.index()].nextWaiter != index)
        before = run.m_devices[before.index()].nextWaiter;
    run.m_devices[before.index()].nextWaiter = device.nextWaiter;
}

/// Starts what the devices of the walk from `first` on wait in, and notes them.
void DraftRings::force(DraftRun& run, std::size_t first)
{
    DraftTimes& out = *run.m_out;
    const bool name = out.ring.empty();
    for (std::size_t i = first; i < m_walk.size(); ++i) {
        const DeviceId index = m_walk[i];
        DraftDevice& device = run.m_devices[index.index()];
        if (name)
            out.ring.push_back(
                {index, run.m_places.pass(device.waiting), run.m_places.pass(device.needed)});
        out.blocked.push_back(device.next);
        unlink(run, index);
        device.forced = true;
        device.gradient = 0;
        m_onWalk[index.index()] = 0;
        run.m_ready.push_back(index);
    }
    m_walk.resize(first);
    m_next.resize(first);
}

void DraftRings::push(const DraftRun& run, DeviceId device)
{
    m_walk.push_back(device);
    m_next.push_back(run.m_devices[device.index()].next);
    m_onWalk[device.index()] = 1;
}

/// Follows who waits for whom. Each waits for one, so the walk ends in a ring; when that is
/// started, only devices from the end of the walk can have moved on, so nothing is walked twice.
void DraftRings::run(DraftRun& run)
{
    const std::vector<DraftDevice>& devices = run.m_devices;
    m_walk.clear();
    m_next.clear();
    m_onWalk.assign(devices.size(), 0);
    std::size_t cursor = 0;
    for (;;) {
        run.drain();
        while (!m_walk.empty() && devices[m_walk.back().index()].next != m_next.back()) {
            m_onWalk[m_walk.back().index()] = 0;
            m_walk.pop_back();
            m_next.pop_back();
        }
        if (m_walk.empty()) {
            while (cursor < devices.size() && devices[cursor].next == run.m_out->begin[cursor + 1])
                ++cursor;
            if (cursor == devices.size())
                return;
            push(run, DeviceId(cursor));
        }
        const DeviceId next = run.m_places.device(devices[m_walk.back().index()].needed);
        if (m_onWalk[next.index()] == 0) {
            push(run, next);
            continue;
        }
        force(run, static_cast<std::size_t>(std::find(m_walk.begin(), m_walk.end(), next) -
                                            m_walk.begin()));
    }
}

} // namespace pw
