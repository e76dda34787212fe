// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/lesson/step_stand.h"

#include "core/base/try.h"
#include "core/edit/compose.h"
#include "core/io/schedule_text.h"
#include "core/lesson/layers.h"
#include "core/lesson/standing.h"
#include "core/lesson/toggle.h"

#include <algorithm>

namespace pw {

namespace {

class StandWriter
{
public:
    StandWriter(JsonDocument& document, const LessonLevel& level, const Project& project)
        : m_pool(document.GetAllocator())
        , m_level(level)
        , m_project(project)
    {
    }

    JsonValue string(std::string_view text)
    {
        return JsonValue(text.data(), static_cast<rapidjson::SizeType>(text.size()), m_pool);
    }

    void set(JsonValue& object, const char* name, JsonValue value)
    {
        object.RemoveMember(name);
        object.AddMember(JsonValue(name, m_pool), value, m_pool);
    }

    JsonValue orders(const Draft& draft)
    {
        JsonValue lines(rapidjson::kArrayType);
        for (const std::string& line : writeOrders(draft))
            lines.PushBack(string(line), m_pool);
        return lines;
    }

    JsonValue block()
    {
        const BuildingBlock& block = m_project.blocks.front();
        const PipelineSpec shape = specOf(block);
        const ChunkTable chunks(shape);
        JsonValue lines(rapidjson::kArrayType);
        for (const DeviceId device : Ids<DeviceId>(block.devices)) {
            std::string line;
            for (const BlockPass& placed : block.passes) {
                if (block.device(placed.pass) != device)
                    continue;
                line += (line.empty() ? "" : " ") + passText(placed.pass, device, chunks) + "@" +
                        std::to_string(placed.start);
                if (placed.duration != 1)
                    line += "+" + std::to_string(placed.duration);
            }
            lines.PushBack(string(line), m_pool);
        }
        JsonValue object(rapidjson::kObjectType);
        object.AddMember("interval", JsonValue(static_cast<std::int64_t>(block.interval)), m_pool);
        object.AddMember("passes", lines, m_pool);
        return object;
    }

    /// An act on a pass.
    JsonValue toggleOf(const Pass& pass)
    {
        const PipelineSpec& spec = m_level.start.draft.spec;
        const DeviceId device = spec.device(pass.route, pass.stage);
        JsonValue act(rapidjson::kObjectType);
        act.AddMember("do", "toggle", m_pool);
        act.AddMember("device", JsonValue(static_cast<int>(device)), m_pool);
        act.AddMember("passes", string(passText(pass, device, ChunkTable(spec))), m_pool);
        return act;
    }

    Result<JsonValue> familyActs()
    {
        const int chosen = chosenOf(m_level, m_project);
        if (chosen < 0)
            return fail(ErrorCode::BadValue, "none of the level's schedules is chosen");
        const FamilyChoice& choice = m_level.choices[static_cast<std::size_t>(chosen)];
        JsonValue act(rapidjson::kObjectType), options(rapidjson::kObjectType);
        act.AddMember("do", "family", m_pool);
        act.AddMember("family", string(choice.id), m_pool);
        for (const auto& [name, value] : choice.options.parameters)
            options.AddMember(string(name), JsonValue(value), m_pool);
        if (!options.ObjectEmpty())
            act.AddMember("options", options, m_pool);
        if (choice.options.steps > 1)
            act.AddMember("steps", JsonValue(choice.options.steps), m_pool);
        act.AddMember("micro_batches", JsonValue(choice.options.microBatches), m_pool);
        JsonValue acts(rapidjson::kArrayType);
        acts.PushBack(act, m_pool);
        return acts;
    }

    Result<JsonValue> layerActs()
    {
        auto now = layersOf(m_level, m_level.start);
        const auto end = layersOf(m_level, m_project);
        if (!now || !end)
            return fail(ErrorCode::BadValue, "the times of the passes are those of no layers");
        JsonValue acts(rapidjson::kArrayType);
        for (;;) {
            std::size_t from = 0, to = 0;
            while (from < now->size() && (*now)[from] <= (*end)[from])
                ++from;
            while (to < now->size() && (*now)[to] >= (*end)[to])
                ++to;
            if (from == now->size() || to == now->size())
                return acts;
            --(*now)[from];
            ++(*now)[to];
            JsonValue act(rapidjson::kObjectType);
            act.AddMember("do", "layer", m_pool);
            act.AddMember("from", JsonValue(static_cast<int>(from)), m_pool);
            act.AddMember("to", JsonValue(static_cast<int>(to)), m_pool);
            acts.PushBack(act, m_pool);
        }
    }

    Result<JsonValue> repairActs()
    {
        const auto mended = mendedOf(m_level, m_project);
        if (!mended)
            return fail(ErrorCode::BadValue,
                        "the times of the passes have changed; they are locked here");
        JsonValue acts(rapidjson::kArrayType);
        for (std::size_t i = 0; i < mended->size(); ++i)
            if ((*mended)[i])
                acts.PushBack(toggleOf(m_level.causes[i].front().pass), m_pool);
        return acts;
    }

    /// Those whose answer is another than at first.
    JsonValue offloadActs()
    {
        const std::vector<Pass>& before = m_level.start.offload.cells;
        const std::vector<Pass>& now = m_project.offload.cells;
        std::vector<Pass> changed;
        std::set_symmetric_difference(before.begin(), before.end(), now.begin(), now.end(),
                                      std::back_inserter(changed));
        JsonValue acts(rapidjson::kArrayType);
        for (const Pass& cell : changed)
            acts.PushBack(toggleOf(cell), m_pool);
        return acts;
    }

    JsonPool& pool() { return m_pool; }

private:
    JsonPool& m_pool;
    const LessonLevel& m_level;
    const Project& m_project;
};

/// Orders of its own instead of a family's.
Result<void> setOrders(StandWriter& writer, JsonValue& start, const Project& project)
{
    PW_TRY(const Draft draft, draftOf(project));
    for (const char* name : {"family", "options", "steps", "updates"})
        start.RemoveMember(name);
    writer.set(start, "devices", JsonValue(draft.spec.devices));
    writer.set(start, "micro_batches", JsonValue(draft.spec.microBatches));
    JsonValue placement(rapidjson::kArrayType);
    for (const Placement& route : draft.spec.routes)
        placement.PushBack(writer.string(placementText(route, draft.spec.devices)), writer.pool());
    writer.set(start, "placement", std::move(placement));
    writer.set(start, "orders", writer.orders(draft));
    return {};
}

} // namespace

Result<void> setStart(JsonDocument& document, JsonValue& object, const LessonLevel& level,
                      const Project& project)
{
    StandWriter writer(document, level, project);
    JsonValue& start = object["start"];
    switch (level.freedom) {
    case Freedom::Order:
        return setOrders(writer, start, project);
    case Freedom::Block:
        if (project.blocks.size() != 1)
            return fail(ErrorCode::BadValue, "there is no block");
        writer.set(start, "block", writer.block());
        return {};
    case Freedom::Layers: {
        const auto split = layersOf(level, project);
        if (!split)
            return fail(ErrorCode::BadValue, "the times of the passes are those of no layers");
        JsonValue counts(rapidjson::kArrayType);
        for (const int count : *split)
            counts.PushBack(JsonValue(count), writer.pool());
        writer.set(object["layers"], "split", std::move(counts));
        return {};
    }
    case Freedom::Offload: {
        Draft cells{level.start.draft.spec, {}};
        cells.orders.resize(static_cast<std::size_t>(cells.spec.devices));
        for (const Pass& cell : project.offload.cells) {
            const DeviceId device = cells.spec.device(cell.route, cell.stage);
            OrderEntry entry;
            entry.pass = cell;
            cells.orders[static_cast<std::size_t>(device)].push_back(entry);
        }
        writer.set(start["offload"], "cells", writer.orders(cells));
        return {};
    }
    case Freedom::Choice:
    case Freedom::Repair:
        break;
    }
    return fail(ErrorCode::BadValue, "a level of this kind begins with what its file says");
}

Result<void> setDemonstration(JsonDocument& document, JsonValue& object, const LessonLevel& level,
                              const Project& project)
{
    StandWriter writer(document, level, project);
    JsonValue made(rapidjson::kObjectType);
    switch (level.freedom) {
    case Freedom::Order: {
        PW_TRY(const Draft draft, draftOf(project));
        made.AddMember("orders", writer.orders(draft), writer.pool());
        break;
    }
    case Freedom::Block:
        if (project.blocks.size() != 1)
            return fail(ErrorCode::BadValue, "there is no block");
        made = writer.block();
        {
            JsonValue holder(rapidjson::kObjectType);
            holder.AddMember("block", made, writer.pool());
            made = holder;
        }
        break;
    case Freedom::Choice: {
        PW_TRY(made, writer.familyActs());
        break;
    }
    case Freedom::Layers: {
        PW_TRY(made, writer.layerActs());
        break;
    }
    case Freedom::Offload:
        made = writer.offloadActs();
        break;
    case Freedom::Repair: {
        PW_TRY(made, writer.repairActs());
        break;
    }
    }
    if (object.HasMember("hints") && object["hints"].HasMember("do"))
        object["hints"]["do"] = JsonValue(1);
    writer.set(object, "demonstration", std::move(made));
    return {};
}

} // namespace pw
