// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/collective_report.h"

#include "app/activity_report.h"
#include "app/text_table.h"
#include "core/base/text.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

namespace pw::app {

namespace {

/// The operations of a group that do the same.
struct Row
{
    std::int32_t group = 0;
    CollectiveKind kind = CollectiveKind::Other;
    std::int64_t count = 0;
    std::int64_t sized = 0; ///< of them, whose bytes are told
    Bytes bytes = 0;
    Ticks sizedTime = 0;
    Ticks waited = 0;
    std::vector<Ticks> skews;

    Ticks medianSkew() const { return skews[(skews.size() - 1) / 2]; } // once they are sorted
};

std::vector<Row> rowsOf(const TraceCollectives& collectives)
{
    std::map<std::pair<std::int32_t, CollectiveKind>, Row> all;
    constexpr Bytes furthest = Bytes{1} << 62;
    for (const Collective& one : collectives.operations) {
        Row& row = all[{one.group, one.kind}];
        row.group = one.group;
        row.kind = one.kind;
        ++row.count;
        row.waited += one.waited;
        row.skews.push_back(one.skew);
        if (one.bytes > 0 && one.together > 0) {
            ++row.sized;
            row.bytes = std::min(row.bytes, furthest) + one.bytes;
            row.sizedTime += one.together;
        }
    }
    std::vector<Row> rows;
    for (auto& [key, row] : all) {
        std::sort(row.skews.begin(), row.skews.end());
        rows.push_back(std::move(row));
    }
    return rows;
}

CollectiveBandwidth bandwidth(const Row& row, const CommunicationGroup& group)
{
    // Where ranks are missing, the time may be that of waiting for them.
    return group.whole() ? bandwidthOf(row.kind, group.size, row.bytes, row.sizedTime)
                         : CollectiveBandwidth();
}

std::string numbersOf(const Trace& trace, const CommunicationGroup& group)
{
    std::string numbers;
    for (const TraceRankId rank : group.ranks)
        numbers += (numbers.empty() ? "" : ", ") + std::to_string(trace.ranks[rank.index()].number);
    return numbers;
}

/// "mesh_dp: 0, 2 of 8"
std::string groupText(const Trace& trace, const CommunicationGroup& group)
{
    constexpr std::size_t mostRanks = 24;
    std::string ranks = numbersOf(trace, group);
    if (ranks.size() > mostRanks)
        ranks = std::to_string(group.ranks.size()) + " ranks";
    if (!group.whole())
        ranks += " of " + (group.size > 0 ? std::to_string(group.size) : std::string("?"));
    if (group.group < 0)
        return "not named: " + ranks;
    const ProcessGroup& told = trace.groups[static_cast<std::size_t>(group.group)];
    const std::string& name = told.description.empty() ? told.name : told.description;
    return (name.empty() ? std::string() : oneLine(cutText(name)) + ": ") + ranks;
}

std::string speedText(double bytesPerSecond)
{
    constexpr double giga = 1e9;
    return bytesPerSecond > 0 ? plainNumber(bytesPerSecond / giga, 3) + " GB/s" : "?";
}

} // namespace

std::string collectivesText(const Trace& trace, const TraceCollectives& collectives,
                            const Screen& screen)
{
    std::vector<Row> rows = rowsOf(collectives);
    if (rows.empty())
        return {};
    std::stable_sort(rows.begin(), rows.end(),
                     [](const Row& a, const Row& b) { return a.waited > b.waited; });
    TextTable table(screen, {{"process group: ranks", "", TextTable::Align::Left},
                             {"operation", "", TextTable::Align::Left},
                             {"of"},
                             {"ranks wait"},
                             {"skew"},
                             {"most"},
                             {"algorithm"},
                             {"bus"}});
    constexpr std::size_t mostRows = 12;
    for (std::size_t i = 0; i < std::min(rows.size(), mostRows); ++i) {
        const Row& row = rows[i];
        const CommunicationGroup& group = collectives.groups[static_cast<std::size_t>(row.group)];
        const CollectiveBandwidth speed = bandwidth(row, group);
        table.append({groupText(trace, group), std::string(name(row.kind)),
                      groupedNumber(row.count), timeText(row.waited), timeText(row.medianSkew()),
                      timeText(row.skews.back()), speedText(speed.algorithm),
                      speedText(speed.bus)});
    }
    std::string out = "\n" + table.text();
    if (rows.size() > mostRows)
        out +=
            "  and " + groupedNumber(static_cast<std::int64_t>(rows.size() - mostRows)) + " more\n";
    return out;
}

void collectivesJson(JsonText& text, const Trace& trace, const TraceCollectives& collectives)
{
    if (collectives.groups.empty())
        return;
    text.key("process_groups");
    text.beginArray();
    for (const CommunicationGroup& group : collectives.groups) {
        text.beginObject(JsonText::Layout::OneLine);
        if (group.group >= 0) {
            const ProcessGroup& told = trace.groups[static_cast<std::size_t>(group.group)];
            text.member("name", std::string_view(told.name));
            text.member("description", std::string_view(told.description));
        }
        if (group.size > 0)
            text.member("size", static_cast<std::int64_t>(group.size));
        text.member("operations", group.operations);
        text.key("ranks");
        text.beginArray();
        for (std::size_t i = 0; i < group.ranks.size(); ++i) {
            text.beginObject(JsonText::Layout::OneLine);
            text.member("rank", trace.ranks[group.ranks[i].index()].number);
            text.member("wait_ms", msFromTicks(group.waited[i]));
            text.endObject();
        }
        text.endArray();
        text.endObject();
    }
    text.endArray();
    text.key("collectives");
    text.beginArray();
    for (const Collective& one : collectives.operations) {
        const CommunicationGroup& group = collectives.groups[static_cast<std::size_t>(one.group)];
        text.beginObject(JsonText::Layout::OneLine);
        text.member("group", static_cast<std::int64_t>(one.group));
        text.member("operation", name(one.kind));
        text.member("start_ms", msFromTicks(one.start));
        text.member("skew_ms", msFromTicks(one.skew));
        text.member("together_ms", msFromTicks(one.together));
        text.member("wait_ms", msFromTicks(one.waited));
        const TraceSpan& late = trace.spans[static_cast<std::size_t>(one.late)];
        if (one.skew > 0)
            text.member("last_rank", trace.ranks[late.rank.index()].number);
        if (one.bytes >= 0)
            text.member("bytes", one.bytes);
        const CollectiveBandwidth speed =
            group.whole() ? bandwidthOf(one.kind, group.size, one.bytes, one.together)
                          : CollectiveBandwidth();
        if (speed.algorithm > 0) {
            constexpr double giga = 1e9;
            text.member("algorithm_gb_per_s", speed.algorithm / giga);
            text.member("bus_gb_per_s", speed.bus / giga);
        }
        text.endObject();
    }
    text.endArray();
}

} // namespace pw::app
