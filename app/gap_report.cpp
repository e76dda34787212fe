// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/gap_report.h"

#include "app/text_table.h"
#include "core/base/text.h"

#include <algorithm>

namespace pw::app {

std::vector<DeviceGaps> longestGaps(Trace& trace, const std::vector<MessagePair>& pairs,
                                    std::size_t count)
{
    const ActivityLanes lanes = activityLanes(trace);
    const IdleGaps idle(trace, lanes, pairs);
    std::vector<DeviceGaps> found;
    for (std::size_t device = 0; device < idle.devices().size(); ++device)
        found.push_back({idle.devices()[device], idle.longest(device, count)});
    return found;
}

std::string gapsText(const Trace& trace, const std::vector<DeviceGaps>& devices,
                     const Screen& screen)
{
    if (std::all_of(devices.begin(), devices.end(),
                    [](const DeviceGaps& one) { return one.gaps.empty(); }))
        return {};
    TextTable table(screen, {{"longest gaps, of rank", "", TextTable::Align::Left},
                             {"from"},
                             {"idle"},
                             {"why", "", TextTable::Align::Left}});
    for (const DeviceGaps& one : devices) {
        const std::int32_t number = trace.ranks[one.device.rank.index()].number;
        const bool several =
            std::count_if(devices.begin(), devices.end(), [&one](const DeviceGaps& other) {
                return other.device.rank == one.device.rank;
            }) > 1;
        std::string who = number < 0 ? "?" : std::to_string(number);
        if (several)
            who += ", device " +
                   (one.device.number < 0 ? std::string("?") : std::to_string(one.device.number));
        for (const IdleGap& gap : one.gaps)
            table.append({who, millisecondText(gap.start), timeText(gap.end - gap.start),
                          oneLine(gap.text.english())});
    }
    return "\n" + table.text();
}

void gapsJson(JsonText& text, const Trace& trace, const std::vector<DeviceGaps>& devices)
{
    const auto nameOf = [&trace](std::int32_t span) {
        return trace.nameOf(trace.spans[static_cast<std::size_t>(span)]);
    };
    text.key("gaps");
    text.beginArray();
    for (const DeviceGaps& one : devices)
        for (const IdleGap& gap : one.gaps) {
            text.beginObject(JsonText::Layout::OneLine);
            text.member("rank", trace.ranks[one.device.rank.index()].number);
            text.member("device", one.device.number);
            text.member("start_ms", msFromTicks(gap.start));
            text.member("end_ms", msFromTicks(gap.end));
            text.member("reason", name(gap.cause));
            text.member("idle_host_ms", msFromTicks(gap.parts.host));
            text.member("idle_stream_ms", msFromTicks(gap.parts.stream));
            text.member("idle_launch_ms", msFromTicks(gap.parts.launch));
            text.member("idle_unknown_ms", msFromTicks(gap.parts.unknown));
            text.member("previous", nameOf(gap.previous));
            text.member("next", nameOf(gap.next));
            text.member("text", std::string_view(gap.text.english()));
            text.endObject();
        }
    text.endArray();
}

} // namespace pw::app
