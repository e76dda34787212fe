// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/reading/chrome/held_ends.h"
#include "core/reading/chrome/labelled_spans.h"
#include "core/reading/events/chrome_event.h"
#include "core/reading/events/event_file.h"
#include "core/reading/events/trace_names.h"
#include "core/trace/trace.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace pw {

/// Slices of threads whose two ends are two events: B and E. An end belongs to the begin before it
/// in time, not in the file.
class EventPairs
{
public:
    /// All outlive this. @param firstTrack  of the file
    EventPairs(Trace& trace, const EventFile& file, TraceNames& names, LabelledSpans& spans,
               std::size_t firstTrack)
        : m_trace(trace)
        , m_file(file)
        , m_names(names)
        , m_spans(spans)
        , m_firstTrack(firstTrack)
    {
    }

    /// Whether ends of a thread were not in the order of time, so that what belongs together is
    /// known only when the file is read again with `holdAll`.
    bool disordered() const { return m_disordered; }
    /// Before the first event: all are put in order before they are paired.
    void holdAll() { m_holdAll = true; }

    /// @param name     of the trace's names
    /// @param inOrder  a dialect's events are as they come, whatever their times are
    void begin(const SaidEvent& event, std::int32_t name, Ticks time,
               const EventArguments& arguments, bool inOrder);
    /// @param name         −1: the end says none
    /// @param categorized  the end says itself what it is of
    void end(const SaidEvent& event, std::int32_t name, std::optional<Ticks> time,
             const EventArguments& arguments, bool categorized, bool inOrder);
    /// After the last event. What begins and never ends lasts to the end of the recording; a pass
    /// does not, since how long it took is not known.
    void finish();
    const LostEnds& lost() const { return m_lost; }

private:
    /// A begin that waits for its end.
    struct Open
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
        std::vector<Open> events;
        Ticks last = std::numeric_limits<Ticks>::min();
    };

    OpenTrack& openOf(std::int32_t track);
    void noteOrder(std::int32_t track, Ticks time);
    void hold(const SaidEvent& event, std::int32_t name, Ticks time, bool begins,
              const EventArguments& arguments);
    void close(const SaidEvent& event, std::int32_t name, std::optional<Ticks> time,
               EventArguments arguments, bool categorized);
    void pairHeld();
    void endOpen();

    Trace& m_trace;
    const EventFile& m_file;
    TraceNames& m_names;
    LabelledSpans& m_spans;
    std::size_t m_firstTrack;
    std::vector<OpenTrack> m_open; // by track of the file
    bool m_disordered = false;
    bool m_holdAll = false;
    HeldEnds m_held; // where they are put in order
    LostEnds m_lost;
};

} // namespace pw
