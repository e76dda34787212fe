// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/chrome/event_spans.h"

#include "core/reading/chrome/host_passes.h"
#include "core/reading/events/event_time.h"
#include "core/reading/events/label_choice.h"
#include "core/reading/events/linked_passes.h"
#include "core/reading/events/named_devices.h"

#include <algorithm>

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

EventSpans::EventSpans(Trace& trace, TraceNames& names)
    : m_trace(trace)
    , m_names(names)
    , m_rankParts(trace, m_file, names)
    , m_firstTrack(trace.tracks.size())
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
    m_counters.takeSeries(std::move(series), processOf(process));
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
        nameOf(event);
        break;
    case 'C':
        m_counters.take(event, timeOf(event), processOf(event.process));
        break;
    case 'i':
    case 'I': // as older programs write it
    case 'R': // a mark
        if (event.name == EventCounters::memoryEvent)
            m_counters.takeMemory(event, timeOf(event), processOf(event.process));
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
            m_kernels.arrow(event, trackOf(processOf(event.process), event.thread));
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
    append(readingOf(event, name), name, *time, *time + *event.duration, event.arguments);
}

void EventSpans::nameOf(const ChromeEvent& event)
{
    if (event.argumentName.empty())
        return;
    const auto ofThread = m_processes.find(event.process + "/" + event.thread);
    const ProcessId process =
        ofThread == m_processes.end() ? processOf(event.process) : ofThread->second;
    if (event.name == "process_name")
        m_file.processes[process.index()].name = cleanText(event.argumentName);
    else if (event.name == "process_labels")
        m_file.processes[process.index()].label = cleanText(event.argumentName);
    else if (event.name == "thread_name")
        m_trace.tracks[static_cast<std::size_t>(trackOf(process, event.thread))].thread =
            cleanText(event.argumentName);
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
    const ProcessId process = processOf(std::to_string(said.pipelineRank));
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
    span.track = trackOf(process, "compute");
    span.name = m_names.indexOf(event.name);
    appendSpan(span, label);
}

/// Neighbours mostly have one category.
const CategoryMeaning& EventSpans::meaningFor(const std::string& category)
{
    if (category != m_lastCategory) {
        m_lastCategory = category;
        m_lastMeaning = meaningOf(category);
    }
    return m_lastMeaning;
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

EventSpans::Reading EventSpans::readingOf(const ChromeEvent& event, std::int32_t name)
{
    Reading reading;
    using Owner = DialectEvent::Owner;
    const Owner owner = m_dialect == nullptr ? Owner::Process : m_made.owner;
    if (owner == Owner::Process) {
        const CategoryMeaning& meaning = meaningFor(event.category);
        reading.process = processOf(event.process);
        reading.said = name < 0 ? nullptr : &m_names.said(name);
        reading.trust = meaning.device ? Trust::Device : Trust::Host;
        reading.activity = activityOf(meaning, name);
    } else if (owner == Owner::Thread) {
        reading.process = processOfThread(event);
    } else {
        reading.process = !m_lastThread.valid() ? processOf(event.process) : m_lastThread;
    }
    if (m_dialect != nullptr) {
        m_file.origin = m_dialect->origin;
        if (m_made.rulesCount)
            if (const std::optional<SpanName> ruled = m_names.saidByRule(event.name))
                m_made.said = *ruled;
        reading.said = &m_made.said;
    }
    reading.track = trackOf(reading.process, event.thread);
    if (reading.trust == Trust::Device) {
        TraceTrack& track = m_trace.tracks[static_cast<std::size_t>(reading.track)];
        track.deviceNumber = track.device   ? track.deviceNumber
                             : event.device ? *event.device
                                            : smallNumber(event.process);
        track.device = true;
    }
    return reading;
}

void EventSpans::append(const Reading& reading, std::int32_t name, Ticks start, Ticks end,
                        const EventArguments& arguments)
{
    const SpanName& said = *reading.said;
    ProcessId process = reading.process;
    if (said.rankNumber >= 0 && said.rankNumber < mostRanksSaid && arguments.pipelineRank < 0)
        process = m_rankParts.part(process, said.rankNumber, "names");
    if (arguments.pipelineRank >= 0)
        process = m_rankParts.said(process, arguments.pipelineRank, arguments.replica);
    EventProcess& owner = m_file.processes[process.index()];
    TraceSpan span;
    span.start = start;
    span.end = end;
    span.rank = rankAsYet(process);
    span.track = reading.track;
    span.name = name;
    span.trust = reading.trust;
    span.activity = reading.activity;
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
        owner.onTheHost += reading.trust == Trust::Device ? 0 : 1;
    }
    SpanLabel second = said.second;
    if (said.placeRule >= 0)
        m_rankParts.note(m_trace.spans.size(), said.placeRule);
    appendSpan(span, label);
    if (second.role == SpanRole::Other) {
        pairHalves(m_trace.spans.back(), arguments.entry);
        return;
    }
    fill(second.iteration, arguments.iteration);
    fill(second.segment, arguments.secondSegment);
    fill(second.route, arguments.secondRoute);
    appendSpan(span, second);
}

/// Pipewright's own runs have the halves of an overlapped pair as two passes of one entry.
void EventSpans::pairHalves(const TraceSpan& span, EntryId entry)
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

void EventSpans::appendSpan(TraceSpan span, const SpanLabel& label)
{
    span.label = static_cast<std::int32_t>(m_trace.labels.size());
    m_trace.labels.push_back(label);
    m_trace.spans.push_back(span);
}

void EventSpans::warn(std::int64_t count, const char* what)
{
    if (count > 0)
        m_trace.warnings.push_back(m_trace.files.back() + ": " + std::to_string(count) + what);
}

EventFile EventSpans::finish()
{
    finishPairs();
    finishOpen();
    finishLoose();
    finishInstants();
    warn(m_tooMany, " begins and ends are beyond the 16,000,000 that are put in order; left out");
    warn(m_withoutBegin, " events lack their begin or their end; left out");
    warn(m_badTimes, " events have no time that can be read; left out");
    findNamedDevices(m_trace, m_names, m_firstTrack, m_file);
    nameProcesses();
    nameRanksOfThreads();
    m_rankParts.placeByRules(m_firstTrack);
    m_rankParts.joinLone();
    chooseLabels(m_trace, m_file);
    m_counters.finish(m_trace, m_file);
    m_kernels.link(m_trace, m_file.firstSpan);
    m_kernels.findLaunches(m_trace);
    m_collectives.finish(m_trace, m_file.firstSpan,
                         [this](std::int32_t span) { return m_kernels.launchOf(m_trace, span); });
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
