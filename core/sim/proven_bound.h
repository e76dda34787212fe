// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/sentence.h"
#include "core/base/types.h"
#include "core/model/ids.h"

namespace pw {

/// A time that no order of the work of a schedule goes below, and why. One function makes it,
/// `provenBound` of core/optimise/schedule_bound.h; whoever shows a bound of a schedule shows this.
struct ProvenBound
{
    /// Which memory the orders stay within that it speaks of.
    enum class Within : std::uint8_t
    {
        Caps,   ///< those of the costs
        OwnPeak ///< nothing is capped: what the fullest device of the schedule holds
    };

    Ticks time = 0;
    Within within = Within::OwnPeak;
    bool fits = true;      ///< whether the schedule itself stays within that memory
    bool searched = false; ///< every order was looked at; what follows says less then
    /// The device that does not end sooner: its first start, its work, and the time behind its last
    /// pass, each the least of all orders; what is left of the time are waits that none avoids.
    DeviceId device{0};
    Ticks first = 0, work = 0, behind = 0;

    Ticks waits() const { return time - first - work - behind; }

    friend bool operator==(const ProvenBound&, const ProvenBound&) = default;
};

/// Which orders a bound speaks of, a part of a sentence: "of any order within the memory limits".
Sentence ordersOf(const ProvenBound& bound);

/// Why no order is shorter, a clause: "device 3 starts after 3 ms at the earliest, …".
Sentence proofOf(const ProvenBound& bound);

} // namespace pw
