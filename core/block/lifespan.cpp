// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/block/lifespan.h"

#include "core/block/residues.h"
#include "core/model/costs.h"
#include "core/model/schedule.h"

#include <algorithm>

namespace pw {

namespace {

/// From `time` on a device holds `amount` more.
struct Change
{
    Ticks time = 0;
    Share amount = 0;
    int microBatch = 0; ///< of the block
};

/// The changes that one block makes, by device; each device's amounts add up to 0.
///
/// A device runs one pass at a time, so what ends at a time is gone before what starts then comes.
std::vector<std::vector<Change>> changesOf(const BuildingBlock& block, const Retention& keep)
{
    Holdings holdings(specOf(block), keep);
    for (const BlockPass& placed : block.passes)
        holdings.tell(placed.pass);
    std::vector<std::vector<Change>> changes(static_cast<std::size_t>(block.devices));
    for (const BlockPass& placed : block.passes) {
        const Holding holding = holdings.of(placed.pass);
        auto& device = changes[static_cast<std::size_t>(block.device(placed.pass))];
        if (holding.added != 0)
            device.push_back({placed.start, holding.added, placed.pass.microBatch});
        if (holding.freed != 0)
            device.push_back({placed.end(), -holding.freed, placed.pass.microBatch});
    }
    return changes;
}

/// The most that is held at once, after all changes of a time are made. Starts from `level`.
Share highest(std::vector<Change>& changes, Share level)
{
    std::sort(changes.begin(), changes.end(),
              [](const Change& a, const Change& b) { return a.time < b.time; });
    Share peak = level;
    for (std::size_t i = 0; i < changes.size(); ++i) {
        level += changes[i].amount;
        if (i + 1 == changes.size() || changes[i + 1].time != changes[i].time)
            peak = std::max(peak, level);
    }
    return peak;
}

/// Peak of one device over one interval of the endless repetition.
Share steadyPeak(const std::vector<Change>& changes, Ticks interval)
{
    // Repetition k of a change has happened by time x when k ≤ ⌊(x − time)/interval⌋. The
    // repetitions of all changes from one k on add up to 0, so counting from 0 is as good as from
    // the beginning.
    Share level = 0;
    std::vector<Change> inInterval;
    inInterval.reserve(changes.size());
    for (const Change& change : changes) {
        level += change.amount * intervalOf(-1 - change.time, interval);
        inInterval.push_back({residue(change.time, interval), change.amount, change.microBatch});
    }
    return highest(inInterval, level);
}

/// Peak of one device over `microBatches`, of which the last group may be short.
Share rampPeak(const std::vector<Change>& changes, const BuildingBlock& block, int microBatches)
{
    std::vector<Change> all;
    const int g = block.microBatches;
    for (int first = 0; first < microBatches; first += g) {
        for (const Change& change : changes) {
            if (first + change.microBatch < microBatches) {
                all.push_back(
                    {change.time + (first / g) * block.interval, change.amount, change.microBatch});
            }
        }
    }
    return highest(all, 0);
}

/// Whole blocks after which a device has gone through one interval of the endless repetition.
Ticks blocksToSteady(const std::vector<Change>& changes, Ticks interval)
{
    const auto range =
        std::minmax_element(changes.begin(), changes.end(),
                            [](const Change& a, const Change& b) { return a.time < b.time; });
    return intervalOf(range.second->time - range.first->time, interval) + 2;
}

} // namespace

std::vector<DeviceLifespans> lifespans(const BuildingBlock& block, const Retention& keep)
{
    const PipelineSpec spec = specOf(block);
    const std::vector<ActivationCost> shares =
        activationShares(spec, keep.keptForWeight, keep.stash);
    const PassTable table(spec);
    std::vector<Ticks> freed(static_cast<std::size_t>(table.size()), 0);
    const auto cellPlace = [&](Pass pass) {
        pass.kind = PassKind::F;
        return static_cast<std::size_t>(table.id(pass).value);
    };
    for (const BlockPass& placed : block.passes) {
        if (placed.pass.kind == PassKind::W || placed.pass.kind == PassKind::BW)
            freed[cellPlace(placed.pass)] = placed.end();
    }
    std::vector<DeviceLifespans> devices(static_cast<std::size_t>(block.devices));
    for (const BlockPass& placed : block.passes) {
        const Pass& pass = placed.pass;
        if (pass.kind != PassKind::F)
            continue;
        const std::size_t cell = cellIndex(spec, pass.stage, pass.segment);
        DeviceLifespans& device = devices[static_cast<std::size_t>(block.device(pass))];
        device.cells.push_back({pass, placed.start, freed[cellPlace(pass)], shares[cell].share});
        device.bound += device.cells.back().intervals(block.interval) * shares[cell].share;
    }
    const std::vector<Share> peaks = predictedPeak(block, keep);
    for (std::size_t i = 0; i < devices.size(); ++i) {
        devices[i].peak = peaks[i];
        std::sort(devices[i].cells.begin(), devices[i].cells.end(),
                  [](const Lifespan& a, const Lifespan& b) { return a.forward < b.forward; });
    }
    return devices;
}

std::vector<Share> predictedPeak(const BuildingBlock& block, const Retention& keep)
{
    std::vector<Share> peaks;
    for (const auto& changes : changesOf(block, keep))
        peaks.push_back(steadyPeak(changes, block.interval));
    return peaks;
}

std::vector<Share> predictedPeak(const BuildingBlock& block, int microBatches,
                                 const Retention& keep)
{
    std::vector<Share> peaks;
    for (const auto& changes : changesOf(block, keep)) {
        const bool steady = !changes.empty() && microBatches / block.microBatches >=
                                                    blocksToSteady(changes, block.interval);
        peaks.push_back(steady ? steadyPeak(changes, block.interval)
                               : rampPeak(changes, block, microBatches));
    }
    return peaks;
}

} // namespace pw
