// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/types.h"

namespace pw {

/// Place of a time in its interval, 0 … interval−1, also for times before 0.
constexpr Ticks residue(Ticks time, Ticks interval)
{
    const Ticks rest = time % interval;
    return rest < 0 ? rest + interval : rest;
}

/// Number of the interval that a time falls into; the times 0 … interval−1 are in number 0.
constexpr Ticks intervalOf(Ticks time, Ticks interval)
{
    return (time - residue(time, interval)) / interval;
}

} // namespace pw
