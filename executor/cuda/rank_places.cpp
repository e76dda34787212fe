// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/cuda/rank_places.h"

#include "core/base/assert.h"
#include "core/base/text.h"

#include <algorithm>

namespace pw::exec::cuda {

std::vector<RankPlace> placeRanks(int ranks, int gpus)
{
    PW_ASSERT(ranks > 0 && gpus > 0);
    const int used = std::min(ranks, gpus);
    std::vector<RankPlace> places;
    for (int gpu = 0; gpu < used; ++gpu) {
        const int begin = static_cast<int>(std::int64_t{ranks} * gpu / used);
        const int end = static_cast<int>(std::int64_t{ranks} * (gpu + 1) / used);
        for (int rank = begin; rank < end; ++rank)
            places.push_back({gpu, rank - begin, end - begin});
    }
    return places;
}

int groupSize(const GpuShape& gpu, int groups)
{
    const int alignment = std::max(gpu.alignment, 1);
    const int even = gpu.multiprocessors / groups / alignment * alignment;
    return even < std::max(gpu.leastGroup, 1) ? 0 : even;
}

int smallerGroup(const GpuShape& gpu, int size)
{
    const int smaller = size - std::max(gpu.alignment, 1);
    return smaller < std::max(gpu.leastGroup, 1) ? 0 : smaller;
}

std::string memoryShortage(std::span<const RankPlace> places, std::span<const Bytes> needed,
                           std::span<const Bytes> free)
{
    PW_ASSERT(places.size() == needed.size());
    for (std::size_t gpu = 0; gpu < free.size(); ++gpu) {
        Bytes sum = 0;
        std::string ranks;
        for (std::size_t rank = 0; rank < places.size(); ++rank) {
            if (places[rank].gpu != static_cast<int>(gpu))
                continue;
            sum += needed[rank];
            ranks += (ranks.empty() ? "" : ", ") + std::to_string(rank);
        }
        if (sum > free[gpu])
            return "GPU " + std::to_string(gpu) + " has " + byteText(free[gpu]) + " free, ranks " +
                   ranks + " need " + byteText(sum);
    }
    return {};
}

} // namespace pw::exec::cuda
