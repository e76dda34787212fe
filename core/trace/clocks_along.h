// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/trace/align_clocks.h"

#include <span>

namespace pw {

/// Finds clocks of any number of devices: offsets alone for all at once where they do; else offsets
/// and drifts, one device after the other along messages, each against those that are found
/// already, as if these were one.
///
/// In a chain of stages, where a device talks to its neighbours, one after the other is as good as
/// all at once. In a ring that drifts a device may be left without an answer that all at once would
/// have; who asks looks at what is found.
///
/// @param clocks  with messages, grain and windows; gets a value and a drift for every device that
///                messages connect with device 0, and no bands
/// @return        false: a device has no answer; `outcome`, `text` and `contradiction` say why
/// @complexity    O(n log n) for n messages, and a linear program of 2 variables for each device
///                where there are drifts
bool alignAlong(std::span<const ClockMessage> messages, AlignedClocks& clocks);

} // namespace pw
