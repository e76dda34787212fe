// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/noise/noise.h"

#include <array>
#include <cstdint>
#include <vector>

namespace pw {

/// Runs that are evaluated side by side.
constexpr std::size_t noiseLanes = 8;
/// Values of a distribution that are drawn from; each is equally likely.
constexpr std::size_t noiseTableBits = 12;
constexpr std::size_t noiseTableSize = std::size_t{1} << noiseTableBits;

/// Fast, small, good enough for draws from a table. @source xoshiro256+, Blackman & Vigna
class NoiseDraws
{
public:
    explicit NoiseDraws(std::uint64_t seed);

    /// Places in a table for all lanes.
    void places(std::array<std::uint16_t, noiseLanes>& out)
    {
        // Five places fit the upper 60 bits of a word.
        std::uint64_t word = 0;
        for (std::size_t lane = 0; lane < noiseLanes; ++lane) {
            if (lane % 5 == 0)
                word = next() >> 4;
            out[lane] = static_cast<std::uint16_t>(word & (noiseTableSize - 1));
            word >>= noiseTableBits;
        }
    }

    /// A value of a table; 1 where it is empty.
    double of(const std::vector<double>& table)
    {
        return table.empty() ? 1 : table[next() >> (64 - noiseTableBits)];
    }

private:
    std::uint64_t next()
    {
        const std::uint64_t result = m_state[0] + m_state[3];
        const std::uint64_t t = m_state[1] << 17;
        m_state[2] ^= m_state[0];
        m_state[3] ^= m_state[1];
        m_state[1] ^= m_state[2];
        m_state[0] ^= m_state[3];
        m_state[2] ^= t;
        m_state[3] = (m_state[3] << 45) | (m_state[3] >> 19);
        return result;
    }

    std::array<std::uint64_t, 4> m_state = {};
};

/// Equally likely factors with mean 1 for everything that a model spreads; empty where it does not.
struct NoiseTables
{
    explicit NoiseTables(const NoiseModel& model);

    std::array<std::vector<double>, passKindCount> pass;
    std::vector<double> message, rank;
};

/// Arrival of a message that takes `left` over a link of full speed, all in ticks.
double arrivalOver(const std::vector<LinkPhase>& trace, double sent, double left);

} // namespace pw
