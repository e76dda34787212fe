// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/reading/events/event_file.h"
#include "core/reading/events/trace_names.h"
#include "core/trace/trace.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

namespace pw {

/// Parts of the processes of one file that are ranks of their own, since names, arguments or rules
/// say so.
class RankParts
{
public:
    /// All outlive this.
    RankParts(Trace& trace, EventFile& file, const TraceNames& names)
        : m_trace(trace)
        , m_file(file)
        , m_names(names)
    {
    }

    /// The part of a process that is a rank, of a replica if that is told.
    ProcessId part(ProcessId process, std::int32_t number, const char* saidBy,
                   std::int32_t replica = -1);

    /// The part of a process on which an event says its rank. Ranks may be threads of one process:
    /// the first that is said is the process's own.
    ProcessId said(ProcessId process, std::int32_t number, std::int32_t replica);

    /// A span that has its label by a rule which looks at places too.
    void note(std::size_t span, std::int32_t rule) { m_ruled.emplace_back(span, rule); }

    /// After the last event. Where rules look at the names of processes, threads and files: a span
    /// whose place they do not match loses its label, and a row that they match is of the rank that
    /// they say. @param firstTrack  of the file
    void placeByRules(std::size_t firstTrack);

    /// After the last event. A process whose names all say one rank is that rank, with everything
    /// on it.
    void joinLone();

private:
    using Places = std::map<std::pair<std::int32_t, std::int32_t>, SpanName>; // by track and rule

    /// What rules say of the rows of the file, and the parts that these are then.
    Places placesOf(std::size_t firstTrack, std::vector<ProcessId>& into);
    void fillLabels(const Places& places);

    Trace& m_trace;
    EventFile& m_file;
    const TraceNames& m_names;
    // By process, rank and replica.
    std::map<std::tuple<ProcessId, std::int32_t, std::int32_t>, ProcessId> m_parts;
    std::vector<std::pair<std::size_t, std::int32_t>> m_ruled; // spans, and rules with places
};

} // namespace pw
