// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/types.h"
#include "core/trace/trace.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace pw {

/// How long a span of communication waited for the rank that began last. Spans are of
/// `Trace::spans`.
struct PeerWait
{
    std::int32_t span = -1;
    std::int32_t peer = -1; ///< of that rank
    Ticks waited = 0;       ///< from the start of the span; more than 0

    friend bool operator==(const PeerWait&, const PeerWait&) = default;
};

/// One operation of a group of ranks.
struct Collective
{
    std::int32_t group = 0; ///< of `TraceCollectives::groups`
    CollectiveKind kind = CollectiveKind::Other;
    std::size_t firstSide = 0; ///< of `TraceCollectives::sides`, one a rank
    std::size_t sides = 0;
    std::int32_t late = -1; ///< the span that begins last
    Ticks start = 0;        ///< of the first rank
    Ticks skew = 0;         ///< from there to the start of the last one
    Ticks together = 0;     ///< from there to the last end
    Ticks waited = 0;       ///< sum over the ranks, until the last has begun
    Bytes bytes = -1;       ///< as NCCL's tests count them, by rank: what is reduced or sent; of an
                            ///< all-gather what is there in the end; −1: not told
};

/// Ranks of the trace that communicate with each other.
struct CommunicationGroup
{
    std::int32_t group = -1;        ///< of `Trace::groups`; −1: all ranks, nobody says it
    std::int32_t size = 0;          ///< with those that are not in the trace; −1: not told
    std::vector<TraceRankId> ranks; ///< that are in it
    std::vector<Ticks> waited;      ///< by rank, for the others; at least, where others are missing
    std::int64_t operations = 0;    ///< that are known

    /// Whether all its ranks are in the trace.
    bool whole() const { return static_cast<std::size_t>(size) == ranks.size(); }
};

/// The collectives of a trace that has several ranks.
struct TraceCollectives
{
    std::vector<CommunicationGroup> groups; ///< with an operation that is known
    std::vector<Collective> operations;     ///< by group and start
    std::vector<std::int32_t> sides;        ///< spans
    std::vector<PeerWait> waits;
    std::vector<std::string> unknown; ///< whose operations cannot be told, and why; sentences

    std::span<const std::int32_t> sidesOf(const Collective& one) const
    {
        return std::span(sides).subspan(one.firstSide, one.sides);
    }
};

/// Finds which spans of communication are one operation.
///
/// Where spans say their process group, the n-th operation of the group on each of its ranks is
/// one, or the ones of one number where operations are numbered; kinds have to agree. Where nobody
/// says it, or several groups may have the name, spans of one name that all ranks run equally often
/// are taken for one operation only if they also end together, as a collective does: the ends of
/// its ranks are at most half as far apart as their starts. Two spans that do not run at the same
/// time are of no operation; where more than one in ten are so, clocks differ, and nothing is said.
/// Messages are none.
///
/// @complexity O(n log n) for n spans of communication, O(spans)
TraceCollectives matchCollectives(const Trace& trace);

/// Bytes per second of an operation.
struct CollectiveBandwidth
{
    double algorithm = 0; ///< its bytes ⁄ the time in which all ranks are there
    double bus = 0;       ///< what each link carries for it
};

/// Bandwidths by the rules of NCCL's tests: an all-reduce carries 2(n − 1)⁄n of its bytes,
/// gathering, scattering and exchanging (n − 1)⁄n, else all. 0 where bytes or time are not known.
/// @source  github.com/NVIDIA/nccl-tests, doc/PERFORMANCE.md
CollectiveBandwidth bandwidthOf(CollectiveKind kind, std::int32_t ranks, Bytes bytes, Ticks time);

} // namespace pw
