// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/divisors.h"

#include <algorithm>

namespace pw {

std::string divisorsBeside(int whole, int value)
{
    int below = std::clamp(value, 1, whole);
    while (whole % below != 0)
        --below;
    // Far away none is looked for: the whole always divides itself.
    constexpr int farthest = 100'000;
    int above = whole;
    for (int d = std::max(value, 1); d <= whole && d - value < farthest; ++d) {
        if (whole % d == 0) {
            above = d;
            break;
        }
    }
    return below == above ? std::to_string(below)
                          : std::to_string(below) + " or " + std::to_string(above);
}

} // namespace pw
