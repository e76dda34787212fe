// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/types.h"
#include "core/model/ids.h"

#include <algorithm>
#include <map>
#include <utility>

namespace pw::communication {

/// Communicators of pairs of ranks, each made when both have come to its first message.
class PairCommunicators
{
public:
    /// A rank comes to a message with another one.
    /// @param now   of the rank; moved to when the communicator was made
    /// @param wake  called with the other rank where it waited for this one
    /// @return      false where the rank waits: it comes again when it is woken
    template<typename Wake>
    bool meet(RankId rank, RankId other, Ticks& now, const Wake& wake)
    {
        const auto [found, made] =
            m_pairs.try_emplace(std::pair(std::min(rank, other), std::max(rank, other)));
        Pair& pair = found->second;
        if (made)
            pair = {rank, now, -1};
        if (pair.made < 0 && pair.first == rank)
            return false;
        if (pair.made < 0) {
            pair.made = std::max(pair.asked, now);
            wake(other);
        }
        now = std::max(now, pair.made);
        return true;
    }

private:
    struct Pair
    {
        RankId first;    ///< that came first
        Ticks asked = 0; ///< when
        Ticks made = -1; ///< when both were there
    };

    std::map<std::pair<RankId, RankId>, Pair> m_pairs;
};

} // namespace pw::communication
