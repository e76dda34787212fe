// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/chrome/loose_events.h"

#include <algorithm>
#include <iterator>

namespace pw {

void LooseEvents::take(const ChromeEvent& event, Ticks time, ProcessId process, std::int32_t name,
                       ActivityKind activity)
{
    constexpr char between = '\x1f';
    const std::string owner = std::to_string(process) + between + event.category + between;
    const auto [identity, made] =
        m_identities.try_emplace(owner + event.id, static_cast<std::int32_t>(m_identities.size()));
    if (made) {
        const std::string& shown = event.category.empty() ? event.name : event.category;
        const auto [group, first] =
            m_groups.try_emplace(owner + (event.category.empty() ? event.name : std::string()),
                                 static_cast<std::int32_t>(m_groups.size()));
        if (first)
            m_rows.emplace_back(process, cleanText(shown));
        m_groupOfIdentity.push_back(group->second);
    }
    const bool held = m_held.add(
        {time, identity->second, name, -1, begins(event), Trust::Host, activity}, event.arguments);
    m_lost.tooMany += held ? 0 : 1;
    m_trace.leftOut += held ? 0 : 1;
}

std::vector<LooseSlice> LooseEvents::paired()
{
    std::vector<LooseSlice> slices;
    std::vector<std::pair<HeldEnd, std::int32_t>> open; // of the identity at hand, with their tree
    std::int32_t place = -1, trees = 0;
    const auto drop = [&] {
        m_lost.alone += static_cast<std::int64_t>(open.size());
        m_trace.leftOut += static_cast<std::int64_t>(open.size());
        open.clear();
    };
    for (const HeldEnd& end : m_held.sorted()) {
        if (end.place != place)
            drop();
        place = end.place;
        if (end.begins) {
            trees += open.empty() ? 1 : 0;
            open.emplace_back(end, trees);
            continue;
        }
        const auto begin = std::find_if(open.rbegin(), open.rend(), [&end](const auto& one) {
            return end.name < 0 || one.first.name == end.name;
        });
        if (begin == open.rend()) {
            ++m_lost.alone;
            ++m_trace.leftOut;
            continue;
        }
        const HeldEnd& from = begin->first;
        EventArguments arguments = m_held.argumentsOf(end);
        arguments.fillFrom(m_held.argumentsOf(from));
        slices.push_back({from.time, end.time, m_groupOfIdentity[static_cast<std::size_t>(place)],
                          begin->second, 0, from.name, arguments, from.trust, from.activity});
        open.erase(std::next(begin).base());
    }
    drop();
    m_held.clear();
    return slices;
}

void LooseEvents::finish()
{
    std::vector<LooseSlice> slices = paired();
    layOut(slices);
    std::int32_t group = -1, row = -1;
    SaidEvent event;
    for (const LooseSlice& slice : slices) {
        if (slice.group != group || slice.row != row) {
            const auto& [process, title] = m_rows[static_cast<std::size_t>(slice.group)];
            group = slice.group;
            row = slice.row;
            event.process = process;
            event.track = static_cast<std::int32_t>(m_trace.tracks.size());
            m_trace.tracks.push_back(
                {rankAsYet(process), m_file.processes[process.index()].id,
                 title + " (async)" + (row > 0 ? " " + std::to_string(row + 1) : std::string())});
        }
        event.said = &m_names.said(slice.name);
        event.trust = slice.trust;
        event.activity = slice.activity;
        m_spans.append(event, slice.name, slice.start, slice.end, slice.arguments);
    }
}

} // namespace pw
