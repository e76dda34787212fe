// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/sentence.h"
#include "core/base/types.h"
#include "core/model/ids.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pw {

/// What keeps a GPU's clock below what it could be; several may do so at a time.
enum class GpuSlowdown : std::uint8_t
{
    PowerLimit,
    Heat,
    PowerBrake, ///< the machine's power supply asks for it
    Hardware,   ///< the board says no more
    Setting,    ///< clocks that somebody has set
    Idle        ///< nothing was running at that moment
};

constexpr int gpuSlowdownCount = 6;

/// Several slowdowns: a bit each, in the order above.
using GpuSlowdowns = std::uint32_t;

constexpr GpuSlowdowns bitOf(GpuSlowdown one)
{
    return GpuSlowdowns{1} << static_cast<unsigned>(one);
}

/// Short names, a space between two: "power-limit heat"; empty: none.
std::string slowdownWords(GpuSlowdowns all);
/// @return  none where a word is not known
std::optional<GpuSlowdowns> slowdownsOf(std::string_view words);

/// Where a GPU's memory is in a run, in bytes.
struct GpuMemory
{
    Bytes taken = 0;       ///< less free than before the run, by the driver
    Bytes reserved = 0;    ///< that the ranks have taken of the driver, in use or not
    Bytes books = 0;       ///< the most in use by each rank's own books, all ranks together
    Bytes contexts = 0;    ///< that went when contexts and streams were made
    Bytes workspaces = 0;  ///< … when libraries began, and when CUDA graphs were made
    Bytes connections = 0; ///< … when ranks were connected

    /// Reserved and never in use: blocks rounded up, gaps between them, and what an earlier plan
    /// needed.
    Bytes fragments() const { return reserved - books; }
    /// What nobody has accounted for: kernels that were loaded late, or another process. Below 0
    /// where another process has given memory back.
    Bytes rest() const { return taken - reserved - contexts - workspaces - connections; }
    /// What the rest may be: an eighth of a GiB and a fiftieth of all, and for connections as much
    /// as they took at first, since NCCL takes more when the first messages travel.
    Bytes mostRest() const { return (Bytes{1} << 27) + taken / 50 + connections; }
    /// What the fragments may be, for so many ranks: a slab each and a quarter of what is in use.
    Bytes mostFragments(int ranks) const { return ranks * (Bytes{1} << 27) + books / 4; }

    friend bool operator==(const GpuMemory&, const GpuMemory&) = default;
};

/// What a GPU says of itself beside a run. Plain bytes.
struct GpuReading
{
    static constexpr std::int32_t unknown = -1;

    RankId rank{0};                     ///< the first of those on it
    std::int32_t gpu = 0;               ///< as the rank's process counts them
    std::int32_t ranks = 1;             ///< that share it
    bool atEnd = false;                 ///< behind the last iteration; else before the first
    Ticks time = 0;                     ///< on the run's clock
    std::int32_t clock = unknown;       ///< of the multiprocessors, MHz
    std::int32_t memoryClock = unknown; ///< MHz
    std::int32_t power = unknown;       ///< milliwatts
    std::int32_t temperature = unknown; ///< °C
    bool slowdownsKnown = false;
    GpuSlowdowns slowdowns = 0;
    GpuMemory memory{}; ///< at the end only

    friend bool operator==(const GpuReading&, const GpuReading&) = default;
};

/// One line a GPU: "GPU 0: 1980 MHz, memory 2619 MHz, 512 W, 45 to 61 °C, no throttling". Clocks
/// and power are those right behind the last iteration; what slowed it at the start counts, too.
/// Only of GPUs of which anything is known.
std::vector<Sentence> gpuConditions(std::span<const GpuReading> readings);

/// One line a GPU, at the end: what the driver says is taken, and where it is.
std::vector<Sentence> gpuMemories(std::span<const GpuReading> readings);

/// How far the memory of a reading is beyond its bounds; 0 where all is explained.
Bytes gpuMemoryExcess(const GpuReading& reading);

/// What is wrong with a reading's memory: a part beyond its bound; none where all is explained.
std::optional<Sentence> gpuMemoryTrouble(const GpuReading& reading);

} // namespace pw
