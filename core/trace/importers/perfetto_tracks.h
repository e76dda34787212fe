// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

namespace pw {

/// A track as its descriptor says.
struct PerfettoTrack
{
    std::uint64_t parent = 0;
    std::string name;
    std::string process; // id
    std::string processName;
    std::string thread;
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
    const std::unordered_map<std::uint64_t, PerfettoTrack>& all() const { return m_tracks; }
    /// Of all that was taken.
    std::size_t bytes() const { return m_bytes; }

private:
    std::unordered_map<std::uint64_t, PerfettoTrack> m_tracks;
    std::size_t m_bytes = 0;
};

} // namespace pw
