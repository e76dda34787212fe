// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/events/plain_spans.h"

namespace pw {

PlainSpans::PlainSpans(Trace& trace, TraceNames& names, std::string origin)
    : m_trace(trace)
    , m_names(names)
{
    m_file.firstSpan = trace.spans.size();
    m_file.origin = std::move(origin);
}

ProcessId PlainSpans::rank(std::int32_t number, const char* from, std::int32_t replica)
{
    const auto [found, made] =
        m_ranks.emplace(std::pair(number, replica), ProcessId(m_file.processes.size()));
    if (made) {
        EventProcess process;
        process.id = number < 0 ? "0" : std::to_string(number);
        if (replica >= 0)
            process.id += " of replica " + std::to_string(replica);
        process.replica = replica;
        process.rankSaid = number;
        process.saidBy = from;
        m_file.processes.push_back(std::move(process));
    }
    return found->second;
}

void PlainSpans::append(ProcessId rank, std::string_view row, std::string_view name, Ticks start,
                        Ticks end, Trust trust, const SpanLabel& label)
{
    const auto [track, made] = m_rows.emplace(std::pair(rank, std::string(row)),
                                              static_cast<std::int32_t>(m_trace.tracks.size()));
    EventProcess& owner = m_file.processes[rank.index()];
    if (made)
        m_trace.tracks.push_back({rankAsYet(rank), owner.id, cleanText(row)});
    TraceSpan span;
    span.start = start;
    span.end = end;
    span.rank = rankAsYet(rank);
    span.track = track->second;
    span.name = m_names.indexOf(name.substr(0, longestName));
    span.trust = trust;
    if (label.role == SpanRole::Pass || label.role == SpanRole::Step)
        span.activity = ActivityKind::Annotation;
    if (label.role != SpanRole::Other) {
        span.label = static_cast<std::int32_t>(m_trace.labels.size());
        m_trace.labels.push_back(label);
    }
    if (label.role == SpanRole::Pass) {
        ++owner.labelled;
        owner.onTheHost += trust == Trust::Device ? 0 : 1;
    }
    m_trace.spans.push_back(span);
}

} // namespace pw
