// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/trace/trace.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace pw {

/// The most memory that a rank had in use.
struct RankPeak
{
    TraceRankId rank{0}; ///< of `Trace::ranks`
    Bytes bytes = 0;
    /// When it was first reached; where a file tells only the most of each iteration, the end of
    /// that iteration. None: not told.
    std::optional<Ticks> at;
    std::int32_t iteration = -1; ///< where files tell it by iteration

    friend bool operator==(const RankPeak&, const RankPeak&) = default;
};

/// The peaks of a trace, one a rank that tells any, by rank.
/// @complexity O(peaks + samples), and O(spans) where peaks are told by iteration
std::vector<RankPeak> peaksOfRanks(const Trace& trace);

/// How much a counter says of the memory that a rank has in use: 0 nothing; then the host's, what
/// is reserved or in use; then the same of a device.
int memoryWorth(const TraceCounter& counter);

/// The counter that says most of a rank's memory, of several alike the one that goes highest.
/// @return  of `counters`; −1: none says anything
/// @param rank  as `TraceCounter::rank`
std::int32_t memoryCounter(const std::vector<TraceCounter>& counters, TraceRankId rank);
/// The same of counters that are all of one device.
std::int32_t memoryCounter(const std::vector<TraceCounter>& counters);

/// Where files tell a rank's memory by iteration only, makes a counter of it that holds each
/// iteration's figure from its beginning on.
void addPeakCounters(Trace& trace);

} // namespace pw
