// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/reading/events/event_file.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace pw {

// What can be told of passes only when the files of all ranks are there.

/// Lays steps that begin at 0 each one behind the other: a step begins for all ranks when the one
/// before has ended on the last of them.
void joinSteps(Trace& trace, const std::vector<EventFile>& files);

/// Chunk and micro-batch of the passes of one rank in the order of Megatron's interleaved schedule,
/// by the number of a pass among those of its kind.
///
/// Micro-batches go in groups; each group runs through all chunks. Backward has the same table with
/// the chunks reversed.
///
/// @param group  micro-batches of a group, at least 1; the last group may be smaller
/// @return       (chunk, micro-batch), microBatches · chunks of them
/// @source       Megatron-LM's schedule table
std::vector<std::pair<std::int32_t, std::int32_t>>
megatronTable(std::int32_t microBatches, std::int32_t chunks, std::int32_t group);

/// Gives passes that are only counted their micro-batches, and their chunks, by Megatron's order.
///
/// The number of chunks is what a file says, else the smallest number with which the forwards and
/// backwards of every rank alternate as Megatron lets them.
void countPasses(Trace& trace, const std::vector<EventFile>& files);

} // namespace pw
