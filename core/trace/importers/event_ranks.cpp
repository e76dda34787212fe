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
        m_tracks.emplace_back();
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

/// What a row of Ascend's device does. Streams have tasks, which may be waits and marks; HCCL has
/// operations on rows of groups, and on its planes the parts that they are made of.
ActivityKind EventSpans::ascendKind(const TraceTrack& row, std::int32_t name) const
{
    const auto has = [](std::string_view text, std::string_view part) {
        return text.find(part) != std::string_view::npos;
    };
    if (!has(row.thread, "Stream") && !has(row.thread, "stream"))
        return has(row.thread, "Group") ? ActivityKind::Communication : ActivityKind::Annotation;
    const std::string_view task = m_trace.names[static_cast<std::size_t>(name)];
    for (const std::string_view part : {"Wait", "WAIT"})
        if (has(task, part))
            return ActivityKind::Wait;
    for (const std::string_view part : {"Record", "RECORD", "PLACE_HOLDER"})
        if (has(task, part))
            return ActivityKind::Annotation;
    return m_names.kernelKind(name);
}

/// Processes that are a device by their label, "NPU" or "NPU 3", as Ascend's profilers (torch_npu,
/// msprof) have them. Their events have no category. What the profiler concludes from the others
/// ("Overlap Analysis") is no work.
void EventSpans::findAscendDevices()
{
    std::vector<bool> devices; // by process
    bool any = false;
    for (const EventProcess& process : m_file.processes) {
        devices.push_back(process.label.compare(0, 3, "NPU") == 0 &&
                          process.name.find("Overlap") == std::string::npos);
        any = any || devices.back();
    }
    if (!any)
        return;
    m_file.origin = "torch_npu";
    for (std::size_t i = m_firstTrack; i < m_trace.tracks.size(); ++i) {
        TraceTrack& track = m_trace.tracks[i];
        const std::size_t process = pw::processOf(track.rank).index();
        if (!devices[process])
            continue;
        // Its hardware and HCCL are processes of their own, and one device.
        const std::string& label = m_file.processes[process].label;
        track.device = true;
        track.process = label;
        track.deviceNumber =
            smallNumber(label.substr(std::min(label.rfind(' ') + 1, label.size())));
        if (track.thread.empty() ||
            track.thread.find_first_not_of("0123456789") == std::string::npos)
            track.thread = m_file.processes[process].name + " " + track.thread;
    }
    for (std::size_t i = m_file.firstSpan; i < m_trace.spans.size(); ++i) {
        TraceSpan& span = m_trace.spans[i];
        const TraceTrack& track = m_trace.tracks[static_cast<std::size_t>(span.track)];
        if (!devices[pw::processOf(track.rank).index()] || span.activity != ActivityKind::Other)
            continue;
        span.trust = Trust::Device;
        span.activity = ascendKind(track, span.name);
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

/// The part of a process that is a rank of its own, since names or arguments on it say so.
ProcessId EventSpans::processOfRank(ProcessId process, std::int32_t number, const char* saidBy)
{
    const auto [found, made] =
        m_rankParts.try_emplace({process, number}, ProcessId(m_file.processes.size()));
    if (made) {
        EventProcess part;
        part.id = m_file.processes[process.index()].id;
        part.rankSaid = number;
        part.saidBy = saidBy;
        m_file.processes.push_back(std::move(part));
        m_tracks.emplace_back();
    }
    return found->second;
}

/// A process whose names all say one rank is that rank, with everything on it.
void EventSpans::joinLoneRanks()
{
    std::vector<ProcessId> into(m_file.processes.size());
    bool any = false;
    for (auto at = m_rankParts.begin(); at != m_rankParts.end();) {
        const ProcessId process = at->first.first;
        const auto next = m_rankParts.lower_bound({process + 1, std::int32_t{-1}});
        EventProcess& whole = m_file.processes[process.index()];
        if (std::next(at) == next && whole.rankSaid < 0) {
            EventProcess& part = m_file.processes[at->second.index()];
            whole.rankSaid = part.rankSaid;
            whole.saidBy = part.saidBy;
            whole.labelled += part.labelled;
            whole.onTheHost += part.onTheHost;
            part = {};
            into[at->second.index()] = process;
            any = true;
        }
        at = next;
    }
    for (std::size_t i = m_file.firstSpan; any && i < m_trace.spans.size(); ++i) {
        TraceRankId& rank = m_trace.spans[i].rank;
        if (const ProcessId process = into[pw::processOf(rank).index()]; process.valid())
            rank = rankAsYet(process);
    }
}

} // namespace pw
