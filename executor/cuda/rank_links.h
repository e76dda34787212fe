// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "executor/api/run_plan.h"

#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

// What ranks of a program exchange, counted before they do. Pure book keeping: no CUDA in here.
namespace pw::exec::cuda {

/// What two ranks share a connection for.
enum class LinkUse : bool
{
    Messages, ///< from the first to the second
    Copies    ///< of stages: both ways; the first rank is the lower one
};

using LinkKey = std::tuple<LinkUse, int, int>;

/// What goes over a connection.
struct LinkWork
{
    std::vector<std::int32_t> messages; ///< as the program sends them
    bool sums = false;                  ///< gradients of two copies, added on their way
    bool swaps = false;                 ///< shards, one each way
};

/// Connections of a program, in one order for all processes. Copies of a stage on one rank need
/// none.
std::map<LinkKey, LinkWork> linksOf(const Program& program);

/// Bytes that a side of an exchange between copies hands over; what it takes is what the other side
/// hands over.
Bytes exchangedBytes(const RunPlan& plan, const Reduction& reduction, int side);

/// Blocks of memory that a rank needs for what the copies of its stages exchange, by size: one that
/// goes and one that comes for every exchange of an iteration, but no more than four of a size,
/// since they are used again once what reads them has ended.
std::map<Bytes, int> exchangeBlocks(const RunPlan& plan, int rank);

/// The most bytes that a rank holds for one exchange.
Bytes largestExchange(const RunPlan& plan, int rank);

} // namespace pw::exec::cuda
