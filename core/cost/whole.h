// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/types.h"

#include <algorithm>
#include <cmath>

namespace pw::plan {

/// What is more than a table of costs takes becomes too much for it, and is refused with it.
constexpr double planMost = 4e18;

inline Ticks ticksOfSeconds(double seconds)
{
    return static_cast<Ticks>(
        std::llround(std::min(seconds * static_cast<double>(ticksPerSecond), planMost)));
}

inline Bytes wholeBytes(double bytes)
{
    return static_cast<Bytes>(std::min(bytes, planMost));
}

} // namespace pw::plan
