// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/try.h"
#include "core/block/arrangement.h"
#include "core/block/check.h"
#include "core/block/collisions.h"

#include <algorithm>
#include <string>
#include <utility>

namespace pw {

namespace {

// Two such times still add up inside 64 bits.
constexpr Ticks latestTime = std::int64_t{1} << 61;

/// From `begin` to `end`, both outside.
struct Forbidden
{
    Ticks begin = 0;
    Ticks end = 0;
};

Result<void> checkRun(const BlockRun& run, const BlockRun& first, const Sentence& label)
{
    const auto refuse = [&](const Sentence& why) {
        return fail(ErrorCode::BadValue, "%1%2", label, why);
    };
    if (run.microBatches < 1)
        return refuse(said("micro-batches is %1; at least 1", run.microBatches));
    if (auto block = check(run.block); !block)
        return fail(block.error().code, "%1%2", label, block.error().message);
    const auto found = collisions(run.block);
    if (!found.empty()) {
        const Sentence others =
            found.size() == 1 ? Sentence() : said(" (and %1 more)", found.size() - 1);
        return fail(ErrorCode::BadSchedule, "%1the block collides: %2%3", label,
                    found.front().text(run.block), others);
    }
    if (run.block.devices != first.block.devices || run.block.routes != first.block.routes)
        return refuse(said("devices and placement are not those of the first block"));
    if (run.block.segmentLengths != first.block.segmentLengths)
        return refuse(said("segments are not those of the first block"));
    return {};
}

/// One spec over all runs.
Result<PipelineSpec> specOf(std::span<const BlockRun> runs)
{
    PipelineSpec spec = specOf(runs.front().block, 1);
    std::int64_t microBatches = 0;
    Ticks last = 0;
    for (const BlockRun& run : runs) {
        microBatches += run.microBatches;
        // A shift is never longer than the block before, which ends at most two limits after its
        // first offset.
        last += static_cast<Ticks>(run.microBatches) * run.block.interval + 4 * maxBlockTicks;
        if (microBatches > maxPasses || last > latestTime) {
            return fail(ErrorCode::TooLarge,
                        "the blocks are repeated for %1 micro-batches; so many passes or so long a "
                        "time cannot be kept",
                        microBatches);
        }
    }
    spec.microBatches = static_cast<int>(microBatches);
    spec.routeOfMicroBatch.clear();
    if (spec.routes.size() > 1) {
        for (const BlockRun& run : runs) {
            const PipelineSpec own = specOf(run.block, run.microBatches);
            for (int j = 0; j < run.microBatches; ++j)
                spec.routeOfMicroBatch.push_back(static_cast<std::uint8_t>(own.route(j)));
        }
    }
    PW_DO(check(spec));
    return spec;
}

/// The passes of a run on each device, in time order, its first block at offset 0.
std::vector<std::vector<BlockPass>> placesOf(const BlockRun& run, int firstMicroBatch)
{
    std::vector<std::vector<BlockPass>> devices(static_cast<std::size_t>(run.block.devices));
    const int g = run.block.microBatches;
    for (int first = 0; first < run.microBatches; first += g) {
        const Ticks shift = (first / g) * run.block.interval;
        for (BlockPass placed : run.block.passes) {
            if (first + placed.pass.microBatch >= run.microBatches)
                continue;
            placed.pass.microBatch += firstMicroBatch + first;
            placed.start += shift;
            devices[static_cast<std::size_t>(run.block.device(placed.pass))].push_back(placed);
        }
    }
    for (auto& device : devices) {
        std::sort(device.begin(), device.end(),
                  [](const BlockPass& a, const BlockPass& b) { return a.start < b.start; });
    }
    return devices;
}

/// The earliest start from `from` on of a run whose passes then meet none of those that are there.
Ticks firstStart(const std::vector<std::vector<BlockPass>>& there,
                 const std::vector<std::vector<BlockPass>>& run, Ticks from)
{
    std::vector<Forbidden> forbidden;
    for (std::size_t device = 0; device < there.size(); ++device) {
        for (auto old = there[device].rbegin(); old != there[device].rend(); ++old) {
            // Passes do not overlap, so the ends fall with the starts.
            if (run[device].empty() || old->end() - run[device].front().start <= from)
                break;
            for (const BlockPass& placed : run[device]) {
                const Ticks end = old->end() - placed.start;
                if (end <= from)
                    break;
                forbidden.push_back({old->start - placed.end(), end});
            }
        }
    }
    std::sort(forbidden.begin(), forbidden.end(),
              [](const Forbidden& a, const Forbidden& b) { return a.begin < b.begin; });
    Ticks start = from;
    for (const Forbidden& range : forbidden) {
        if (range.begin >= start)
            break;
        start = std::max(start, range.end);
    }
    return start;
}

} // namespace

Result<Arrangement> repeat(std::span<const BlockRun> runs)
{
    if (runs.empty())
        return fail(ErrorCode::BadValue, "there is no block to repeat");
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const Sentence label =
            runs.size() == 1 ? Sentence() : said("block %1 of the sequence: ", i);
        PW_DO(checkRun(runs[i], runs.front(), label));
    }
    PW_TRY(auto spec, specOf(runs));
    Arrangement arrangement;
    arrangement.spec = std::move(spec);
    arrangement.devices.resize(static_cast<std::size_t>(arrangement.spec.devices));
    Ticks next = 0;
    int microBatches = 0;
    for (const BlockRun& run : runs) {
        const auto places = placesOf(run, microBatches);
        const Ticks start = firstStart(arrangement.devices, places, next);
        for (std::size_t device = 0; device < places.size(); ++device) {
            auto& all = arrangement.devices[device];
            const auto middle = static_cast<std::ptrdiff_t>(all.size());
            for (BlockPass placed : places[device]) {
                placed.start += start;
                all.push_back(placed);
            }
            std::inplace_merge(
                all.begin(), all.begin() + middle, all.end(),
                [](const BlockPass& a, const BlockPass& b) { return a.start < b.start; });
        }
        arrangement.runs.push_back({start, microBatches});
        const int g = run.block.microBatches;
        next = start + ((run.microBatches + g - 1) / g) * run.block.interval;
        microBatches += run.microBatches;
    }
    return arrangement;
}

Result<Arrangement> repeat(const BuildingBlock& block, int microBatches)
{
    const BlockRun run{block, microBatches};
    return repeat(std::span<const BlockRun>(&run, 1));
}

} // namespace pw
