// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/edit/compose.h"
#include "core/io/file_problem.h"
#include "core/io/schedule_text.h"
#include "core/lesson/layers.h"
#include "core/lesson/lesson_parts.h"

#include <algorithm>
#include <cmath>

namespace pw {

namespace {

constexpr std::size_t mostFacts = 100;
constexpr double mostFactMs = 1e6;

/// One thing that makes passes longer: {"device": 0, "pass": "F4", "ms": 1}, or all passes of the
/// device; by "ms" or so many "times".
LessonCause readCause(JsonFields& fields, const Draft& draft, const Costs& costs,
                      JsonFields::Failure& failure)
{
    const PipelineSpec& spec = draft.spec;
    const auto device = DeviceId(fields.integer("device", 0, spec.devices - 1));
    const std::string name = fields.title("pass", "");
    const double times = fields.number("times", 1, 1000, 1);
    const Ticks more = ticksFromMs(fields.number("ms", 0, mostFactMs, 0));
    if (failure)
        return {};
    std::vector<OrderEntry> entries;
    if (name.empty()) {
        entries = draft.orders[static_cast<std::size_t>(device)];
    } else {
        FileProblems found;
        entries = parseOrder(name, spec, ChunkTable(spec), device, {1, 1}, found);
        if (!found.none() || entries.size() != 1 ||
            entries.front().pass.microBatch >= spec.totalMicroBatches())
            fields.refuse("pass", "%1 is %2, which is not a pass of that device", inQuotes(name));
    }
    LessonCause cause;
    for (const OrderEntry& entry : entries) {
        const auto usual = static_cast<double>(tableTime(costs, spec, entry.pass));
        cause.push_back({entry.pass, static_cast<Ticks>(std::llround(usual * times)) + more});
    }
    fields.finish();
    return cause;
}

} // namespace

std::vector<LessonCause> readLessonCauses(const JsonValue& longer, const std::string& path,
                                          const Project& project, JsonFields::Failure& failure)
{
    std::vector<LessonCause> causes;
    if (failure)
        return causes;
    const auto draft = draftOf(project);
    if (!draft) {
        failure = Error{draft.error().code, said("%1: %2", path, draft.error().message)};
        return causes;
    }
    const Costs costs = costsOf(project);
    const auto read = [&](const JsonValue& one, const std::string& where) {
        JsonFields fields(one, where, failure);
        if (!failure)
            causes.push_back(readCause(fields, *draft, costs, failure));
    };
    if (!longer.IsArray())
        read(longer, path);
    for (rapidjson::SizeType i = 0; longer.IsArray() && i < longer.Size() && i < mostFacts; ++i)
        read(longer[i], path + "[" + std::to_string(i) + "]");
    std::vector<Pass> passes;
    for (const LessonCause& cause : causes)
        for (const PassTime& one : cause)
            passes.push_back(one.pass);
    std::sort(passes.begin(), passes.end());
    if (!failure && std::adjacent_find(passes.begin(), passes.end()) != passes.end())
        failure = Error{ErrorCode::Syntax, said("%1 makes a pass longer twice", path)};
    return causes;
}

void makeLonger(Project& project, const std::vector<LessonCause>& causes)
{
    if (causes.empty())
        return;
    Costs costs = costsOf(project);
    costs.single.clear();
    for (const LessonCause& cause : causes)
        costs.single.insert(costs.single.end(), cause.begin(), cause.end());
    std::sort(costs.single.begin(), costs.single.end(),
              [](const PassTime& a, const PassTime& b) { return a.pass < b.pass; });
    setTables(project, std::move(costs));
}

void readLonger(JsonFields& fields, const JsonValue& object, Project& project,
                JsonFields::Failure& failure)
{
    if (failure || !fields.has("longer"))
        return;
    const JsonValue* longer =
        object["longer"].IsArray() ? fields.list("longer") : fields.object("longer");
    if (longer != nullptr)
        makeLonger(project, readLessonCauses(*longer, fields.pathOf("longer"), project, failure));
}

std::vector<LessonFact> readLessonFacts(const JsonValue& object, const std::string& path,
                                        JsonFields::Failure& failure)
{
    std::vector<LessonFact> facts;
    JsonFields fields(object, path, failure);
    for (const auto& member : object.GetObject()) {
        // Kept by the fields until they are finished.
        const std::string_view name(member.name.GetString(), member.name.GetStringLength());
        LessonFact& fact = facts.emplace_back();
        fact.name = std::string(name);
        if (fact.name.find('.') != std::string::npos || facts.size() > mostFacts)
            fields.refuse(name, "%1 has a point in its name, or is one too many");
        const JsonValue* given = fields.object(name);
        if (failure)
            return facts;
        JsonFields inner(*given, fields.pathOf(name), failure);
        if (inner.has("value")) {
            fact.value = inner.number("value", -1e12, 1e12);
            fact.source = inner.title("source");
        } else if (const JsonValue* schedule = inner.object("schedule")) {
            fact.project = readLessonStart(*schedule, inner.pathOf("schedule"), failure);
            readLonger(inner, *given, fact.project, failure);
        }
        inner.finish();
    }
    fields.finish();
    return facts;
}

void readLessonBatch(const JsonValue& value, const std::string& path, LessonLevel& level,
                     JsonFields::Failure& failure)
{
    JsonFields fields(value, path, failure);
    const auto* whole = std::get_if<UniformCosts>(&level.start.costs);
    if (level.freedom != Freedom::Choice || whole == nullptr)
        return fields.refuse("each_ms", "%1 is of levels of choices with equal times only");
    level.batch = LessonBatch{*whole, ticksFromMs(fields.number("each_ms", 0, mostFactMs))};
    fields.finish();
    level.start.costs = costsOfBatch(*level.batch, level.start.draft.spec.microBatches);
}

void readLessonLayers(const JsonValue& value, const std::string& path, LessonLevel& level,
                      JsonFields::Failure& failure)
{
    JsonFields fields(value, path, failure);
    const PipelineSpec& spec = level.start.draft.spec;
    const auto stages = static_cast<std::size_t>(spec.stages());
    LessonLayers layers;
    const auto time = [&](const char* name) {
        return ticksFromMs(fields.number(name, 0, mostFactMs, 1));
    };
    layers.forward = time("forward");
    layers.backward = time("backward");
    layers.weight = time("weight");
    for (const std::int64_t count : fields.integers("split", 1, 10'000))
        layers.split.push_back(static_cast<int>(count));
    layers.besides.assign(stages, 0);
    layers.pace.assign(stages, 1);
    const auto byStage = [&](const char* name, double least, auto set) {
        const JsonValue* list = fields.has(name) ? fields.list(name) : nullptr;
        if (list == nullptr)
            return;
        if (list->Size() != stages)
            return fields.refuse(name, "%1 needs a number for each of the %2 stages", stages);
        for (rapidjson::SizeType s = 0; s < list->Size(); ++s) {
            if (!(*list)[s].IsNumber() || (*list)[s].GetDouble() < least ||
                (*list)[s].GetDouble() > mostFactMs)
                return fields.refuse(name, "%1 has an element that is not such a number");
            set(s, (*list)[s].GetDouble());
        }
    };
    byStage("besides", 0, [&](std::size_t s, double ms) { layers.besides[s] = ticksFromMs(ms); });
    byStage("pace", 0.01, [&](std::size_t s, double pace) { layers.pace[s] = pace; });
    fields.finish();
    if (failure)
        return;
    if (layers.split.size() != stages)
        return fields.refuse("split", "%1 needs a number for each of the %2 stages", stages);
    if (layers.forward <= 0 || spec.segments() != 1)
        return fields.refuse("forward", "%1 is 0, or the level has segments: layers cannot be told "
                                        "apart");
    const ActivationCost kept = costsOf(level.start).activation.front();
    layers.keptForWeight =
        static_cast<double>(kept.keptForWeightShare) / static_cast<double>(kept.share);
    setTables(level.start, costsOfLayers(layers, level.start, layers.split));
    level.layers = std::move(layers);
}

void readLessonRepair(JsonFields& fields, const JsonValue& value, LessonLevel& level,
                      JsonFields::Failure& failure)
{
    Project usual = level.start;
    Costs costs = costsOf(usual);
    costs.single.clear();
    setTables(usual, std::move(costs));
    const JsonValue& start = value["start"];
    if (start.HasMember("longer"))
        level.causes =
            readLessonCauses(start["longer"], fields.pathOf("start") + ".longer", usual, failure);
    level.repairs = fields.count("repairs", 1, 1);
    if (static_cast<int>(level.causes.size()) <= level.repairs)
        fields.refuse("start", "%1 has to name more under 'longer' than may be mended");
}

} // namespace pw
