// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/perfetto/perfetto_tracks.h"

#include "core/reading/events/trace_names.h"
#include "core/reading/perfetto/protobuf_walk.h"

namespace pw {

namespace {

void describeProcess(std::string_view process, PerfettoTrack& track)
{
    ProtobufFields fields(process);
    while (fields.next()) {
        if (fields.field() == 1)
            track.process = std::to_string(static_cast<std::int32_t>(fields.number()));
        else if (fields.field() == 6)
            track.processName.assign(fields.bytes().substr(0, longestName));
    }
}

void describeThread(std::string_view thread, PerfettoTrack& track)
{
    ProtobufFields fields(thread);
    std::string id, name;
    while (fields.next()) {
        if (fields.field() == 1)
            track.process = std::to_string(static_cast<std::int32_t>(fields.number()));
        else if (fields.field() == 2)
            id = std::to_string(static_cast<std::int64_t>(fields.number()));
        else if (fields.field() == 5)
            name.assign(fields.bytes().substr(0, longestName));
    }
    track.thread = name.empty() ? id : name + " " + id;
}

PerfettoCounter describedCounter(std::string_view counter)
{
    PerfettoCounter told;
    ProtobufFields fields(counter);
    while (fields.next()) {
        switch (fields.field()) {
        case 1:
            told.type = fields.number();
            break;
        case 3:
            told.unit = fields.number();
            break;
        case 4:
            told.multiplier = static_cast<std::int64_t>(fields.number());
            break;
        case 5:
            told.incremental = fields.number() != 0;
            break;
        case 6:
            told.unitName = cleanText(fields.bytes().substr(0, longestName));
            break;
        default:
            break;
        }
    }
    // As the values are where it says nothing.
    told.multiplier = told.multiplier == 0 ? 1 : told.multiplier;
    return told;
}

} // namespace

void PerfettoTracks::describe(std::string_view descriptor)
{
    std::uint64_t uuid = 0;
    PerfettoTrack track;
    ProtobufFields fields(descriptor);
    while (fields.next()) {
        switch (fields.field()) {
        case 1:
            uuid = fields.number();
            break;
        case 2:
        case 10:
            track.name.assign(fields.bytes().substr(0, longestName));
            break;
        case 3:
            describeProcess(fields.bytes(), track);
            break;
        case 4:
            describeThread(fields.bytes(), track);
            break;
        case 5:
            track.parent = fields.number();
            break;
        case 8:
            track.counter = describedCounter(fields.bytes());
            break;
        default:
            break;
        }
    }
    m_bytes += track.name.size() + track.thread.size() + sizeof(PerfettoTrack) +
               (track.counter ? track.counter->unitName.size() : 0);
    m_tracks[uuid] = std::move(track);
}

const PerfettoTrack* PerfettoTracks::processOf(std::uint64_t uuid) const
{
    return nearest(uuid, &PerfettoTrack::process);
}

const PerfettoTrack* PerfettoTracks::threadOf(std::uint64_t uuid) const
{
    return nearest(uuid, &PerfettoTrack::thread);
}

const PerfettoTrack* PerfettoTracks::nearest(std::uint64_t uuid,
                                             std::string PerfettoTrack::*said) const
{
    constexpr int deepest = 32;
    for (int depth = 0; depth < deepest; ++depth) {
        const auto track = m_tracks.find(uuid);
        if (track == m_tracks.end())
            return nullptr;
        if (!(track->second.*said).empty())
            return &track->second;
        uuid = track->second.parent;
    }
    return nullptr;
}

const PerfettoTrack* PerfettoTracks::find(std::uint64_t uuid) const
{
    const auto found = m_tracks.find(uuid);
    return found == m_tracks.end() ? nullptr : &found->second;
}

} // namespace pw
