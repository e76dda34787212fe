// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/reading/chrome/held_ends.h"
#include "core/reading/chrome/kernel_passes.h"
#include "core/reading/events/chrome_event.h"
#include "core/reading/events/collective_notes.h"
#include "core/reading/events/event_counters.h"
#include "core/reading/events/event_file.h"
#include "core/reading/events/importer.h"
#include "core/reading/events/rank_parts.h"
#include "core/reading/events/trace_names.h"
#include "core/trace/activity_kind.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pw {

/// Makes the spans of one file from its events, one after another.
class EventSpans
{
public:
    EventSpans(Trace& trace, TraceNames& names);

    void take(const ChromeEvent& event);
    /// A counter with all its values.
    void takeSeries(ToldSeries series, std::string_view process);
    /// An event that is damaged.
    void leaveOut();
    /// What the file says of itself.
    void setBase(Ticks base) { m_base = base; }
    void setRank(std::int32_t number) { m_file.rankNumber = number; }

    /// Whether begins and ends of a thread were not in the order of time, so that what belongs
    /// together is known only when the file is read again with `holdPairs`.
    bool disordered() const { return m_disordered; }
    /// Before the first event: begins and ends are put in order before they are paired.
    void holdPairs() { m_holdPairs = true; }

    /// After the last event: what never ended, and the base of the times.
    EventFile finish();

private:
    /// The begin of a B/E pair that waits for its end.
    struct OpenEvent
    {
        std::int32_t name = 0;
        Ticks start = 0;
        EventArguments arguments;
        Trust trust = Trust::Host;
        ActivityKind activity = ActivityKind::Other;
        bool labelled = false; ///< its name says what it is in a pipeline
    };
    /// The begins of a track that wait, and when its last event of that kind was.
    struct OpenTrack
    {
        std::vector<OpenEvent> events;
        Ticks last = std::numeric_limits<Ticks>::min();
    };
    /// Where an event stands and what it says, whatever program wrote it.
    struct Reading
    {
        ProcessId process{0};
        std::int32_t track = 0;
        const SpanName* said = nullptr; // until the next name
        Trust trust = Trust::Host;
        ActivityKind activity = ActivityKind::Other;
    };

    void whole(const ChromeEvent& event);
    void wirePass(const ChromeEvent& event);
    void begin(const ChromeEvent& event);
    void end(const ChromeEvent& event);
    bool close(const Reading& reading, std::int32_t name, std::optional<Ticks> time,
               EventArguments arguments, bool categorized);
    void hold(const ChromeEvent& event, const Reading& reading, std::int32_t name, Ticks time);
    void noteOrder(std::int32_t track, Ticks time);
    void instant(const ChromeEvent& event);
    void finishInstants();
    void loose(const ChromeEvent& event);
    void finishPairs();
    void finishLoose();
    void appendLoose(std::vector<LooseSlice>& slices);
    void finishOpen();
    void nameOf(const ChromeEvent& event);
    void badTime();
    const CategoryMeaning& meaningFor(const std::string& category);
    ActivityKind activityOf(const CategoryMeaning& meaning, std::int32_t name) const;
    Reading readingOf(const ChromeEvent& event, std::int32_t name);
    ProcessId processOf(std::string_view id);
    ProcessId processOfThread(const ChromeEvent& event);
    std::optional<Ticks> timeOf(const ChromeEvent& event) const;
    std::int32_t trackOf(ProcessId process, std::string_view thread);
    void append(const Reading& reading, std::int32_t name, Ticks start, Ticks end,
                const EventArguments& arguments);
    void appendSpan(TraceSpan span, const SpanLabel& label);
    void pairHalves(const TraceSpan& span, EntryId entry);
    void nameRanksOfThreads();
    void nameProcesses();
    void warn(std::int64_t count, const char* what);

    Trace& m_trace;
    TraceNames& m_names;
    EventFile m_file;
    std::optional<Ticks> m_base;
    std::string m_lastCategory;
    CategoryMeaning m_lastMeaning;
    std::string m_lastProcess;
    ProcessId m_lastProcessId;
    ByText<ProcessId> m_processes;
    std::vector<ByText<std::int32_t>> m_tracks; // by process
    RankParts m_rankParts;
    std::vector<OpenTrack> m_openEvents; // by track of this file
    bool m_disordered = false;
    bool m_holdPairs = false;
    HeldEnds m_held;  // where they are put in order
    HeldEnds m_loose; // of no thread, by identity
    ByText<std::int32_t> m_identities;
    ByText<std::int32_t> m_looseGroups;
    std::vector<std::pair<ProcessId, std::string>> m_looseRows; // process and name of each group
    std::vector<std::int32_t> m_groupOfIdentity;
    std::size_t m_firstTrack = 0;
    const EventDialect* m_dialect = nullptr;       // of the event at hand
    DialectEvent m_made;                           // by it
    const EventDialect* m_threadDialect = nullptr; // whose threads are ranks
    ProcessId m_lastThread;                        // its process
    TraceSpan m_lastHalf;                          // with a label and an entry
    EntryId m_lastEntry;
    KernelPasses m_kernels;
    CollectiveNotes m_collectives;
    EventCounters m_counters;
    std::int64_t m_withoutBegin = 0;
    std::int64_t m_badTimes = 0;
    std::vector<TraceSpan> m_instants;
    std::int64_t m_tooMany = 0; // ends that cannot be held
};

} // namespace pw
