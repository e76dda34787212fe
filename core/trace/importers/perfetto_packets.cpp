// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/trace/importers/perfetto_packets.h"

#include "core/base/text.h"
#include "core/trace/importers/event_spans.h"
#include "core/trace/importers/packet_stream.h"
#include "core/trace/importers/perfetto_tracks.h"
#include "core/trace/importers/protobuf_walk.h"

#include <zlib.h>

#include <algorithm>
#include <unordered_map>
#include <vector>

namespace pw {

namespace {

constexpr std::size_t mostNamesOfSequences = std::size_t{256} << 20; // bytes

/// A slice that has begun.
struct OpenSlice
{
    std::string name;
    std::string category;
    Ticks start = 0;
    EventArguments arguments;
    std::int64_t correlation = -1;
};

struct SequenceClock
{
    std::uint64_t time = 0;
    std::uint64_t unit = 1;
    bool incremental = false;
};

using NameById = std::unordered_map<std::uint64_t, std::string>;

/// What a writer has said so far, which its later packets refer to.
struct PacketSequence
{
    NameById names, categories, annotations;
    std::unordered_map<std::uint64_t, SequenceClock> clocks;
    std::uint64_t defaultTrack = 0;
    std::uint64_t defaultClock = 0;
};

/// What a packet holds, each part once.
struct PacketParts
{
    std::uint64_t time = 0;
    std::uint64_t clock = 0;
    bool hasTime = false;
    std::uint64_t sequence = 0;
    std::uint64_t flags = 0;
    std::string_view interned, event, descriptor, defaults, compressed;
    std::vector<std::string_view> snapshots;
};

/// Microseconds of a field that older writers use, as nanoseconds.
constexpr std::uint64_t nanosPerMicro = 1000;

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
        if (!partsOf(packet, parts)) {
            ++m_trace.leftOut;
            m_trace.repairs.add({m_number, position, "a packet that is damaged, left out"});
            return;
        }
        if (!parts.compressed.empty() && !unpacked)
            unpack(parts.compressed, position);
        PacketSequence& sequence = m_sequences[parts.sequence];
        constexpr std::uint64_t incrementalStateCleared = 1;
        if ((parts.flags & incrementalStateCleared) != 0)
            sequence = {};
        if (!parts.interned.empty())
            intern(parts.interned, sequence);
        if (!parts.defaults.empty())
            takeDefaults(parts.defaults, sequence);
        for (const std::string_view snapshot : parts.snapshots)
            takeClocks(snapshot, sequence);
        if (!parts.descriptor.empty())
            m_tracks.describe(parts.descriptor);
        if (!parts.event.empty())
            takeEvent(parts, sequence);
    }

    bool tooMuch() const { return m_nameBytes + m_tracks.bytes() > mostNamesOfSequences; }

    Result<EventFile> finish(const std::string& file)
    {
        if (m_packets == 0)
            return fail(ErrorCode::Syntax, file + ": no packet of Perfetto in it");
        std::int64_t open = 0;
        for (const auto& [track, slices] : m_open)
            open += static_cast<std::int64_t>(slices.size());
        m_trace.leftOut += open;
        if (open > 0)
            m_trace.warnings.push_back(file + ": " + groupedNumber(open) +
                                       " slices never end; left out");
        if (m_others > 0)
            m_trace.warnings.push_back(file + ": " + groupedNumber(m_others) +
                                       " instants and counters are not read");
        for (const auto& [uuid, track] : m_tracks.all())
            nameThread(track);
        EventFile made = m_spans.finish();
        made.origin = "Perfetto";
        return made;
    }

private:
    static bool partsOf(std::string_view packet, PacketParts& parts)
    {
        ProtobufFields fields(packet);
        while (fields.next()) {
            switch (fields.field()) {
            case 6:
                parts.snapshots.push_back(fields.bytes());
                break;
            case 8:
                parts.time = fields.number();
                parts.hasTime = true;
                break;
            case 10:
                parts.sequence = fields.number();
                break;
            case 11:
                parts.event = fields.bytes();
                break;
            case 12:
                parts.interned = fields.bytes();
                break;
            case 13:
                parts.flags = fields.number();
                break;
            case 41: // incremental_state_cleared, of older writers
                parts.flags |= fields.number() != 0 ? 1 : 0;
                break;
            case 50:
                parts.compressed = fields.bytes();
                break;
            case 58:
                parts.clock = fields.number();
                break;
            case 59:
                parts.defaults = fields.bytes();
                break;
            case 60:
                parts.descriptor = fields.bytes();
                break;
            default:
                break;
            }
        }
        return fields.sound();
    }

    /// Packets that are packed together.
    void unpack(std::string_view packed, std::int64_t position)
    {
        std::string bytes;
        z_stream stream{};
        if (inflateInit(&stream) != Z_OK)
            return;
        stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
        stream.avail_in = static_cast<uInt>(packed.size());
        int state = Z_OK;
        while (state == Z_OK && bytes.size() <= mostPacket) {
            constexpr std::size_t chunk = std::size_t{1} << 18;
            const std::size_t before = bytes.size();
            bytes.resize(before + chunk);
            stream.next_out = reinterpret_cast<Bytef*>(bytes.data() + before);
            stream.avail_out = chunk;
            state = inflate(&stream, Z_NO_FLUSH);
            bytes.resize(bytes.size() - stream.avail_out);
        }
        inflateEnd(&stream);
        ProtobufFields packets(bytes);
        while (state == Z_STREAM_END && packets.next())
            if (packets.field() == 1 && packets.isBytes())
                take(packets.bytes(), position, true);
        if (state != Z_STREAM_END || !packets.sound()) {
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

    void takeDefaults(std::string_view defaults, PacketSequence& sequence) const
    {
        ProtobufFields fields(defaults);
        while (fields.next()) {
            if (fields.field() == 58)
                sequence.defaultClock = fields.number();
            if (fields.field() != 11)
                continue;
            ProtobufFields event(fields.bytes());
            while (event.next())
                if (event.field() == 11)
                    sequence.defaultTrack = event.number();
        }
    }

    void takeClocks(std::string_view snapshot, PacketSequence& sequence) const
    {
        ProtobufFields fields(snapshot);
        while (fields.next()) {
            if (fields.field() != 1 || !fields.isBytes())
                continue;
            std::uint64_t id = 0;
            SequenceClock clock;
            ProtobufFields one(fields.bytes());
            while (one.next()) {
                if (one.field() == 1)
                    id = one.number();
                else if (one.field() == 2)
                    clock.time = one.number();
                else if (one.field() == 3)
                    clock.incremental = one.number() != 0;
                else if (one.field() == 4)
                    clock.unit = std::max<std::uint64_t>(one.number(), 1);
            }
            // Below 64 clocks are of the system, in nanoseconds.
            if (id >= 64 && id < 128)
                sequence.clocks[id] = clock;
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

    struct EventParts
    {
        std::uint64_t type = 0;
        std::uint64_t track = 0;
        std::uint64_t absolute = 0;
        bool hasAbsolute = false;
        OpenSlice slice;
    };

    static std::string nameOf(const NameById& names, std::uint64_t id)
    {
        const auto found = names.find(id);
        return found == names.end() ? std::string() : found->second;
    }

    EventParts eventParts(std::string_view bytes, const PacketSequence& sequence) const
    {
        EventParts parts;
        parts.track = sequence.defaultTrack;
        ProtobufFields fields(bytes);
        while (fields.next()) {
            switch (fields.field()) {
            case 3:
                parts.slice.category = nameOf(sequence.categories, fields.number());
                break;
            case 4:
                annotate(fields.bytes(), sequence, parts.slice);
                break;
            case 9:
                parts.type = fields.number();
                break;
            case 10:
                parts.slice.name = nameOf(sequence.names, fields.number());
                break;
            case 11:
                parts.track = fields.number();
                break;
            case 16:
                parts.absolute = fields.number();
                parts.hasAbsolute = true;
                break;
            case 22:
                parts.slice.category.assign(fields.bytes().substr(0, longestName));
                break;
            case 23:
                parts.slice.name.assign(fields.bytes().substr(0, longestName));
                break;
            default:
                break;
            }
        }
        return parts;
    }

    /// A debug annotation, which counts as an argument of JSON does.
    static void annotate(std::string_view bytes, const PacketSequence& sequence, OpenSlice& slice)
    {
        std::string name, value;
        ProtobufFields fields(bytes);
        while (fields.next()) {
            switch (fields.field()) {
            case 1:
                name = nameOf(sequence.annotations, fields.number());
                break;
            case 10:
                name.assign(fields.bytes().substr(0, longestName));
                break;
            case 3:
                value = std::to_string(fields.number());
                break;
            case 4:
                value = std::to_string(static_cast<std::int64_t>(fields.number()));
                break;
            case 6:
                value.assign(fields.bytes().substr(0, longestName));
                break;
            default:
                break;
            }
        }
        const EventField field = argumentField(name);
        if (field == EventField::None || value.empty())
            return;
        ChromeEvent event;
        event.arguments = slice.arguments;
        event.takeArgument(field, value);
        slice.arguments = event.arguments;
        slice.correlation = std::max(slice.correlation, event.correlation);
    }

    /// The time of a packet's event in nanoseconds. Moves the clocks of the sequence on.
    std::optional<Ticks> timeOf(const PacketParts& packet, const EventParts& event,
                                PacketSequence& sequence) const
    {
        std::uint64_t time = packet.time;
        const std::uint64_t clock = packet.clock != 0 ? packet.clock : sequence.defaultClock;
        if (packet.hasTime) {
            if (const auto own = sequence.clocks.find(clock); own != sequence.clocks.end()) {
                if (own->second.incremental)
                    time = own->second.time += time;
                time *= own->second.unit;
            }
        } else if (event.hasAbsolute) {
            time = event.absolute * nanosPerMicro;
        } else {
            return std::nullopt;
        }
        if (time >= static_cast<std::uint64_t>(latestTime / 2))
            return std::nullopt;
        return static_cast<Ticks>(time);
    }

    void takeEvent(const PacketParts& packet, PacketSequence& sequence)
    {
        EventParts event = eventParts(packet.event, sequence);
        const std::optional<Ticks> time = timeOf(packet, event, sequence);
        constexpr std::uint64_t sliceBegin = 1, sliceEnd = 2;
        if (event.type != sliceBegin && event.type != sliceEnd) {
            ++m_trace.events;
            ++m_others;
            return;
        }
        std::vector<OpenSlice>& open = m_open[event.track];
        if (!time || (event.type == sliceEnd && (open.empty() || *time < open.back().start))) {
            m_spans.leaveOut();
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
    std::unordered_map<std::uint64_t, std::vector<OpenSlice>> m_open;
    std::int64_t m_packets = 0;
    std::int64_t m_others = 0;
    std::size_t m_nameBytes = 0;
};

} // namespace

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

Result<EventFile> readPerfetto(const OpenSource& open, std::int32_t number, Trace& trace,
                               TraceNames& names, const KeepReading& goOn)
{
    const Result<std::unique_ptr<ByteSource>> source = open();
    if (!source)
        return fail(source.error());
    const std::string file = trace.files[static_cast<std::size_t>(number)];
    PacketReading reading(number, trace, names);
    PacketStream packets(**source, goOn);
    std::string packet;
    while (packets.next(packet)) {
        reading.take(packet, packets.position());
        if (reading.tooMuch())
            return fail(ErrorCode::TooLarge,
                        file + ": names of more than " +
                            byteText(static_cast<Bytes>(mostNamesOfSequences)) +
                            " in its packets, the most that is read");
    }
    if (packets.stopped())
        return fail(ErrorCode::Cancelled, file + ": reading was stopped");
    const std::string place = file + ", byte " + std::to_string(packets.position());
    if (packets.tooLarge())
        return fail(ErrorCode::TooLarge, place + ": a packet of more than " +
                                             byteText(static_cast<Bytes>(mostPacket)) +
                                             ", the most that is read");
    if (!packets.ended()) {
        ++trace.leftOut;
        trace.repairs.add(
            {number, packets.position(), "no packet from here on; the rest is left out"});
    }
    return reading.finish(file);
}

} // namespace pw
