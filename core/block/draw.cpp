// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/block/draw.h"

#include "core/base/assert.h"
#include "core/block/residues.h"
#include "core/model/schedule.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

namespace pw {

namespace {

/// The first start from `earliest` on at which a pass of `duration` meets none of `taken` in any
/// repetition.
std::optional<Ticks> firstFreeStart(const std::vector<BlockPass>& taken, Ticks interval,
                                    Ticks earliest, Ticks duration)
{
    if (duration > interval)
        return std::nullopt;
    Ticks start = earliest;
    // A pass that is in the way moves the start behind it; after one whole interval everything has
    // been tried.
    for (bool moved = true; moved;) {
        moved = false;
        for (const BlockPass& other : taken) {
            const Ticks behind = residue(start - other.start, interval);
            const Ticks ahead = residue(other.start - start, interval);
            if (behind >= other.duration && ahead >= duration)
                continue;
            start += behind < other.duration ? other.duration - behind : ahead + other.duration;
            moved = true;
        }
        if (start - earliest >= interval)
            return std::nullopt;
    }
    return start;
}

} // namespace

void addCell(BuildingBlock& block, Pass cell, Ticks forward, Ticks backward,
             std::optional<Ticks> weight, const PassDurations& durations)
{
    const auto add = [&](PassKind kind, Ticks start, Ticks duration) {
        cell.kind = kind;
        block.passes.push_back({cell, start, duration});
    };
    add(PassKind::F, forward, durations.forward);
    if (weight) {
        add(PassKind::B, backward, durations.backward);
        add(PassKind::W, *weight, durations.weight);
    } else {
        add(PassKind::BW, backward, durations.backward + durations.weight);
    }
}

BuildingBlock drawBlock(int devices, Placement placement, Ticks interval,
                        const std::vector<StageOffsets>& offsets, const PassDurations& durations)
{
    PW_ASSERT(offsets.size() == static_cast<std::size_t>(placement.stages()));
    BuildingBlock block;
    block.devices = devices;
    block.routes = {std::move(placement)};
    block.interval = interval;
    for (std::size_t stage = 0; stage < offsets.size(); ++stage) {
        const StageOffsets& at = offsets[stage];
        addCell(block, {PassKind::F, 0, StageId(stage), 0, 0}, at.forward, at.backward, at.weight,
                durations);
    }
    return block;
}

std::optional<Ticks> firstFreeStart(const BuildingBlock& block, DeviceId device, Ticks earliest,
                                    Ticks duration)
{
    std::vector<BlockPass> taken;
    for (const BlockPass& placed : block.passes) {
        if (block.device(placed.pass) == device)
            taken.push_back(placed);
    }
    return firstFreeStart(taken, block.interval, earliest, duration);
}

Result<void> fillWeights(BuildingBlock& block, Ticks duration)
{
    std::set<Pass> weights;
    std::vector<BlockPass> backwards;
    std::vector<std::vector<BlockPass>> taken(static_cast<std::size_t>(block.devices));
    for (const BlockPass& placed : block.passes) {
        taken[static_cast<std::size_t>(block.device(placed.pass))].push_back(placed);
        if (placed.pass.kind == PassKind::W)
            weights.insert(placed.pass);
        else if (placed.pass.kind == PassKind::B)
            backwards.push_back(placed);
    }
    std::stable_sort(backwards.begin(), backwards.end(),
                     [](const BlockPass& a, const BlockPass& b) { return a.end() < b.end(); });
    for (const BlockPass& backward : backwards) {
        Pass pass = backward.pass;
        pass.kind = PassKind::W;
        if (weights.count(pass) != 0)
            continue;
        const DeviceId device = block.device(pass);
        auto& onDevice = taken[static_cast<std::size_t>(device)];
        const auto start = firstFreeStart(onDevice, block.interval, backward.end(), duration);
        if (!start) {
            return fail(ErrorCode::BadValue,
                        "device %1 has no free stretch of %2 in the interval %3 for %4", device,
                        duration, block.interval, describe(pass, specOf(block)));
        }
        onDevice.push_back({pass, *start, duration});
        block.passes.push_back(onDevice.back());
    }
    return {};
}

} // namespace pw
