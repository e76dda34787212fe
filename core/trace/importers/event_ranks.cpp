// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
//
// Which rank and which thread an event of a Chrome trace is of.
#include "core/trace/importers/event_spans.h"

#include <algorithm>

namespace pw {

std::int32_t EventSpans::processOf(std::string_view id)
{
    if (m_lastProcessNumber >= 0 && id == m_lastProcess)
        return m_lastProcessNumber;
    auto found = m_processes.find(id);
    if (found == m_processes.end()) {
        found = m_processes.emplace(id, static_cast<std::int32_t>(m_file.processes.size())).first;
        EventProcess process;
        process.id = cleanText(id);
        m_file.processes.push_back(std::move(process));
        m_tracks.emplace_back();
    }
    m_lastProcess.assign(id);
    m_lastProcessNumber = found->second;
    return found->second;
}

/// Where the threads of a process are the ranks.
std::int32_t EventSpans::processOfThread(const ChromeEvent& event)
{
    m_threadDialect = m_dialect;
    m_lastThread = processOf(event.process + "/" + event.thread);
    EventProcess& process = m_file.processes[static_cast<std::size_t>(m_lastThread)];
    process.id = cleanText(event.thread);
    process.saidBy = "thread";
    process.rankSaid = m_made.rank;
    return m_lastThread;
}

/// A thread's name may stand behind its events, and say its rank.
void EventSpans::nameRanksOfThreads()
{
    if (m_threadDialect == nullptr || m_threadDialect->rankOfThread == nullptr)
        return;
    for (std::size_t i = m_firstTrack; i < m_trace.tracks.size(); ++i) {
        const TraceTrack& track = m_trace.tracks[i];
        EventProcess& process = m_file.processes[static_cast<std::size_t>(track.rank)];
        if (process.saidBy == "thread" && process.rankSaid < 0)
            process.rankSaid = m_threadDialect->rankOfThread(track.thread);
    }
}

std::int32_t EventSpans::trackOf(std::int32_t process, std::string_view thread)
{
    ByText<std::int32_t>& tracks = m_tracks[static_cast<std::size_t>(process)];
    auto found = tracks.find(thread);
    if (found == tracks.end()) {
        found = tracks.emplace(thread, static_cast<std::int32_t>(m_trace.tracks.size())).first;
        m_trace.tracks.push_back(
            {process, m_file.processes[static_cast<std::size_t>(process)].id, cleanText(thread)});
        m_openEvents.emplace_back();
    }
    return found->second;
}

/// The part of a process that is a rank of its own, since names on it say so.
std::int32_t EventSpans::processOfRank(std::int32_t process, std::int32_t rank)
{
    const auto [found, made] = m_rankParts.try_emplace(
        {process, rank}, static_cast<std::int32_t>(m_file.processes.size()));
    if (made) {
        EventProcess part;
        part.id = m_file.processes[static_cast<std::size_t>(process)].id;
        part.rankSaid = rank;
        part.saidBy = "names";
        m_file.processes.push_back(std::move(part));
        m_tracks.emplace_back();
    }
    return found->second;
}

/// A process whose names all say one rank is that rank, with everything on it.
void EventSpans::joinLoneRanks()
{
    std::vector<std::int32_t> into(m_file.processes.size(), -1);
    bool any = false;
    for (auto at = m_rankParts.begin(); at != m_rankParts.end();) {
        const std::int32_t process = at->first.first;
        const auto next = m_rankParts.lower_bound({process + 1, std::int32_t{-1}});
        EventProcess& whole = m_file.processes[static_cast<std::size_t>(process)];
        if (std::next(at) == next && whole.rankSaid < 0) {
            EventProcess& part = m_file.processes[static_cast<std::size_t>(at->second)];
            whole.rankSaid = part.rankSaid;
            whole.saidBy = part.saidBy;
            whole.labelled += part.labelled;
            whole.onTheHost += part.onTheHost;
            part = {};
            into[static_cast<std::size_t>(at->second)] = process;
            any = true;
        }
        at = next;
    }
    for (std::size_t i = m_file.firstSpan; any && i < m_trace.spans.size(); ++i) {
        std::int32_t& process = m_trace.spans[i].rank;
        if (into[static_cast<std::size_t>(process)] >= 0)
            process = into[static_cast<std::size_t>(process)];
    }
}

} // namespace pw
