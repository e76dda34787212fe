// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/types.h"

#include <span>
#include <string>
#include <vector>

namespace pw::exec::cuda {

/// What splitting a GPU depends on.
struct GpuShape
{
    int multiprocessors = 0;
    int leastGroup = 1; ///< fewest multiprocessors of a group
    int alignment = 1;  ///< groups are multiples of it
};

/// The GPU, or the part of one, that a rank runs on.
struct RankPlace
{
    int gpu = 0;
    int share = 0;  ///< which of the GPU's parts
    int shares = 1; ///< parts of the GPU; 1: all of it

    friend bool operator==(const RankPlace&, const RankPlace&) = default;
};

/// Ranks on GPUs: one each while there are GPUs enough, else neighbouring ranks share one, all GPUs
/// as evenly as can be.
/// @pre ranks and gpus above 0
std::vector<RankPlace> placeRanks(int ranks, int gpus);

/// Multiprocessors of each of equal disjoint groups, the most that there can be; 0 where the GPU
/// has too few for so many.
int groupSize(const GpuShape& gpu, int groups);

/// The next smaller size for such groups, to be tried where a GPU has fewer groups of a size than
/// its multiprocessors would make, as none goes across its clusters; 0 where there is none.
int smallerGroup(const GpuShape& gpu, int size);

/// Whether the ranks' memory fits: bytes of every rank against what its GPU has free.
/// @return  empty, or which GPU lacks how much for which ranks
std::string memoryShortage(std::span<const RankPlace> places, std::span<const Bytes> needed,
                           std::span<const Bytes> free);

} // namespace pw::exec::cuda
