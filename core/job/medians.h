// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace pw {

/// What stands out among its like does so by more than this many of their spreads.
constexpr double likeSpreads = 4;

/// Of an even number the mean of the middle two; 0 of none.
template<typename Number>
double medianOf(std::vector<Number> all)
{
    if (all.empty())
        return 0;
    std::sort(all.begin(), all.end());
    const std::size_t middle = all.size() / 2;
    return all.size() % 2 == 1
               ? static_cast<double>(all[middle])
               : (static_cast<double>(all[middle - 1]) + static_cast<double>(all[middle])) / 2;
}

/// The standard deviation that the median distance from the median stands for; a few far values
/// change nothing.
inline double robustSpread(const std::vector<double>& all)
{
    constexpr double normal = 1.4826;
    const double middle = medianOf(all);
    std::vector<double> distances;
    for (const double one : all)
        distances.push_back(std::abs(one - middle));
    return normal * medianOf(std::move(distances));
}

} // namespace pw
