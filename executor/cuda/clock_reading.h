// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/types.h"

namespace pw::exec::cuda {

/// Where a moment of a device lies on the run's clock.
struct ClockReading
{
    Ticks time = 0;        ///< of the moment
    Ticks uncertainty = 0; ///< it lies this close to it
};

/// How far two clocks of one machine may drift apart: 50 parts in a million.
constexpr Ticks clockDrift(Ticks time)
{
    constexpr Ticks partsOf = 20'000;
    return (time < 0 ? -time : time) / partsOf;
}

/// Whether a new reading says more than an older one does by now: a reading grows old as the clocks
/// drift, but one that was disturbed is worse than an old one.
constexpr bool saysMore(const ClockReading& fresh, const ClockReading& held)
{
    return fresh.uncertainty <= held.uncertainty + clockDrift(fresh.time - held.time);
}

} // namespace pw::exec::cuda
