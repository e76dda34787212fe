// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/noise/noise_draws.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace pw {

namespace {

/// The value that a standard normal variable stays below with probability `part`.
/// @source bisection of the error function; only for tables
double normalQuantile(double part)
{
    double low = -9, high = 9;
    for (int i = 0; i < 60; ++i) {
        const double middle = (low + high) / 2;
        (0.5 * std::erfc(-middle / std::sqrt(2.0)) < part ? low : high) = middle;
    }
    return (low + high) / 2;
}

/// Equally likely factors, log-normal with mean 1; empty where there is no spread.
std::vector<double> factorTable(double spread)
{
    if (spread <= 0)
        return {};
    static const std::vector<double> normal = [] {
        std::vector<double> values(noiseTableSize);
        for (std::size_t i = 0; i < noiseTableSize; ++i)
            values[i] = normalQuantile((static_cast<double>(i) + 0.5) /
                                       static_cast<double>(noiseTableSize));
        return values;
    }();
    const double sigma = std::sqrt(std::log1p(spread * spread));
    std::vector<double> table(noiseTableSize);
    for (std::size_t i = 0; i < noiseTableSize; ++i)
        table[i] = std::exp(sigma * normal[i] - sigma * sigma / 2);
    const double mean =
        std::accumulate(table.begin(), table.end(), 0.0) / static_cast<double>(noiseTableSize);
    for (double& factor : table)
        factor /= mean;
    return table;
}

} // namespace

NoiseDraws::NoiseDraws(std::uint64_t seed)
{
    // splitmix64, as its authors advise for seeding.
    for (std::uint64_t& word : m_state) {
        seed += 0x9e3779b97f4a7c15ULL;
        std::uint64_t z = seed;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
        word = z ^ (z >> 31);
    }
}

NoiseTables::NoiseTables(const NoiseModel& model)
    : message(factorTable(model.messageSpread))
    , rank(factorTable(model.rankSpread))
{
    for (std::size_t kind = 0; kind < passKindCount; ++kind)
        pass[kind] = factorTable(model.passSpread[kind]);
}

/// Arrival of a message that takes `left` over a link of full speed.
double arrivalOver(const std::vector<LinkPhase>& trace, double sent, double left)
{
    if (trace.empty() || left <= 0)
        return sent + left;
    auto phase =
        std::upper_bound(trace.begin(), trace.end(), sent, [](double time, const LinkPhase& one) {
            return time < static_cast<double>(one.start);
        });
    double pace = phase == trace.begin() ? 1 : std::prev(phase)->slowdown;
    double now = sent;
    for (; phase != trace.end(); ++phase) {
        const double until = static_cast<double>(phase->start);
        if (now + left * pace <= until)
            break;
        left -= (until - now) / pace;
        now = until;
        pace = phase->slowdown;
    }
    return now + left * pace;
}

} // namespace pw
