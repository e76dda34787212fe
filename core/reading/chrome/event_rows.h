// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/reading/events/chrome_event.h"
#include "core/reading/events/event_file.h"
#include "core/reading/events/importer.h"
#include "core/reading/events/recent_texts.h"
#include "core/reading/events/trace_names.h"
#include "core/trace/trace.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pw {

/// The processes and the threads of one file of events, by what the file calls them.
class EventRows
{
public:
    /// Both outlive this. The file's tracks are those that the trace gets from now on.
    EventRows(Trace& trace, EventFile& file)
        : m_trace(trace)
        , m_file(file)
        , m_firstTrack(trace.tracks.size())
    {
    }

    std::size_t firstTrack() const { return m_firstTrack; }
    /// An index of `EventFile::processes`; a new name is a new process.
    ProcessId processOf(std::string_view id);
    /// The same where the threads of a process are the ranks.
    /// @param dialect  says so
    /// @param rank     that the event says its thread is; −1: none
    ProcessId processOfThread(const ChromeEvent& event, const EventDialect& dialect,
                              std::int32_t rank);
    /// Of the last thread that is a process; none where there was none.
    ProcessId lastThread() const { return m_lastThread; }
    /// An index of `Trace::tracks`; a new name is a new track.
    std::int32_t trackOf(ProcessId process, std::string_view thread);
    /// An event that tells the name of a process or a thread.
    void name(const ChromeEvent& event);
    /// After the last event, and before ranks are told apart: names may stand behind what they are
    /// of.
    void finish();

private:
    struct Tracks
    {
        ByText<std::int32_t> all;
        RecentTexts<std::int32_t> recent; // of them
    };

    void nameProcesses();
    void nameRanksOfThreads();

    Trace& m_trace;
    EventFile& m_file;
    std::size_t m_firstTrack = 0;
    ByText<ProcessId> m_processes;
    RecentTexts<ProcessId> m_recentProcesses;
    std::vector<Tracks> m_tracks;                  // by process
    const EventDialect* m_threadDialect = nullptr; // whose threads are ranks
    ProcessId m_lastThread;                        // its process
};

} // namespace pw
