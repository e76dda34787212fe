// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/import_json.h"

#include "core/trace/trace_memory.h"

#include <algorithm>

namespace pw::app {

namespace {

void spreadJson(JsonText& text, const Spread& spread)
{
    text.member("count", spread.count);
    text.member("low_ms", msFromTicks(spread.low));
    text.member("median_ms", msFromTicks(spread.median));
    text.member("high_ms", msFromTicks(spread.high));
}

void bandJson(JsonText& text, const char* key, const ClockBand& band)
{
    text.member(std::string(key) + "_ms", msFromTicks(band.value));
    if (band.low)
        text.member(std::string(key) + "_low_ms", msFromTicks(*band.low));
    if (band.high)
        text.member(std::string(key) + "_high_ms", msFromTicks(*band.high));
}

} // namespace

void ranksJson(JsonText& text, const Trace& trace, const RecoveredPipeline& pipeline)
{
    text.key("ranks");
    text.beginArray();
    for (const RankFigures& figures : pipeline.ranks) {
        const TraceRank& rank = trace.ranks[figures.rank.index()];
        text.beginObject(JsonText::Layout::OneLine);
        text.member("rank", rank.number);
        text.member("from", std::string_view(rank.source));
        text.member("passes", figures.passes);
        text.member("first_start_ms", msFromTicks(figures.firstStart));
        text.member("last_end_ms", msFromTicks(figures.lastEnd));
        text.member("busy_ms", msFromTicks(figures.busy));
        text.member("idle", figures.idle);
        text.member("peak_chunks", figures.peakLive);
        text.endObject();
    }
    text.endArray();
}

void memoryJson(JsonText& text, const Trace& trace)
{
    text.key("memory");
    text.beginArray();
    for (const RankPeak& peak : peaksOfRanks(trace)) {
        text.beginObject(JsonText::Layout::OneLine);
        text.member("rank", trace.ranks[peak.rank.index()].number);
        text.member("peak_bytes", peak.bytes);
        if (peak.at)
            text.member("at_ms", msFromTicks(*peak.at));
        if (peak.iteration >= 0)
            text.member("iteration", peak.iteration);
        text.endObject();
    }
    text.endArray();
    text.key("counters");
    text.beginArray();
    for (const TraceCounter& counter : trace.counters) {
        if (counter.samples.empty())
            continue;
        const auto [least, most] = std::minmax_element(
            counter.samples.begin(), counter.samples.end(),
            [](const CounterSample& a, const CounterSample& b) { return a.value < b.value; });
        text.beginObject(JsonText::Layout::OneLine);
        text.member("rank", trace.ranks[counter.rank.index()].number);
        text.member("name", std::string_view(counter.name));
        text.member("kind", name(counter.kind));
        text.member("samples", static_cast<std::int64_t>(counter.samples.size()));
        text.member("least", least->value);
        text.member("most", most->value);
        text.member("first_ms", msFromTicks(counter.samples.front().time));
        text.member("last_ms", msFromTicks(counter.samples.back().time));
        text.endObject();
    }
    text.endArray();
}

void holesJson(JsonText& text, const std::vector<TraceHole>& holes)
{
    text.key("holes");
    text.beginArray();
    for (const TraceHole& hole : holes) {
        text.beginObject(JsonText::Layout::OneLine);
        text.member("rank", hole.number);
        text.member("text", std::string_view(hole.text));
        text.member("from_ms", msFromTicks(hole.from));
        text.member("to_ms", msFromTicks(hole.to));
        text.endObject();
    }
    text.endArray();
}

void timesJson(JsonText& text, const RecoveredPipeline& pipeline)
{
    text.key("times");
    text.beginArray();
    for (const MeasuredPass& pass : pipeline.times) {
        text.beginObject(JsonText::Layout::OneLine);
        text.member("kind", name(pass.kind));
        text.member("paired", pass.paired);
        text.member("stage", pass.stage);
        text.member("segment", pass.segment);
        spreadJson(text, pass.time);
        text.endObject();
    }
    text.endArray();
}

void messagesJson(JsonText& text, const Trace& trace, const TraceMessages& messages)
{
    const auto split = [&text](const MessageSide& time) {
        text.member("waiting_ms", msFromTicks(time.waiting));
        text.member("transfer_ms", msFromTicks(time.transfer));
        text.member("after_ms", msFromTicks(time.after));
    };
    text.key("messages");
    text.beginObject();
    text.member("pairs", static_cast<std::int64_t>(messages.pairs.size()));
    text.member("time_ms", msFromTicks(messages.ownTime));
    text.member("transfer_ms", msFromTicks(messages.transfer));
    text.member("end_difference_us", static_cast<double>(messages.endDifference) / 1e3);
    text.member("apart", messages.apart);
    text.key("ranks");
    text.beginArray();
    for (const RankMessages& one : messages.ranks) {
        text.beginObject(JsonText::Layout::OneLine);
        text.member("rank", trace.ranks[one.rank.index()].number);
        text.member("count", one.count);
        text.member("time_ms", msFromTicks(one.time.total()));
        split(one.time);
        text.endObject();
    }
    text.endArray();
    text.endObject();
}

void clocksJson(JsonText& text, const AlignedClocks& clocks, const Trace& trace,
                const RecoveredPipeline& pipeline)
{
    text.key("clocks");
    text.beginObject();
    text.member("outcome", name(clocks.outcome));
    text.member("messages", clocks.messages);
    text.member("impossible", clocks.impossible);
    text.key("ranks");
    text.beginArray();
    for (const DeviceId device : Ids<DeviceId>(clocks.ranks.size())) {
        const RankClock& clock = clocks.ranks[device.index()];
        const TraceRankId rank = pipeline.rankOfDevice[device.index()];
        text.beginObject(JsonText::Layout::OneLine);
        text.member("rank", trace.ranks[rank.index()].number);
        bandJson(text, "first", clock.atFirst);
        bandJson(text, "last", clock.atLast);
        text.member("drift_ppm", clock.drift);
        text.endObject();
    }
    text.endArray();
    text.endObject();
}

void replaysJson(JsonText& text, const std::vector<ReplayedIteration>& replays)
{
    text.key("replays");
    text.beginArray();
    for (const ReplayedIteration& one : replays) {
        text.beginObject(JsonText::Layout::OneLine);
        text.member("iteration", one.number);
        text.member("makespan_ms", msFromTicks(one.measured));
        if (one.replayed) {
            text.member("replay_ms", msFromTicks(*one.replayed));
            text.member("violated", one.violated);
            text.member("same_order", one.sameOrder);
        }
        text.member("warm_up", one.warmUp);
        text.endObject();
    }
    text.endArray();
}

void linesJson(JsonText& text, std::string_view key, const std::vector<std::string>& lines)
{
    text.key(key);
    text.beginArray();
    for (const std::string& line : lines)
        text.value(std::string_view(line));
    text.endArray();
}

} // namespace pw::app
