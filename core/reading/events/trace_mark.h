// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/trace/trace.h"

#include <cstddef>
#include <cstdint>

namespace pw {

/// A place in a trace that is being read, to go back to: what an attempt that failed has appended
/// goes away again.
class TraceMark
{
public:
    explicit TraceMark(const Trace& trace)
        : m_spans(trace.spans.size())
        , m_labels(trace.labels.size())
        , m_tracks(trace.tracks.size())
        , m_links(trace.links.size())
        , m_calls(trace.calls.size())
        , m_warnings(trace.warnings.size())
        , m_repairs(trace.repairs.list.size())
        , m_repairCount(trace.repairs.count)
        , m_events(trace.events)
        , m_leftOut(trace.leftOut)
    {
    }

    void restore(Trace& trace) const
    {
        trace.spans.resize(m_spans);
        trace.labels.resize(m_labels);
        trace.tracks.resize(m_tracks);
        trace.links.resize(m_links);
        trace.calls.resize(m_calls);
        trace.warnings.resize(m_warnings);
        trace.repairs.list.resize(m_repairs);
        trace.repairs.count = m_repairCount;
        trace.events = m_events;
        trace.leftOut = m_leftOut;
    }

    /// Whether any span was appended since.
    bool anySpans(const Trace& trace) const { return trace.spans.size() > m_spans; }

private:
    std::size_t m_spans, m_labels, m_tracks, m_links, m_calls, m_warnings, m_repairs;
    std::int64_t m_repairCount, m_events, m_leftOut;
};

} // namespace pw
