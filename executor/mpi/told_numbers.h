// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/model/ids.h"

#include <optional>
#include <vector>

namespace pw::exec {

/// What ranks have told all others, by rank, then by round of the iteration at hand. Nobody begins
/// an iteration before all have read the numbers of the one before.
class ToldNumbers
{
public:
    explicit ToldNumbers(int ranks)
        : m_told(static_cast<std::size_t>(ranks))
        , m_iteration(static_cast<std::size_t>(ranks), none)
    {
    }

    /// A rank or a round that cannot be is passed over.
    void hear(RankId from, int round, int iteration, double number);
    /// The first rank that has not told its number; none where all have.
    RankId silent(int round, int iteration) const;
    /// @pre no rank is silent
    std::vector<double> ofAll(int round) const;
    std::vector<std::optional<double>> soFar(int round, int iteration) const;

private:
    static constexpr int none = -1;

    bool there(std::size_t rank, std::size_t round, int iteration) const
    {
        return m_iteration[rank] == iteration && m_told[rank].size() > round &&
               m_told[rank][round].has_value();
    }

    std::vector<std::vector<std::optional<double>>> m_told;
    std::vector<int> m_iteration; ///< by rank
};

} // namespace pw::exec
