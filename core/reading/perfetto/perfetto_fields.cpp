// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/perfetto/perfetto_fields.h"

#include "core/reading/events/event_file.h"
#include "core/reading/events/trace_names.h"
#include "core/reading/perfetto/packet_stream.h"
#include "core/reading/perfetto/protobuf_walk.h"

#include <zlib.h>

#include <algorithm>
#include <cstring>

namespace pw::perfetto {

namespace {

/// Microseconds of a field that older writers use, as nanoseconds.
constexpr std::uint64_t nanosPerMicro = 1000;

std::string internedName(const NameById& names, std::uint64_t id)
{
    const auto found = names.find(id);
    return found == names.end() ? std::string() : found->second;
}

double doubleOf(std::uint64_t bits)
{
    double number = 0;
    static_assert(sizeof(number) == sizeof(bits));
    std::memcpy(&number, &bits, sizeof(number));
    return number;
}

/// A number of a list, or many of them packed into one field.
void takeNumbers(const ProtobufFields& field, std::vector<std::uint64_t>& into)
{
    if (!field.isBytes()) {
        into.push_back(field.number());
        return;
    }
    std::string_view rest = field.bytes();
    std::uint64_t number = 0;
    while (!rest.empty() && takeVarint(rest, number))
        into.push_back(number);
}

void takeWholes(const ProtobufFields& field, std::vector<double>& into)
{
    std::vector<std::uint64_t> numbers;
    takeNumbers(field, numbers);
    for (const std::uint64_t number : numbers)
        into.push_back(static_cast<double>(static_cast<std::int64_t>(number)));
}

void takeDoubles(const ProtobufFields& field, std::vector<double>& into)
{
    if (!field.isBytes()) {
        into.push_back(doubleOf(field.number()));
        return;
    }
    constexpr std::size_t size = sizeof(std::uint64_t);
    std::string_view rest = field.bytes();
    std::uint64_t bits = 0;
    while (takeFixed(rest, size, bits))
        into.push_back(doubleOf(bits));
}

/// What an event tells of counters. @return false: the field says something else
bool takeCounted(const ProtobufFields& field, EventParts& parts)
{
    switch (field.field()) {
    case 12:
        takeWholes(field, parts.countedValues);
        return true;
    case 30:
        parts.counted = static_cast<double>(static_cast<std::int64_t>(field.number()));
        parts.hasCounted = true;
        return true;
    case 31:
        takeNumbers(field, parts.countedTracks);
        return true;
    case 44:
        parts.counted = doubleOf(field.number());
        parts.hasCounted = true;
        return true;
    case 45:
        takeNumbers(field, parts.countedDoubleTracks);
        return true;
    case 46:
        takeDoubles(field, parts.countedDoubleValues);
        return true;
    default:
        return false;
    }
}

/// A debug annotation, which counts as an argument of JSON does.
void annotate(std::string_view bytes, const PacketSequence& sequence, OpenSlice& slice)
{
    std::string name, value;
    ProtobufFields fields(bytes);
    while (fields.next()) {
        switch (fields.field()) {
        case 1:
            name = internedName(sequence.annotations, fields.number());
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

} // namespace

PacketSequence clearedAfter(const PacketSequence& before)
{
    PacketSequence anew;
    anew.cleared = before.cleared + 1;
    return anew;
}

bool partsOf(std::string_view packet, PacketParts& parts)
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

void takeDefaults(std::string_view defaults, PacketSequence& sequence)
{
    ProtobufFields fields(defaults);
    while (fields.next()) {
        if (fields.field() == 58)
            sequence.defaultClock = fields.number();
        if (fields.field() != 11)
            continue;
        ProtobufFields event(fields.bytes());
        sequence.countedTracks.clear();
        sequence.countedDoubleTracks.clear();
        while (event.next()) {
            if (event.field() == 11)
                sequence.defaultTrack = event.number();
            else if (event.field() == 31)
                takeNumbers(event, sequence.countedTracks);
            else if (event.field() == 45)
                takeNumbers(event, sequence.countedDoubleTracks);
        }
    }
}

void takeClocks(std::string_view snapshot, PacketSequence& sequence)
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

EventParts eventParts(std::string_view bytes, const PacketSequence& sequence)
{
    EventParts parts;
    parts.track = sequence.defaultTrack;
    ProtobufFields fields(bytes);
    while (fields.next()) {
        if (takeCounted(fields, parts))
            continue;
        switch (fields.field()) {
        case 3:
            parts.slice.category = internedName(sequence.categories, fields.number());
            break;
        case 4:
            annotate(fields.bytes(), sequence, parts.slice);
            break;
        case 9:
            parts.type = fields.number();
            break;
        case 10:
            parts.slice.name = internedName(sequence.names, fields.number());
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

std::optional<Ticks> timeOf(const PacketParts& packet, const EventParts& event,
                            PacketSequence& sequence)
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

bool inflated(std::string_view packed, std::string& bytes)
{
    z_stream stream{};
    if (inflateInit(&stream) != Z_OK)
        return false;
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
    return state == Z_STREAM_END;
}

} // namespace pw::perfetto
