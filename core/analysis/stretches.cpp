// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/analysis/stretches.h"

#include <utility>

namespace pw {

void join(std::vector<TimeStretch>& joined, TimeStretch next)
{
    if (next.end <= next.start)
        return;
    if (!joined.empty() && next.start <= joined.back().end)
        joined.back().end = std::max(joined.back().end, next.end);
    else
        joined.push_back(next);
}

std::vector<TimeStretch> joined(std::vector<TimeStretch> all)
{
    std::sort(all.begin(), all.end(),
              [](const TimeStretch& a, const TimeStretch& b) { return a.start < b.start; });
    std::vector<TimeStretch> one;
    for (const TimeStretch& stretch : all)
        join(one, stretch);
    return one;
}

Ticks covered(std::vector<TimeStretch> all)
{
    Ticks sum = 0;
    for (const TimeStretch& one : joined(std::move(all)))
        sum += one.end - one.start;
    return sum;
}

} // namespace pw
