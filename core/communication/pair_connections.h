// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/types.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace pw::communication {

/// Communicators of pairs of ranks, each made when both have come to it.
class PairConnections
{
public:
    /// A rank comes to the communicator with another one, as often as it likes.
    /// @return  when it is there; nothing: the other one has not come yet
    std::optional<Ticks> come(RankId rank, RankId other, Ticks now)
    {
        const auto [found, fresh] =
            m_pairs.try_emplace(std::minmax(rank, other), Pair{rank, now, -1});
        Pair& pair = found->second;
        if (pair.made < 0 && pair.first == rank)
            return std::nullopt;
        if (pair.made < 0)
            pair.made = std::max(pair.asked, now);
        return pair.made;
    }

private:
    struct Pair
    {
        RankId first; ///< that came first
        Ticks asked;  ///< when
        Ticks made;   ///< when both were there; −1: not yet
    };

    std::map<std::pair<RankId, RankId>, Pair> m_pairs; // the lower rank first
};

} // namespace pw::communication
