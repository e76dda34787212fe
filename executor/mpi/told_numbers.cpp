// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/mpi/told_numbers.h"

#include <algorithm>
#include <utility>

namespace pw::exec {

void ToldNumbers::hear(RankId from, int round, int iteration, double number)
{
    const std::size_t rank = from.index();
    const auto place = static_cast<std::size_t>(round);
    constexpr std::size_t mostRounds = 1 << 16; // of an iteration; none has more than a few
    if (rank >= m_told.size() || place >= mostRounds)
        return;
    if (std::exchange(m_iteration[rank], iteration) != iteration)
        m_told[rank].clear();
    m_told[rank].resize(std::max(m_told[rank].size(), place + 1));
    m_told[rank][place] = number;
}

RankId ToldNumbers::silent(int round, int iteration) const
{
    for (const RankId rank : Ids<RankId>(m_told.size()))
        if (!there(rank.index(), static_cast<std::size_t>(round), iteration))
            return rank;
    return RankId::none();
}

std::vector<double> ToldNumbers::ofAll(int round) const
{
    std::vector<double> numbers;
    for (const auto& told : m_told)
        numbers.push_back(*told[static_cast<std::size_t>(round)]);
    return numbers;
}

std::vector<std::optional<double>> ToldNumbers::soFar(int round, int iteration) const
{
    const auto place = static_cast<std::size_t>(round);
    std::vector<std::optional<double>> numbers;
    for (std::size_t rank = 0; rank < m_told.size(); ++rank)
        numbers.push_back(there(rank, place, iteration) ? m_told[rank][place] : std::nullopt);
    return numbers;
}

} // namespace pw::exec
