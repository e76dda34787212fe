// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/analysis/stretches.h"
#include "core/model/schedule.h"
#include "core/sim/simulator.h"
#include "core/trace/message_split.h"
#include "core/trace/records.h"
#include "core/trace/recover.h"

#include <cstdint>
#include <span>
#include <vector>

namespace pw {

/// The time in which at least one transfer of a rank is under way, both sides being there.
struct Exposure
{
    Ticks exposed = 0; ///< of it, with no pass on the rank
    Ticks hidden = 0;  ///< behind a pass

    Ticks total() const { return exposed + hidden; }
    friend bool operator==(const Exposure&, const Exposure&) = default;
};

/// Splits transfers by whether something is computed meanwhile. Either list in any order, with
/// overlaps; times that several transfers share count once.
/// @complexity O(n log n)
Exposure exposureOf(std::vector<TimeStretch> transfers, std::vector<TimeStretch> busy);

/// What the messages of one rank cost it.
/// @tparam Of  whose they are: a `TraceRankId` or a `DeviceId`
template<typename Of>
struct Transfers
{
    Of of{0};
    std::int64_t count = 0; ///< messages that it sends or receives
    MessageSide time;       ///< sums; `after` is 0 where no end of the other side is known
    Exposure exposure;

    friend bool operator==(const Transfers&, const Transfers&) = default;
};

using RankTransfers = Transfers<TraceRankId>;
using DeviceTransfers = Transfers<DeviceId>;

/// The messages of a trace by rank. The times of all three are those of the same clocks.
std::vector<RankTransfers> transfersOf(const Trace& trace, const RecoveredPipeline& pipeline,
                                       const TraceMessages& messages);

/// The messages of one recorded iteration by device; waiting lasts from posting to the start of the
/// transfer. Reductions of gradients are left out. Devices without a message have no row.
/// @param messages  times relative to the first start, as those of `times`
std::vector<DeviceTransfers> transfersOf(const Schedule& schedule, const SimResult& times,
                                         std::span<const RecordedMessage> messages);

} // namespace pw
