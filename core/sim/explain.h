// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/sim/simulator.h"

#include <string>
#include <vector>

namespace pw {

/// Why something starts when it does.
enum class WaitReason : std::uint8_t
{
    Start,      ///< nothing before it
    Order,      ///< the device was busy with the entry before
    Dependency, ///< a pass on the same device, or on another without a message time
    Message,    ///< a message that was still on its way
    Reload,     ///< its activation was still on its way back from the host
    Memory,     ///< a pass was ready, but its activation would exceed the cap
    Finished    ///< nothing left to do on the device
};

/// An entry on the critical path, and what it waited for.
struct CriticalEntry
{
    EntryId entry{0};
    WaitReason reason = WaitReason::Start; ///< of its start
};

/// A longest chain of entries without slack that ends with the last end, in time order.
std::vector<CriticalEntry> criticalPath(const Schedule& schedule, const Costs& costs,
                                        const SimResult& result);

/// An idle stretch of a device.
struct Gap
{
    DeviceId device{0};
    Ticks start = 0;
    Ticks end = 0;
    WaitReason reason = WaitReason::Finished;
    EntryId next;  ///< that the gap ends with; none after the last
    Pass cause;    ///< pass that was waited for, where the reason is one
    Sentence text; ///< the reason in one sentence
};

/// Every idle stretch of a device inside the makespan, in time order, with its reason.
std::vector<Gap> gaps(const Schedule& schedule, const Costs& costs, const SimResult& result,
                      DeviceId device);

} // namespace pw
