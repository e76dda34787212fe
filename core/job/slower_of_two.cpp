// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/job/slower_of_two.h"

#include "core/base/medians.h"

#include <algorithm>
#include <span>
#include <vector>

namespace pw {

std::optional<SlowerStep> slowerOfTwo(const JobReplay& replay)
{
    constexpr double stepFactor = 1.2, passFactor = 1.1;
    if (replay.steps().size() != 2)
        return std::nullopt;
    const auto timeOf = [&](std::size_t step) {
        return replay.job().steps[replay.steps()[step]].time;
    };
    const std::size_t slow = timeOf(1) > timeOf(0) ? 1 : 0, other = 1 - slow;
    if (static_cast<double>(timeOf(slow)) < stepFactor * static_cast<double>(timeOf(other)))
        return std::nullopt;
    std::vector<double> factors;
    for (std::size_t r = 0; r < replay.replicas(); ++r) {
        const std::span<const Ticks> longer = replay.durations({slow, r});
        const std::span<const Ticks> usual = replay.durations({other, r});
        for (std::size_t i = 0; i < longer.size(); ++i)
            if (usual[i] > 0)
                factors.push_back(static_cast<double>(longer[i]) / static_cast<double>(usual[i]));
    }
    if (factors.empty())
        return std::nullopt;
    const auto quarter = factors.begin() + static_cast<std::ptrdiff_t>(factors.size() / 4);
    std::nth_element(factors.begin(), quarter, factors.end());
    if (*quarter < passFactor)
        return std::nullopt;
    return SlowerStep{slow, medianOf(std::move(factors)), timeOf(slow) - timeOf(other)};
}

} // namespace pw
