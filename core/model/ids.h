// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/id.h"

namespace pw {

/// A lane of a schedule, 0 … p−1.
using DeviceId = Id<struct DeviceTag>;

/// Position in the model's chain of layers, 0 … S−1.
using StageId = Id<struct StageTag>;

/// What stands in the orders of all devices, device after device, in one array: a pass or an
/// overlapped pair. Not the position in the order of one device, which is a plain number.
using EntryId = Id<struct EntryTag>;

/// One that takes part in a run: a thread or a process.
using RankId = Id<struct RankTag>;

/// Where nothing else is said, rank r runs device r; this is where it is said.
constexpr RankId rankOf(DeviceId device)
{
    return RankId(device.value);
}
constexpr DeviceId deviceOf(RankId rank)
{
    return DeviceId(rank.value);
}

/// A rank of a trace that another program wrote: its place in `Trace::ranks`. The number that files
/// say of it, as of rank 17 of 64 where the trace has four of them, is no place anywhere: it is a
/// plain number, `TraceRank::number`. Which of them are devices says `RecoveredPipeline`.
using TraceRankId = Id<struct TraceRankTag>;

} // namespace pw
