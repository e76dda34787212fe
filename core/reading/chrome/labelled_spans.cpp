// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/chrome/labelled_spans.h"

namespace pw {

namespace {

/// A name that says a rank beyond this means something else.
constexpr std::int32_t mostRanksSaid = 65'536;

template<typename Number>
void fill(Number& mine, Number theirs)
{
    mine = mine < 0 ? theirs : mine;
}

} // namespace

void LabelledSpans::append(const SaidEvent& event, std::int32_t name, Ticks start, Ticks end,
                           const EventArguments& arguments)
{
    const SpanName& said = *event.said;
    ProcessId process = event.process;
    if (said.rankNumber >= 0 && said.rankNumber < mostRanksSaid && arguments.pipelineRank < 0)
        process = m_rankParts.part(process, said.rankNumber, "names");
    if (arguments.pipelineRank >= 0)
        process = m_rankParts.said(process, arguments.pipelineRank, arguments.replica);
    EventProcess& owner = m_file.processes[process.index()];
    TraceSpan span;
    span.start = start;
    span.end = end;
    span.rank = rankAsYet(process);
    span.track = event.track;
    span.name = name;
    span.trust = event.trust;
    span.activity = event.activity;
    SpanLabel label = said.first;
    if (label.role == SpanRole::Other ||
        (said.needsArguments && label.microBatch < 0 && arguments.microBatch < 0)) {
        m_trace.spans.push_back(span);
        return;
    }
    fill(label.iteration, arguments.iteration);
    fill(label.microBatch, arguments.microBatch);
    fill(label.chunk, label.paired ? -1 : arguments.chunk);
    fill(label.stage, arguments.stage);
    fill(label.segment, arguments.segment);
    fill(label.route, arguments.route);
    if (arguments.kind >= 0 && !label.paired && label.role == SpanRole::Pass)
        label.kind = static_cast<PassKind>(arguments.kind);
    if (label.role == SpanRole::Pass) {
        ++owner.labelled;
        owner.onTheHost += event.trust == Trust::Device ? 0 : 1;
    }
    SpanLabel second = said.second;
    if (said.placeRule >= 0)
        m_rankParts.note(m_trace.spans.size(), said.placeRule);
    append(span, label);
    if (second.role == SpanRole::Other) {
        pairHalves(m_trace.spans.back(), arguments.entry);
        return;
    }
    fill(second.iteration, arguments.iteration);
    fill(second.segment, arguments.secondSegment);
    fill(second.route, arguments.secondRoute);
    append(span, second);
}

/// Pipewright's own runs have the halves of an overlapped pair as two passes of one entry.
void LabelledSpans::pairHalves(const TraceSpan& span, EntryId entry)
{
    if (entry < 0)
        return;
    if (entry == m_lastEntry && span.track == m_lastHalf.track && span.start == m_lastHalf.start &&
        span.end == m_lastHalf.end)
        for (const std::int32_t label : {span.label, m_lastHalf.label})
            m_trace.labels[static_cast<std::size_t>(label)].paired = true;
    m_lastEntry = entry;
    m_lastHalf = span;
}

void LabelledSpans::append(TraceSpan span, const SpanLabel& label)
{
    span.label = static_cast<std::int32_t>(m_trace.labels.size());
    m_trace.labels.push_back(label);
    m_trace.spans.push_back(span);
}

void LabelledSpans::finish(std::size_t firstTrack)
{
    m_rankParts.placeByRules(firstTrack);
    m_rankParts.joinLone();
}

} // namespace pw
