// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "web/engine/scene.h"

#include "core/base/try.h"
#include "core/io/lanes_json.h"
#include "core/model/draft.h"
#include "core/sim/explain.h"

namespace pw::web {

namespace {

constexpr auto oneLine = JsonText::Layout::OneLine;

void writeUniform(JsonText& out, const Project& project)
{
    const auto* uniform = std::get_if<UniformCosts>(&project.costs);
    if (uniform == nullptr)
        return;
    out.key("uniform");
    out.beginObject(oneLine);
    out.member("forward", uniform->forward);
    out.member("backward", uniform->backward);
    out.member("weight", uniform->weight);
    out.member("hop", uniform->hop);
    out.endObject();
}

void writeFamily(JsonText& out, const Project& project)
{
    if (!project.family)
        return;
    const auto family = findFamily(project.family->id);
    out.key("family");
    out.beginObject(oneLine);
    out.member("id", std::string_view(project.family->id));
    out.member("title", family ? (*family)->title : std::string_view(project.family->id));
    out.key("options");
    out.beginObject(oneLine);
    if (family)
        for (const Parameter& parameter : (*family)->parameters)
            out.member(parameter.name,
                       parameterValue(**family, project.family->options, parameter.name));
    out.endObject();
    out.endObject();
}

/// Longest chain, and what of the order is wrong.
void writeSoundness(JsonText& out, const Draft& draft, const Costs& costs, const DraftTimes& times)
{
    writeEntryIds(out, "blocked", times.blocked);
    const auto schedule = Schedule::make(draft.spec, draft.orders);
    const bool runs = schedule && times.blocked.empty();
    out.member("complete", runs);
    if (runs) {
        std::vector<EntryId> chain;
        for (const CriticalEntry& critical : criticalPath(*schedule, costs, times.times))
            chain.push_back(critical.entry);
        writeEntryIds(out, "critical", chain);
        return;
    }
    const Sentence ring = ringText(times, draft.spec);
    if (ring.empty() && schedule)
        return;
    out.key("problem");
    writeSentence(out, ring.empty() ? schedule.error().message : ring);
}

} // namespace

void writeEntryIds(JsonText& out, std::string_view name, std::span<const EntryId> entries)
{
    out.key(name);
    out.beginArray(oneLine);
    for (const EntryId entry : entries)
        out.value(static_cast<int>(entry));
    out.endArray();
}

void writePass(JsonText& out, std::string_view name, const Pass& pass)
{
    out.key(name);
    out.beginObject(oneLine);
    out.member("kind", static_cast<int>(pass.kind));
    out.member("stage", static_cast<int>(pass.stage));
    out.member("micro_batch", pass.microBatch);
    out.member("segment", pass.segment);
    out.endObject();
}

void writeScene(JsonText& out, const Draft& draft, const Costs& costs, const DraftTimes& times,
                const DraftTimes* shown)
{
    writeLanes(out, draft, costs, times, shown != nullptr ? *shown : times);
    writeSoundness(out, draft, costs, times);
}

Result<void> writeState(JsonText& out, const Session& session)
{
    const Project& project = session.project();
    PW_TRY(const Draft draft, draftOf(project));
    const Costs costs = costsOf(project);
    PW_TRY(const DraftTimes times, draftTimes(draft, costs));
    out.member("title", std::string_view(project.title));
    writeFamily(out, project);
    writeUniform(out, project);
    writeScene(out, draft, costs, times);
    out.member("undo", session.canUndo());
    out.member("redo", session.canRedo());
    if (const LessonLevel* level = session.level())
        writeStanding(out, *level, project);
    return {};
}

} // namespace pw::web
