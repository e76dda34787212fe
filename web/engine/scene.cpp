// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "web/engine/scene.h"

#include "core/base/try.h"
#include "core/edit/phases.h"
#include "core/io/schedule_text.h"
#include "core/model/draft.h"
#include "core/sim/explain.h"
#include "core/sim/metrics.h"

#include <algorithm>

namespace pw::web {

namespace {

constexpr auto oneLine = JsonText::Layout::OneLine;

/// What a pass says of itself: kind, micro-batch, chunk, segment, stage.
void writeLook(JsonText& out, const Pass& pass, DeviceId device, const ChunkTable& chunks)
{
    out.value(static_cast<int>(pass.kind));
    out.value(pass.microBatch);
    out.value(pass.kind != PassKind::U && chunks.hosts(device, pass)
                  ? chunks.chunk(pass.route, pass.stage)
                  : 0);
    out.value(pass.segment);
    out.value(static_cast<int>(pass.stage));
}

void writeEntries(JsonText& out, const Draft& draft, const DraftTimes& at)
{
    const ChunkTable chunks(draft.spec);
    out.key("lanes");
    out.beginArray(oneLine);
    for (const DeviceId device : Ids<DeviceId>(draft.orders.size())) {
        out.beginArray(oneLine);
        const auto& order = draft.orders[device.index()];
        for (std::size_t i = 0; i < order.size(); ++i) {
            const auto entry = static_cast<std::size_t>(at.entry(device, i));
            out.value(at.times.start[entry]);
            out.value(at.times.end[entry]);
            writeLook(out, order[i].pass, device, chunks);
            out.value(order[i].paired);
            if (order[i].paired)
                writeLook(out, order[i].partner, device, chunks);
        }
        out.endArray();
    }
    out.endArray();
    out.key("stages");
    out.beginArray(oneLine);
    for (const DeviceId device : Ids<DeviceId>(draft.orders.size())) {
        out.beginArray(oneLine);
        for (const HostedStage& hosted : chunks.stages(device))
            out.value(static_cast<int>(hosted.stage));
        out.endArray();
    }
    out.endArray();
}

void writeMemory(JsonText& out, const Draft& draft, const Costs& costs, const DraftTimes& times)
{
    out.key("memory");
    out.beginArray(oneLine);
    for (const DeviceId device : Ids<DeviceId>(draft.orders.size())) {
        out.beginArray(oneLine);
        for (const SharePoint& point : draftShares(draft, costs, times, device)) {
            out.value(point.time);
            out.value(microBatchesFromShare(point.share));
        }
        out.endArray();
    }
    out.endArray();
}

void writeBubble(JsonText& out, std::string_view name, const Bubble& bubble)
{
    out.key(name);
    out.beginArray(oneLine);
    out.value(bubble.idle);
    out.value(bubble.rate());
    out.endArray();
}

void writeFigures(JsonText& out, const SimResult& result)
{
    out.member("makespan", result.makespan);
    writeBubble(out, "span_bubble", spanBubble(result));
    writeBubble(out, "wall_bubble", wallBubble(result));
    out.member("peak", peakMicroBatches(result));
    out.key("busy");
    out.beginArray(oneLine);
    for (const DeviceResult& device : result.devices)
        out.value(device.busy);
    out.endArray();
}

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

void writeSentence(JsonText& out, const Sentence& sentence)
{
    if (sentence.pattern() == nullptr) {
        out.value(std::string_view(sentence.english()));
        return;
    }
    out.beginArray(oneLine);
    out.value(sentence.pattern());
    for (const Sentence& argument : sentence.arguments())
        writeSentence(out, argument);
    out.endArray();
}

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

void writeLanes(JsonText& out, const Draft& draft, const Costs& costs, const DraftTimes& times,
                const DraftTimes* shown)
{
    out.member("devices", draft.spec.devices);
    out.member("micro_batches", draft.spec.microBatches);
    out.member("segments", draft.spec.segments());
    writeEntries(out, draft, shown != nullptr ? *shown : times);
    writeMemory(out, draft, costs, times);
    writeFigures(out, times.times);
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
    writeLanes(out, draft, costs, times);
    out.member("undo", session.canUndo());
    out.member("redo", session.canRedo());
    if (const LessonLevel* level = session.level())
        writeStanding(out, *level, project);
    return {};
}

} // namespace pw::web
