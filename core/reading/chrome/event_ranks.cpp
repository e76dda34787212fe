// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
//
// Which rank and which thread an event of a Chrome trace is of.
#include "core/reading/chrome/event_spans.h"

#include <algorithm>

namespace pw {

ProcessId EventSpans::processOf(std::string_view id)
{
    if (m_lastProcessId.valid() && id == m_lastProcess)
        return m_lastProcessId;
    auto found = m_processes.find(id);
    if (found == m_processes.end()) {
        found = m_processes.emplace(id, ProcessId(m_file.processes.size())).first;
        EventProcess process;
        process.id = cleanText(id);
        m_file.processes.push_back(std::move(process));
    }
    m_lastProcess.assign(id);
    m_lastProcessId = found->second;
    return found->second;
}

/// Where the threads of a process are the ranks.
ProcessId EventSpans::processOfThread(const ChromeEvent& event)
{
    m_threadDialect = m_dialect;
    m_lastThread = processOf(event.process + "/" + event.thread);
    EventProcess& process = m_file.processes[m_lastThread.index()];
    process.id = cleanText(event.thread);
    process.saidBy = "thread";
    process.rankSaid = m_made.rankNumber;
    return m_lastThread;
}

/// Rows of the host say what their process is called, where the file tells it.
void EventSpans::nameProcesses()
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
void EventSpans::nameRanksOfThreads()
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

std::int32_t EventSpans::trackOf(ProcessId process, std::string_view thread)
{
    m_tracks.resize(m_file.processes.size());
    ByText<std::int32_t>& tracks = m_tracks[process.index()];
    auto found = tracks.find(thread);
    if (found == tracks.end()) {
        found = tracks.emplace(thread, static_cast<std::int32_t>(m_trace.tracks.size())).first;
        m_trace.tracks.push_back(
            {rankAsYet(process), m_file.processes[process.index()].id, cleanText(thread)});
        m_openEvents.emplace_back();
    }
    return found->second;
}

} // namespace pw
