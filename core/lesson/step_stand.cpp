// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/lesson/step_stand.h"

#include "core/base/try.h"
#include "core/edit/compose.h"
#include "core/edit/sketch.h"
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
        : StandWriter(document, level, level.start, project)
    {
    }
    /// @param before  what acts begin with
    StandWriter(JsonDocument& document, const LessonLevel& level, const Project& before,
                const Project& project)
        : m_pool(document.GetAllocator())
        , m_level(level)
        , m_before(before)
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
        auto now = layersOf(m_level, m_before);
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
        const auto before = mendedOf(m_level, m_before), mended = mendedOf(m_level, m_project);
        if (!mended || !before)
            return fail(ErrorCode::BadValue,
                        "the times of the passes have changed; they are locked here");
        JsonValue acts(rapidjson::kArrayType);
        for (std::size_t i = 0; i < mended->size(); ++i)
            if ((*mended)[i] != (*before)[i])
                acts.PushBack(toggleOf(m_level.causes[i].front().pass), m_pool);
        return acts;
    }

    /// Those whose answer is another than at first.
    JsonValue offloadActs()
    {
        const std::vector<Pass>& before = m_before.offload.cells;
        const std::vector<Pass>& now = m_project.offload.cells;
        std::vector<Pass> changed;
        std::set_symmetric_difference(before.begin(), before.end(), now.begin(), now.end(),
                                      std::back_inserter(changed));
        JsonValue acts(rapidjson::kArrayType);
        for (const Pass& cell : changed)
            acts.PushBack(toggleOf(cell), m_pool);
        return acts;
    }

    /// Entries that go, change their places and come, device by device.
    Result<JsonValue> orderActs()
    {
        PW_TRY(const Draft before, draftOf(m_before));
        PW_TRY(const Draft now, draftOf(m_project));
        JsonValue acts(rapidjson::kArrayType);
        for (const DeviceId device : Ids<DeviceId>(now.spec.devices)) {
            const auto at = static_cast<std::size_t>(device);
            reach(acts, device, before.orders[at], now.orders[at]);
        }
        return acts;
    }

    /// Passes of the block and its interval.
    Result<JsonValue> blockActs()
    {
        if (m_before.blocks.size() != 1 || m_project.blocks.size() != 1)
            return fail(ErrorCode::BadValue, "there is no block");
        const BuildingBlock &before = m_before.blocks.front(), &now = m_project.blocks.front();
        JsonValue acts(rapidjson::kArrayType);
        if (before.interval != now.interval) {
            JsonValue act = newAct("interval");
            set(act, "value", JsonValue(static_cast<std::int64_t>(now.interval)));
            acts.PushBack(act, m_pool);
        }
        BuildingBlock there = before;
        // Who moves pushes others, so what is left is looked at after each.
        const std::size_t most = 4 * now.passes.size();
        for (std::size_t turn = 0; turn < most; ++turn) {
            const auto shifts = shiftsTo(there, now);
            if (shifts.empty())
                return acts;
            const Shift next = bestOf(shifts, there, now);
            PW_TRY(there, movePasses(there, std::vector<Pass>{next.pass}, next.by, InTheWay::Push));
            acts.PushBack(shiftAct(next, now), m_pool);
        }
        return fail(ErrorCode::BadValue, "what was done to the block is no list of shifts");
    }

    JsonPool& pool() { return m_pool; }

private:
    /// A pass of a block that stands elsewhere in the end.
    struct Shift
    {
        Pass pass;
        Ticks start = 0;
        Ticks by = 0;
    };

    static std::vector<Shift> shiftsTo(const BuildingBlock& there, const BuildingBlock& end)
    {
        std::vector<Shift> shifts;
        for (const BlockPass& placed : end.passes)
            for (const BlockPass& one : there.passes)
                if (one.pass == placed.pass && one.start != placed.start)
                    shifts.push_back({one.pass, one.start, placed.start - one.start});
        return shifts;
    }

    /// One that brings all others where they belong, else who goes later from the last one on.
    static Shift bestOf(std::vector<Shift> shifts, const BuildingBlock& there,
                        const BuildingBlock& end)
    {
        for (const Shift& one : shifts) {
            const auto all = movePasses(there, std::vector<Pass>{one.pass}, one.by, InTheWay::Push);
            if (all && shiftsTo(*all, end).empty())
                return one;
        }
        return *std::min_element(shifts.begin(), shifts.end(), [](const Shift& a, const Shift& b) {
            if ((a.by > 0) != (b.by > 0))
                return a.by > 0;
            return a.by > 0 ? a.start > b.start : a.start < b.start;
        });
    }

    /// "1:B0.1" names the device, too.
    JsonValue shiftAct(const Shift& shift, const BuildingBlock& block)
    {
        const DeviceId device = block.device(shift.pass);
        JsonValue act = newAct("shift");
        set(act, "passes",
            string(std::to_string(static_cast<int>(device)) + ":" +
                   passText(shift.pass, device, ChunkTable(specOf(block)))));
        set(act, "by", JsonValue(static_cast<std::int64_t>(shift.by)));
        return act;
    }

    JsonValue newAct(const char* name)
    {
        JsonValue act(rapidjson::kObjectType);
        act.AddMember("do", JsonValue(name, m_pool), m_pool);
        return act;
    }

    JsonValue actAt(const char* name, DeviceId device)
    {
        JsonValue act = newAct(name);
        set(act, "device", JsonValue(static_cast<int>(device)));
        return act;
    }

    /// The order of a device from one that it was.
    void reach(JsonValue& acts, DeviceId device, std::vector<OrderEntry> now,
               const std::vector<OrderEntry>& end)
    {
        for (std::size_t i = now.size(); i-- > 0;) {
            if (std::find(end.begin(), end.end(), now[i]) != end.end())
                continue;
            JsonValue act = actAt("remove", device);
            set(act, "from", JsonValue(static_cast<int>(i)));
            acts.PushBack(act, m_pool);
            now.erase(now.begin() + static_cast<std::ptrdiff_t>(i));
        }
        for (std::size_t i = 0; i < end.size(); ++i) {
            if (i < now.size() && now[i] == end[i])
                continue;
            const auto place = now.begin() + static_cast<std::ptrdiff_t>(i);
            const auto found = std::find(place, now.end(), end[i]);
            if (found != now.end()) {
                JsonValue act = actAt("move", device);
                set(act, "from", JsonValue(static_cast<int>(found - now.begin())));
                set(act, "to", JsonValue(static_cast<int>(i)));
                acts.PushBack(act, m_pool);
                std::rotate(place, found, found + 1);
                continue;
            }
            JsonValue act = actAt("place", device);
            set(act, "passes", string(entryText(device, end[i])));
            if (i < now.size())
                set(act, "at", JsonValue(static_cast<int>(i)));
            acts.PushBack(act, m_pool);
            now.insert(place, end[i]);
        }
    }

    std::string entryText(DeviceId device, const OrderEntry& entry) const
    {
        Draft alone{m_level.start.draft.spec, {}};
        alone.orders.resize(static_cast<std::size_t>(alone.spec.devices));
        alone.orders[static_cast<std::size_t>(device)] = {entry};
        return writeOrders(alone)[static_cast<std::size_t>(device)];
    }

    JsonPool& m_pool;
    const LessonLevel& m_level;
    const Project& m_before;
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

Result<JsonValue> actsBetween(JsonDocument& document, const LessonLevel& level,
                              const Project& before, const Project& after)
{
    StandWriter writer(document, level, before, after);
    switch (level.freedom) {
    case Freedom::Order:
        return writer.orderActs();
    case Freedom::Block:
        return writer.blockActs();
    case Freedom::Choice:
        return writer.familyActs();
    case Freedom::Layers:
        return writer.layerActs();
    case Freedom::Offload:
        return writer.offloadActs();
    case Freedom::Repair:
        return writer.repairActs();
    }
    return fail(ErrorCode::BadValue, "nothing is free in this level");
}

} // namespace pw
