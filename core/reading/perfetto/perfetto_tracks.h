// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace pw {

/// What the descriptor of a counter's track says of its values.
struct PerfettoCounter
{
    static constexpr std::uint64_t threadTime = 1, instructions = 2; ///< of `type`

    std::uint64_t type = 0;
    std::uint64_t unit = 0;
    std::int64_t multiplier = 1;
    bool incremental = false; ///< values are changes
    std::string unitName;
};

/// A track as its descriptor says.
struct PerfettoTrack
{
    std::uint64_t parent = 0;
    std::string name;
    std::string process; // id
    std::string processName;
    std::string thread;
    std::optional<PerfettoCounter> counter;
};

/// The tracks of a trace of Perfetto's by their numbers.
class PerfettoTracks
{
public:
    /// Takes a descriptor of a track, a message.
    void describe(std::string_view descriptor);
    /// Null where nothing has described it.
    const PerfettoTrack* find(std::uint64_t uuid) const;
    /// The track that says the process of another: itself, or an ancestor; null where none does.
    const PerfettoTrack* processOf(std::uint64_t uuid) const;
    /// Likewise the thread.
    const PerfettoTrack* threadOf(std::uint64_t uuid) const;
    const std::unordered_map<std::uint64_t, PerfettoTrack>& all() const { return m_tracks; }
    /// Of all that was taken.
    std::size_t bytes() const { return m_bytes; }

private:
    /// The track itself, or its nearest ancestor, that says something.
    const PerfettoTrack* nearest(std::uint64_t uuid, std::string PerfettoTrack::*said) const;

    std::unordered_map<std::uint64_t, PerfettoTrack> m_tracks;
    std::size_t m_bytes = 0;
};

} // namespace pw
