// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/model/costs.h"
#include "core/model/schedule.h"

#include <cstdint>
#include <string>
#include <vector>

namespace pw {

/// What a rank is told to do.
enum class InstructionKind : std::uint8_t
{
    Compute, ///< an entry of the schedule: a pass, or an overlapped pair
    Send,    ///< hand a result to another rank
    Receive, ///< take a result from another rank; must stand before the entry that uses it
    Reduce,  ///< an exchange between two copies of a stage
    Stow,    ///< have an activation copied to the host's memory; stands behind its F
    Free,    ///< its room on the device is free, once that copy has ended
    Fetch    ///< have it copied back, after what it is stowed by has ended
};

/// One instruction of a rank.
struct Instruction
{
    InstructionKind kind = InstructionKind::Compute;
    /// Compute: entry of the schedule. Send, Receive: message. Reduce: reduction. Stow, Free,
    /// Fetch: offloaded activation.
    std::int32_t index = 0;

    friend bool operator==(const Instruction&, const Instruction&) = default;
};

/// A result that goes from one rank to another. Its position in `Program::messages` is its tag.
struct Message
{
    Pass producer; ///< F: an activation; B or BW: a gradient
    Pass consumer;
    RankId from{0};
    RankId to{0};

    friend bool operator==(const Message&, const Message&) = default;
};

/// What two ranks that hold copies of a stage exchange. With n routes a stage's numbers are cut
/// into n shards of nearly equal length, one a route.
enum class ReductionKind : std::uint8_t
{
    Sum,     ///< all gradients; both add the other's: two routes
    Scatter, ///< each sends what it has of the other's shard of the gradients, and adds what comes
    Gather,  ///< each sends its own shard of the gradients, which is complete
    Weights  ///< each sends its own shard of the weights, after an update that was its alone
};

/// One exchange between two copies of a stage. `Sum`, `Scatter` and `Gather` stand before the
/// update that takes the gradients in, `Weights` after it.
struct Reduction
{
    StageId stage{0};
    std::int32_t update = 0; ///< number of the update
    RankId ranks[2] = {RankId(0),
                       RankId(0)}; ///< of the two routes; equal where one rank holds both
    std::int32_t routes[2] = {0, 1};
    ReductionKind kind = ReductionKind::Sum;

    friend bool operator==(const Reduction&, const Reduction&) = default;
};

/// An activation that goes to the host's memory and comes back. Its device copies in either
/// direction one after another, in the order of the instructions, beside its passes.
struct HostMove
{
    Pass cell;         ///< its F
    RankId rank{0};    ///< of the device
    EntryId needed{0}; ///< that waits for the way back
    /// The instruction stands before an entry and is carried out once that has its inputs and the
    /// room for what it makes itself: as at the same moment of a simulation.
    bool freedWithin = false;
    bool fetchedWithin = false; ///< alike

    friend bool operator==(const HostMove&, const HostMove&) = default;
};

/// Where shard `shard` of `count` numbers cut into `shards` begins; `shard == shards`: `count`.
constexpr std::int64_t shardStart(std::int64_t count, int shard, int shards)
{
    return count / shards * shard + (shard < count % shards ? shard : count % shards);
}

/// Where a receive stands on its rank.
enum class ReceivePlacement : std::uint8_t
{
    AsSent, ///< where the rank has come to when the message leaves; both ends of a connection then
            ///< have one order
    BeforeUse ///< directly before the entry that needs it
};

/// What every rank does, in order. Each device is a rank, see `rankOf`.
struct Program
{
    std::vector<std::vector<Instruction>> ranks; ///< by rank
    std::vector<Message> messages;
    std::vector<Reduction> reductions;
    std::vector<HostMove> moves;

    friend bool operator==(const Program&, const Program&) = default;
};

/// Where receives stand unless a caller says otherwise: as sent for early messages, before their
/// use for committed ones.
ReceivePlacement usualReceives(MessageRule rule);

/// Inserts a send behind every entry whose result another rank needs, and the matching receive;
/// neighbouring stages on one rank need no message. With two routes, a stage's gradients are
/// reduced before its update (of several updates in a row, before the first, by stage), or at the
/// end where no update stands in the order. With more, every two routes first exchange what each
/// has of the other's shard, then the shards, which are complete by then: as many bytes as a ring.
///
/// With an update after every micro-batch every copy makes all of them: the gradients of a
/// micro-batch go to the other copies directly before its update.
///
/// @error Deadlock  the schedule's ring, as the simulator shows it
/// @error TooLarge  more than `maxPasses` exchanges between copies
/// @complexity      O(passes + ranks log ranks)
/// @source          arXiv:2104.04473; the order of AsSent is that of PyTorch's pipelining runtime
Result<Program> lower(const Schedule& schedule, ReceivePlacement receives);
Result<Program> lower(const Schedule& schedule);

/// Adds the copies of what costs offload, as a simulation with these costs has them: each is asked
/// for, and room is free and taken, between the same passes. So a rank that keeps to the program
/// holds no more than is predicted, however long its copies really take. Nothing where nothing is
/// offloaded.
///
/// @error  as of `simulate`
/// @pre    the program has no such copies yet
Result<void> addHostMoves(Program& program, const Schedule& schedule, const Costs& costs);

/// Has every copy of a stage update its own shard of the weights only, and adds the exchanges that
/// bring the others: after the update (of several in a row, after the last; with an update after
/// every micro-batch, after each), or as the last reductions of the program where no update stands
/// in the order; these have no instruction and follow the updates of an iteration, by index.
///
/// @error BadValue  one route: there is no other copy
/// @source          arXiv:1910.02054 (optimizer states sharded over replicas)
Result<void> shardOptimizer(Program& program, const Schedule& schedule);

/// Proves that no rank can wait for ever, by running the program without times.
///
/// Early: a send never waits, a receive is posted and the entry that uses it waits. Committed: the
/// sends and receives between two entries are one group, which ends when every peer has come to its
/// side. A reduction waits for the other rank under both.
///
/// @pre the program is of this schedule; it may be read from a file
/// @error Deadlock     the ring of waiting ranks, each with what it waits in and for
/// @error BadSchedule  a message has no send or no receive, two of them, or a receive after its use
Result<void> proveProgress(const Schedule& schedule, const Program& program, MessageRule rule);

/// Messages that overtake: received in another order than sent, between the same two ranks. A
/// transport without tags (NCCL) would mix them up. Positions in `messages`; empty if none.
std::vector<std::int32_t> overtakingMessages(const Program& program);

/// An instruction in words: "send of F of micro-batch 3 on stage 1 to rank 2".
std::string describe(const Instruction& instruction, const Program& program,
                     const Schedule& schedule);

} // namespace pw
