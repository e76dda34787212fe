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
    const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
    std::nth_element(all.begin(), middle, all.end());
    if (all.size() % 2 == 1)
        return static_cast<double>(*middle);
    const Number below = *std::max_element(all.begin(), middle);
    return (static_cast<double>(below) + static_cast<double>(*middle)) / 2;
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
