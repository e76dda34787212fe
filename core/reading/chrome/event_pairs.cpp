// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/chrome/event_pairs.h"

#include <algorithm>
#include <iterator>
#include <string>

namespace pw {

EventPairs::OpenTrack& EventPairs::openOf(std::int32_t track)
{
    const std::size_t at = static_cast<std::size_t>(track) - m_firstTrack;
    if (at >= m_open.size())
        m_open.resize(at + 1);
    return m_open[at];
}

void EventPairs::noteOrder(std::int32_t track, Ticks time)
{
    Ticks& last = openOf(track).last;
    m_disordered = m_disordered || time < last;
    last = std::max(last, time);
}

void EventPairs::hold(const SaidEvent& event, std::int32_t name, Ticks time, bool begins,
                      const EventArguments& arguments)
{
    const bool held =
        m_held.add({time, event.track, name, -1, begins, event.trust, event.activity}, arguments);
    m_lost.tooMany += held ? 0 : 1;
    m_trace.leftOut += held ? 0 : 1;
}

void EventPairs::begin(const SaidEvent& event, std::int32_t name, Ticks time,
                       const EventArguments& arguments, bool inOrder)
{
    if (!inOrder) {
        if (m_holdAll) {
            hold(event, name, time, true, arguments);
            return;
        }
        noteOrder(event.track, time);
    }
    openOf(event.track)
        .events.push_back({name, time, arguments, event.trust, event.activity,
                           event.said->first.role != SpanRole::Other});
}

void EventPairs::end(const SaidEvent& event, std::int32_t name, std::optional<Ticks> time,
                     const EventArguments& arguments, bool categorized, bool inOrder)
{
    if (!inOrder && time) {
        if (m_holdAll) {
            hold(event, name, *time, false, arguments);
            return;
        }
        noteOrder(event.track, *time);
    }
    close(event, name, time, arguments, categorized);
}

/// Ends the innermost begin of the track that has the name; an end may come without one.
void EventPairs::close(const SaidEvent& event, std::int32_t name, std::optional<Ticks> time,
                       EventArguments arguments, bool categorized)
{
    std::vector<Open>& open = openOf(event.track).events;
    auto begin = open.rbegin();
    while (begin != open.rend() && name >= 0 && begin->name != name)
        ++begin;
    if (begin == open.rend() || !time || *time < begin->start) {
        ++m_lost.alone;
        ++m_trace.leftOut;
        return;
    }
    const Open found = *begin;
    // What began inside and never ended is lost.
    m_lost.alone += begin - open.rbegin();
    m_trace.leftOut += begin - open.rbegin();
    open.erase(std::next(begin).base(), open.end());
    arguments.fillFrom(found.arguments);
    SaidEvent whole = event;
    if (whole.said == nullptr)
        whole.said = &m_names.said(found.name);
    if (!categorized) {
        whole.trust = found.trust;
        whole.activity = found.activity;
    }
    m_spans.append(whole, found.name, found.start, *time, arguments);
}

/// Where begins and ends were not in the order of time.
void EventPairs::pairHeld()
{
    for (const HeldEnd& end : m_held.sorted()) {
        SaidEvent event;
        event.track = end.place;
        event.process = processOf(m_trace.tracks[static_cast<std::size_t>(end.place)].rank);
        event.trust = end.trust;
        event.activity = end.activity;
        if (!end.begins)
            close(event, end.name, end.time, m_held.argumentsOf(end),
                  end.activity != ActivityKind::Other);
        else
            openOf(end.place).events.push_back(
                {end.name, end.time, m_held.argumentsOf(end), end.trust, end.activity,
                 m_names.said(end.name).first.role != SpanRole::Other});
    }
    m_held.clear();
}

void EventPairs::endOpen()
{
    Ticks last = std::numeric_limits<Ticks>::min();
    bool any = false;
    for (const OpenTrack& track : m_open) {
        for (const Open& open : track.events)
            last = std::max(last, open.start);
        any = any || !track.events.empty();
    }
    if (!any)
        return;
    for (std::size_t i = m_file.firstSpan; i < m_trace.spans.size(); ++i)
        last = std::max(last, m_trace.spans[i].end);
    std::int64_t lost = 0, unended = 0;
    for (std::size_t i = 0; i < m_open.size(); ++i)
        for (const Open& open : m_open[i].events) {
            const std::int32_t track = static_cast<std::int32_t>(m_firstTrack + i);
            if (open.labelled) {
                ++lost;
                continue;
            }
            ++unended;
            TraceSpan span;
            span.start = open.start;
            span.end = last;
            span.rank = m_trace.tracks[static_cast<std::size_t>(track)].rank;
            span.track = track;
            span.name = open.name;
            span.trust = Trust::Guessed;
            span.activity = open.activity;
            m_trace.spans.push_back(span);
        }
    m_trace.leftOut += lost;
    warnOfFile(m_trace, lost, " events that begin never end; left out");
    warnOfFile(m_trace, unended,
               " slices begin and never end; they are shown to the end of the recording");
}

void EventPairs::finish()
{
    pairHeld();
    endOpen();
}

} // namespace pw
