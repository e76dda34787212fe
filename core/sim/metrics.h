// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/sim/simulator.h"

#include <span>

namespace pw {

/// Idle time of one device, inside a stretch of time.
struct Bubble
{
    DeviceId device{0};
    Ticks idle = 0;
    Ticks within = 0; ///< the stretch

    /// idle ⁄ within; 0 where the stretch is empty.
    double rate() const;
};

/// The device with the longest span, first start to last end; of equal ones the first.
DeviceId longestSpanDevice(const SimResult& result);

/// Idle time inside the span of the device with the longest span: 1 − busy ⁄ span is the rate of
/// the Zero Bubble papers. @source arXiv:2401.10241 §5.3
Bubble spanBubble(const SimResult& result);

/// Idle time of the same device inside the makespan.
Bubble wallBubble(const SimResult& result);

/// Span and wall bubble of any one device.
Bubble spanBubble(const SimResult& result, DeviceId device);
Bubble wallBubble(const SimResult& result, DeviceId device);

/// Which of several executions stands for all: that of the median makespan, of two the longer. What
/// is said of a run in one figure is said of this one, wherever it is said.
/// @pre not empty
std::size_t medianPlace(std::span<const Ticks> makespans);

/// The most activation alive on any device, in micro-batches and in bytes.
double peakMicroBatches(const SimResult& result);
Bytes peakActivation(const SimResult& result);

} // namespace pw
