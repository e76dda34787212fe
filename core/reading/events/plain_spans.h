// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/reading/events/event_file.h"
#include "core/reading/events/trace_names.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace pw {

/// Makes the spans of a file that is not a list of events: rank by rank, row by row.
class PlainSpans
{
public:
    PlainSpans(Trace& trace, TraceNames& names, std::string origin);

    /// The place of a rank among the processes.
    /// @param number   −1: the file's own rank
    /// @param from     what says the number
    /// @param replica  of the pipeline that it is a rank of; −1: not told
    ProcessId rank(std::int32_t number, const char* from, std::int32_t replica = -1);
    /// Appends a span on a row of a rank; the label is nothing where its role is Other.
    void append(ProcessId rank, std::string_view row, std::string_view name, Ticks start, Ticks end,
                Trust trust, const SpanLabel& label = {});
    /// A row of the file that cannot be read.
    void leaveOut() { ++m_trace.leftOut; }
    bool any() const { return m_trace.spans.size() > m_file.firstSpan; }

    EventFile& file() { return m_file; }
    Trace& trace() { return m_trace; }
    const TraceNames& names() const { return m_names; }
    const std::string& path() const { return m_trace.files.back(); }

private:
    Trace& m_trace;
    TraceNames& m_names;
    EventFile m_file;
    std::map<std::pair<std::int32_t, std::int32_t>, ProcessId> m_ranks; // by number and replica
    std::map<std::pair<ProcessId, std::string>, std::int32_t, std::less<>> m_rows;
};

} // namespace pw
