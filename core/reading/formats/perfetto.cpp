// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/text.h"
#include "core/base/try.h"
#include "core/reading/chrome/event_spans.h"
#include "core/reading/events/importer.h"
#include "core/reading/perfetto/packet_stream.h"
#include "core/reading/perfetto/perfetto_counters.h"
#include "core/reading/perfetto/perfetto_fields.h"
#include "core/reading/perfetto/perfetto_tracks.h"
#include "core/reading/perfetto/protobuf_walk.h"

#include <algorithm>
#include <unordered_map>
#include <vector>

namespace pw::importers {

using pw::perfetto::EventParts;
using pw::perfetto::NameById;
using pw::perfetto::OpenSlice;
using pw::perfetto::PacketParts;
using pw::perfetto::PacketSequence;

namespace {

constexpr std::size_t mostNamesOfSequences = std::size_t{256} << 20; // bytes

/// An end that came before its slice.
struct HeldSliceEnd
{
    std::uint64_t track = 0;
    Ticks time = 0;
    EventArguments arguments;
};

class PacketReading
{
public:
    PacketReading(std::int32_t number, Trace& trace, TraceNames& names)
        : m_spans(trace, names)
        , m_trace(trace)
        , m_number(number)
    {
    }

    /// A packet of the file, at a byte of it.
    void take(std::string_view packet, std::int64_t position, bool unpacked = false)
    {
        ++m_packets;
        PacketParts parts;
        if (!pw::perfetto::partsOf(packet, parts)) {
            ++m_trace.leftOut;
            m_trace.repairs.add({m_number, position, "a packet that is damaged, left out"});
            return;
        }
        if (!parts.compressed.empty() && !unpacked)
            unpack(parts.compressed, position);
        PacketSequence& sequence = m_sequences[parts.sequence];
        constexpr std::uint64_t incrementalStateCleared = 1;
        if ((parts.flags & incrementalStateCleared) != 0)
            sequence = pw::perfetto::clearedAfter(sequence);
        if (!parts.interned.empty())
            intern(parts.interned, sequence);
        if (!parts.defaults.empty())
            pw::perfetto::takeDefaults(parts.defaults, sequence);
        for (const std::string_view snapshot : parts.snapshots)
            pw::perfetto::takeClocks(snapshot, sequence);
        if (!parts.descriptor.empty())
            m_tracks.describe(parts.descriptor);
        if (!parts.event.empty())
            takeEvent(parts, sequence);
    }

    bool tooMuch() const { return m_nameBytes + m_tracks.bytes() > mostNamesOfSequences; }

    Result<EventFile> finish(const std::string& file)
    {
        if (m_packets == 0)
            return fail(ErrorCode::Syntax, "%1: no packet of Perfetto in it", file);
        endLate();
        std::int64_t open = 0;
        for (const auto& [track, slices] : m_open)
            open += static_cast<std::int64_t>(slices.size());
        m_trace.leftOut += open;
        if (open > 0)
            m_trace.warnings.push_back(file + ": " + groupedNumber(open) +
                                       " slices never end; left out");
        if (m_others > 0)
            m_trace.warnings.push_back(file + ": " + groupedNumber(m_others) +
                                       " instants are not read");
        const std::int64_t values = m_counters.finish(m_tracks, m_spans);
        m_trace.leftOut += values;
        if (values > 0)
            m_trace.warnings.push_back(file + ": " + groupedNumber(values) +
                                       " values of counters have no time, are not numbers, or are "
                                       "too many; left out");
        for (const auto& [uuid, track] : m_tracks.all())
            nameThread(track);
        EventFile made = m_spans.finish();
        made.origin = "Perfetto";
        return made;
    }

private:
    /// Packets that are packed together.
    void unpack(std::string_view packed, std::int64_t position)
    {
        std::string bytes;
        const bool whole = pw::perfetto::inflated(packed, bytes);
        ProtobufFields packets(bytes);
        while (whole && packets.next())
            if (packets.field() == 1 && packets.isBytes())
                take(packets.bytes(), position, true);
        if (!whole || !packets.sound()) {
            ++m_trace.leftOut;
            m_trace.repairs.add({m_number, position, "packed packets that are damaged, left out"});
        }
    }

    void intern(std::string_view data, PacketSequence& sequence)
    {
        ProtobufFields lists(data);
        while (lists.next()) {
            NameById* into = lists.field() == 1   ? &sequence.categories
                             : lists.field() == 2 ? &sequence.names
                             : lists.field() == 3 ? &sequence.annotations
                                                  : nullptr;
            if (into == nullptr || !lists.isBytes())
                continue;
            std::uint64_t id = 0;
            std::string_view name;
            ProtobufFields one(lists.bytes());
            while (one.next()) {
                if (one.field() == 1)
                    id = one.number();
                else if (one.field() == 2)
                    name = one.bytes().substr(0, longestName);
            }
            m_nameBytes += name.size();
            if (!tooMuch())
                (*into)[id].assign(name);
        }
    }

    /// A process's name, as JSON says it.
    void nameThread(const PerfettoTrack& track)
    {
        if (track.processName.empty())
            return;
        ChromeEvent event;
        event.phase = 'M';
        event.name = "process_name";
        event.process = track.process;
        event.argumentName = track.processName;
        m_spans.take(event);
        --m_trace.events;
    }

    void takeEvent(const PacketParts& packet, PacketSequence& sequence)
    {
        EventParts event = pw::perfetto::eventParts(packet.event, sequence);
        const std::optional<Ticks> time = pw::perfetto::timeOf(packet, event, sequence);
        constexpr std::uint64_t sliceBegin = 1, sliceEnd = 2, counter = 4;
        takeCounters(event, sequence, time);
        if (event.type == counter) {
            ++m_trace.events;
            if (event.hasCounted)
                takeValue(event.track, time, event.counted, sequence, event.slice.name);
            return;
        }
        if (event.type != sliceBegin && event.type != sliceEnd) {
            ++m_trace.events;
            ++m_others;
            return;
        }
        if (!time) {
            m_spans.leaveOut();
            return;
        }
        std::vector<OpenSlice>& open = m_open[event.track];
        if (event.type == sliceEnd && (open.empty() || *time < open.back().start)) {
            holdEnd(event, *time);
            return;
        }
        if (event.type == sliceBegin) {
            constexpr std::size_t deepest = 4096;
            if (open.size() >= deepest) {
                m_spans.leaveOut();
                return;
            }
            event.slice.start = *time;
            open.push_back(std::move(event.slice));
            return;
        }
        OpenSlice slice = std::move(open.back());
        open.pop_back();
        event.slice.arguments.fillFrom(slice.arguments);
        append(event.track, slice, event.slice.arguments, *time);
    }

    /// An end whose slice may begin in a later packet, of another writer.
    void holdEnd(const EventParts& event, Ticks time)
    {
        constexpr std::size_t mostHeld = 100'000;
        if (m_held.size() >= mostHeld)
            m_spans.leaveOut();
        else
            m_held.push_back({event.track, time, event.slice.arguments});
    }

    /// Gives each end that was held, the earliest first, the latest slice of its track that is open
    /// and begins before it.
    void endLate()
    {
        std::stable_sort(
            m_held.begin(), m_held.end(),
            [](const HeldSliceEnd& a, const HeldSliceEnd& b) { return a.time < b.time; });
        for (HeldSliceEnd& end : m_held) {
            std::vector<OpenSlice>& open = m_open[end.track];
            auto best = open.end();
            for (auto one = open.begin(); one != open.end(); ++one)
                if (one->start <= end.time && (best == open.end() || one->start >= best->start))
                    best = one;
            if (best == open.end()) {
                m_spans.leaveOut();
                continue;
            }
            end.arguments.fillFrom(best->arguments);
            append(end.track, *best, end.arguments, end.time);
            open.erase(best);
        }
    }

    void takeValue(std::uint64_t track, std::optional<Ticks> time, double value,
                   const PacketSequence& sequence, const std::string& name)
    {
        m_counters.take({track, time, value, sequence.cleared}, m_tracks.find(track), name);
    }

    /// Counters that an event tells beside what it is, in the order that it or its writer says.
    void takeCounters(const EventParts& event, const PacketSequence& sequence,
                      std::optional<Ticks> time)
    {
        const auto each = [&](const std::vector<double>& values,
                              const std::vector<std::uint64_t>& own,
                              const std::vector<std::uint64_t>& usual) {
            const std::vector<std::uint64_t>& tracks = own.empty() ? usual : own;
            for (std::size_t i = 0; i < std::min(values.size(), tracks.size()); ++i)
                takeValue(tracks[i], time, values[i], sequence, {});
        };
        each(event.countedValues, event.countedTracks, sequence.countedTracks);
        each(event.countedDoubleValues, event.countedDoubleTracks, sequence.countedDoubleTracks);
    }

    void append(std::uint64_t uuid, const OpenSlice& slice, const EventArguments& arguments,
                Ticks end)
    {
        const PerfettoTrack* track = m_tracks.find(uuid);
        const PerfettoTrack* process = m_tracks.processOf(uuid);
        ChromeEvent event;
        event.phase = 'X';
        event.name = slice.name;
        event.category = slice.category;
        event.process = process != nullptr ? process->process : "0";
        event.thread = track == nullptr         ? std::to_string(uuid)
                       : !track->thread.empty() ? track->thread
                       : !track->name.empty()   ? track->name
                                                : std::to_string(uuid);
        event.time = slice.start;
        event.duration = end - slice.start;
        event.arguments = arguments;
        event.correlation = slice.correlation;
        m_spans.take(event);
    }

    EventSpans m_spans;
    Trace& m_trace;
    std::int32_t m_number;
    std::unordered_map<std::uint64_t, PacketSequence> m_sequences;
    PerfettoTracks m_tracks;
    PerfettoCounters m_counters;
    std::unordered_map<std::uint64_t, std::vector<OpenSlice>> m_open;
    std::vector<HeldSliceEnd> m_held;
    std::int64_t m_packets = 0;
    std::int64_t m_others = 0;
    std::size_t m_nameBytes = 0;
};

/// A trace of Perfetto in Protocol Buffers.
bool looksLikePerfetto(std::string_view head)
{
    constexpr char packetTag = '\x0A';
    if (head.empty() || head.front() != packetTag)
        return false;
    // The first packets must be sound, and be followed by another.
    for (int packets = 0; !head.empty(); ++packets) {
        constexpr int enough = 4;
        std::uint64_t length = 0;
        if (head.front() != packetTag)
            return false;
        head.remove_prefix(1);
        if (packets == enough)
            return true;
        if (!takeVarint(head, length))
            return packets > 0;
        if (length > head.size())
            return packets > 0;
        ProtobufFields fields(head.substr(0, static_cast<std::size_t>(length)));
        while (fields.next()) {
        }
        if (!fields.sound() || length == 0)
            return false;
        head.remove_prefix(static_cast<std::size_t>(length));
    }
    return true;
}

/// Slices of track events with their tracks, interned names, defaults of a sequence, incremental
/// clocks and compressed packets. Numbers among the debug annotations count as arguments do in
/// JSON. Counters of tracks are read, in the units of their descriptors, whole and incremental.
/// Instants, and what Perfetto records of the system, are counted and left out. A packet that is
/// damaged is listed as a repair and left out.
/// @error TooLarge  a packet of more than 64 MiB
Result<EventFile> readPerfetto(const OpenSource& open, std::int32_t number, Trace& trace,
                               TraceNames& names, const KeepReading& goOn)
{
    PW_TRY(const std::unique_ptr<ByteSource> source, open());
    const std::string file = trace.files[static_cast<std::size_t>(number)];
    PacketReading reading(number, trace, names);
    PacketStream packets(*source, goOn);
    std::string packet;
    while (packets.next(packet)) {
        reading.take(packet, packets.position());
        if (reading.tooMuch())
            return fail(ErrorCode::TooLarge,
                        "%1: names of more than %2 in its packets, the most that is read", file,
                        byteText(static_cast<Bytes>(mostNamesOfSequences)));
    }
    if (packets.stopped())
        return fail(ErrorCode::Cancelled, "%1: reading was stopped", file);
    const std::string place = file + ", byte " + std::to_string(packets.position());
    if (packets.tooLarge())
        return fail(ErrorCode::TooLarge, "%1: a packet of more than %2, the most that is read",
                    place, byteText(static_cast<Bytes>(mostPacket)));
    if (!packets.ended()) {
        ++trace.leftOut;
        trace.repairs.add(
            {number, packets.position(), "no packet from here on; the rest is left out"});
    }
    return reading.finish(file);
}

} // namespace

Importer perfetto()
{
    Importer importer;
    importer.id = "perfetto";
    importer.title = "Perfetto's protobuf (.pftrace)";
    importer.endings = {".pftrace", ".perfetto-trace"};
    importer.sought = ".pftrace";
    importer.precedence = 40;
    importer.content = {looksLikePerfetto, readPerfetto};
    return importer;
}

} // namespace pw::importers
