// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/family_value.h"
#include "core/io/file_problem.h"
#include "core/io/schedule_text.h"
#include "core/lesson/lesson_parts.h"
#include "core/lesson/number_mark.h"
#include "core/model/offload.h"

#include <algorithm>
#include <limits>

namespace pw {

namespace {

constexpr double mostStartMs = 1e5;

void refuseStart(JsonFields::Failure& failure, const std::string& path, const Error& error)
{
    if (!failure)
        failure = Error{error.code, said("%1: %2", path, error.message)};
}

/// The times of a start: single numbers for equal stages, or lists by stage.
class StartTimes
{
public:
    StartTimes(const JsonValue& object, std::string path, JsonFields::Failure& failure)
        : m_object(object)
        , m_path(std::move(path))
        , m_failure(failure)
        , m_fields(object, m_path, failure)
    {
    }

    std::variant<UniformCosts, Costs> read(const PipelineSpec& spec)
    {
        UniformCosts uniform;
        const bool lists = isList("forward") || isList("backward") || isList("weight");
        uniform.keptForWeight = m_fields.number("kept_for_weight", 0, 1, 1);
        uniform.stash = m_fields.number("stash", 0, 1, 0);
        uniform.hop = time("hop", 0);
        if (m_fields.has("pair"))
            uniform.pair = time("pair", 0);
        if (!lists) {
            uniform.forward = time("forward", 1);
            uniform.backward = time("backward", 1);
            uniform.weight = time("weight", 1);
            uniform.update = time("update", 0);
            m_fields.finish();
            return uniform;
        }
        Costs costs = expand(uniform, spec);
        costs.forward = byStage("forward", spec);
        costs.backward = byStage("backward", spec);
        costs.weight = byStage("weight", spec);
        costs.fused.clear();
        costs.recompute.clear();
        m_fields.finish();
        return costs;
    }

private:
    bool isList(const char* name) const
    {
        return m_object.IsObject() && m_object.HasMember(name) && m_object[name].IsArray();
    }

    Ticks time(std::string_view name, double fallback)
    {
        return ticksFromMs(m_fields.number(name, 0, mostStartMs, fallback));
    }

    std::vector<Ticks> byStage(const char* name, const PipelineSpec& spec)
    {
        std::vector<Ticks> cells;
        const auto stages = static_cast<std::size_t>(spec.stages());
        std::vector<double> values(stages, 1);
        if (isList(name)) {
            const JsonValue* list = m_fields.list(name);
            if (list == nullptr || list->Size() != stages) {
                m_fields.refuse(name, "%1 needs a number for each of the %2 stages", stages);
                return cells;
            }
            for (rapidjson::SizeType s = 0; s < list->Size(); ++s) {
                const bool good = (*list)[s].IsNumber() && (*list)[s].GetDouble() >= 0 &&
                                  (*list)[s].GetDouble() <= mostStartMs;
                if (!good)
                    m_fields.refuse(name, "%1 has an element that is not a time in milliseconds");
                else
                    values[s] = (*list)[s].GetDouble();
            }
        } else {
            std::fill(values.begin(), values.end(), m_fields.number(name, 0, mostStartMs, 1));
        }
        double length = 0;
        for (const int part : spec.segmentLengths)
            length += part;
        for (const double value : values)
            for (const int part : spec.segmentLengths)
                cells.push_back(ticksFromMs(value * part / length));
        return cells;
    }

    const JsonValue& m_object;
    std::string m_path;
    JsonFields::Failure& m_failure;
    JsonFields m_fields;
};

void readStartFamily(JsonFields& fields, Project& project, const std::string& path,
                     JsonFields::Failure& failure)
{
    FamilyChoice choice;
    const int devices = static_cast<int>(fields.integer("devices", 1, 1024));
    readLessonFamily(fields, choice, devices, failure);
    choice.options.microBatches = fields.count("micro_batches", 1);
    if (failure)
        return;
    const auto family = findFamily(choice.id);
    auto spec =
        family ? specOf(**family, choice.options) : Result<PipelineSpec>(fail(family.error()));
    if (!spec)
        return refuseStart(failure, path, spec.error());
    project.draft.spec = std::move(*spec);
    project.family = std::move(choice);
}

void readStartSpec(JsonFields& fields, Project& project, const std::string& path,
                   JsonFields::Failure& failure)
{
    PipelineSpec& spec = project.draft.spec;
    spec.devices = static_cast<int>(fields.integer("devices", 1, 1024));
    spec.microBatches = fields.count("micro_batches", 1);
    spec.routes.clear();
    std::vector<std::string> placement = {"linear"};
    if (fields.has("placement"))
        placement = fields.texts("placement");
    for (const std::string& text : placement) {
        auto route = parsePlacement(text, spec.devices);
        if (!route)
            return refuseStart(failure, fields.pathOf("placement"), route.error());
        spec.routes.push_back(std::move(*route));
    }
    for (const std::int64_t route : fields.integers("route_of_micro_batch", 0, 1))
        spec.routeOfMicroBatch.push_back(static_cast<std::uint8_t>(route));
    spec.segmentLengths.clear();
    for (const std::int64_t part : fields.integers("segment_lengths", 1, 1'000'000))
        spec.segmentLengths.push_back(static_cast<int>(part));
    if (spec.segmentLengths.empty())
        spec.segmentLengths = {1};
    if (fields.title("messages", "early") == "committed")
        spec.messages = MessageRule::Committed;
    if (failure)
        return;
    if (auto sound = check(spec); !sound)
        return refuseStart(failure, path, sound.error());
    project.draft.orders.resize(static_cast<std::size_t>(spec.devices));
    if (fields.has("orders"))
        project.draft.orders = readLessonOrders(fields, "orders", spec, failure);
}

/// What of each device waits in the host's memory, and how long a copy of it takes in one
/// direction.
void readStartOffload(const JsonValue& value, const std::string& path, Project& project,
                      JsonFields::Failure& failure)
{
    JsonFields fields(value, path, failure);
    const PipelineSpec& spec = project.draft.spec;
    project.offload.link = {ticksFromMs(fields.number("copy_ms", 0, mostStartMs)), 0};
    if (fields.has("cells")) {
        std::vector<Pass> cells;
        for (const auto& order : readLessonOrders(fields, "cells", spec, failure))
            for (const OrderEntry& entry : order)
                cells.push_back(entry.pass);
        project.offload.cells = offloadedCells(std::move(cells), spec);
    }
    fields.finish();
}

} // namespace

std::optional<BuildingBlock> readStartBlock(JsonFields& fields, const PipelineSpec& spec,
                                            JsonFields::Failure& failure)
{
    const JsonValue* object = fields.object("block");
    if (object == nullptr)
        return std::nullopt;
    JsonFields inner(*object, fields.pathOf("block"), failure);
    BuildingBlock block;
    block.devices = spec.devices;
    block.routes = spec.routes;
    block.interval = inner.integer("interval", 1, maxBlockTicks);
    PipelineSpec one = spec;
    one.microBatches = 1;
    one.routeOfMicroBatch.clear();
    const ChunkTable chunks(one);
    const std::vector<std::string> lines = inner.texts("passes");
    inner.finish();
    if (lines.size() != static_cast<std::size_t>(spec.devices)) {
        inner.refuse("passes", "%1 needs a line for each of the %2 devices", spec.devices);
        return std::nullopt;
    }
    for (const DeviceId device : Ids<DeviceId>(spec.devices)) {
        std::string_view rest = lines[static_cast<std::size_t>(device)];
        while (!trimmed(rest).empty() && !failure) {
            rest = trimmed(rest);
            const std::size_t end = std::min(rest.find(' '), rest.size());
            const std::string_view word = rest.substr(0, end);
            rest.remove_prefix(end);
            const std::size_t at = word.find('@');
            const std::string_view when = at == std::string_view::npos ? "" : word.substr(at + 1);
            const std::size_t plus = std::min(when.find('+'), when.size());
            const auto start = parseNumber(when.substr(0, plus));
            const auto duration =
                plus < when.size() ? parseNumber(when.substr(plus + 1)) : std::optional(1);
            FileProblems found;
            const auto entries = parseOrder(word.substr(0, at), one, chunks, device, {1, 1}, found);
            if (!start || !duration || *duration < 1 || !found.none() || entries.size() != 1) {
                inner.refuse("passes",
                             "%1 has %2; a pass with its offset, and its length where it is not 1, "
                             "is as F0@3 or BW0@4+2",
                             inQuotes(word));
                return std::nullopt;
            }
            block.passes.push_back({entries.front().pass, *start, *duration});
        }
    }
    return block;
}

LessonText lessonTextOf(const JsonValue& value, const std::string& path,
                        JsonFields::Failure& failure)
{
    constexpr std::size_t longest = std::size_t{16} << 10;
    LessonText text;
    const auto refuse = [&](Pattern<std::string> why) {
        if (!failure)
            failure = Error{ErrorCode::Syntax, said<std::string>(why, path)};
    };
    const auto add = [&](std::string language, const JsonValue& from) {
        if (!from.IsString())
            return refuse("%1 is not text, nor an object of texts by language");
        if (from.GetStringLength() > longest)
            return refuse("%1 is longer than 16 KiB");
        std::string written(from.GetString(), from.GetStringLength());
        text.languages.emplace_back(std::move(language), shownText(written));
        text.marked.push_back(hasMarks(written) ? std::move(written) : std::string());
    };
    if (value.IsObject()) {
        if (value.MemberCount() == 0 || value.MemberCount() > 50)
            refuse("%1 has to have 1 to 50 languages");
        else
            for (const auto& member : value.GetObject())
                add({member.name.GetString(), member.name.GetStringLength()}, member.value);
    } else {
        add("en", value);
    }
    return text;
}

LessonText readLessonText(JsonFields& fields, const JsonValue& object, std::string_view name,
                          bool needed, JsonFields::Failure& failure)
{
    if (!fields.has(name)) {
        if (needed)
            fields.refuse(name, "%1 is missing");
        return {};
    }
    const JsonValue& value = object[JsonValue(
        rapidjson::StringRef(name.data(), static_cast<rapidjson::SizeType>(name.size())))];
    // Asked for here, so that `finish` knows it.
    if (value.IsObject())
        fields.object(name);
    else
        fields.text(name);
    return lessonTextOf(value, fields.pathOf(name), failure);
}

DeviceOrders readLessonOrders(JsonFields& fields, std::string_view name, const PipelineSpec& spec,
                              JsonFields::Failure& failure)
{
    DeviceOrders orders(static_cast<std::size_t>(spec.devices));
    const std::vector<std::string> lines = fields.texts(name);
    if (failure)
        return orders;
    if (lines.size() != orders.size()) {
        fields.refuse(name, "%1 has %2 lines for %3 devices", lines.size(), spec.devices);
        return orders;
    }
    const ChunkTable chunks(spec);
    for (std::size_t device = 0; device < lines.size(); ++device) {
        FileProblems found;
        orders[device] = parseOrder(lines[device], spec, chunks, DeviceId(device),
                                    {static_cast<std::int32_t>(device) + 1, 1}, found);
        if (!found.none())
            refuseStart(failure, fields.pathOf(name, device), found.error());
    }
    return orders;
}

void readLessonFamily(JsonFields& fields, FamilyChoice& choice, int devices,
                      JsonFields::Failure& failure)
{
    choice.id = fields.title("family");
    choice.options.devices = devices;
    choice.options.steps = fields.count("steps", 1, 1);
    choice.options.updates = fields.truth("updates", choice.options.steps > 1);
    for (const std::int64_t part : fields.integers("segment_lengths", 1, 1'000'000))
        choice.options.segmentLengths.push_back(static_cast<int>(part));
    if (fields.has("options")) {
        const JsonValue* given = fields.object("options");
        if (given == nullptr || given->MemberCount() > 20) {
            fields.refuse("options", "%1 has to be an object of at most 20 values");
            return;
        }
        JsonFields inner(*given, fields.pathOf("options"), failure);
        const auto known = findFamily(choice.id);
        for (const auto& member : given->GetObject()) {
            const std::string_view name(member.name.GetString(), member.name.GetStringLength());
            choice.options.parameters.emplace_back(
                std::string(name),
                readFamilyValue(inner, name, member.value, known ? *known : nullptr));
        }
        inner.finish();
    }
    if (failure)
        return;
    if (const auto family = findFamily(choice.id); !family)
        fields.refuse("family", "%1 is unknown: %2", family.error().message);
}

Project readLessonStart(const JsonValue& object, const std::string& path,
                        JsonFields::Failure& failure)
{
    Project project;
    JsonFields fields(object, path, failure);
    if (failure)
        return project;
    if (fields.has("family"))
        readStartFamily(fields, project, path, failure);
    else
        readStartSpec(fields, project, path, failure);
    if (failure)
        return project;
    const PipelineSpec& spec = project.draft.spec;
    const std::int64_t passes = std::int64_t{4} * spec.stages() * spec.totalMicroBatches() *
                                static_cast<std::int64_t>(spec.segments());
    if (passes > maxLessonPasses)
        refuseStart(failure, path,
                    {ErrorCode::TooLarge, said("has more passes than a lesson shows")});
    if (fields.has("times")) {
        if (const JsonValue* times = fields.object("times"))
            project.costs = StartTimes(*times, fields.pathOf("times"), failure).read(spec);
    }
    readLonger(fields, object, project, failure);
    if (fields.has("offload")) {
        if (const JsonValue* offload = fields.object("offload"))
            readStartOffload(*offload, fields.pathOf("offload"), project, failure);
    }
    if (fields.has("block")) {
        if (auto block = readStartBlock(fields, spec, failure))
            project.blocks.push_back(std::move(*block));
    }
    fields.finish();
    if (failure)
        return project;
    if (auto sound = check(costsOf(project), spec); !sound)
        refuseStart(failure, path, sound.error());
    return project;
}

} // namespace pw
