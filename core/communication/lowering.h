// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/communication/listing.h"

namespace pw::communication {

/// Where a receive is posted.
enum class ReceivePlace : std::uint8_t
{
    AsSent,  ///< where the rank has come to when the message leaves: PyTorch's own place
    AtUse,   ///< directly before the pass that needs it
    Early,   ///< some passes before it
    Deferred ///< as PyTorch's `defer_pp_recv`: at its use, but before a send to the same rank where
             ///< this rank has the lower number
};

/// Where a rank waits for what it sends.
enum class SendWait : std::uint8_t
{
    AtEnd,    ///< behind its last action, as PyTorch 2.14
    Backward, ///< an activation behind the backward of the same stage and micro-batch
    WhenSent, ///< nowhere: the buffer is given back as soon as it has left
    AtOnce    ///< where it is posted: a blocking send
};

/// Where the copies of a stage on two or more routes exchange their gradients.
enum class ExchangePlace : std::uint8_t
{
    AtEnd,    ///< behind the rank's last pass, or before its updates
    AsDone,   ///< behind the last gradient of the stage, in one order for all ranks
    OwnOrder, ///< the same, each rank as it comes: where two ranks share two stages they may wait
              ///< for each other
    None
};

/// How a schedule becomes a listing.
struct Lowering
{
    ReceivePlace receives = ReceivePlace::AsSent;
    int early = 0;                 ///< of `ReceivePlace::Early`: passes before the use
    bool blockingReceives = false; ///< the rank waits where it posts; else at the use
    SendWait sends = SendWait::AtEnd;
    /// Receive buffers of a rank for activations, and as many for gradients; 0: as many as the
    /// order asks for. A receive without one is posted when one is given back.
    int receiveBuffers = 0;
    bool sharded = false; ///< stages are gathered before their passes, gradients reduced
    int activeStages = 3; ///< stages that a rank keeps gathered at most
    /// Stages whose gather is started at most; 0: as many as are kept, −1: rank + 2.
    int lookAhead = 0;
    ExchangePlace exchanges = ExchangePlace::AtEnd;

    friend bool operator==(const Lowering&, const Lowering&) = default;
};

/// The actions of every rank, by the rules of PyTorch's pipelining runtime: gathers and frees
/// within a window of stages, a reduction behind a stage's last gradient, a send behind what makes
/// it, and each receive where its rank has come to then. With `sharded` and nothing else chosen
/// the rows are that runtime's letter for letter; without `sharded` they lack UNSHARD, RESHARD and
/// REDUCE_GRAD, which do nothing there without FSDP.
///
/// The copies of a stage on several routes exchange their gradients once an update, which is no
/// business of that runtime: each stage of it is on one rank.
///
/// @error Deadlock  the schedule's own ring
/// @error BadValue  more receive buffers are needed than there are: names rank and receive
/// @complexity      O(ranks · rounds + passes)
/// @source          torch.distributed.pipelining 2.14; look-ahead pytorch PR 196706
Result<Listing> listingOf(const Schedule& schedule, const Lowering& lowering);

} // namespace pw::communication
