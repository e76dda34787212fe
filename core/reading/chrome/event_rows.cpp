// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/chrome/event_rows.h"

#include <utility>

namespace pw {

ProcessId EventRows::processOf(std::string_view id)
{
    if (const auto* known = m_recentProcesses.find(id))
        return known->second;
    auto found = m_processes.find(id);
    if (found == m_processes.end()) {
        found = m_processes.emplace(id, ProcessId(m_file.processes.size())).first;
        EventProcess process;
        process.id = cleanText(id);
        m_file.processes.push_back(std::move(process));
    }
    m_recentProcesses.keep(*found);
    return found->second;
}

ProcessId EventRows::processOfThread(const ChromeEvent& event, const EventDialect& dialect,
                                     std::int32_t rank)
{
    m_threadDialect = &dialect;
    m_lastThread = processOf(event.process + "/" + event.thread);
    EventProcess& process = m_file.processes[m_lastThread.index()];
    process.id = cleanText(event.thread);
    process.saidBy = "thread";
    process.rankSaid = rank;
    return m_lastThread;
}

/// Rows of the host say what their process is called, where the file tells it.
void EventRows::nameProcesses()
{
    for (std::size_t i = m_firstTrack; i < m_trace.tracks.size(); ++i) {
        TraceTrack& track = m_trace.tracks[i];
        const EventProcess& process = m_file.processes[pw::processOf(track.rank).index()];
        const bool told = !process.name.empty() && process.name != process.id;
        if (!track.device && told && process.saidBy != "thread")
            track.process = process.id.empty() ? process.name : process.name + " " + process.id;
    }
}

/// A thread's name may stand behind its events, and say its rank.
void EventRows::nameRanksOfThreads()
{
    if (m_threadDialect == nullptr || m_threadDialect->rankOfThread == nullptr)
        return;
    for (std::size_t i = m_firstTrack; i < m_trace.tracks.size(); ++i) {
        const TraceTrack& track = m_trace.tracks[i];
        EventProcess& process = m_file.processes[pw::processOf(track.rank).index()];
        if (process.saidBy == "thread" && process.rankSaid < 0)
            process.rankSaid = m_threadDialect->rankOfThread(track.thread);
    }
}

std::int32_t EventRows::trackOf(ProcessId process, std::string_view thread)
{
    if (m_tracks.size() < m_file.processes.size())
        m_tracks.resize(m_file.processes.size());
    Tracks& tracks = m_tracks[process.index()];
    if (const auto* known = tracks.recent.find(thread))
        return known->second;
    auto found = tracks.all.find(thread);
    if (found == tracks.all.end()) {
        found = tracks.all.emplace(thread, static_cast<std::int32_t>(m_trace.tracks.size())).first;
        m_trace.tracks.push_back(
            {rankAsYet(process), m_file.processes[process.index()].id, cleanText(thread)});
    }
    tracks.recent.keep(*found);
    return found->second;
}

void EventRows::name(const ChromeEvent& event)
{
    if (event.argumentName.empty())
        return;
    const auto ofThread = m_processes.find(event.process + "/" + event.thread);
    const ProcessId process =
        ofThread == m_processes.end() ? processOf(event.process) : ofThread->second;
    if (event.name == "process_name")
        m_file.processes[process.index()].name = cleanText(event.argumentName);
    else if (event.name == "process_labels")
        m_file.processes[process.index()].label = cleanText(event.argumentName);
    else if (event.name == "thread_name")
        m_trace.tracks[static_cast<std::size_t>(trackOf(process, event.thread))].thread =
            cleanText(event.argumentName);
}

void EventRows::finish()
{
    nameProcesses();
    nameRanksOfThreads();
}

} // namespace pw
