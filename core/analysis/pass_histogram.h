// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/types.h"
#include "core/model/pass.h"

#include <cstdint>
#include <map>
#include <vector>

namespace pw {

/// How long passes of each kind took, in any order.
using PassLengths = std::map<PassKind, std::vector<Ticks>>;

/// How long passes of a kind took in two runs.
struct PassHistogram
{
    PassKind kind = PassKind::F;
    std::vector<Ticks> edges; ///< of the bins, one more than there are bins; a bin is without its
                              ///< upper edge, the last one goes to the longest pass of both
    std::vector<std::int64_t> before;
    std::vector<std::int64_t> after;
    Ticks medianBefore = -1; ///< the lower one of two; −1: there was none
    Ticks medianAfter = -1;

    friend bool operator==(const PassHistogram&, const PassHistogram&) = default;
};

/// A histogram of each kind that either run has, in the order of the kinds. Bins are equally wide;
/// where few passes are far longer than all others the last bin holds them, so that those can be
/// told apart.
/// @complexity O(n log n)
std::vector<PassHistogram> passHistograms(const PassLengths& before, const PassLengths& after);

} // namespace pw
