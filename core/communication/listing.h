// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/lower/program.h"
#include "core/model/schedule.h"

#include <cstdint>
#include <string>
#include <vector>

// What an engine executes: passes, sends, receives, waits, gathers and reductions in one order a
// rank. `core/lower` has the instructions of our own executor; this has the actions of others.
namespace pw::communication {

/// What a rank does next.
enum class ActionKind : std::uint8_t
{
    Compute,     ///< an entry of the schedule: a pass, or an overlapped pair
    Send,        ///< is posted, and travels when its communicator has come to it
    Receive,     ///< is posted; its buffer is there from here on
    WaitSend,    ///< the rank goes on when the message has left
    WaitReceive, ///< the rank goes on when the message is there
    Gather,      ///< of the weights of a stage over its data-parallel group (UNSHARD)
    Free,        ///< of gathered weights (RESHARD)
    Reduce,      ///< of a stage's gradients over its data-parallel group (REDUCE_GRAD)
    Exchange     ///< of a stage's gradients between its copies on several routes
};

/// One action of a rank.
struct Action
{
    ActionKind kind = ActionKind::Compute;
    /// Compute: entry of the schedule. Send, Receive, waits: message. Gather, Free, Reduce: hosted
    /// stage, route·S + stage. Exchange: update·S + stage.
    std::int32_t index = 0;

    friend bool operator==(const Action&, const Action&) = default;
};

constexpr bool isMessageAction(ActionKind kind)
{
    return kind == ActionKind::Send || kind == ActionKind::Receive ||
           kind == ActionKind::WaitSend || kind == ActionKind::WaitReceive;
}

/// Whether an action stands for the sender's side of a message. @pre isMessageAction
constexpr bool isSide(ActionKind kind, bool sends)
{
    return sends ? kind == ActionKind::Send || kind == ActionKind::WaitSend
                 : kind == ActionKind::Receive || kind == ActionKind::WaitReceive;
}

/// What every rank does, in order. Each device is a rank, see `rankOf`; a message's position in
/// `messages` is its number.
struct Listing
{
    std::vector<std::vector<Action>> ranks; ///< by rank
    std::vector<Message> messages;
    /// What is sent is given back as soon as it has left; else at its wait, and without one when
    /// the rank has ended.
    bool freesWhenSent = false;

    const std::vector<Action>& of(RankId rank) const { return ranks[rank.index()]; }
    const Message& message(const Action& action) const
    {
        return messages[static_cast<std::size_t>(action.index)];
    }

    friend bool operator==(const Listing&, const Listing&) = default;
};

/// Whether a message is an activation; else a gradient.
inline bool isForward(const Message& message)
{
    return message.producer.kind == PassKind::F;
}

/// A place in a listing.
struct ActionPlace
{
    RankId rank;
    std::int32_t action = -1;

    bool valid() const { return rank.valid() && action >= 0; }
    friend bool operator==(const ActionPlace&, const ActionPlace&) = default;
};

/// The action as PyTorch's pipelining runtime writes it: "0F3", "1RECV_F1", "3REDUCE_GRAD",
/// "(0F3;3B1)OVERLAP_F_B". What that has no letters for follows its manner: "0F3/1" of segment 1,
/// "0RECOMPUTE3", "0UPDATE0", "0WAIT_SEND_F3".
std::string actionText(const Action& action, const Listing& listing, const Schedule& schedule);

/// Checks that a listing is one of a schedule: every entry once and in its order; of every message
/// one send behind its producer and one receive before its consumer, on their ranks; waits behind
/// what they wait for; no stage gathered twice or freed without being gathered; of a stage with
/// copies on several ranks one exchange on each, or none, behind its gradients and before its
/// update.
///
/// @error BadSchedule  the action, its rank and what it lacks
Result<void> check(const Listing& listing, const Schedule& schedule);

/// The hosted stages that an entry computes on: one, or two of a pair.
struct EntryStages
{
    std::int32_t first = -1;
    std::int32_t second = -1; ///< −1: no pair, or the same
};
EntryStages stagesOf(const Schedule& schedule, EntryId entry);

} // namespace pw::communication
