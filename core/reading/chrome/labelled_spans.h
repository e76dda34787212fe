// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/reading/events/chrome_event.h"
#include "core/reading/events/event_file.h"
#include "core/reading/events/rank_parts.h"
#include "core/reading/events/trace_names.h"
#include "core/trace/span_name.h"
#include "core/trace/trace.h"

#include <cstddef>
#include <cstdint>

namespace pw {

/// Where an event stands and what it says, whatever program wrote it.
struct SaidEvent
{
    ProcessId process{0};
    std::int32_t track = 0;
    const SpanName* said = nullptr; ///< until the next name; null: an end that says no name
    Trust trust = Trust::Host;
    ActivityKind activity = ActivityKind::Other;
};

/// Writes the spans of one file: each with the label that its name and its arguments say, of the
/// rank that they say.
class LabelledSpans
{
public:
    /// All outlive this.
    LabelledSpans(Trace& trace, EventFile& file, const TraceNames& names)
        : m_trace(trace)
        , m_file(file)
        , m_rankParts(trace, file, names)
    {
    }

    /// @param event  says a name
    /// @param name   of the trace's names
    void append(const SaidEvent& event, std::int32_t name, Ticks start, Ticks end,
                const EventArguments& arguments);
    void append(TraceSpan span, const SpanLabel& label);
    /// After the last event: what rules say of whole rows, and processes that are one rank.
    /// @param firstTrack  of the file
    void finish(std::size_t firstTrack);

private:
    void pairHalves(const TraceSpan& span, EntryId entry);

    Trace& m_trace;
    EventFile& m_file;
    RankParts m_rankParts;
    TraceSpan m_lastHalf; // with a label and an entry
    EntryId m_lastEntry;
};

} // namespace pw
