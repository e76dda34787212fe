// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "executor/api/run_plan.h"

#include <cstdint>
#include <limits>
#include <map>
#include <tuple>
#include <vector>

// What ranks of a program exchange, counted before they do. Pure book keeping: no CUDA in here.
namespace pw::exec::cuda {

/// What two ranks share a connection for.
enum class LinkUse : std::uint8_t
{
    Messages, ///< from the first to the second
    Copies,   ///< of stages: both ways; the first rank is the lower one
    Again     ///< from the first to the second: what replaces optimistic results
};

using LinkKey = std::tuple<LinkUse, RankId, RankId>;

/// What goes over a connection.
struct LinkWork
{
    std::vector<std::int32_t> messages; ///< as the program sends them
    bool sums = false;                  ///< gradients of two copies, added on their way
    bool swaps = false;                 ///< shards, one each way
};

/// Connections of a plan, in one order for all processes. Copies of a stage on one rank need none.
std::map<LinkKey, LinkWork> linksOf(const RunPlan& plan);

/// The order in which results come that replace optimistic ones, for a connection that has no tags.
///
/// A rank that did not know the norm of step t has begun with the forwards of step t + 1, and has
/// sent the first few of their results, in the order of the program. These, and no others, it sends
/// once more in that order. Whoever waits for one of them takes all before it first.
class AgainOrder
{
public:
    AgainOrder() = default;
    /// @param messages  of the connection, as the program sends them
    AgainOrder(const RunPlan& plan, std::vector<std::int32_t> messages);

    /// What is to be taken so that a message has come, the message last; nothing where it was taken
    /// before.
    std::vector<std::int32_t> upTo(std::int32_t message, int iteration);

private:
    std::vector<std::int32_t> m_messages;
    std::vector<int> m_steps; ///< of the messages
    int m_iteration = std::numeric_limits<int>::min();
    int m_step = -1;
    std::size_t m_next = 0; ///< place of the next one
};

/// Bytes that a side of an exchange between copies hands over; what it takes is what the other side
/// hands over.
Bytes exchangedBytes(const RunPlan& plan, const Reduction& reduction, int side);

/// Blocks of memory that a rank needs for what the copies of its stages exchange, by size: one that
/// goes and one that comes for every exchange of an iteration, but no more than four of a size,
/// since they are used again once what reads them has ended.
std::map<Bytes, int> exchangeBlocks(const RunPlan& plan, RankId rank);

/// Bytes that a rank keeps of weights and states while the norm of its update is not known.
Bytes rollbackBytes(const RunPlan& plan, RankId rank);

/// The most bytes that a rank holds for one exchange.
Bytes largestExchange(const RunPlan& plan, RankId rank);

} // namespace pw::exec::cuda
