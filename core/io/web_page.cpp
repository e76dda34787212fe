// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/web_page.h"

#include "core/base/percent.h"
#include "core/base/text.h"
#include "core/io/json_text.h"
#include "core/io/peak_text.h"
#include "core/io/schedule_text.h"
#include "core/io/web_annotations.h"
#include "core/sim/memory.h"
#include "core/sim/metrics.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <string_view>
#include <utility>

namespace pw {

/// The page without its data; made from resources/web/page.html.
extern const std::string_view webPageFrame;

namespace {

/// The largest time that divides all times of all tracks: numbers stay short.
Ticks webUnit(const WebPage& page)
{
    Ticks unit = 0;
    for (const WebTrack& track : page.tracks) {
        const SimResult& result = *track.result;
        for (std::size_t i = 0; i < result.start.size() && unit != 1; ++i)
            unit = std::gcd(std::gcd(unit, result.start[i]), result.end[i]);
        for (const HostCopy& copy : result.copies)
            for (const Ticks time : {copy.outStart, copy.outEnd, copy.backStart, copy.backEnd})
                unit = std::gcd(unit, time);
    }
    return std::max<Ticks>(unit, 1);
}

/// Shares that entries add at their start and release at their end, each pair of them once.
class WebChanges
{
public:
    explicit WebChanges(const WebTrack& track)
        : m_track(track)
    {
    }

    std::int64_t of(const OrderEntry& entry)
    {
        std::pair<Share, Share> change{0, 0};
        add(entry.pass, change);
        if (entry.paired)
            add(entry.partner, change);
        const auto [found, isNew] = m_places.try_emplace(change, std::int64_t(m_list.size()));
        if (isNew)
            m_list.push_back(change);
        return found->second;
    }

    const std::vector<std::pair<Share, Share>>& list() const { return m_list; }

private:
    void add(const Pass& pass, std::pair<Share, Share>& change) const
    {
        if (pass.kind == PassKind::U)
            return;
        const PipelineSpec& spec = m_track.schedule->spec();
        const ActivationCost& cost =
            m_track.costs->activation[cellIndex(spec, pass.stage, pass.segment)];
        const Share share =
            activationChange(cost, pass.kind, m_track.schedule->recomputed(pass)).share;
        (share > 0 ? change.first : change.second) += share;
    }

    const WebTrack& m_track;
    std::vector<std::pair<Share, Share>> m_list;
    std::map<std::pair<Share, Share>, std::int64_t> m_places;
};

std::string rateText(const Bubble& bubble)
{
    return timeText(bubble.idle) + " (" + percentText(bubble.rate()) + ")";
}

void writeFigures(JsonText& json, const WebTrack& track)
{
    const SimResult& result = *track.result;
    const auto figure = [&](std::string_view name, const std::string& value) {
        json.beginArray(JsonText::Layout::OneLine);
        json.value(name);
        json.value(std::string_view(value));
        json.endArray();
    };
    json.key("figures");
    json.beginArray(JsonText::Layout::OneLine);
    figure("makespan", timeText(result.makespan));
    figure("span bubble", rateText(spanBubble(result)));
    figure("wall bubble", rateText(wallBubble(result)));
    if (peakMicroBatches(result) > 0)
        figure("peak", peakText(result));
    if (peakActivation(result) > 0)
        figure("peak activation", byteText(peakActivation(result)));
    const Bytes memory = peakMemory(*track.schedule, *track.costs, result).total();
    if (memory > peakActivation(result))
        figure("peak memory", byteText(memory));
    json.endArray();
    json.key("idle");
    json.beginArray(JsonText::Layout::OneLine);
    Share most = -1;
    int shown = 0;
    for (const DeviceId d : Ids<DeviceId>(track.schedule->devices())) {
        json.value(std::string_view(percentText(wallBubble(result, d).rate())));
        const Share peak = result.devices[static_cast<std::size_t>(d)].peakShare;
        if (peak > most) {
            most = peak;
            shown = d;
        }
    }
    json.endArray();
    json.member("shown", shown);
}

void writeEntries(JsonText& json, const WebTrack& track, Ticks unit, WebChanges& changes)
{
    const Schedule& schedule = *track.schedule;
    const ChunkTable chunks(schedule.spec());
    json.key("devices");
    json.beginArray();
    for (const DeviceId d : Ids<DeviceId>(schedule.devices())) {
        json.beginArray(JsonText::Layout::OneLine);
        Ticks at = 0;
        for (const EntryId i : schedule.entries(d)) {
            const auto e = static_cast<std::size_t>(i);
            const OrderEntry entry = schedule.entry(i);
            const Ticks start = track.result->start[e];
            const Ticks end = track.result->end[e];
            constexpr int pairMark = 8;
            json.value((start - at) / unit);
            json.value((end - start) / unit);
            json.value(static_cast<int>(entry.pass.kind) + (entry.paired ? pairMark : 0));
            const auto rest = [&](const Pass& pass) {
                json.value(pass.microBatch);
                json.value(chunks.chunk(pass.route, pass.stage));
                json.value(pass.segment);
            };
            rest(entry.pass);
            json.value(changes.of(entry));
            if (entry.paired) {
                json.value(static_cast<int>(entry.partner.kind));
                rest(entry.partner);
            }
            at = end;
        }
        json.endArray();
    }
    json.endArray();
}

/// Ways to the host's memory and back, by device in the order of need: start and duration of the
/// way there, start (−1: there is none) and duration of the way back, share, micro-batch, chunk,
/// segment.
void writeCopies(JsonText& json, const WebTrack& track, Ticks unit)
{
    if (track.result->copies.empty())
        return;
    const ChunkTable chunks(track.schedule->spec());
    json.key("copies");
    json.beginArray();
    auto copy = track.result->copies.begin();
    for (const DeviceId d : Ids<DeviceId>(track.schedule->devices())) {
        json.beginArray(JsonText::Layout::OneLine);
        for (; copy != track.result->copies.end() && copy->device == d; ++copy) {
            const bool back = copy->needed >= 0;
            json.value(copy->outStart / unit);
            json.value((copy->outEnd - copy->outStart) / unit);
            json.value(back ? copy->backStart / unit : Ticks{-1});
            json.value(back ? (copy->backEnd - copy->backStart) / unit : Ticks{0});
            json.value(microBatchesFromShare(copy->share));
            json.value(copy->cell.microBatch);
            json.value(chunks.chunk(copy->cell.route, copy->cell.stage));
            json.value(copy->cell.segment);
        }
        json.endArray();
    }
    json.endArray();
}

} // namespace

std::string insideScript(std::string_view json)
{
    std::string out;
    out.reserve(json.size());
    for (const char c : json) {
        if (c == '<')
            out += "\\u003c";
        else if (c != '\n')
            out += c;
    }
    return out;
}

std::string writeWebPage(const WebPage& page)
{
    const Ticks unit = webUnit(page);
    JsonText json;
    json.beginObject();
    json.member("title", std::string_view(page.title));
    json.member("notes", std::string_view(page.notes));
    json.member("unit", unit);
    json.member("segments", page.tracks.front().schedule->spec().segments());
    json.key("tracks");
    json.beginArray();
    for (const WebTrack& track : page.tracks) {
        json.beginObject();
        json.member("title", std::string_view(track.title));
        writeFigures(json, track);
        WebChanges changes(track);
        writeEntries(json, track, unit, changes);
        writeCopies(json, track, unit);
        json.key("changes");
        json.beginArray(JsonText::Layout::OneLine);
        for (const auto& [begin, end] : changes.list()) {
            json.beginArray(JsonText::Layout::OneLine);
            json.value(microBatchesFromShare(begin));
            json.value(microBatchesFromShare(end));
            json.endArray();
        }
        json.endArray();
        writeWebAnnotations(json, track, unit);
        json.endObject();
    }
    json.endArray();
    json.endObject();
    constexpr std::string_view mark = "@PW_DATA@";
    const std::size_t at = webPageFrame.find(mark);
    std::string out(webPageFrame.substr(0, at));
    out += insideScript(json.text());
    out += webPageFrame.substr(at + mark.size());
    return out;
}

} // namespace pw
