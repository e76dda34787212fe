// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors

// The building block of a level: its passes, where they meet when it is repeated, how long they
// live.
#include "core/base/try.h"
#include "core/block/check.h"
#include "core/block/collisions.h"
#include "core/block/lifespan.h"
#include "core/edit/sketch.h"
#include "core/io/schedule_text.h"
#include "web/engine/calls.h"
#include "web/engine/scene.h"

#include <array>

namespace pw::web {

namespace {

constexpr auto oneLine = JsonText::Layout::OneLine;
constexpr std::int64_t longestInterval = 1'000;

Result<BuildingBlock> blockOf(const Call& call)
{
    PW_DO(call.read());
    if (call.session.project().blocks.size() != 1)
        return fail(ErrorCode::BadValue, "there is no block");
    return call.session.project().blocks.front();
}

/// The block with a pass at another offset; what it would run into moves away.
Result<BuildingBlock> movedBy(const Call& call)
{
    const auto number = static_cast<std::size_t>(call.in.count("pass", 0));
    const Ticks by = call.in.integer("by", -longestInterval, longestInterval);
    PW_TRY(const BuildingBlock block, blockOf(call));
    if (number >= block.passes.size())
        return fail(ErrorCode::BadValue, "the block has no pass %1", number);
    const std::array<Pass, 1> moved{block.passes[number].pass};
    return movePasses(block, moved, by, InTheWay::Push);
}

Result<void> tryMove(const Call& call)
{
    PW_TRY(const BuildingBlock block, movedBy(call));
    writeBlock(call.out, block);
    return {};
}

Result<void> move(const Call& call)
{
    PW_TRY(BuildingBlock block, movedBy(call));
    if (block != call.session.project().blocks.front())
        PW_DO(call.session.edit(Edit{{SetBlock{0, std::move(block)}}}));
    return writeState(call.out, call.session);
}

Result<void> setInterval(const Call& call)
{
    const Ticks interval = call.in.integer("interval", 1, longestInterval);
    PW_TRY(BuildingBlock block, blockOf(call));
    if (block.interval != interval) {
        block.interval = interval;
        PW_DO(call.session.edit(Edit{{SetBlock{0, std::move(block)}}}));
    }
    return writeState(call.out, call.session);
}

} // namespace

void writeBlock(JsonText& out, const BuildingBlock& block)
{
    const ChunkTable chunks(specOf(block));
    out.key("block");
    out.beginObject(oneLine);
    out.member("devices", block.devices);
    out.member("interval", block.interval);
    out.key("passes");
    out.beginArray(oneLine);
    for (const BlockPass& placed : block.passes) {
        out.beginArray(oneLine);
        out.value(static_cast<int>(block.device(placed.pass)));
        out.value(placed.start);
        out.value(placed.end());
        out.value(static_cast<int>(placed.pass.kind));
        out.value(chunks.chunk(placed.pass.route, placed.pass.stage));
        out.value(static_cast<int>(placed.pass.stage));
        out.endArray();
    }
    out.endArray();
    const auto sound = check(block);
    if (!sound) {
        out.key("problem");
        writeSentence(out, sound.error().message);
    }
    out.key("collisions");
    out.beginArray(oneLine);
    if (sound) {
        for (const Collision& collision : collisions(block)) {
            out.beginObject(oneLine);
            out.member("device", static_cast<int>(collision.device));
            out.member("residue", collision.residue);
            out.key("text");
            writeSentence(out, collision.text(block));
            out.endObject();
        }
    }
    out.endArray();
    out.key("lives");
    out.beginArray(oneLine);
    if (sound) {
        for (const DeviceLifespans& device : lifespans(block)) {
            out.beginObject(oneLine);
            out.member("peak", microBatchesFromShare(device.peak));
            out.key("cells");
            out.beginArray(oneLine);
            for (const Lifespan& life : device.cells) {
                out.beginArray(oneLine);
                out.value(life.start);
                out.value(life.end);
                out.value(chunks.chunk(life.forward.route, life.forward.stage));
                out.endArray();
            }
            out.endArray();
            out.endObject();
        }
    }
    out.endArray();
    out.endObject();
}

std::span<const Function> blockFunctions()
{
    static constexpr std::array<Function, 3> all = {
        {{"block_try", tryMove}, {"block_move", move}, {"block_interval", setInterval}}};
    return all;
}

} // namespace pw::web
