// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/communication/listing.h"
#include "core/model/costs.h"

#include <optional>
#include <string>
#include <vector>

namespace pw::communication {

/// How the messages of a rank are queued. A communicator carries one message after the other, in
/// the order in which its rank posted them.
enum class Communicators : std::uint8_t
{
    One,       ///< for everything
    Direction, ///< one for activations, one for gradients
    Edge,      ///< one for every rank that is sent to, one for every rank that is received from
    /// One for every other rank, both ways, as NCCL makes for calls without a batch. It is made at
    /// its first message, where each of the two ranks stays until the other has come to one.
    Pair
};

/// How messages travel, and what collectives take.
struct Transport
{
    Communicators communicators = Communicators::One;
    /// Messages of at most so many bytes leave at once into a buffer of the receiver (eager); all
    /// others only when both ranks have come to them (rendezvous). None: no message does.
    std::optional<Bytes> eagerBytes;
    std::vector<Ticks> gather; ///< by stage; empty: 0
    std::vector<Ticks> reduce; ///< by stage; empty: 0
    /// Of gradients between the copies of a stage, by stage; empty: from their bytes and the link.
    std::vector<Ticks> exchange;
};

/// When an action was met and what it took; −1: not come to.
struct ActionTime
{
    Ticks posted = -1; ///< the rank comes to it
    /// Compute: its start. Messages: begin to travel. Gathers and reductions: begin.
    Ticks start = -1;
    /// Compute, gather, reduction: its end. Send: has left. Receive: is there. Waits: the rank goes
    /// on.
    Ticks end = -1;

    friend bool operator==(const ActionTime&, const ActionTime&) = default;
};

/// Why an action of a ring cannot go on.
enum class Hold : std::uint8_t
{
    Peer,     ///< its communicator has come to it, that of the other rank has not
    Order,    ///< its communicator is held by the next action, which was posted before
    NotYet,   ///< its rank is held in the next action, and has not come to it
    Message,  ///< a pass or a wait is held by a message, which is the next action
    Gradient, ///< an update is held by a pass of another rank
    Connect   ///< its communicator is not made: the other rank is held in the next action
};

/// One action of a ring: it waits for the next link's action, and the last for the first.
struct HeldAction
{
    ActionPlace place;
    Hold hold = Hold::Peer;

    friend bool operator==(const HeldAction&, const HeldAction&) = default;
};

/// Two messages between the same ranks on one communicator that are received in another order than
/// sent: a transport without tags takes one for the other.
struct MixedUp
{
    ActionPlace sent;     ///< the first send whose place among the sends
    ActionPlace received; ///< has this receive among the receives

    friend bool operator==(const MixedUp&, const MixedUp&) = default;
};

/// What a rank did.
struct RankTime
{
    Ticks busy = 0;    ///< passes
    Ticks end = 0;     ///< its last action and everything that it sent or reduced
    Ticks exposed = 0; ///< waited although what it waited for was computed: communication
    Ticks waited = 0;  ///< waited for what was not computed yet

    friend bool operator==(const RankTime&, const RankTime&) = default;
};

/// A listing with its times.
struct Played
{
    std::vector<std::vector<ActionTime>> times; ///< by rank and action
    std::vector<RankTime> ranks;
    Ticks end = 0;                ///< of the last rank; of what was done where there is a ring
    std::vector<HeldAction> ring; ///< empty: everything was done
    std::vector<MixedUp> mixed;   ///< by connection; empty: every order agrees
    bool whole = false;           ///< every action was done
};

/// Plays a listing: a rank does its actions in order; a pass takes its modelled time and waits for
/// its messages and its gathered weights; a message waits for its place in the communicators of
/// both ranks, and with rendezvous for both of them. An exchange of gradients begins when all ranks
/// with a copy of the stage have come to it, each in the order in which it posted its exchanges.
///
/// @pre check(listing, schedule)
/// @complexity  O(actions · log)
/// @source      ordered communicators and rendezvous as of NCCL's point-to-point calls
Played play(const Listing& listing, const Schedule& schedule, const Costs& costs,
            const Transport& transport);

/// The messages that a transport without tags would mix up, the first of each connection.
std::vector<MixedUp> mixedMessages(const Listing& listing, Communicators communicators);

/// A link of a ring in a sentence: "1RECV_F1 of rank 1 is queued behind 1SEND_B0".
Sentence heldText(const std::vector<HeldAction>& ring, std::size_t link, const Listing& listing,
                  const Schedule& schedule);

/// The whole ring; empty where there is none.
Sentence ringText(const Played& played, const Listing& listing, const Schedule& schedule);

/// A mix-up in a sentence.
Sentence mixedText(const MixedUp& mixed, const Listing& listing, const Schedule& schedule);

/// Times of gathers and reductions from the bytes of weights and gradients: each rank has one part
/// of `ranks`, and the others come over the link.
///
/// @param ranks  of the data-parallel group, at least 1
void setCollectiveTimes(Transport& transport, const Costs& costs, const PipelineSpec& spec,
                        int ranks);

} // namespace pw::communication
