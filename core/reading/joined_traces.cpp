// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/joined_traces.h"

#include <iterator>
#include <utility>

namespace pw {

namespace {

/// The number that a place of one list has in another; none stays none.
std::int32_t placeIn(const std::vector<std::int32_t>& places, std::int32_t number)
{
    return number < 0 ? number : places[static_cast<std::size_t>(number)];
}

template<typename T>
void append(std::vector<T>& to, std::vector<T>& from)
{
    to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
    from = {};
}

void appendSpans(Trace& trace, const Trace& from, const std::vector<std::int32_t>& names)
{
    const auto track = static_cast<std::int32_t>(trace.tracks.size());
    const auto label = static_cast<std::int32_t>(trace.labels.size());
    for (TraceSpan span : from.spans) {
        span.name = placeIn(names, span.name);
        span.track += track;
        span.label += span.label < 0 ? 0 : label;
        trace.spans.push_back(span);
    }
}

void appendRepairs(Trace& trace, Trace& from)
{
    const auto file = static_cast<std::int32_t>(trace.files.size()) - 1;
    const auto listed = static_cast<std::int64_t>(from.repairs.list.size());
    for (TraceRepair& repair : from.repairs.list) {
        repair.file = file;
        trace.repairs.add(std::move(repair));
    }
    trace.repairs.count += from.repairs.count - listed;
}

} // namespace

void joinTraces(Trace& trace, TraceNames& names, Trace& from, const TraceNames& fromNames,
                EventFile& said)
{
    const TraceNames::Places places = names.takeOver(fromNames);
    const std::size_t firstSpan = trace.spans.size();
    const auto span = static_cast<std::int32_t>(firstSpan);
    appendSpans(trace, from, places.names);
    append(trace.labels, from.labels);
    append(trace.tracks, from.tracks);
    for (const TraceLink& link : from.links)
        trace.links.push_back(
            {link.from + (link.from < 0 ? 0 : span), link.to + (link.to < 0 ? 0 : span)});
    for (CollectiveCall& call : from.calls) {
        call.span += span;
        call.group = placeIn(places.groups, call.group);
    }
    append(trace.calls, from.calls);
    append(trace.warnings, from.warnings);
    appendRepairs(trace, from);
    if (!from.ended.empty())
        trace.ended = std::move(from.ended);
    trace.events += from.events;
    trace.leftOut += from.leftOut;
    said.firstSpan += firstSpan;
    for (OwnStep& step : said.steps)
        step.firstSpan += firstSpan;
    for (WorkSum& sum : said.sums)
        sum.name = placeIn(places.names, sum.name);
    from.spans = {};
}

} // namespace pw
