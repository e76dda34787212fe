// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/activity_report.h"

#include "app/collective_report.h"
#include "app/text_table.h"
#include "core/base/text.h"
#include "core/trace/short_name.h"

#include <algorithm>
#include <map>
#include <vector>

namespace pw::app {

namespace {

/// More devices than this are told by their median and those that idle most.
constexpr std::size_t manyDevices = 16;
constexpr std::size_t mostIdleRows = 8;
constexpr std::size_t mostKernelRows = 12;

std::string shareText(Ticks part, Ticks whole)
{
    if (part == 0 || whole <= 0)
        return "–";
    constexpr double percent = 100;
    return plainNumber(percent * static_cast<double>(part) / static_cast<double>(whole), 3) + " %";
}

std::string rankText(const Trace& trace, TraceRankId rank)
{
    const std::int32_t number = trace.ranks[rank.index()].number;
    return number < 0 ? "?" : std::to_string(number);
}

/// Whether a rank has several devices, so that its number alone does not tell a row.
bool severalDevices(const DeviceFigures& figures)
{
    for (std::size_t i = 1; i < figures.devices.size(); ++i)
        if (figures.devices[i].rank == figures.devices[i - 1].rank)
            return true;
    return false;
}

std::string deviceText(const Trace& trace, const DeviceActivity& one, bool several)
{
    const std::string rank = rankText(trace, one.rank);
    return several ? rank + ", device " +
                         (one.deviceNumber < 0 ? "?" : std::to_string(one.deviceNumber))
                   : rank;
}

double partOf(Ticks part, Ticks whole)
{
    return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0;
}

/// The devices that have rows of their own, in their order: all, or of many those that idle most.
std::vector<const DeviceActivity*> devicesWithRows(const DeviceFigures& figures)
{
    std::vector<const DeviceActivity*> rows;
    for (const DeviceActivity& one : figures.devices)
        rows.push_back(&one);
    if (rows.size() <= manyDevices)
        return rows;
    std::stable_sort(rows.begin(), rows.end(), [](const auto* a, const auto* b) {
        return partOf(a->idle.total(), a->span()) > partOf(b->idle.total(), b->span());
    });
    rows.resize(mostIdleRows);
    std::sort(rows.begin(), rows.end());
    return rows;
}

/// The median over all devices of what a row says.
Ticks medianOver(const DeviceFigures& figures, Ticks (*of)(const DeviceActivity&))
{
    std::vector<Ticks> all;
    for (const DeviceActivity& one : figures.devices)
        all.push_back(of(one));
    const auto middle = all.begin() + static_cast<std::ptrdiff_t>((all.size() - 1) / 2);
    std::nth_element(all.begin(), middle, all.end());
    return *middle;
}

/// Under a table of some of many devices.
std::string othersText(const DeviceFigures& figures)
{
    return figures.devices.size() <= manyDevices
               ? std::string()
               : "  of " + groupedNumber(static_cast<std::int64_t>(figures.devices.size())) +
                     " devices the " + std::to_string(mostIdleRows) +
                     " that idle most; all are in --json\n";
}

std::string activityTable(const Trace& trace, const DeviceFigures& figures, const Screen& screen)
{
    TextTable table(screen, {{"device of rank", "", TextTable::Align::Left},
                             {"span"},
                             {"idle"},
                             {"compute"},
                             {"communication"},
                             {"hidden"},
                             {"copies"}});
    const bool several = severalDevices(figures);
    if (figures.devices.size() > manyDevices) {
        const auto median = [&](Ticks (*of)(const DeviceActivity&)) {
            return medianOver(figures, of);
        };
        const Ticks span = median([](const DeviceActivity& one) { return one.span(); });
        table.append(
            {"median", timeText(span),
             shareText(median([](const DeviceActivity& one) { return one.idle.total(); }), span),
             shareText(median([](const DeviceActivity& one) { return one.compute; }), span),
             shareText(median([](const DeviceActivity& one) { return one.communication; }), span),
             shareText(median([](const DeviceActivity& one) { return one.overlap; }),
                       median([](const DeviceActivity& one) { return one.communication; })),
             shareText(median([](const DeviceActivity& one) { return one.memory; }), span)});
    }
    for (const DeviceActivity* device : devicesWithRows(figures)) {
        const DeviceActivity& one = *device;
        table.append({deviceText(trace, one, several), timeText(one.span()),
                      shareText(one.idle.total(), one.span()), shareText(one.compute, one.span()),
                      shareText(one.communication, one.span()),
                      shareText(one.overlap, one.communication),
                      shareText(one.memory, one.span())});
    }
    return "\n" + table.text() + othersText(figures);
}

/// Why devices idle, and what waits in front of them.
std::string idleText(const Trace& trace, const DeviceFigures& figures, const Screen& screen)
{
    const bool any = std::any_of(figures.devices.begin(), figures.devices.end(),
                                 [](const DeviceActivity& one) { return one.idle.total() > 0; });
    if (!any)
        return {};
    TextTable table(screen, {{"idle, of rank", "", TextTable::Align::Left},
                             {"for the host"},
                             {"for a stream"},
                             {"launch gaps"},
                             {"not known"},
                             {"for a peer"},
                             {"queue"},
                             {"launch to start"}});
    const bool several = severalDevices(figures);
    for (const DeviceActivity* device : devicesWithRows(figures)) {
        const DeviceActivity& one = *device;
        const Ticks span = one.span();
        table.append({deviceText(trace, one, several), shareText(one.idle.host, span),
                      shareText(one.idle.stream, span), shareText(one.idle.launch, span),
                      shareText(one.idle.unknown, span), one.peerKnown ? timeText(one.peer) : "?",
                      plainNumber(one.queueMean, 3),
                      one.queueMost > 0 ? timeText(one.queuedMedian) : "?"});
    }
    return "\n" + table.text();
}

/// Kernels by name, the longest first: of each rank by itself, or of many over all.
std::vector<KernelTimes> longestKernels(const DeviceFigures& figures)
{
    std::vector<KernelTimes> longest = figures.kernels;
    if (figures.devices.size() > manyDevices) {
        std::map<std::int32_t, std::vector<KernelTimes>> byName;
        for (const KernelTimes& one : figures.kernels)
            byName[one.name].push_back(one);
        longest.clear();
        for (auto& [name, ranks] : byName) {
            KernelTimes all = ranks.front();
            all.count = 0;
            all.total = 0;
            for (const KernelTimes& one : ranks) {
                all.count += one.count;
                all.total += one.total;
            }
            // Of the ranks' medians the middle one: the slices themselves are not kept.
            std::nth_element(
                ranks.begin(), ranks.begin() + static_cast<std::ptrdiff_t>((ranks.size() - 1) / 2),
                ranks.end(),
                [](const KernelTimes& a, const KernelTimes& b) { return a.median < b.median; });
            all.median = ranks[(ranks.size() - 1) / 2].median;
            longest.push_back(all);
        }
    }
    std::stable_sort(longest.begin(), longest.end(),
                     [](const KernelTimes& a, const KernelTimes& b) { return a.total > b.total; });
    return longest;
}

std::string kernelsText(const Trace& trace, const DeviceFigures& figures, const Screen& screen)
{
    const std::vector<KernelTimes> longest = longestKernels(figures);
    const bool ranks = figures.devices.size() > 1 && figures.devices.size() <= manyDevices;
    std::vector<TextTable::Column> columns = {
        {"kind", "", TextTable::Align::Left}, {"in all"}, {"of"}, {"median"}};
    if (ranks)
        columns.push_back({"rank"});
    columns.push_back({"kernel", "", TextTable::Align::Left});
    TextTable table(screen, columns);
    for (std::size_t i = 0; i < std::min(longest.size(), mostKernelRows); ++i) {
        const KernelTimes& one = longest[i];
        std::vector<std::string> row = {std::string(name(one.kind)), timeText(one.total),
                                        groupedNumber(one.count), timeText(one.median)};
        if (ranks)
            row.push_back(rankText(trace, one.rank));
        row.push_back(oneLine(cutText(trace.names[static_cast<std::size_t>(one.name)])));
        table.append(std::move(row));
    }
    std::string out = "\n" + table.text();
    if (longest.size() > mostKernelRows)
        out += "  and " +
               groupedNumber(static_cast<std::int64_t>(longest.size() - mostKernelRows)) +
               " more\n";
    return out;
}

} // namespace

std::string cutText(std::string_view text)
{
    constexpr std::size_t longest = 100;
    return cutName(text, longest);
}

std::string countersText(const Trace& trace, const Screen& screen)
{
    if (trace.counters.empty())
        return {};
    const auto valueText = [](const TraceCounter& counter, double value) {
        constexpr double percent = 100;
        return counter.kind == CounterKind::Memory
                   ? byteText(static_cast<Bytes>(std::clamp(value, -1e18, 1e18)))
               : counter.kind == CounterKind::Part ? plainNumber(value * percent, 3) + " %"
                                                   : plainNumber(value);
    };
    TextTable table(
        screen,
        {{"rank"}, {"least"}, {"most"}, {"values"}, {"counter", "", TextTable::Align::Left}});
    constexpr std::size_t mostRows = 12;
    for (std::size_t i = 0; i < std::min(trace.counters.size(), mostRows); ++i) {
        const TraceCounter& one = trace.counters[i];
        if (one.samples.empty())
            continue;
        const auto [least, most] = std::minmax_element(
            one.samples.begin(), one.samples.end(),
            [](const CounterSample& a, const CounterSample& b) { return a.value < b.value; });
        table.append({rankText(trace, one.rank), valueText(one, least->value),
                      valueText(one, most->value),
                      groupedNumber(static_cast<std::int64_t>(one.samples.size())),
                      oneLine(cutText(one.name))});
    }
    std::string out = "\n" + table.text();
    if (trace.counters.size() > mostRows)
        out += "  and " +
               groupedNumber(static_cast<std::int64_t>(trace.counters.size() - mostRows)) +
               " more\n";
    return out;
}

std::string activityText(const Trace& trace, const DeviceFigures& figures, const Screen& screen)
{
    if (figures.devices.empty())
        return {};
    std::string out = activityTable(trace, figures, screen) + idleText(trace, figures, screen);
    if (figures.slow)
        out += "\n" + wrapped("the slow rank: " + figures.slow->evidence, screen.width, 4, 2);
    out += collectivesText(trace, figures.collectives, screen);
    return out + kernelsText(trace, figures, screen);
}

void activityJson(JsonText& text, const Trace& trace, const DeviceFigures& figures)
{
    const auto number = [&trace](TraceRankId rank) { return trace.ranks[rank.index()].number; };
    text.key("activity");
    text.beginArray();
    for (const DeviceActivity& one : figures.devices) {
        text.beginObject(JsonText::Layout::OneLine);
        text.member("rank", number(one.rank));
        text.member("device", one.deviceNumber);
        text.member("span_ms", msFromTicks(one.span()));
        text.member("idle_ms", msFromTicks(one.idle.total()));
        text.member("compute_ms", msFromTicks(one.compute));
        text.member("communication_ms", msFromTicks(one.communication));
        text.member("memory_ms", msFromTicks(one.memory));
        text.member("compute_only_ms", msFromTicks(one.computeOnly));
        text.member("communication_only_ms", msFromTicks(one.communicationOnly));
        text.member("memory_only_ms", msFromTicks(one.memoryOnly));
        text.member("overlap_ms", msFromTicks(one.overlap));
        text.member("hidden", one.hidden());
        text.member("activities", one.activities);
        text.member("left_out", one.leftOut);
        text.member("streams", one.streams);
        text.member("idle_host_ms", msFromTicks(one.idle.host));
        text.member("idle_stream_ms", msFromTicks(one.idle.stream));
        text.member("idle_launch_ms", msFromTicks(one.idle.launch));
        text.member("idle_unknown_ms", msFromTicks(one.idle.unknown));
        if (one.peerKnown)
            text.member("peer_wait_ms", msFromTicks(one.peer));
        text.member("queue_mean", one.queueMean);
        text.member("queue_most", one.queueMost);
        text.member("queued_median_ms", msFromTicks(one.queuedMedian));
        text.endObject();
    }
    text.endArray();
    text.key("kernels");
    text.beginArray();
    for (const KernelTimes& one : figures.kernels) {
        text.beginObject(JsonText::Layout::OneLine);
        text.member("name", std::string_view(trace.names[static_cast<std::size_t>(one.name)]));
        text.member("kind", name(one.kind));
        text.member("count", one.count);
        text.member("total_ms", msFromTicks(one.total));
        text.member("median_ms", msFromTicks(one.median));
        text.member("rank", number(one.rank));
        text.endObject();
    }
    text.endArray();
    collectivesJson(text, trace, figures.collectives);
    if (!figures.slow)
        return;
    text.key("slow_rank");
    text.beginObject(JsonText::Layout::OneLine);
    text.member("rank", number(figures.slow->rank));
    text.member("evidence", std::string_view(figures.slow->evidence));
    text.endObject();
}

} // namespace pw::app
