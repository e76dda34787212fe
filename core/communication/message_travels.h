// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/communication/pair_communicators.h"
#include "core/communication/play.h"
#include "core/communication/rank_queue.h"

#include <cstdint>
#include <functional>
#include <map>
#include <utility>
#include <vector>

namespace pw::communication {

/// The communicator of a message, as a rank numbers its own.
std::int32_t communicatorOf(const Message& message, RankId rank, Communicators communicators);

/// The action that a rank has come to.
using ActionOfRank = std::function<std::int32_t(RankId rank)>;

/// The messages of a listing on their way: what was posted at both ends, and the communicators that
/// take the ends one after another. An end has a number: 2·message for the sender's, + 1 for the
/// receiver's. For `play` alone.
class MessageTravels
{
public:
    /// References outlive this.
    /// @param wake  called for a rank when an end of it is done
    MessageTravels(const Listing& listing, const PipelineSpec& spec, const Costs& costs,
                   const Transport& transport, std::function<void(RankId)> wake);

    const Message& messageOf(std::int32_t end) const
    {
        return m_listing.messages[static_cast<std::size_t>(end / 2)];
    }
    RankId rankOf(std::int32_t end) const
    {
        return end % 2 == 0 ? messageOf(end).from : messageOf(end).to;
    }
    ActionPlace placeOf(std::int32_t end) const { return endOf(end).place; }
    /// When an end is done; −1: it is not.
    Ticks done(std::int32_t end) const { return endOf(end).done; }

    /// A rank comes to an end of it.
    /// @param now  of the rank; moved to when their communicator was made
    /// @return     false where it has to wait for the other rank to make it
    bool post(RankId rank, std::int32_t end, Ticks& now);

    /// What an end that is not done waits for.
    std::pair<HeldAction, ActionPlace> holder(std::int32_t end, const ActionOfRank& actionOf) const;
    /// The first end at a communicator of a rank that still waits; invalid where none does.
    ActionPlace firstWaiting(RankId rank) const;
    /// When the last communicator of a rank is free.
    Ticks freeAt(RankId rank) const;
    /// Writes when messages were on their way to the actions that post them.
    void tell(std::vector<std::vector<ActionTime>>& times) const;

private:
    struct End
    {
        ActionPlace place;
        Ticks posted = -1;
        Ticks ready = -1; ///< posted, and its communicator has come to it
        Ticks done = -1;
    };
    struct Travel
    {
        End ends[2];
        Bytes bytes = 0;
        bool eager = false;
        Ticks start = -1;
        Ticks arrives = -1;
    };

    End& endOf(std::int32_t end)
    {
        return m_travels[static_cast<std::size_t>(end / 2)].ends[end % 2];
    }
    const End& endOf(std::int32_t end) const
    {
        return m_travels[static_cast<std::size_t>(end / 2)].ends[end % 2];
    }
    RankQueue& queueOf(std::int32_t end);
    const RankQueue& queueOf(std::int32_t end) const;
    std::int32_t communicatorOfEnd(std::int32_t end) const;
    void travel(std::int32_t message);
    void settle(std::int32_t end, Ticks done);

    const Listing& m_listing;
    const PipelineSpec& m_spec;
    const Costs& m_costs;
    const Transport& m_transport;
    std::function<void(RankId)> m_wake;
    std::vector<Travel> m_travels;
    std::vector<std::map<std::int32_t, RankQueue>> m_queues; // by rank and `communicatorOf`
    PairCommunicators m_pairs;
    std::vector<std::int32_t> m_atHead; // ends that their communicators have come to
};

} // namespace pw::communication
