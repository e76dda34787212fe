// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/types.h"
#include "core/reading/events/chrome_event.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

// The fields of Perfetto's packets, by their numbers in its .proto files.
namespace pw::perfetto {

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
    /// Counters whose values slices tell beside their times, in this order.
    std::vector<std::uint64_t> countedTracks, countedDoubleTracks;
    std::uint64_t cleared = 0; ///< how often what was said before no longer counts
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

/// What the track event of a packet holds.
struct EventParts
{
    std::uint64_t type = 0;
    std::uint64_t track = 0;
    std::uint64_t absolute = 0;
    bool hasAbsolute = false;
    OpenSlice slice;
    double counted = 0; ///< by an event of a counter
    bool hasCounted = false;
    /// Counters that the event tells beside, empty: those of the sequence; and their values.
    std::vector<std::uint64_t> countedTracks, countedDoubleTracks;
    std::vector<double> countedValues, countedDoubleValues;
};

/// A writer that begins anew: nothing that it said before counts.
PacketSequence clearedAfter(const PacketSequence& before);

/// The parts of a packet. @return false: it is damaged
bool partsOf(std::string_view packet, PacketParts& parts);

/// Takes a writer's defaults for its later packets.
void takeDefaults(std::string_view defaults, PacketSequence& sequence);

/// Takes the clocks of a writer from a snapshot of all clocks.
void takeClocks(std::string_view snapshot, PacketSequence& sequence);

/// The parts of a track event, its names looked up.
EventParts eventParts(std::string_view bytes, const PacketSequence& sequence);

/// The time of a packet's event in nanoseconds, none where it has none or it is too far. Moves the
/// clocks of the sequence on.
std::optional<Ticks> timeOf(const PacketParts& packet, const EventParts& event,
                            PacketSequence& sequence);

/// What zlib packed, at most a chunk more than `mostPacket`. @return false: it is damaged; what
/// came out is in `bytes`
bool inflated(std::string_view packed, std::string& bytes);

} // namespace pw::perfetto
