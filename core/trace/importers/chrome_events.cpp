// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/trace/importers/chrome_events.h"

#include "core/trace/importers/chunk_stream.h"
#include "core/trace/importers/json_mender.h"

#include <rapidjson/error/en.h>
#include <rapidjson/reader.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>
#include <optional>
#include <string_view>

namespace pw {

namespace {

constexpr Ticks latest = latestTime;

/// A name that says a rank beyond this means something else.
constexpr std::int32_t mostRanksSaid = 65'536;

/// A decimal number of microseconds in nanoseconds, without the rounding of a double;
/// sub-nanosecond digits are rounded.
std::optional<Ticks> ticksFromMicroseconds(std::string_view text)
{
    bool negative = false;
    if (!text.empty() && text.front() == '-') {
        negative = true;
        text.remove_prefix(1);
    }
    std::int64_t value = 0;
    std::size_t at = 0;
    int decimals = -1; // behind the point; −1: before it
    bool up = false;
    for (; at < text.size(); ++at) {
        const char c = text[at];
        if (c == '.' && decimals < 0) {
            decimals = 0;
        } else if (c < '0' || c > '9') {
            break;
        } else if (decimals < 3) {
            if (value > (latest - 9) / 10)
                return std::nullopt;
            value = value * 10 + (c - '0');
            decimals += decimals < 0 ? 0 : 1;
        } else if (decimals == 3) {
            up = c >= '5';
            decimals = 4;
        }
    }
    if (text.empty() || at != text.size()) {
        // An exponent, or no number at all.
        const std::string copy(text);
        char* stop = nullptr;
        const double number = std::strtod(copy.c_str(), &stop) * 1e3;
        if (copy.empty() || *stop != '\0' || !(std::abs(number) < static_cast<double>(latest)))
            return std::nullopt;
        const auto ticks = static_cast<Ticks>(std::llround(number));
        return negative ? -ticks : ticks;
    }
    for (int places = std::max(decimals, 0); places < 3; ++places) {
        if (value > latest / 10)
            return std::nullopt;
        value *= 10;
    }
    value += up ? 1 : 0;
    return negative ? -value : value;
}

std::int32_t smallNumber(std::string_view text)
{
    std::int32_t value = -1;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    return problem == std::errc{} && end == text.data() + text.size() && value >= 0 ? value : -1;
}

enum class Field : std::uint8_t
{
    None,
    Name,
    Phase,
    Time,
    Duration,
    Process,
    Thread,
    Category,
    Arguments,
    // of arguments
    Iteration,
    MicroBatch,
    Chunk,
    Stage,
    Segment,
    Route,
    Kind,
    PipelineRank,
    SecondSegment,
    SecondRoute,
    ArgumentName,
    // of the file
    Events,
    Distributed,
    Base,
    Rank
};

Field eventField(std::string_view key)
{
    switch (key.size()) {
    case 2:
        return key == "ph" ? Field::Phase : key == "ts" ? Field::Time : Field::None;
    case 3:
        return key == "dur"   ? Field::Duration
               : key == "pid" ? Field::Process
               : key == "tid" ? Field::Thread
               : key == "cat" ? Field::Category
                              : Field::None;
    case 4:
        return key == "name" ? Field::Name : key == "args" ? Field::Arguments : Field::None;
    default:
        return Field::None;
    }
}

Field argumentField(std::string_view key)
{
    struct Known
    {
        std::string_view key;
        Field field;
    };
    constexpr std::array<Known, 15> known = {{{"name", Field::ArgumentName},
                                              {"kind", Field::Kind},
                                              {"stage", Field::Stage},
                                              {"route", Field::Route},
                                              {"chunk", Field::Chunk},
                                              {"update", Field::MicroBatch},
                                              {"pp_rank", Field::PipelineRank},
                                              {"segment", Field::Segment},
                                              {"iteration", Field::Iteration},
                                              {"microbatch", Field::MicroBatch},
                                              {"micro_batch", Field::MicroBatch},
                                              {"model_chunk", Field::Chunk},
                                              {"second_route", Field::SecondRoute},
                                              {"second_segment", Field::SecondSegment},
                                              {"micro_batch_id", Field::MicroBatch}}};
    for (const Known& one : known)
        if (one.key == key)
            return one.field;
    return Field::None;
}

Field fileField(std::string_view key)
{
    return key == "traceEvents"           ? Field::Events
           : key == "distributedInfo"     ? Field::Distributed
           : key == "baseTimeNanoseconds" ? Field::Base
                                          : Field::None;
}

/// Arguments that say where a pass belongs. −1: not given.
struct EventArguments
{
    std::int32_t iteration = -1;
    std::int32_t microBatch = -1;
    std::int32_t chunk = -1;
    std::int32_t stage = -1;
    std::int32_t segment = -1;
    std::int32_t route = -1;
    std::int32_t pipelineRank = -1;
    std::int32_t secondSegment = -1;
    std::int32_t secondRoute = -1;
    std::int32_t kind = -1;

    /// Takes what another end of the event says and this one does not.
    void fillFrom(const EventArguments& other)
    {
        const auto take = [](std::int32_t& mine, std::int32_t theirs) {
            mine = mine < 0 ? theirs : mine;
        };
        take(iteration, other.iteration);
        take(microBatch, other.microBatch);
        take(chunk, other.chunk);
        take(stage, other.stage);
        take(segment, other.segment);
        take(route, other.route);
        take(pipelineRank, other.pipelineRank);
        take(secondSegment, other.secondSegment);
        take(secondRoute, other.secondRoute);
        take(kind, other.kind);
    }
};

/// One event while it is read; kept, so that its texts keep their memory.
struct Event
{
    std::string name;
    std::string process;
    std::string thread;
    std::string argumentName;
    char phase = '\0';
    bool device = false;
    std::optional<Ticks> time;
    std::optional<Ticks> duration;
    EventArguments arguments;

    void clear()
    {
        name.clear();
        process.clear();
        thread.clear();
        argumentName.clear();
        phase = '\0';
        device = false;
        time.reset();
        duration.reset();
        arguments = {};
    }
};

/// Categories of what ran on a device.
bool isDeviceCategory(std::string_view category)
{
    return category == "kernel" || category == "gpu_user_annotation" || category == "gpu_memcpy" ||
           category == "gpu_memset" || category == "Kernel" || category == "Memset" ||
           category == "Memcpy";
}

struct TextHash
{
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const
    {
        return std::hash<std::string_view>{}(text);
    }
};

template<typename T>
using ByText = std::unordered_map<std::string, T, TextHash, std::equal_to<>>;

/// The begin of a B/E pair that waits for its end.
struct OpenEvent
{
    std::int32_t name = 0;
    Ticks start = 0;
    EventArguments arguments;
};

} // namespace

std::string cleanText(std::string_view text)
{
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
        const auto lead = static_cast<unsigned char>(text[at]);
        const std::size_t length = lead < 0x80 ? 1 : lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
        bool sound = lead < 0x80 || (lead >= 0xC2 && lead <= 0xF4);
        for (std::size_t i = 1; i < length; ++i)
            sound = sound && at + i < text.size() &&
                    (static_cast<unsigned char>(text[at + i]) & 0xC0U) == 0x80U;
        if (sound) {
            out.append(text.substr(at, length));
            at += length;
        } else {
            out += "\xEF\xBF\xBD";
            ++at;
        }
    }
    return out;
}

struct TraceNames::Parts
{
    Trace& trace;
    std::vector<NameRule> rules;
    ByText<std::int32_t> names;
    std::vector<SpanName> said; // by name
};

TraceNames::TraceNames(Trace& trace, std::vector<NameRule> rules)
    : m_parts(std::make_unique<Parts>(Parts{trace, std::move(rules), {}, {}}))
{
}

TraceNames::~TraceNames() = default;

std::int32_t TraceNames::indexOf(std::string_view name)
{
    Parts& parts = *m_parts;
    auto found = parts.names.find(name);
    if (found == parts.names.end()) {
        found =
            parts.names.emplace(name, static_cast<std::int32_t>(parts.trace.names.size())).first;
        parts.trace.names.push_back(cleanText(name));
        parts.said.push_back(readSpanName(name, parts.rules));
    }
    return found->second;
}

const SpanName& TraceNames::said(std::int32_t name) const
{
    return m_parts->said[static_cast<std::size_t>(name)];
}

/// Takes events from RapidJSON and makes spans of them.
class EventReader
{
public:
    EventReader(Trace& trace, TraceNames& names)
        : m_trace(trace)
        , m_names(names)
    {
        m_file.firstSpan = trace.spans.size();
    }

    EventFile file() { return std::move(m_file); }
    bool anyEvents() const { return m_sawEvents; }
    bool tooDeep() const { return m_tooDeep; }

    /// Where the text is read and whether a stretch of it is in doubt.
    void watch(std::function<std::size_t()> position,
               std::function<bool(std::int64_t, std::int64_t)> doubtful)
    {
        m_position = std::move(position);
        m_doubtful = std::move(doubtful);
    }

    /// After the last event: what never ended, and the base of the times.
    void finish();

    // What RapidJSON calls.
    bool Null() { return value(); }
    bool Bool(bool) { return value(); }
    bool Int(int) { return value(); }
    bool Uint(unsigned) { return value(); }
    bool Int64(std::int64_t) { return value(); }
    bool Uint64(std::uint64_t) { return value(); }
    bool Double(double) { return value(); }
    bool RawNumber(const char* text, rapidjson::SizeType length, bool)
    {
        return scalar({text, length});
    }
    bool String(const char* text, rapidjson::SizeType length, bool)
    {
        return scalar({text, length});
    }
    bool Key(const char* text, rapidjson::SizeType length, bool);
    bool StartObject();
    bool EndObject(rapidjson::SizeType);
    bool StartArray();
    bool EndArray(rapidjson::SizeType);

private:
    enum class Where : std::uint8_t
    {
        Root,
        File,
        Distributed,
        Events,
        Event,
        Arguments,
        Elsewhere
    };

    Where where() const { return m_where[m_depth]; }
    bool enter(Where inside);
    bool leave();
    bool value()
    {
        m_field = Field::None;
        return true;
    }
    bool scalar(std::string_view text);
    void eventScalar(std::string_view text);
    void argumentScalar(std::string_view text);

    void endEvent();
    void spanEvent();
    void endPair();
    void nameEvent();
    std::int32_t processOf(std::string_view id);
    std::int32_t trackOf(std::int32_t process, std::string_view thread);
    std::int32_t processOfRank(std::int32_t process, std::int32_t rank);
    void joinLoneRanks();
    void append(std::int32_t process, std::int32_t track, std::int32_t name, Ticks start, Ticks end,
                const EventArguments& arguments, bool device);
    void appendSpan(TraceSpan span, SpanLabel label);

    Trace& m_trace;
    TraceNames& m_names;
    EventFile m_file;

    std::array<Where, deepestJson + 2> m_where{};
    std::size_t m_depth = 0;
    Field m_field = Field::None;
    bool m_sawEvents = false;
    bool m_tooDeep = false;
    std::int64_t m_eventBegin = 0;
    std::function<std::size_t()> m_position;
    std::function<bool(std::int64_t, std::int64_t)> m_doubtful;

    Event m_event;
    std::optional<Ticks> m_base;
    std::string m_lastProcess;
    std::int32_t m_lastProcessNumber = -1;
    ByText<std::int32_t> m_processes;
    std::vector<ByText<std::int32_t>> m_tracks; // by process
    // By process and a rank that names on it say: the part of it that is that rank.
    std::map<std::pair<std::int32_t, std::int32_t>, std::int32_t> m_rankParts;
    std::vector<std::vector<OpenEvent>> m_openEvents; // by track of this file
    std::size_t m_firstTrack = m_trace.tracks.size();
    std::int64_t m_withoutBegin = 0;
    std::int64_t m_badTimes = 0;
};

bool EventReader::enter(Where inside)
{
    if (m_depth >= deepestJson) {
        m_tooDeep = true;
        return false;
    }
    m_where[++m_depth] = inside;
    m_field = Field::None;
    return true;
}

bool EventReader::leave()
{
    --m_depth;
    m_field = Field::None;
    return true;
}

bool EventReader::Key(const char* text, rapidjson::SizeType length, bool)
{
    const std::string_view key(text, length);
    switch (where()) {
    case Where::Event:
        m_field = eventField(key);
        break;
    case Where::Arguments:
        m_field = argumentField(key);
        break;
    case Where::File:
        m_field = fileField(key);
        break;
    case Where::Distributed:
        m_field = key == "rank" ? Field::Rank : Field::None;
        break;
    case Where::Root:
    case Where::Events:
    case Where::Elsewhere:
        m_field = Field::None;
    }
    return true;
}

bool EventReader::StartObject()
{
    switch (where()) {
    case Where::Root:
        return enter(Where::File);
    case Where::File:
        return enter(m_field == Field::Distributed ? Where::Distributed : Where::Elsewhere);
    case Where::Events:
        m_event.clear();
        if (m_position)
            m_eventBegin = static_cast<std::int64_t>(m_position());
        return enter(Where::Event);
    case Where::Event:
        return enter(m_field == Field::Arguments ? Where::Arguments : Where::Elsewhere);
    case Where::Distributed:
    case Where::Arguments:
    case Where::Elsewhere:
        break;
    }
    return enter(Where::Elsewhere);
}

bool EventReader::EndObject(rapidjson::SizeType)
{
    if (where() == Where::Event)
        endEvent();
    return leave();
}

bool EventReader::StartArray()
{
    const bool events =
        where() == Where::Root || (where() == Where::File && m_field == Field::Events);
    m_sawEvents = m_sawEvents || events;
    return enter(events ? Where::Events : Where::Elsewhere);
}

bool EventReader::EndArray(rapidjson::SizeType)
{
    return leave();
}

bool EventReader::scalar(std::string_view text)
{
    if (m_field != Field::None) {
        if (where() == Where::Event)
            eventScalar(text);
        else if (where() == Where::Arguments)
            argumentScalar(text);
        else if (m_field == Field::Rank)
            m_file.rank = smallNumber(text);
        else if (m_field == Field::Base) {
            std::int64_t base = 0;
            const auto [end, problem] =
                std::from_chars(text.data(), text.data() + text.size(), base);
            if (problem == std::errc{} && end == text.data() + text.size() && base > -latest / 2 &&
                base < latest / 2)
                m_base = base;
        }
    }
    return value();
}

void EventReader::eventScalar(std::string_view text)
{
    switch (m_field) {
    case Field::Name:
        m_event.name.assign(text.substr(0, longestName));
        break;
    case Field::Phase:
        m_event.phase = text.size() == 1 ? text[0] : '?';
        break;
    case Field::Time:
        m_event.time = ticksFromMicroseconds(text);
        break;
    case Field::Duration:
        m_event.duration = ticksFromMicroseconds(text);
        break;
    case Field::Process:
        m_event.process.assign(text.substr(0, longestName));
        break;
    case Field::Thread:
        m_event.thread.assign(text.substr(0, longestName));
        break;
    case Field::Category:
        m_event.device = isDeviceCategory(text);
        break;
    default:
        break;
    }
}

void EventReader::argumentScalar(std::string_view text)
{
    EventArguments& arguments = m_event.arguments;
    switch (m_field) {
    case Field::ArgumentName:
        m_event.argumentName.assign(text.substr(0, longestName));
        break;
    case Field::Kind:
        for (const PassKind kind : allPassKinds)
            if (text == pw::name(kind))
                arguments.kind = static_cast<std::int32_t>(kind);
        break;
    case Field::Iteration:
        arguments.iteration = smallNumber(text);
        break;
    case Field::MicroBatch:
        arguments.microBatch = smallNumber(text);
        break;
    case Field::Chunk:
        arguments.chunk = smallNumber(text);
        break;
    case Field::Stage:
        arguments.stage = smallNumber(text);
        break;
    case Field::Segment:
        arguments.segment = smallNumber(text);
        break;
    case Field::Route:
        arguments.route = smallNumber(text);
        break;
    case Field::PipelineRank:
        arguments.pipelineRank = smallNumber(text);
        break;
    case Field::SecondSegment:
        arguments.secondSegment = smallNumber(text);
        break;
    case Field::SecondRoute:
        arguments.secondRoute = smallNumber(text);
        break;
    default:
        break;
    }
}

void EventReader::endEvent()
{
    ++m_trace.events;
    if (m_doubtful && m_doubtful(m_eventBegin, static_cast<std::int64_t>(m_position()))) {
        ++m_trace.leftOut;
        return;
    }
    switch (m_event.phase) {
    case 'X':
    case 'B':
        spanEvent();
        break;
    case 'E':
        endPair();
        break;
    case 'M':
        nameEvent();
        break;
    default:
        break;
    }
}

/// An X event, or the begin of a pair.
void EventReader::spanEvent()
{
    const bool whole = m_event.phase == 'X';
    if (!m_event.time || (whole && (!m_event.duration || *m_event.duration < 0 ||
                                    *m_event.time > latest - *m_event.duration))) {
        ++m_badTimes;
        ++m_trace.leftOut;
        return;
    }
    const std::int32_t process = processOf(m_event.process);
    const std::int32_t track = trackOf(process, m_event.thread);
    const std::int32_t name = m_names.indexOf(m_event.name);
    if (whole) {
        append(process, track, name, *m_event.time, *m_event.time + *m_event.duration,
               m_event.arguments, m_event.device);
        return;
    }
    m_openEvents[static_cast<std::size_t>(track) - m_firstTrack].push_back(
        {name, *m_event.time, m_event.arguments});
}

/// Ends the innermost begin of the track that has the name; an end may come without one.
void EventReader::endPair()
{
    const std::int32_t process = processOf(m_event.process);
    const std::int32_t track = trackOf(process, m_event.thread);
    std::vector<OpenEvent>& open = m_openEvents[static_cast<std::size_t>(track) - m_firstTrack];
    const std::int32_t name = m_event.name.empty() ? -1 : m_names.indexOf(m_event.name);
    auto begin = open.rbegin();
    while (begin != open.rend() && name >= 0 && begin->name != name)
        ++begin;
    if (begin == open.rend() || !m_event.time || *m_event.time < begin->start) {
        ++m_withoutBegin;
        ++m_trace.leftOut;
        return;
    }
    const OpenEvent found = *begin;
    // What began inside and never ended is lost.
    m_withoutBegin += begin - open.rbegin();
    m_trace.leftOut += begin - open.rbegin();
    open.erase(std::next(begin).base(), open.end());
    EventArguments arguments = m_event.arguments;
    arguments.fillFrom(found.arguments);
    append(process, track, found.name, found.start, *m_event.time, arguments, m_event.device);
}

void EventReader::nameEvent()
{
    if (m_event.argumentName.empty())
        return;
    const std::int32_t process = processOf(m_event.process);
    if (m_event.name == "process_name")
        m_file.processes[static_cast<std::size_t>(process)].name = cleanText(m_event.argumentName);
    else if (m_event.name == "thread_name")
        m_trace.tracks[static_cast<std::size_t>(trackOf(process, m_event.thread))].thread =
            cleanText(m_event.argumentName);
}

std::int32_t EventReader::processOf(std::string_view id)
{
    if (m_lastProcessNumber >= 0 && id == m_lastProcess)
        return m_lastProcessNumber;
    auto found = m_processes.find(id);
    if (found == m_processes.end()) {
        found = m_processes.emplace(id, static_cast<std::int32_t>(m_file.processes.size())).first;
        EventProcess process;
        process.id = cleanText(id);
        m_file.processes.push_back(std::move(process));
        m_tracks.emplace_back();
    }
    m_lastProcess.assign(id);
    m_lastProcessNumber = found->second;
    return found->second;
}

std::int32_t EventReader::trackOf(std::int32_t process, std::string_view thread)
{
    ByText<std::int32_t>& tracks = m_tracks[static_cast<std::size_t>(process)];
    auto found = tracks.find(thread);
    if (found == tracks.end()) {
        found = tracks.emplace(thread, static_cast<std::int32_t>(m_trace.tracks.size())).first;
        m_trace.tracks.push_back(
            {process, m_file.processes[static_cast<std::size_t>(process)].id, cleanText(thread)});
        m_openEvents.emplace_back();
    }
    return found->second;
}

/// The part of a process that is a rank of its own, since names on it say so.
std::int32_t EventReader::processOfRank(std::int32_t process, std::int32_t rank)
{
    const auto [found, made] = m_rankParts.try_emplace(
        {process, rank}, static_cast<std::int32_t>(m_file.processes.size()));
    if (made) {
        EventProcess part;
        part.id = m_file.processes[static_cast<std::size_t>(process)].id;
        part.rankSaid = rank;
        m_file.processes.push_back(std::move(part));
        m_tracks.emplace_back();
    }
    return found->second;
}

/// A process whose names all say one rank is that rank, with everything on it.
void EventReader::joinLoneRanks()
{
    std::vector<std::int32_t> into(m_file.processes.size(), -1);
    bool any = false;
    for (auto at = m_rankParts.begin(); at != m_rankParts.end();) {
        const std::int32_t process = at->first.first;
        const auto next = m_rankParts.lower_bound({process + 1, std::int32_t{-1}});
        EventProcess& whole = m_file.processes[static_cast<std::size_t>(process)];
        if (std::next(at) == next && whole.rankSaid < 0) {
            EventProcess& part = m_file.processes[static_cast<std::size_t>(at->second)];
            whole.rankSaid = part.rankSaid;
            whole.labelled += part.labelled;
            whole.onTheHost += part.onTheHost;
            part = {};
            into[static_cast<std::size_t>(at->second)] = process;
            any = true;
        }
        at = next;
    }
    for (std::size_t i = m_file.firstSpan; any && i < m_trace.spans.size(); ++i) {
        std::int32_t& process = m_trace.spans[i].rank;
        if (into[static_cast<std::size_t>(process)] >= 0)
            process = into[static_cast<std::size_t>(process)];
    }
}

void EventReader::append(std::int32_t process, std::int32_t track, std::int32_t name, Ticks start,
                         Ticks end, const EventArguments& arguments, bool device)
{
    const SpanName& said = m_names.said(name);
    if (said.rank >= 0 && said.rank < mostRanksSaid && arguments.pipelineRank < 0)
        process = processOfRank(process, said.rank);
    EventProcess& owner = m_file.processes[static_cast<std::size_t>(process)];
    if (arguments.pipelineRank >= 0)
        owner.rankSaid = arguments.pipelineRank;
    TraceSpan span;
    span.start = start;
    span.end = end;
    span.rank = process;
    span.track = track;
    span.name = name;
    span.trust = device ? Trust::Device : Trust::Host;
    SpanLabel label = said.first;
    if (label.role == SpanRole::Other ||
        (said.needsArguments && label.microBatch < 0 && arguments.microBatch < 0)) {
        m_trace.spans.push_back(span);
        return;
    }
    const auto take = [](std::int32_t& mine, std::int32_t theirs) {
        mine = mine < 0 ? theirs : mine;
    };
    take(label.iteration, arguments.iteration);
    take(label.microBatch, arguments.microBatch);
    take(label.chunk, label.paired ? -1 : arguments.chunk);
    take(label.stage, arguments.stage);
    take(label.segment, arguments.segment);
    take(label.route, arguments.route);
    if (arguments.kind >= 0 && !label.paired && label.role == SpanRole::Pass)
        label.kind = static_cast<PassKind>(arguments.kind);
    if (label.role == SpanRole::Pass) {
        ++owner.labelled;
        owner.onTheHost += device ? 0 : 1;
    }
    appendSpan(span, label);
    if (said.second.role == SpanRole::Other)
        return;
    SpanLabel second = said.second;
    take(second.iteration, arguments.iteration);
    take(second.segment, arguments.secondSegment);
    take(second.route, arguments.secondRoute);
    appendSpan(span, second);
}

void EventReader::appendSpan(TraceSpan span, SpanLabel label)
{
    span.label = static_cast<std::int32_t>(m_trace.labels.size());
    m_trace.labels.push_back(label);
    m_trace.spans.push_back(span);
}

void EventReader::finish()
{
    std::int64_t neverEnded = 0;
    for (const std::vector<OpenEvent>& open : m_openEvents)
        neverEnded += static_cast<std::int64_t>(open.size());
    m_trace.leftOut += neverEnded;
    const std::string& file = m_trace.files.back();
    if (neverEnded > 0)
        m_trace.warnings.push_back(file + ": " + std::to_string(neverEnded) +
                                   " events that begin never end; left out");
    if (m_withoutBegin > 0)
        m_trace.warnings.push_back(file + ": " + std::to_string(m_withoutBegin) +
                                   " events lack their begin or their end; left out");
    if (m_badTimes > 0)
        m_trace.warnings.push_back(file + ": " + std::to_string(m_badTimes) +
                                   " events have no time that can be read; left out");
    joinLoneRanks();
    m_file.hasBase = m_base.has_value();
    if (!m_base)
        return;
    for (std::size_t i = m_file.firstSpan; i < m_trace.spans.size(); ++i) {
        TraceSpan& span = m_trace.spans[i];
        // A base is at most half of the range; a time beyond the other half is none.
        const auto moved = [this](Ticks time) {
            return std::clamp(time, -latest / 2, latest / 2) + *m_base;
        };
        span.start = moved(span.start);
        span.end = moved(span.end);
    }
}

namespace {

constexpr unsigned parseFlags = rapidjson::kParseNumbersAsStringsFlag;

/// Everything a failed attempt has appended goes away again.
struct Mark
{
    explicit Mark(const Trace& trace)
        : spans(trace.spans.size())
        , labels(trace.labels.size())
        , tracks(trace.tracks.size())
        , warnings(trace.warnings.size())
        , events(trace.events)
        , leftOut(trace.leftOut)
    {
    }

    void restore(Trace& trace) const
    {
        trace.spans.resize(spans);
        trace.labels.resize(labels);
        trace.tracks.resize(tracks);
        trace.warnings.resize(warnings);
        trace.events = events;
        trace.leftOut = leftOut;
    }

    std::size_t spans, labels, tracks, warnings;
    std::int64_t events, leftOut;
};

Error tooDeep(const std::string& file, std::size_t position)
{
    return {ErrorCode::Syntax, file + ", byte " + std::to_string(position) +
                                   ": nested deeper than " + std::to_string(deepestJson) +
                                   " levels"};
}

} // namespace

Result<EventFile> readChromeEvents(const OpenSource& open, std::int32_t number, Trace& trace,
                                   TraceNames& names, const KeepReading& goOn)
{
    const std::string file = trace.files[static_cast<std::size_t>(number)];
    const Error cancelled{ErrorCode::Cancelled, file + ": reading was stopped"};
    const Mark mark(trace);
    std::string why;
    {
        Result<std::unique_ptr<ByteSource>> source = open();
        if (!source)
            return fail(source.error());
        ChunkStream stream(**source, goOn);
        EventReader reader(trace, names);
        rapidjson::Reader parser;
        const rapidjson::ParseResult parsed = parser.Parse<parseFlags>(stream, reader);
        if (stream.stopped())
            return fail(cancelled);
        if (reader.tooDeep())
            return fail(tooDeep(file, stream.Tell()));
        if (parsed && reader.anyEvents()) {
            reader.finish();
            return reader.file();
        }
        if (parsed)
            return fail(ErrorCode::Syntax, file + ": JSON without traceEvents; not a trace");
        why = "byte " + std::to_string(parsed.Offset()) + ": " +
              rapidjson::GetParseError_En(parsed.Code());
    }
    mark.restore(trace);
    Result<std::unique_ptr<ByteSource>> source = open();
    if (!source)
        return fail(source.error());
    JsonMender mender(**source, trace.repairs, number);
    ChunkStream stream(mender, goOn);
    EventReader reader(trace, names);
    reader.watch(
        [&stream] { return stream.Tell(); },
        [&mender](std::int64_t from, std::int64_t to) { return mender.doubtful(from, to); });
    rapidjson::Reader parser;
    const rapidjson::ParseResult parsed = parser.Parse<parseFlags>(stream, reader);
    if (stream.stopped())
        return fail(cancelled);
    if (!mender.failure().empty())
        return fail(ErrorCode::Syntax, file + ", " + mender.failure());
    if (!mender.any())
        return fail(ErrorCode::Syntax, file + " is empty");
    if (reader.tooDeep())
        return fail(tooDeep(file, stream.Tell()));
    if (!parsed)
        return fail(ErrorCode::Syntax, file + ", " + why);
    if (!reader.anyEvents())
        return fail(ErrorCode::Syntax, file + ": not a trace: no traceEvents in it; " + why);
    reader.finish();
    return reader.file();
}

std::int64_t parseOnly(ByteSource& source)
{
    struct Counter : rapidjson::BaseReaderHandler<rapidjson::UTF8<>, Counter>
    {
        std::int64_t values = 0;
        bool Default()
        {
            ++values;
            return true;
        }
    };
    ChunkStream stream(source, {});
    Counter counter;
    rapidjson::Reader parser;
    return parser.Parse<parseFlags>(stream, counter) ? counter.values : -1;
}

} // namespace pw
