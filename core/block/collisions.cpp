// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/block/collisions.h"

#include "core/block/residues.h"
#include "core/model/schedule.h"

#include <algorithm>
#include <string>
#include <tuple>

namespace pw {

namespace {

struct Residue
{
    Ticks at = 0;
    const BlockPass* pass = nullptr;
};

/// Collisions of the passes of one device, which come sorted by residue.
///
/// Each pass looks ahead around the interval as far as it lasts, so all but the last look finds a
/// collision.
void appendCollisions(DeviceId device, const std::vector<Residue>& ring, Ticks interval,
                      std::vector<Collision>& out)
{
    const std::size_t count = ring.size();
    // From one start forward to the next one of the other; of equal starts the one sorted first is
    // ahead by 0.
    const auto distance = [&](std::size_t from, std::size_t to) {
        const Ticks gap = ring[to].at - ring[from].at;
        return gap < 0 || (gap == 0 && to < from) ? gap + interval : gap;
    };
    for (std::size_t i = 0; i < count && out.size() < mostCollisions; ++i) {
        const Ticks lasts = ring[i].pass->duration;
        if (lasts > interval)
            out.push_back({device, *ring[i].pass, *ring[i].pass, ring[i].at});
        for (std::size_t ahead = 1; ahead < count && out.size() < mostCollisions; ++ahead) {
            const std::size_t j = (i + ahead) % count;
            if (distance(i, j) >= lasts)
                break;
            // Two places of overlap: the pair is found from both ends and told from the first.
            const bool again = j < i && distance(j, i) < ring[j].pass->duration;
            if (!again)
                out.push_back({device, *ring[i].pass, *ring[j].pass, ring[j].at});
        }
    }
}

} // namespace

Sentence Collision::text(const BuildingBlock& block) const
{
    const PipelineSpec spec = specOf(block);
    const Sentence one = describe(first.pass, spec);
    if (first == second)
        return said("device %1: %2 takes %3 and meets its own repetition at %4 of interval %5",
                    device, one, first.duration, residue, block.interval);
    return said("device %1: %2 at %3 and %4 at %5 meet at %6 of interval %7", device, one,
                first.start, describe(second.pass, spec), second.start, residue, block.interval);
}

std::vector<Collision> collisions(const BuildingBlock& block)
{
    std::vector<std::vector<Residue>> rings(static_cast<std::size_t>(block.devices));
    for (const BlockPass& pass : block.passes) {
        rings[static_cast<std::size_t>(block.device(pass.pass))].push_back(
            {residue(pass.start, block.interval), &pass});
    }
    std::vector<Collision> found;
    for (std::size_t device = 0; device < rings.size(); ++device) {
        auto& ring = rings[device];
        std::sort(ring.begin(), ring.end(), [](const Residue& a, const Residue& b) {
            return std::tie(a.at, a.pass->pass) < std::tie(b.at, b.pass->pass);
        });
        const auto first = static_cast<std::ptrdiff_t>(found.size());
        appendCollisions(DeviceId(device), ring, block.interval, found);
        std::stable_sort(
            found.begin() + first, found.end(),
            [](const Collision& a, const Collision& b) { return a.residue < b.residue; });
    }
    return found;
}

std::optional<Ticks> leastInterval(const BuildingBlock& block)
{
    std::vector<std::vector<const BlockPass*>> devices(static_cast<std::size_t>(block.devices));
    for (const BlockPass& placed : block.passes)
        devices[static_cast<std::size_t>(block.device(placed.pass))].push_back(&placed);
    Ticks interval = 1;
    for (auto& device : devices) {
        std::sort(device.begin(), device.end(),
                  [](const BlockPass* a, const BlockPass* b) { return a->start < b->start; });
        Ticks work = 0;
        for (std::size_t i = 0; i < device.size(); ++i) {
            work += device[i]->duration;
            if (i > 0 && device[i]->start < device[i - 1]->end())
                return std::nullopt;
        }
        interval = std::max(interval, work);
    }
    // Passes a before b meet when a multiple of the interval lies strictly between the distance
    // from a's end to b's start and that from a's start to b's end: go behind that range.
    for (bool moved = true; moved;) {
        moved = false;
        for (const auto& device : devices) {
            for (std::size_t i = 0; i < device.size(); ++i) {
                for (std::size_t j = i + 1; j < device.size(); ++j) {
                    const Ticks least = device[j]->start - device[i]->end();
                    const Ticks most = device[j]->end() - device[i]->start;
                    const Ticks times = least / interval + 1;
                    if (times * interval >= most)
                        continue;
                    interval = (most + times - 1) / times;
                    moved = true;
                }
            }
        }
    }
    return interval;
}

} // namespace pw
