// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/advise/promise.h"

#include <cstdint>
#include <functional>
#include <limits>

namespace pw {

/// What a search for a split may use.
struct SplitLimits
{
    Bytes cap = 0; ///< of every device; 0: none. Counts where peaks are known.
    double seconds = 1;
    /// Only splits that make the heaviest stage light: of stages that are cut anew little is known
    /// that more would be worth.
    bool balancedOnly = false;
    std::function<bool()> stopped{};                              ///< ends the search
    std::int64_t most = std::numeric_limits<std::int64_t>::max(); ///< splits that are simulated
};

/// A split of a model's layers over the stages of an order.
struct BestSplit
{
    std::vector<int> split; ///< layers of every stage, each at least one
    Ticks makespan = 0;
    /// Every other split was looked at, or cannot be shorter. Not so where passes of several
    /// stages on a device overlap: of these no bound is known.
    bool proven = false;
    std::int64_t looked = 0; ///< splits that were simulated
};

/// The split with the shortest step; every stage keeps a layer. Of splits that differ by less than
/// .2 % the one that moves the fewest layers.
///
/// Splits are cut off by what no order goes below: of a device its work over all micro-batches,
/// and where stage s is on device s and sequences are whole, the way of the first micro-batch there
/// and, of whole backwards, of the last one back. Whatever is left of the layers counts as evenly
/// spread.
///
/// @param change  the order; its own split is not looked at
/// @pre    the source has layers
/// @error BadValue     fewer layers than stages, or above `mostModelLayers`
/// @error MemoryLimit  no split that was looked at stays below the cap
/// @error              as of `predictChange`
/// @complexity simulations are few for balanced orders, and end with the limits
Result<BestSplit> bestSplit(const AdviceSource& source, const PlannedChange& change,
                            const SplitLimits& limits = {});

} // namespace pw
