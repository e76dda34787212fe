// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/file_problem.h"
#include "core/io/schedule_text.h"
#include "core/lesson/lesson_parts.h"

namespace pw {

namespace {

constexpr std::size_t mostFacts = 100;
constexpr double mostFactMs = 1e6;

/// A pass that takes more than the others of its kind: {"device": 0, "pass": "F4", "ms": 1}.
void readLonger(JsonFields& fields, Project& project, JsonFields::Failure& failure)
{
    const JsonValue* object = fields.object("longer");
    if (object == nullptr)
        return;
    JsonFields inner(*object, fields.pathOf("longer"), failure);
    const PipelineSpec& spec = project.draft.spec;
    const auto device = DeviceId(inner.integer("device", 0, spec.devices - 1));
    const std::string name = inner.title("pass");
    const Ticks more = ticksFromMs(inner.number("ms", 0, mostFactMs));
    if (failure)
        return;
    FileProblems found;
    const auto entries = parseOrder(name, spec, ChunkTable(spec), device, {1, 1}, found);
    if (!found.none() || entries.size() != 1)
        return inner.refuse("pass", "%1 is %2, which is no pass of that device", inQuotes(name));
    const Pass pass = entries.front().pass;
    Costs costs = costsOf(project);
    costs.single = {{pass, passTime(costs, spec, pass) + more}};
    project.costs = std::move(costs);
    inner.finish();
}

} // namespace

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
            if (inner.has("longer") && !failure)
                readLonger(inner, fact.project, failure);
        }
        inner.finish();
    }
    fields.finish();
    return facts;
}

} // namespace pw
