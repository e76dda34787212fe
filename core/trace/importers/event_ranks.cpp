// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
//
// Which rank and which thread an event of a Chrome trace is of.
#include "core/trace/importers/event_spans.h"
#include "core/trace/importers/event_time.h"

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

/// Processes that are devices by their names, as XLA's profiler (of JAX and TensorFlow) has them.
/// Their events have no category: what stands on streams is work, and steps, modules and operators
/// beside them are names around it. A TPU has no streams; its operators are the work.
void EventSpans::findNamedDevices()
{
    std::vector<std::int32_t> numbers; // by process; −1: no device
    std::vector<bool> streams;         // by process
    for (const EventProcess& process : m_file.processes) {
        std::int32_t number = -1;
        for (const std::string_view mark : {"/device:GPU:", "/device:TPU:"})
            if (const std::size_t at = process.name.find(mark); at != std::string::npos) {
                const std::string_view rest =
                    std::string_view(process.name).substr(at + mark.size());
                number = smallNumber(rest.substr(0, rest.find_first_not_of("0123456789")));
            }
        numbers.push_back(number);
    }
    if (std::all_of(numbers.begin(), numbers.end(), [](std::int32_t number) { return number < 0; }))
        return;
    const auto isStream = [](const TraceTrack& track) {
        return track.thread.rfind("Stream #", 0) == 0;
    };
    streams.assign(numbers.size(), false);
    for (std::size_t i = m_firstTrack; i < m_trace.tracks.size(); ++i)
        if (isStream(m_trace.tracks[i]))
            streams[pw::processOf(m_trace.tracks[i].rank).index()] = true;
    std::vector<bool> works(m_trace.tracks.size(), false);
    for (std::size_t i = m_firstTrack; i < m_trace.tracks.size(); ++i) {
        TraceTrack& track = m_trace.tracks[i];
        const std::size_t process = pw::processOf(track.rank).index();
        if (numbers[process] < 0)
            continue;
        track.device = true;
        track.deviceNumber = numbers[process];
        works[i] = streams[process] ? isStream(track) : track.thread == "XLA Ops";
    }
    for (std::size_t i = m_file.firstSpan; i < m_trace.spans.size(); ++i) {
        TraceSpan& span = m_trace.spans[i];
        const auto track = static_cast<std::size_t>(span.track);
        if (!m_trace.tracks[track].device || span.activity != ActivityKind::Other)
            continue;
        span.trust = Trust::Device;
        span.activity = works[track] ? m_names.kernelKind(span.name) : ActivityKind::Annotation;
    }
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
