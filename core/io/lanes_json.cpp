// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/lanes_json.h"

#include "core/io/schedule_text.h"
#include "core/sim/metrics.h"

namespace pw {

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

} // namespace

void writeLaneEntries(JsonText& out, const Draft& draft, const DraftTimes& at)
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

void writeLanes(JsonText& out, const Draft& draft, const Costs& costs, const DraftTimes& times,
                const DraftTimes& shown)
{
    out.member("devices", draft.spec.devices);
    out.member("micro_batches", draft.spec.microBatches);
    out.member("segments", draft.spec.segments());
    writeLaneEntries(out, draft, shown);
    writeMemory(out, draft, costs, times);
    writeFigures(out, times.times);
}

void writeLanes(JsonText& out, const Schedule& schedule, const Costs& costs,
                const SimResult& result)
{
    const DraftTimes times = draftTimesOf(schedule, result);
    writeLanes(out, draftOf(schedule), costs, times, times);
}

DraftTimes draftTimesOf(const Schedule& schedule, const SimResult& result)
{
    DraftTimes times;
    for (const DeviceId device : Ids<DeviceId>(schedule.devices()))
        times.begin.push_back(schedule.begin(device));
    times.begin.emplace_back(schedule.entryCount());
    times.times = result;
    return times;
}

} // namespace pw
