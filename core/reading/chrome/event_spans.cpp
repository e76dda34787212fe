// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/chrome/event_spans.h"

#include "core/reading/chrome/host_passes.h"
#include "core/reading/events/event_time.h"
#include "core/reading/events/label_choice.h"
#include "core/reading/events/linked_passes.h"
#include "core/reading/events/named_devices.h"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

namespace pw {

EventSpans::EventSpans(Trace& trace, TraceNames& names)
    : m_trace(trace)
    , m_names(names)
    , m_rows(trace, m_file)
    , m_spans(trace, m_file, names)
    , m_pairs(trace, m_file, names, m_spans, m_rows.firstTrack())
    , m_loose(trace, m_file, names, m_spans)
{
    m_file.firstSpan = trace.spans.size();
}

void EventSpans::leaveOut()
{
    ++m_trace.events;
    ++m_trace.leftOut;
}

void EventSpans::takeSeries(ToldSeries series, std::string_view process)
{
    m_counters.takeSeries(std::move(series), m_rows.processOf(process));
}

void EventSpans::badTime()
{
    ++m_badTimes;
    ++m_trace.leftOut;
}

void EventSpans::take(const ChromeEvent& event)
{
    ++m_trace.events;
    if (event.wirePass) {
        wirePass(event);
        return;
    }
    if (event.wireEnds) {
        m_trace.ended = event.status;
        return;
    }
    m_dialect = event.phase == 'X' || event.phase == 'B' || event.phase == 'E'
                    ? dialectOf(event, m_made)
                    : nullptr;
    switch (event.phase) {
    case 'X':
        whole(event);
        break;
    case 'B':
        begin(event);
        break;
    case 'E':
        end(event);
        break;
    case 'M':
        m_rows.name(event);
        break;
    case 'C':
        m_counters.take(event, timeOf(event), m_rows.processOf(event.process));
        break;
    case 'i':
    case 'I': // as older programs write it
    case 'R': // a mark
        if (event.name == EventCounters::memoryEvent)
            m_counters.takeMemory(event, timeOf(event), m_rows.processOf(event.process));
        else
            instant(event);
        break;
    case 'b':
    case 'e':
    case 'S':
    case 'F':
        loose(event);
        break;
    case 's':
    case 'f':
        if (event.category == "fwdbwd")
            m_kernels.arrow(event, m_rows.trackOf(m_rows.processOf(event.process), event.thread));
        break;
    default:
        break;
    }
}

/// In nanoseconds; a dialect may count in other units than microseconds.
std::optional<Ticks> EventSpans::timeOf(const ChromeEvent& event) const
{
    if (!event.time || m_dialect == nullptr || m_made.timeScale == 1)
        return event.time;
    if (*event.time > latestTime / m_made.timeScale || *event.time < -latestTime / m_made.timeScale)
        return std::nullopt;
    return *event.time * m_made.timeScale;
}

void EventSpans::whole(const ChromeEvent& event)
{
    const std::optional<Ticks> time = timeOf(event);
    if (!time || !event.duration || *event.duration < 0 || *time > latestTime - *event.duration) {
        badTime();
        return;
    }
    const std::int32_t name = m_names.indexOf(event.name);
    const auto span = static_cast<std::int32_t>(m_trace.spans.size());
    m_kernels.take(event, meaningFor(event.category), span);
    if (event.collective.any)
        m_collectives.take(event.collective, span, m_names);
    m_spans.append(saidBy(event, name), name, *time, *time + *event.duration, event.arguments);
}

void EventSpans::begin(const ChromeEvent& event)
{
    const std::optional<Ticks> time = timeOf(event);
    if (!time) {
        badTime();
        return;
    }
    const std::int32_t name = m_names.indexOf(event.name);
    m_pairs.begin(saidBy(event, name), name, *time, event.arguments, m_dialect != nullptr);
}

void EventSpans::end(const ChromeEvent& event)
{
    const std::int32_t name = event.name.empty() ? -1 : m_names.indexOf(event.name);
    const SaidEvent said = saidBy(event, name);
    m_pairs.end(said, name, timeOf(event), event.arguments, !event.category.empty(),
                m_dialect != nullptr);
}

void EventSpans::loose(const ChromeEvent& event)
{
    const std::optional<Ticks> time = timeOf(event);
    if (!time) {
        badTime();
        return;
    }
    const bool unnamed = event.name.empty() && !LooseEvents::begins(event);
    const std::int32_t name = unnamed ? -1 : m_names.indexOf(event.name);
    m_loose.take(event, *time, m_rows.processOf(event.process), name,
                 activityOf(meaningFor(event.category), name));
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
    const ProcessId process = m_rows.processOf(event.process);
    TraceSpan span;
    span.start = span.end = *time;
    span.rank = rankAsYet(process);
    span.track = m_rows.trackOf(process, event.thread);
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

/// A pass of the wire: an overlapped pair is two lines with the pair's label, so fields count.
void EventSpans::wirePass(const ChromeEvent& event)
{
    const EventArguments& said = event.arguments;
    constexpr Ticks furthest = latestTime / 2;
    const bool placed = said.pipelineRank >= 0 && said.kind >= 0 && said.stage >= 0;
    if (!placed || !event.time || !event.end || *event.end < *event.time ||
        *event.time < -furthest || *event.end > furthest) {
        badTime();
        return;
    }
    m_file.origin = "Pipewright";
    m_trace.ended = "incomplete"; // until a line says how it ended
    const ProcessId process = m_rows.processOf(std::to_string(said.pipelineRank));
    EventProcess& owner = m_file.processes[process.index()];
    owner.rankSaid = said.pipelineRank;
    owner.saidBy = "wire";
    ++owner.labelled;
    ++owner.onTheHost;
    SpanLabel label;
    label.role = SpanRole::Pass;
    label.kind = static_cast<PassKind>(said.kind);
    label.paired = event.name.compare(0, 4, "PP:(") == 0;
    label.iteration = said.iteration;
    label.route = std::max(said.route, 0);
    label.stage = said.stage;
    label.microBatch = said.microBatch;
    label.segment = said.segment;
    TraceSpan span;
    span.start = *event.time;
    span.end = *event.end;
    span.rank = rankAsYet(process);
    span.track = m_rows.trackOf(process, "compute");
    span.name = m_names.indexOf(event.name);
    m_spans.append(span, label);
}

/// Most files have a handful of them.
const CategoryMeaning& EventSpans::meaningFor(const std::string& category)
{
    const std::size_t mark =
        category.empty() ? 0 : category.size() + static_cast<unsigned char>(category.back());
    Category& known = m_categories[mark % m_categories.size()];
    if (category != known.name) {
        known.name = category;
        known.meaning = meaningOf(category);
    }
    return known.meaning;
}

ActivityKind EventSpans::activityOf(const CategoryMeaning& meaning, std::int32_t name) const
{
    if (name < 0)
        return meaning.kind;
    if (meaning.kernel)
        return m_names.kernelKind(name);
    return meaning.kind == ActivityKind::Launch
               ? callKind(m_trace.names[static_cast<std::size_t>(name)])
               : meaning.kind;
}

SaidEvent EventSpans::saidBy(const ChromeEvent& event, std::int32_t name)
{
    SaidEvent said;
    using Owner = DialectEvent::Owner;
    const Owner owner = m_dialect == nullptr ? Owner::Process : m_made.owner;
    if (owner == Owner::Process) {
        const CategoryMeaning& meaning = meaningFor(event.category);
        said.process = m_rows.processOf(event.process);
        said.said = name < 0 ? nullptr : &m_names.said(name);
        said.trust = meaning.device ? Trust::Device : Trust::Host;
        said.activity = activityOf(meaning, name);
    } else if (owner == Owner::Thread) {
        said.process = m_rows.processOfThread(event, *m_dialect, m_made.rankNumber);
    } else {
        said.process =
            m_rows.lastThread().valid() ? m_rows.lastThread() : m_rows.processOf(event.process);
    }
    if (m_dialect != nullptr) {
        m_file.origin = m_dialect->origin;
        if (m_made.rulesCount)
            if (const std::optional<SpanName> ruled = m_names.saidByRule(event.name))
                m_made.said = *ruled;
        said.said = &m_made.said;
    }
    said.track = m_rows.trackOf(said.process, event.thread);
    if (said.trust == Trust::Device) {
        TraceTrack& track = m_trace.tracks[static_cast<std::size_t>(said.track)];
        track.deviceNumber = track.device   ? track.deviceNumber
                             : event.device ? *event.device
                                            : smallNumber(event.process);
        track.device = true;
    }
    return said;
}

EventFile EventSpans::finish()
{
    m_pairs.finish();
    m_loose.finish();
    finishInstants();
    warnOfFile(m_trace, m_pairs.lost().tooMany + m_loose.lost().tooMany,
               " begins and ends are beyond the 16,000,000 that are put in order; left out");
    warnOfFile(m_trace, m_pairs.lost().alone + m_loose.lost().alone,
               " events lack their begin or their end; left out");
    warnOfFile(m_trace, m_badTimes, " events have no time that can be read; left out");
    findNamedDevices(m_trace, m_names, m_rows.firstTrack(), m_file);
    m_rows.finish();
    m_spans.finish(m_rows.firstTrack());
    chooseLabels(m_trace, m_file);
    m_counters.finish(m_trace, m_file);
    m_kernels.link(m_trace, m_file.firstSpan);
    m_kernels.findLaunches(m_trace);
    const std::size_t firstCall = m_trace.calls.size();
    m_collectives.finish(m_trace, m_file.firstSpan,
                         [this](std::int32_t span) { return m_kernels.launchOf(m_trace, span); });
    m_headGroups.finish(m_trace, m_names, firstCall, m_file);
    findLinkedPasses(m_trace, m_names, m_file);
    if (!m_kernels.label(m_trace, m_file))
        labelHostPasses(m_trace, m_file);
    m_file.hasBase = m_base.has_value();
    if (!m_base)
        return std::move(m_file);
    for (std::size_t i = m_file.firstSpan; i < m_trace.spans.size(); ++i) {
        TraceSpan& span = m_trace.spans[i];
        // A base is at most half of the range; a time beyond the other half is none.
        const auto moved = [this](Ticks time) {
            return std::clamp(time, -latestTime / 2, latestTime / 2) + *m_base;
        };
        span.start = moved(span.start);
        span.end = moved(span.end);
    }
    for (TraceCounter& counter : m_file.counters)
        for (CounterSample& sample : counter.samples)
            sample.time = std::clamp(sample.time, -latestTime / 2, latestTime / 2) + *m_base;
    return std::move(m_file);
}

} // namespace pw
