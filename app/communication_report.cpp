// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/communication_report.h"

#include "app/text_table.h"
#include "core/base/text.h"
#include "core/io/json_text.h"

#include <algorithm>
#include <array>

namespace pw::app {

namespace comms = communication;

namespace {

/// What a rank needs beside its passes.
struct RankNeeds
{
    int received[2] = {}; ///< slots for activations, for gradients
    int activations = 0;  ///< slots
    comms::BufferPeaks peaks;
};

RankNeeds needsOf(const CommunicationStudy& study, RankId rank)
{
    RankNeeds needs;
    for (const bool forward : {true, false})
        needs.received[forward ? 0 : 1] =
            comms::slotCount(comms::receiveSlots(study.listing, *study.schedule, rank, forward));
    needs.activations = comms::slotCount(comms::activationSlots(
        *study.schedule, deviceOf(rank), comms::SlotGrain::StageAndMicroBatch));
    needs.peaks = comms::peaksOf(comms::bufferCurve(study.listing, *study.schedule, *study.costs,
                                                    study.played, rank, study.shards));
    return needs;
}

std::string_view nameOf(comms::Communicators communicators)
{
    constexpr std::array<std::string_view, 4> names = {"one", "direction", "edge", "pair"};
    return names[static_cast<std::size_t>(communicators)];
}

std::string transportText(const comms::Transport& transport)
{
    constexpr std::array<std::string_view, 4> words = {
        "one communicator", "a communicator for each direction", "a communicator for each edge",
        "a communicator for each pair of ranks"};
    std::string text(words[static_cast<std::size_t>(transport.communicators)]);
    if (transport.eagerBytes)
        return text + ", messages of at most " + byteText(*transport.eagerBytes) + " leave at once";
    return text + ", messages wait for both ranks";
}

Ticks mostExposed(const comms::Played& played)
{
    Ticks most = 0;
    for (const comms::RankTime& rank : played.ranks)
        most = std::max(most, rank.exposed);
    return most;
}

std::string ranksText(const CommunicationStudy& study, const Screen& screen)
{
    std::vector<RankNeeds> needs;
    Ticks longest = 0;
    Bytes largest = 0;
    std::array<bool, comms::bufferKindCount> shown{};
    for (const RankId rank : Ids<RankId>(study.played.ranks.size())) {
        needs.push_back(needsOf(study, rank));
        longest = std::max(longest, study.played.ranks[rank.index()].end);
        for (std::size_t kind = 0; kind < shown.size(); ++kind) {
            largest = std::max(largest, needs.back().peaks.bytes[kind]);
            shown[kind] = shown[kind] || needs.back().peaks.bytes[kind] > 0;
        }
    }
    const Unit unit = timeUnit(longest);
    const Unit bytes = byteUnit(largest);
    std::vector<TextTable::Column> columns = {{"rank", ""},
                                              {"busy", std::string(unit.name)},
                                              {"waits", std::string(unit.name)},
                                              {"exposed", std::string(unit.name)},
                                              {"end", std::string(unit.name)},
                                              {"receives F", "slots"},
                                              {"receives B", "slots"},
                                              {"activations", "slots"}};
    for (std::size_t kind = 0; kind < shown.size(); ++kind) {
        if (shown[kind])
            columns.push_back({std::string(comms::name(static_cast<comms::BufferKind>(kind))),
                               std::string(bytes.name)});
    }
    TextTable table(screen, columns);
    const auto inUnits = [&](Ticks time) {
        return plainNumber(static_cast<double>(time) / unit.size);
    };
    for (const RankId rank : Ids<RankId>(needs.size())) {
        const comms::RankTime& time = study.played.ranks[rank.index()];
        const RankNeeds& own = needs[rank.index()];
        std::vector<std::string> row = {std::to_string(rank),
                                        inUnits(time.busy),
                                        inUnits(time.waited),
                                        inUnits(time.exposed),
                                        inUnits(time.end),
                                        std::to_string(own.received[0]),
                                        std::to_string(own.received[1]),
                                        std::to_string(own.activations)};
        for (std::size_t kind = 0; kind < shown.size(); ++kind) {
            if (shown[kind])
                row.push_back(plainNumber(static_cast<double>(own.peaks.bytes[kind]) / bytes.size));
        }
        table.append(row);
    }
    return table.text();
}

void writeTimes(JsonText& json, const CommunicationStudy& study, RankId rank)
{
    const auto& row = study.listing.of(rank);
    json.key("actions");
    json.beginArray();
    for (std::size_t i = 0; i < row.size(); ++i) {
        const comms::ActionTime& time = study.played.times[rank.index()][i];
        json.beginObject(JsonText::Layout::OneLine);
        json.member("action",
                    std::string_view(comms::actionText(row[i], study.listing, *study.schedule)));
        const auto when = [&](std::string_view key, Ticks ticks) {
            json.key(key);
            if (ticks < 0)
                json.null();
            else
                json.value(msFromTicks(ticks));
        };
        when("posted_ms", time.posted);
        when("start_ms", time.start);
        when("end_ms", time.end);
        json.endObject();
    }
    json.endArray();
}

void writeRank(JsonText& json, const CommunicationStudy& study, RankId rank, bool listed)
{
    const comms::RankTime& time = study.played.ranks[rank.index()];
    const RankNeeds needs = needsOf(study, rank);
    json.beginObject(listed ? JsonText::Layout::Lines : JsonText::Layout::OneLine);
    json.member("rank", rank);
    json.member("busy_ms", msFromTicks(time.busy));
    json.member("waits_ms", msFromTicks(time.waited));
    json.member("exposed_ms", msFromTicks(time.exposed));
    json.member("end_ms", msFromTicks(time.end));
    json.member("receive_slots_f", needs.received[0]);
    json.member("receive_slots_b", needs.received[1]);
    json.member("activation_slots", needs.activations);
    for (int kind = 0; kind < comms::bufferKindCount; ++kind)
        json.member(std::string(comms::name(static_cast<comms::BufferKind>(kind))) + "_peak_bytes",
                    needs.peaks.bytes[static_cast<std::size_t>(kind)]);
    json.member("buffers_peak_bytes", needs.peaks.total);
    if (listed)
        writeTimes(json, study, rank);
    json.endObject();
}

/// A pass or a pair with its parts.
struct InnerRow
{
    std::string name;
    comms::InnerTimes times;
};

/// The passes of the stage in the middle, and the pair of it and its mirror.
std::vector<InnerRow> innerRows(const CommunicationStudy& study)
{
    const std::size_t stage = study.layers.size() / 2;
    const auto& own = study.layers[stage];
    const auto& other = study.layers[study.layers.size() - 1 - stage];
    const auto on = [](std::size_t s) { return " of stage " + std::to_string(s); };
    return {{"F" + on(stage), comms::runParts(own, {}, {})},
            {"B" + on(stage), comms::runParts({}, own, {false, true, false})},
            {"BW" + on(stage), comms::runParts({}, own, {false, true, true})},
            {"F" + on(stage) + " with BW" + on(study.layers.size() - 1 - stage),
             comms::runParts(own, other, {true, true, true})}};
}

/// What passes are made of, and what a pair hides.
std::string innerText(const CommunicationStudy& study, const Screen& screen)
{
    const std::vector<InnerRow> rows = innerRows(study);
    const Unit unit = timeUnit(rows.back().times.end);
    const std::string name(unit.name);
    TextTable table(screen, {{"", "", TextTable::Align::Left},
                             {"takes", name},
                             {"computes", name},
                             {"exchanges", name},
                             {"exposed", name}});
    const auto inUnits = [&](Ticks time) {
        return plainNumber(static_cast<double>(time) / unit.size);
    };
    for (const InnerRow& row : rows)
        table.append({row.name, inUnits(row.times.end), inUnits(row.times.computing),
                      inUnits(row.times.exchanging), inUnits(row.times.exposed())});
    std::string text = table.text();
    const Ticks apart = rows[0].times.end + rows[2].times.end;
    text += "\n  The pair takes " + timeText(rows.back().times.end) + ", its passes alone " +
            timeText(apart) + ".\n";
    return text;
}

/// The parts of the pair's first layers, on two streams.
std::string partsText(const CommunicationStudy& study, const Screen& screen)
{
    const comms::InnerTimes pair = innerRows(study).back().times;
    std::vector<comms::PartSpan> parts = pair.compute;
    parts.insert(parts.end(), pair.exchange.begin(), pair.exchange.end());
    std::stable_sort(parts.begin(), parts.end(),
                     [](const auto& a, const auto& b) { return a.start < b.start; });
    const Unit unit = timeUnit(pair.end);
    TextTable table(screen, {{"computes", "", TextTable::Align::Left},
                             {"exchanges", "", TextTable::Align::Left},
                             {"layer", ""},
                             {"from", std::string(unit.name)},
                             {"to", std::string(unit.name)}});
    for (const comms::PartSpan& part : parts) {
        const std::string label =
            std::string(pw::name(part.pass)) + " " + std::string(comms::name(part.part));
        const bool exchange = comms::isExchange(part.part);
        table.append({exchange ? "" : label, exchange ? label : "", std::to_string(part.layer),
                      plainNumber(static_cast<double>(part.start) / unit.size),
                      plainNumber(static_cast<double>(part.end) / unit.size)});
    }
    return table.text();
}

void writeInner(JsonText& json, const CommunicationStudy& study)
{
    json.key("inner_parts");
    json.beginArray();
    for (const InnerRow& row : innerRows(study)) {
        json.beginObject();
        json.member("what", std::string_view(row.name));
        json.member("takes_ms", msFromTicks(row.times.end));
        json.member("computes_ms", msFromTicks(row.times.computing));
        json.member("exchanges_ms", msFromTicks(row.times.exchanging));
        json.member("exposed_ms", msFromTicks(row.times.exposed()));
        json.key("parts");
        json.beginArray();
        for (const auto* stream : {&row.times.compute, &row.times.exchange}) {
            for (const comms::PartSpan& part : *stream) {
                json.beginObject(JsonText::Layout::OneLine);
                json.member("pass", pw::name(part.pass));
                json.member("part", comms::name(part.part));
                json.member("layer", part.layer);
                json.member("start_ms", msFromTicks(part.start));
                json.member("end_ms", msFromTicks(part.end));
                json.endObject();
            }
        }
        json.endArray();
        json.endObject();
    }
    json.endArray();
}

} // namespace

std::string communicationText(const CommunicationStudy& study, const Screen& screen)
{
    std::string text = screen.bold(study.title) + "  " +
                       countText(study.schedule->devices(), "rank") + ", " +
                       countText(study.listing.messages.size(), "message") + "\n";
    text +=
        screen.paint(wrapped(study.origin + "; " + transportText(study.transport), screen.width),
                     Role::Secondary);
    text += "\n";
    const comms::Played& played = study.played;
    TextTable table(screen,
                    {{"", "", TextTable::Align::Left}, {"", "", TextTable::Align::Left, 3}});
    if (played.whole) {
        const double more =
            study.planned > 0
                ? 100.0 * (static_cast<double>(played.end) / static_cast<double>(study.planned) - 1)
                : 0;
        table.append({"end", screen.bold(timeText(played.end))});
        table.append({"of the schedule alone", timeText(study.planned) + " (" +
                                                   (more >= 0 ? "+" : "") + plainNumber(more, 3) +
                                                   " %)"});
        table.append({"exposed communication", timeText(mostExposed(played)) + " at most"});
    } else {
        table.append({"end", screen.paint("never", Role::Refusal)});
        table.append({"of the schedule alone", timeText(study.planned)});
    }
    text += table.text() + "\n" + ranksText(study, screen);
    if (!study.layers.empty())
        text += "\n" + innerText(study, screen);
    for (const comms::MixedUp& mixed : played.mixed)
        text +=
            "\n" + wrapped(comms::mixedText(mixed, study.listing, *study.schedule), screen.width);
    if (!played.ring.empty())
        text +=
            "\n" + wrapped(comms::ringText(played, study.listing, *study.schedule), screen.width);
    return text;
}

std::string listingLines(const CommunicationStudy& study, const Screen& screen)
{
    std::string text;
    for (const RankId rank : Ids<RankId>(study.listing.ranks.size())) {
        std::string line = "rank " + std::to_string(rank) + "  ";
        for (const comms::Action& action : study.listing.of(rank))
            line += comms::actionText(action, study.listing, *study.schedule) + " ";
        text += wrapped(line, screen.width, 8, 0);
    }
    if (!study.layers.empty())
        text += "\n" + partsText(study, screen);
    return text;
}

std::string communicationJson(const CommunicationStudy& study, bool listed)
{
    const comms::Played& played = study.played;
    JsonText json;
    json.beginObject();
    json.member("title", std::string_view(study.title));
    json.member("origin", std::string_view(study.origin));
    json.member("communicators", nameOf(study.transport.communicators));
    json.key("eager_bytes");
    if (study.transport.eagerBytes)
        json.value(*study.transport.eagerBytes);
    else
        json.null();
    json.member("messages", static_cast<std::int64_t>(study.listing.messages.size()));
    json.member("finishes", played.whole);
    json.key("end_ms");
    if (played.whole)
        json.value(msFromTicks(played.end));
    else
        json.null();
    json.member("schedule_ms", msFromTicks(study.planned));
    json.key("ring");
    json.beginArray();
    for (std::size_t i = 0; i < played.ring.size(); ++i)
        json.value(comms::heldText(played.ring, i, study.listing, *study.schedule).english());
    json.endArray();
    json.key("mixed_up");
    json.beginArray();
    for (const comms::MixedUp& mixed : played.mixed)
        json.value(std::string_view(comms::mixedText(mixed, study.listing, *study.schedule)));
    json.endArray();
    if (!study.layers.empty())
        writeInner(json, study);
    json.key("ranks");
    json.beginArray();
    for (const RankId rank : Ids<RankId>(played.ranks.size()))
        writeRank(json, study, rank, listed);
    json.endArray();
    json.endObject();
    return json.text();
}

} // namespace pw::app
