// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/sim/draft_buffers.h"

// Devices that wait for each other in a ring: a draft shows what would run all the same.
namespace pw {

void DraftSimulator::Buffers::unlink(DeviceId index)
{
    DraftDevice& device = devices[static_cast<std::size_t>(index)];
    Ticks& slot = finish[static_cast<std::size_t>(device.needed)];
    const Ticks rest = device.nextWaiter < 0 ? undone : waiterCode(device.nextWaiter);
    if (waiterOf(slot) == index) {
        slot = rest;
        return;
    }
    int before = waiterOf(slot);
    while (devices[static_cast<std::size_t>(before)].nextWaiter != index)
        before = devices[static_cast<std::size_t>(before)].nextWaiter;
    devices[static_cast<std::size_t>(before)].nextWaiter = device.nextWaiter;
}

/// Starts what the devices of the walk from `first` on wait in, and notes them.
void DraftSimulator::Buffers::force(std::size_t first)
{
    const bool name = out->ring.empty();
    for (std::size_t i = first; i < walk.size(); ++i) {
        const DeviceId index = walk[i];
        DraftDevice& device = devices[static_cast<std::size_t>(index)];
        if (name)
            out->ring.push_back({index, passOf(device.waiting), passOf(device.needed)});
        out->blocked.push_back(device.next);
        unlink(index);
        device.forced = true;
        device.gradient = 0;
        onWalk[static_cast<std::size_t>(index)] = 0;
        ready.push_back(index);
    }
    walk.resize(first);
    walkNext.resize(first);
}

/// Follows who waits for whom. Each waits for one, so the walk ends in a ring; when that is
/// started, only devices from the end of the walk can have moved on, so nothing is walked twice.
void DraftSimulator::Buffers::breakRings()
{
    walk.clear();
    walkNext.clear();
    std::size_t cursor = 0;
    const auto push = [&](DeviceId device) {
        walk.push_back(device);
        walkNext.push_back(devices[static_cast<std::size_t>(device)].next);
        onWalk[static_cast<std::size_t>(device)] = 1;
    };
    for (;;) {
        drain();
        while (!walk.empty() &&
               devices[static_cast<std::size_t>(walk.back())].next != walkNext.back()) {
            onWalk[static_cast<std::size_t>(walk.back())] = 0;
            walk.pop_back();
            walkNext.pop_back();
        }
        if (walk.empty()) {
            while (cursor < devices.size() && devices[cursor].next == out->begin[cursor + 1])
                ++cursor;
            if (cursor == devices.size())
                return;
            push(DeviceId(cursor));
        }
        const DeviceId next = deviceOf(devices[static_cast<std::size_t>(walk.back())].needed);
        if (onWalk[static_cast<std::size_t>(next)] == 0) {
            push(next);
            continue;
        }
        force(static_cast<std::size_t>(std::find(walk.begin(), walk.end(), next) - walk.begin()));
    }
}

} // namespace pw
