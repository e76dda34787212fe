// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/simulation_json.h"

#include "app/figures.h"
#include "app/offload_report.h"
#include "core/io/json_text.h"
#include "core/sim/explain.h"

#include <array>

namespace pw::app {

namespace {

constexpr std::array<Quantity, 5> allQuantities = {Quantity::SpanBubble, Quantity::WallBubble,
                                                   Quantity::Makespan, Quantity::PeakActivation,
                                                   Quantity::WeightVersions};

void writeContext(JsonText& json, const Study& study)
{
    const PipelineSpec& spec = study.schedule.spec();
    json.key("family");
    if (study.family != nullptr)
        json.value(study.family->id);
    else
        json.null();
    json.member("title", std::string_view(study.title));
    json.member("devices", spec.devices);
    json.member("micro_batches", spec.microBatches);
    json.member("steps", spec.steps);
    json.member("stages", spec.stages());
    json.member("segments", spec.segments());
    json.member("routes", spec.routeCount());
    json.key("parameters");
    json.beginObject(JsonText::Layout::OneLine);
    if (study.family != nullptr) {
        for (const Parameter& parameter : study.family->parameters)
            json.member(parameter.name,
                        parameterValue(*study.family, study.options, parameter.name));
    }
    json.endObject();
}

void writeForm(JsonText& json, Quantity quantity, const FormValue& form, bool published,
               const SimResult& result)
{
    json.beginObject(JsonText::Layout::OneLine);
    json.member("quantity", jsonName(quantity));
    json.member("value", isTime(quantity) ? form.value / ticksPerMs : form.value);
    if (quantity == Quantity::SpanBubble)
        json.member("rate", rateBeside(spanBubble(result), form.value));
    else if (quantity == Quantity::WallBubble)
        json.member("rate", rateBeside(wallBubble(result), form.value));
    json.member("formula", form.formula);
    json.member("condition", form.condition);
    json.member("published", published);
    json.endObject();
}

void writeForms(JsonText& json, const Study& study, const SimResult& result)
{
    json.key("closed_forms");
    json.beginArray();
    for (const Quantity quantity : allQuantities) {
        if (const std::optional<FormValue> form = closedForm(study, quantity))
            writeForm(json, quantity, *form, false, result);
        if (const std::optional<FormValue> form = publishedForm(study, quantity))
            writeForm(json, quantity, *form, true, result);
    }
    json.endArray();
}

void writeDevices(JsonText& json, const Study& study, const SimResult& result)
{
    json.key("per_device");
    json.beginArray();
    for (std::size_t d = 0; d < result.devices.size(); ++d) {
        const DeviceResult& device = result.devices[d];
        const DeviceId number(d);
        json.beginObject(JsonText::Layout::OneLine);
        json.member("device", number);
        json.member("busy_ms", msFromTicks(device.busy));
        json.member("first_start_ms", msFromTicks(device.firstStart));
        json.member("last_end_ms", msFromTicks(device.lastEnd));
        json.member("span_bubble_ms", msFromTicks(spanBubble(result, number).idle));
        json.member("wall_bubble_ms", msFromTicks(wallBubble(result, number).idle));
        json.member("peak_activation_mb", microBatchesFromShare(device.peakShare));
        json.member("peak_activation_bytes", device.peakActivation);
        json.member("peak_memory_bytes",
                    peakMemory(study.schedule, study.costs.costs, result, number).total());
        json.endObject();
    }
    json.endArray();
}

/// The fields of a pass of an entry, in an object that is begun.
void writePass(JsonText& json, DeviceId device, const Pass& pass, const SimResult& result,
               EntryId entry)
{
    json.member("device", device);
    json.member("kind", name(pass.kind));
    json.member("route", static_cast<int>(pass.route));
    json.member("stage", pass.stage);
    json.member("micro_batch", pass.microBatch);
    json.member("segment", pass.segment);
    json.member("start_ms", msFromTicks(result.start[entry.index()]));
    json.member("end_ms", msFromTicks(result.end[entry.index()]));
}

void writePasses(JsonText& json, const Schedule& schedule, const SimResult& result)
{
    json.key("passes");
    json.beginArray();
    for (const DeviceId device : Ids<DeviceId>(schedule.devices())) {
        for (const EntryId e : schedule.entries(device)) {
            const OrderEntry entry = schedule.entry(e);
            for (const Pass* pass : {&entry.pass, &entry.partner}) {
                if (pass == &entry.partner && !entry.paired)
                    continue;
                json.beginObject(JsonText::Layout::OneLine);
                writePass(json, device, *pass, result, e);
                json.endObject();
            }
        }
    }
    json.endArray();
}

std::string_view nameOf(WaitReason reason)
{
    switch (reason) {
    case WaitReason::Start:
        return "start";
    case WaitReason::Order:
        return "order";
    case WaitReason::Dependency:
        return "dependency";
    case WaitReason::Message:
        return "message";
    case WaitReason::Reload:
        return "reload";
    case WaitReason::Memory:
        return "memory";
    case WaitReason::Finished:
        return "finished";
    }
    return "";
}

void writeGaps(JsonText& json, const Study& study, const SimResult& result)
{
    json.key("gaps");
    json.beginArray();
    for (const DeviceId device : Ids<DeviceId>(study.schedule.devices())) {
        for (const Gap& gap : gaps(study.schedule, study.costs.costs, result, device)) {
            json.beginObject(JsonText::Layout::OneLine);
            json.member("device", device);
            json.member("start_ms", msFromTicks(gap.start));
            json.member("end_ms", msFromTicks(gap.end));
            json.member("reason", nameOf(gap.reason));
            json.member("text", std::string_view(gap.text));
            json.endObject();
        }
    }
    json.endArray();
}

void writeCriticalPath(JsonText& json, const Study& study, const SimResult& result)
{
    const Schedule& schedule = study.schedule;
    json.key("critical_path");
    json.beginArray();
    for (const CriticalEntry& critical : criticalPath(schedule, study.costs.costs, result)) {
        const Pass pass = schedule.entry(critical.entry).pass;
        json.beginObject(JsonText::Layout::OneLine);
        writePass(json, schedule.device(schedule.table().id(pass)), pass, result, critical.entry);
        json.member("reason", nameOf(critical.reason));
        json.endObject();
    }
    json.endArray();
}

} // namespace

std::string simulationJson(const Study& study, const SimResult& result, const JsonParts& parts)
{
    const Figures figures = figuresOf(study.schedule, study.costs.costs, result);
    JsonText json;
    json.beginObject();
    writeContext(json, study);
    json.member("makespan_ms", msFromTicks(figures.makespan));
    json.member("span_bubble_ms", msFromTicks(figures.span.idle));
    json.member("span_bubble_rate", figures.span.rate());
    json.member("wall_bubble_ms", msFromTicks(figures.wall.idle));
    json.member("wall_bubble_rate", figures.wall.rate());
    json.member("peak_activation_mb", figures.peakMicroBatches);
    json.member("peak_activation_bytes", figures.peakBytes);
    writePeakMemory(json, figures.memory);
    writeForms(json, study, result);
    writeDevices(json, study, result);
    writeOffload(json, study, result, parts.passes);
    if (parts.gaps)
        writeGaps(json, study, result);
    if (parts.criticalPath)
        writeCriticalPath(json, study, result);
    if (parts.passes)
        writePasses(json, study.schedule, result);
    json.endObject();
    return json.text();
}

} // namespace pw::app
