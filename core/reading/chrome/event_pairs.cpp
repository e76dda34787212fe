// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
//
// Slices of a Chrome trace whose two ends are two events.
#include "core/reading/chrome/event_spans.h"

#include <algorithm>

namespace pw {

/// Of B and E on a thread: an end belongs to the begin before it in time, not in the file.
void EventSpans::noteOrder(std::int32_t track, Ticks time)
{
    Ticks& last = m_openEvents[static_cast<std::size_t>(track) - m_firstTrack].last;
    m_disordered = m_disordered || time < last;
    last = std::max(last, time);
}

void EventSpans::hold(const ChromeEvent& event, const Reading& reading, std::int32_t name,
                      Ticks time)
{
    const bool held = m_held.add(
        {time, reading.track, name, -1, event.phase == 'B', reading.trust, reading.activity},
        event.arguments);
    m_tooMany += held ? 0 : 1;
    m_trace.leftOut += held ? 0 : 1;
}

void EventSpans::begin(const ChromeEvent& event)
{
    const std::optional<Ticks> time = timeOf(event);
    if (!time) {
        badTime();
        return;
    }
    const std::int32_t name = m_names.indexOf(event.name);
    const Reading reading = readingOf(event, name);
    if (m_dialect == nullptr) {
        if (m_holdPairs) {
            hold(event, reading, name, *time);
            return;
        }
        noteOrder(reading.track, *time);
    }
    m_openEvents[static_cast<std::size_t>(reading.track) - m_firstTrack].events.push_back(
        {name, *time, event.arguments, reading.trust, reading.activity,
         reading.said->first.role != SpanRole::Other});
}

void EventSpans::end(const ChromeEvent& event)
{
    const std::int32_t name = event.name.empty() ? -1 : m_names.indexOf(event.name);
    const Reading reading = readingOf(event, name);
    const std::optional<Ticks> time = timeOf(event);
    if (m_dialect == nullptr && time) {
        if (m_holdPairs) {
            hold(event, reading, name, *time);
            return;
        }
        noteOrder(reading.track, *time);
    }
    close(reading, name, time, event.arguments, !event.category.empty());
}

/// Ends the innermost begin of the track that has the name; an end may come without one.
/// @param categorized  the end says itself what it is of
bool EventSpans::close(const Reading& reading, std::int32_t name, std::optional<Ticks> time,
                       EventArguments arguments, bool categorized)
{
    std::vector<OpenEvent>& open =
        m_openEvents[static_cast<std::size_t>(reading.track) - m_firstTrack].events;
    auto begin = open.rbegin();
    while (begin != open.rend() && name >= 0 && begin->name != name)
        ++begin;
    if (begin == open.rend() || !time || *time < begin->start) {
        ++m_withoutBegin;
        ++m_trace.leftOut;
        return false;
    }
    const OpenEvent found = *begin;
    // What began inside and never ended is lost.
    m_withoutBegin += begin - open.rbegin();
    m_trace.leftOut += begin - open.rbegin();
    open.erase(std::next(begin).base(), open.end());
    arguments.fillFrom(found.arguments);
    Reading whole = reading;
    if (whole.said == nullptr)
        whole.said = &m_names.said(found.name);
    if (!categorized) {
        whole.trust = found.trust;
        whole.activity = found.activity;
    }
    append(whole, found.name, found.start, *time, arguments);
    return true;
}

/// After the last event, where begins and ends were not in the order of time.
void EventSpans::finishPairs()
{
    for (const HeldEnd& end : m_held.sorted()) {
        Reading reading;
        reading.track = end.place;
        reading.process = pw::processOf(m_trace.tracks[static_cast<std::size_t>(end.place)].rank);
        reading.trust = end.trust;
        reading.activity = end.activity;
        if (!end.begins)
            close(reading, end.name, end.time, m_held.argumentsOf(end),
                  end.activity != ActivityKind::Other);
        else
            m_openEvents[static_cast<std::size_t>(end.place) - m_firstTrack].events.push_back(
                {end.name, end.time, m_held.argumentsOf(end), end.trust, end.activity,
                 m_names.said(end.name).first.role != SpanRole::Other});
    }
    m_held.clear();
}

/// What begins and never ends lasts to the end of the recording. A pass does not: how long it took
/// is not known.
void EventSpans::finishOpen()
{
    Ticks last = std::numeric_limits<Ticks>::min();
    bool any = false;
    for (const OpenTrack& track : m_openEvents) {
        for (const OpenEvent& open : track.events)
            last = std::max(last, open.start);
        any = any || !track.events.empty();
    }
    if (!any)
        return;
    for (std::size_t i = m_file.firstSpan; i < m_trace.spans.size(); ++i)
        last = std::max(last, m_trace.spans[i].end);
    std::int64_t lost = 0, unended = 0;
    for (std::size_t i = 0; i < m_openEvents.size(); ++i)
        for (const OpenEvent& open : m_openEvents[i].events) {
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
    warn(lost, " events that begin never end; left out");
    warn(unended, " slices begin and never end; they are shown to the end of the recording");
}

/// An asynchronous event: b and e, or S and F of older programs.
void EventSpans::loose(const ChromeEvent& event)
{
    const std::optional<Ticks> time = timeOf(event);
    if (!time) {
        badTime();
        return;
    }
    const ProcessId process = processOf(event.process);
    constexpr char between = '\x1f';
    const std::string owner = std::to_string(process) + between + event.category + between;
    const auto [identity, made] =
        m_identities.try_emplace(owner + event.id, static_cast<std::int32_t>(m_identities.size()));
    if (made) {
        const std::string& shown = event.category.empty() ? event.name : event.category;
        const auto [group, first] =
            m_looseGroups.try_emplace(owner + (event.category.empty() ? event.name : std::string()),
                                      static_cast<std::int32_t>(m_looseGroups.size()));
        if (first)
            m_looseRows.emplace_back(process, cleanText(shown));
        m_groupOfIdentity.push_back(group->second);
    }
    const CategoryMeaning& meaning = meaningFor(event.category);
    const bool begins = event.phase == 'b' || event.phase == 'S';
    const std::int32_t name = event.name.empty() && !begins ? -1 : m_names.indexOf(event.name);
    const bool held = m_loose.add(
        {*time, identity->second, name, -1, begins, Trust::Host, activityOf(meaning, name)},
        event.arguments);
    m_tooMany += held ? 0 : 1;
    m_trace.leftOut += held ? 0 : 1;
}

/// After the last event: what is asynchronous, on rows of its own.
void EventSpans::finishLoose()
{
    std::vector<LooseSlice> slices;
    std::vector<std::pair<HeldEnd, std::int32_t>> open; // of the identity at hand, with their tree
    std::int32_t place = -1, trees = 0;
    const auto drop = [&] {
        m_withoutBegin += static_cast<std::int64_t>(open.size());
        m_trace.leftOut += static_cast<std::int64_t>(open.size());
        open.clear();
    };
    for (const HeldEnd& end : m_loose.sorted()) {
        if (end.place != place)
            drop();
        place = end.place;
        if (end.begins) {
            trees += open.empty() ? 1 : 0;
            open.emplace_back(end, trees);
            continue;
        }
        const auto begin = std::find_if(open.rbegin(), open.rend(), [&end](const auto& one) {
            return end.name < 0 || one.first.name == end.name;
        });
        if (begin == open.rend()) {
            ++m_withoutBegin;
            ++m_trace.leftOut;
            continue;
        }
        const HeldEnd& from = begin->first;
        EventArguments arguments = m_loose.argumentsOf(end);
        arguments.fillFrom(m_loose.argumentsOf(from));
        slices.push_back({from.time, end.time, m_groupOfIdentity[static_cast<std::size_t>(place)],
                          begin->second, 0, from.name, arguments, from.trust, from.activity});
        open.erase(std::next(begin).base());
    }
    drop();
    m_loose.clear();
    appendLoose(slices);
}

void EventSpans::appendLoose(std::vector<LooseSlice>& slices)
{
    layOut(slices);
    std::int32_t group = -1, row = -1;
    Reading reading;
    for (const LooseSlice& slice : slices) {
        if (slice.group != group || slice.row != row) {
            const auto& [process, title] = m_looseRows[static_cast<std::size_t>(slice.group)];
            group = slice.group;
            row = slice.row;
            reading.process = process;
            reading.track = static_cast<std::int32_t>(m_trace.tracks.size());
            m_trace.tracks.push_back(
                {rankAsYet(process), m_file.processes[process.index()].id,
                 title + " (async)" + (row > 0 ? " " + std::to_string(row + 1) : std::string())});
            m_openEvents.emplace_back();
        }
        reading.said = &m_names.said(slice.name);
        reading.trust = slice.trust;
        reading.activity = slice.activity;
        append(reading, slice.name, slice.start, slice.end, slice.arguments);
    }
}

/// A moment on a thread: a slice without length. One of the whole trace is on no thread, and one
/// without a name says nothing.
void EventSpans::instant(const ChromeEvent& event)
{
    const std::optional<Ticks> time = timeOf(event);
    if (!time || *time > latestTime || *time < -latestTime) {
        badTime();
        return;
    }
    if (event.scope == 'g' || event.name.empty())
        return;
    const ProcessId process = processOf(event.process);
    TraceSpan span;
    span.start = span.end = *time;
    span.rank = rankAsYet(process);
    span.track = trackOf(process, event.thread);
    span.name = m_names.indexOf(event.name);
    m_instants.push_back(span);
}

/// After the last event. Times count from the first slice; what is marked before it is not shown.
void EventSpans::finishInstants()
{
    Ticks first = std::numeric_limits<Ticks>::max();
    for (std::size_t i = m_file.firstSpan; i < m_trace.spans.size(); ++i)
        first = std::min(first, m_trace.spans[i].start);
    const bool alone = m_trace.spans.size() == m_file.firstSpan;
    for (const TraceSpan& span : m_instants)
        if (alone || span.start >= first)
            m_trace.spans.push_back(span);
    m_instants = {};
}

} // namespace pw
