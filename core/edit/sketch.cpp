// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/edit/sketch.h"

#include "core/base/try.h"
#include "core/block/collisions.h"
#include "core/block/draw.h"
#include "core/edit/present.h"
#include "core/model/costs.h"
#include "core/model/schedule.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <set>

namespace pw {

namespace {

/// The passes of a block as a draft, with the block's pass of each entry.
struct Sketch
{
    Draft draft;
    std::vector<std::size_t> passes; ///< by entry

    explicit Sketch(const BuildingBlock& block)
    {
        draft.spec = specOf(block);
        draft.orders.resize(static_cast<std::size_t>(block.devices));
        std::vector<std::size_t> byStart(block.passes.size());
        std::iota(byStart.begin(), byStart.end(), std::size_t{0});
        std::stable_sort(byStart.begin(), byStart.end(), [&](std::size_t a, std::size_t b) {
            return block.passes[a].start < block.passes[b].start;
        });
        std::vector<std::vector<std::size_t>> devices(draft.orders.size());
        for (const std::size_t i : byStart) {
            const Pass& pass = block.passes[i].pass;
            const auto device = static_cast<std::size_t>(block.device(pass));
            draft.orders[device].push_back(single(pass));
            devices[device].push_back(i);
        }
        for (const auto& device : devices)
            passes.insert(passes.end(), device.begin(), device.end());
    }
};

std::string number(Ticks value)
{
    return std::to_string(value);
}

std::optional<std::size_t> find(const BuildingBlock& block, const Pass& pass)
{
    for (std::size_t i = 0; i < block.passes.size(); ++i) {
        if (block.passes[i].pass == pass)
            return i;
    }
    return std::nullopt;
}

/// Places of passes in the block, in its order.
Result<std::vector<std::size_t>> places(const BuildingBlock& block, std::span<const Pass> passes)
{
    std::vector<std::size_t> found;
    for (const Pass& pass : passes) {
        const auto place = find(block, pass);
        if (!place)
            return fail(ErrorCode::BadValue, "the block has no %1", describe(pass, specOf(block)));
        found.push_back(*place);
    }
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
}

bool inRange(const BlockPass& placed)
{
    return placed.start >= -maxBlockTicks && placed.start <= maxBlockTicks &&
           placed.duration >= 1 && placed.duration <= maxBlockTicks;
}

Result<BuildingBlock> ranged(BuildingBlock block)
{
    for (const BlockPass& placed : block.passes) {
        if (!inRange(placed)) {
            return fail(ErrorCode::BadValue,
                        "%1 would start at %2 and last %3; offsets are within %4",
                        describe(placed.pass, specOf(block)), number(placed.start),
                        number(placed.duration), number(maxBlockTicks));
        }
    }
    return block;
}

/// Moves what is later in a chain of dependencies out of the way of the passes `from`.
void pushLater(BuildingBlock& block, std::vector<std::size_t> from)
{
    const Sketch sketch(block);
    const Present present(sketch.draft);
    std::vector<EntryId> consumers;
    while (!from.empty()) {
        const std::size_t at = from.back();
        from.pop_back();
        const BlockPass placed = block.passes[at];
        consumers.clear();
        present.consumers(placed.pass, consumers);
        for (const EntryId entry : consumers) {
            const std::size_t waiting = sketch.passes[static_cast<std::size_t>(entry)];
            if (block.passes[waiting].start >= placed.end())
                continue;
            block.passes[waiting].start = placed.end();
            from.push_back(waiting);
        }
    }
}

void pushEarlier(BuildingBlock& block, std::vector<std::size_t> from)
{
    const Sketch sketch(block);
    const Present present(sketch.draft);
    std::vector<Pass> producers;
    while (!from.empty()) {
        const std::size_t at = from.back();
        from.pop_back();
        const BlockPass placed = block.passes[at];
        producers.clear();
        present.producers(placed.pass, producers);
        for (const Pass& producer : producers) {
            const EntryId entry = present.entry(producer);
            if (entry < 0)
                continue;
            const std::size_t first = sketch.passes[static_cast<std::size_t>(entry)];
            if (block.passes[first].end() <= placed.start)
                continue;
            block.passes[first].start = placed.start - block.passes[first].duration;
            from.push_back(first);
        }
    }
}

/// The earliest start that what is there allows a pass; 0 where it waits for nothing.
Ticks readyTime(const BuildingBlock& block, const Pass& pass)
{
    const Sketch sketch(block);
    const Present present(sketch.draft);
    std::vector<Pass> producers;
    present.producers(pass, producers);
    Ticks ready = 0;
    bool any = false;
    for (const Pass& producer : producers) {
        const EntryId entry = present.entry(producer);
        if (entry < 0)
            continue;
        const Ticks end = block.passes[sketch.passes[static_cast<std::size_t>(entry)]].end();
        ready = any ? std::max(ready, end) : end;
        any = true;
    }
    return ready;
}

} // namespace

Result<void> checkPasses(const BuildingBlock& block)
{
    const PipelineSpec spec = specOf(block);
    PW_DO(check(spec));
    if (block.interval < 1 || block.interval > maxBlockTicks)
        return fail(ErrorCode::BadValue, "interval is %1; 1 to %2", number(block.interval),
                    number(maxBlockTicks));
    std::set<Pass> seen;
    for (std::size_t i = 0; i < block.passes.size(); ++i) {
        const Pass& pass = block.passes[i].pass;
        const Sentence which = said("pass %1 of the block, a %2,", i, name(pass.kind));
        const bool known = pass.kind != PassKind::U && pass.route < spec.routes.size() &&
                           pass.stage >= 0 && pass.stage < spec.stages() &&
                           belongs(spec, pass, block.device(pass));
        if (!known)
            return fail(ErrorCode::BadSchedule, "%1 is not a pass of its shape", which);
        if (!inRange(block.passes[i]))
            return fail(ErrorCode::BadValue, "%1 has a time outside its range", which);
        if (!seen.insert(pass).second)
            return fail(ErrorCode::BadSchedule, "%1 is there a second time", which);
    }
    return {};
}

Sentence brokenPlace(const BuildingBlock& block)
{
    const Sketch sketch(block);
    const Present present(sketch.draft);
    std::vector<Pass> producers;
    const BlockPass* broken = nullptr;
    const BlockPass* early = nullptr;
    for (const BlockPass& placed : block.passes) {
        if (broken != nullptr && broken->start <= placed.start)
            continue;
        producers.clear();
        present.producers(placed.pass, producers);
        for (const Pass& producer : producers) {
            const EntryId entry = present.entry(producer);
            if (entry < 0)
                continue;
            const BlockPass& first = block.passes[sketch.passes[static_cast<std::size_t>(entry)]];
            if (first.end() <= placed.start)
                continue;
            broken = &placed;
            early = &first;
            break;
        }
    }
    if (broken == nullptr)
        return {};
    const PipelineSpec& spec = sketch.draft.spec;
    return said("%1 would start at %2, before %3 ends at %4", describe(broken->pass, spec),
                broken->start, describe(early->pass, spec), early->end());
}

std::vector<Pass> missingPasses(const BuildingBlock& block)
{
    const Sketch sketch(block);
    const Present present(sketch.draft);
    const auto has = [&](PassKind kind) {
        return std::any_of(block.passes.begin(), block.passes.end(),
                           [&](const BlockPass& placed) { return placed.pass.kind == kind; });
    };
    const bool split = !has(PassKind::BW) || has(PassKind::B) || has(PassKind::W);
    const PipelineSpec& spec = sketch.draft.spec;
    std::vector<Pass> missing;
    for (int j = 0; j < spec.microBatches; ++j) {
        const auto route = static_cast<std::uint8_t>(spec.route(j));
        const auto visit = [&](PassKind kind) {
            for (const StageId s : Ids<StageId>(spec.stages())) {
                const bool forward = kind == PassKind::F;
                const StageId stage(forward ? s : spec.stages() - 1 - s);
                for (int q = 0; q < spec.segments(); ++q) {
                    const int segment = forward ? q : spec.segments() - 1 - q;
                    Pass pass{kind, route, stage, j, segment};
                    const Pass backward = withKind(pass, PassKind::B);
                    const bool fused =
                        present.has(backward) && present.kind(backward) == PassKind::BW;
                    if (kind == PassKind::W && (fused || (!split && !present.has(backward))))
                        continue;
                    if (present.has(pass))
                        continue;
                    if (kind == PassKind::B && !split)
                        pass.kind = PassKind::BW;
                    missing.push_back(pass);
                }
            }
        };
        visit(PassKind::F);
        visit(PassKind::B);
        visit(PassKind::W);
    }
    return missing;
}

Result<BuildingBlock> movePasses(const BuildingBlock& block, std::span<const Pass> passes, Ticks by,
                                 InTheWay others)
{
    PW_TRY(const auto moved, places(block, passes));
    if (by < -2 * maxBlockTicks || by > 2 * maxBlockTicks)
        return fail(ErrorCode::BadValue, "offsets are within %1", number(maxBlockTicks));
    BuildingBlock next = block;
    for (const std::size_t i : moved)
        next.passes[i].start += by;
    if (others == InTheWay::Push && by > 0)
        pushLater(next, moved);
    else if (others == InTheWay::Push)
        pushEarlier(next, moved);
    else if (const Sentence broken = brokenPlace(next); !broken.empty())
        return fail(ErrorCode::BadSchedule, broken);
    return ranged(std::move(next));
}

Result<BuildingBlock> resizePasses(const BuildingBlock& block, std::span<const Pass> passes,
                                   Ticks duration)
{
    PW_TRY(const auto resized, places(block, passes));
    if (duration < 1 || duration > maxBlockTicks)
        return fail(ErrorCode::BadValue, "the duration is %1; 1 to %2", number(duration),
                    number(maxBlockTicks));
    BuildingBlock next = block;
    for (const std::size_t i : resized)
        next.passes[i].duration = duration;
    pushLater(next, resized);
    return ranged(std::move(next));
}

Result<BuildingBlock> splitBackwards(const BuildingBlock& block, std::span<const Pass> passes)
{
    PW_TRY(const auto chosen, places(block, passes));
    BuildingBlock next = block;
    std::vector<std::size_t> changed;
    for (const std::size_t i : chosen) {
        if (block.passes[i].pass.kind != PassKind::BW)
            continue;
        const BlockPass fused = block.passes[i];
        BlockPass& backward = next.passes[i];
        backward.pass.kind = PassKind::B;
        backward.duration = std::max<Ticks>(1, fused.duration / 2);
        next.passes.push_back({withKind(fused.pass, PassKind::W), backward.end(),
                               std::max<Ticks>(1, fused.duration - backward.duration)});
        changed.push_back(i);
    }
    if (changed.empty())
        return fail(ErrorCode::BadValue, "there is no BW to split among the chosen passes");
    return ranged(std::move(next));
}

Result<BuildingBlock> joinBackwards(const BuildingBlock& block, std::span<const Pass> passes)
{
    PW_TRY(const auto chosen, places(block, passes));
    BuildingBlock next = block;
    std::vector<Pass> joined;
    for (const std::size_t i : chosen) {
        const Pass& pass = block.passes[i].pass;
        const auto place = find(next, withKind(pass, PassKind::B));
        if ((pass.kind != PassKind::B && pass.kind != PassKind::W) || !place)
            continue;
        const Pass weight = withKind(pass, PassKind::W);
        BlockPass& backward = next.passes[*place];
        backward.pass.kind = PassKind::BW;
        joined.push_back(backward.pass);
        if (const auto freed = find(next, weight)) {
            backward.duration += next.passes[*freed].duration;
            next.passes.erase(next.passes.begin() + static_cast<std::ptrdiff_t>(*freed));
        }
    }
    if (joined.empty())
        return fail(ErrorCode::BadValue,
                    "there is no B to join with its W among the chosen passes");
    std::vector<std::size_t> changed;
    for (const Pass& pass : joined)
        changed.push_back(*find(next, pass));
    pushLater(next, std::move(changed));
    return ranged(std::move(next));
}

Result<BuildingBlock> addPass(const BuildingBlock& block, const BlockPass& placed)
{
    const Pass& pass = placed.pass;
    const PipelineSpec spec = specOf(block);
    const Sentence what = describe(pass, spec);
    if (find(block, pass))
        return fail(ErrorCode::BadValue, "%1 is there already", what);
    const bool fusedThere = find(block, withKind(pass, PassKind::BW)).has_value();
    const bool splitThere = find(block, withKind(pass, PassKind::B)).has_value() ||
                            find(block, withKind(pass, PassKind::W)).has_value();
    if ((pass.kind == PassKind::BW && splitThere) ||
        ((pass.kind == PassKind::B || pass.kind == PassKind::W) && fusedThere))
        return fail(
            ErrorCode::BadSchedule,
            "%1 cannot be placed beside the other backward of its stage: split or join that one",
            what);
    BuildingBlock next = block;
    next.passes.push_back(placed);
    PW_DO(checkPasses(next));
    if (const Sentence broken = brokenPlace(next); !broken.empty())
        return fail(ErrorCode::BadSchedule, broken);
    return next;
}

Result<BuildingBlock> removePasses(const BuildingBlock& block, std::span<const Pass> passes)
{
    PW_DO(places(block, passes));
    BuildingBlock next = block;
    std::erase_if(next.passes, [&](const BlockPass& placed) {
        const auto chosen = [&](PassKind kind) {
            return std::find(passes.begin(), passes.end(), withKind(placed.pass, kind)) !=
                   passes.end();
        };
        return chosen(placed.pass.kind) || (placed.pass.kind == PassKind::W && chosen(PassKind::B));
    });
    return next;
}

Result<BuildingBlock> completeBlock(const BuildingBlock& block)
{
    BuildingBlock next = block;
    for (const Pass& pass : missingPasses(block)) {
        const Ticks duration = pass.kind == PassKind::BW ? 2 : 1;
        const DeviceId device = block.device(pass);
        const auto start = firstFreeStart(next, device, readyTime(next, pass), duration);
        if (!start) {
            return fail(ErrorCode::BadValue,
                        "device %1 has no free stretch of %2 in the interval %3 for %4", device,
                        number(duration), number(block.interval), describe(pass, specOf(block)));
        }
        next.passes.push_back({pass, *start, duration});
        pushLater(next, {next.passes.size() - 1});
    }
    return ranged(std::move(next));
}

Result<BuildingBlock> plainBlock(int devices, const Placement& placement)
{
    BuildingBlock block;
    block.devices = devices;
    block.routes = {placement};
    const PipelineSpec spec = specOf(block);
    PW_DO(check(spec));
    std::size_t chunks = 1;
    for (const auto& device : chunksOfDevices(spec))
        chunks = std::max(chunks, device.size());
    block.interval = static_cast<Ticks>(3 * chunks);
    return completeBlock(block);
}

} // namespace pw
