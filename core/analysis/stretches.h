// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/types.h"

#include <algorithm>
#include <vector>

namespace pw {

/// A stretch of time.
struct TimeStretch
{
    Ticks start = 0;
    Ticks end = 0;

    friend bool operator==(const TimeStretch&, const TimeStretch&) = default;
};

/// Adds a stretch to joined ones that all start before it or with it; an empty one adds nothing.
void join(std::vector<TimeStretch>& joined, TimeStretch next);
/// Sorted; those that overlap or touch are one, empty ones none. @complexity O(n log n)
std::vector<TimeStretch> joined(std::vector<TimeStretch> all);
/// Time that at least one of some stretches covers.
Ticks covered(std::vector<TimeStretch> all);

/// Calls `take` with the parts of a stretch that joined ones leave free.
/// @complexity O(log n + parts)
template<typename Take>
void uncovered(const std::vector<TimeStretch>& joined, TimeStretch stretch, Take take)
{
    auto at = std::partition_point(joined.begin(), joined.end(), [&](const TimeStretch& one) {
        return one.end <= stretch.start;
    });
    for (; at != joined.end() && at->start < stretch.end; ++at) {
        if (at->start > stretch.start)
            take(TimeStretch{stretch.start, at->start});
        stretch.start = at->end;
    }
    if (stretch.start < stretch.end)
        take(stretch);
}

} // namespace pw
