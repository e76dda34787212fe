// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/types.h"
#include "core/model/ids.h"

#include <cstdint>
#include <limits>

namespace pw {

/// What a store can hold; anything beyond is damage.
constexpr std::int64_t mostStoredRanks = 1 << 20;
/// Behind all ranks, in a query for every one of them.
constexpr RankId lastRank{std::numeric_limits<std::int32_t>::max()};
/// What `RunBatch` promises of times, on either side of 0.
constexpr Ticks latestStored = Ticks{1} << 62;
/// How long something that begins then can take.
constexpr Ticks longestFrom(Ticks start)
{
    return latestStored - 1 - start;
}

} // namespace pw
