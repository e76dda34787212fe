// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/types.h"
#include "core/model/ids.h"

#include <cstdint>

namespace pw {

// What the simulators' list of ends holds of a pass that has not ended: `undone`, or the device at
// the head of those that wait for it. Ends are never negative, so one number says both and a
// look-up touches one cache line.

constexpr Ticks undone = -1;
constexpr std::int32_t none = -1; ///< no entry, no device

/// The end of a pass that `device` waits for; always below `undone`.
constexpr Ticks waiterCode(DeviceId device)
{
    return -2 - static_cast<Ticks>(device);
}

/// The device that `waiterCode` was made from.
constexpr DeviceId waiterOf(Ticks code)
{
    return DeviceId(-2 - code);
}

} // namespace pw
