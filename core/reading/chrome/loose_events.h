// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/reading/chrome/held_ends.h"
#include "core/reading/chrome/labelled_spans.h"
#include "core/reading/events/chrome_event.h"
#include "core/reading/events/event_file.h"
#include "core/reading/events/trace_names.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace pw {

/// Asynchronous slices, which are of no thread: b and e, or S and F of older programs. Their ends
/// have an identity in common, and they stand on rows of their own.
class LooseEvents
{
public:
    /// All outlive this.
    LooseEvents(Trace& trace, const EventFile& file, TraceNames& names, LabelledSpans& spans)
        : m_trace(trace)
        , m_file(file)
        , m_names(names)
        , m_spans(spans)
    {
    }

    static bool begins(const ChromeEvent& event)
    {
        return event.phase == 'b' || event.phase == 'S';
    }
    /// @param name  of the trace's names; −1: an end that says none
    void take(const ChromeEvent& event, Ticks time, ProcessId process, std::int32_t name,
              ActivityKind activity);
    /// After the last event.
    void finish();
    const LostEnds& lost() const { return m_lost; }

private:
    std::vector<LooseSlice> paired();

    Trace& m_trace;
    const EventFile& m_file;
    TraceNames& m_names;
    LabelledSpans& m_spans;
    HeldEnds m_held; // by identity
    ByText<std::int32_t> m_identities;
    ByText<std::int32_t> m_groups;
    std::vector<std::pair<ProcessId, std::string>> m_rows; // process and name of each group
    std::vector<std::int32_t> m_groupOfIdentity;
    LostEnds m_lost;
};

} // namespace pw
