// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/communication/pair_communicators.h"
#include "core/communication/play.h"
#include "core/communication/receives.h"
#include "core/sim/dependencies.h"

#include <deque>
#include <map>

namespace pw::communication {

/// The communicator of a message, as a rank numbers its own.
std::int32_t communicatorOf(const Message& message, RankId rank, Communicators communicators);

/// Plays a listing by its own order: every time follows from earlier ones, so no clock is needed.
/// One of the two files is the playing, the other what holds where it ends too soon. For `play`
/// alone.
class Player
{
public:
    Player(const Listing& listing, const Schedule& schedule, const Costs& costs,
           const Transport& transport);

    Played run();

private:
    /// One end of a message; its number is 2·message for the sender's, + 1 for the receiver's.
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

    /// A communicator of a rank: what was posted, in order.
    struct Queue
    {
        std::vector<std::int32_t> ends;
        std::size_t head = 0;
        Ticks free = 0;
    };

    struct Host
    {
        std::size_t at = 0; ///< action to come
        Ticks now = 0;
        Ticks collectives = 0; ///< the communicator of gathers and reductions is free
        bool queued = true;
        std::map<std::int32_t, Ticks> gathered; ///< by hosted stage: when its weights are there
        std::map<std::int32_t, Queue> queues;   ///< by `communicatorOf`
        Queue exchanges;                        ///< numbers in place of ends
    };

    /// Gradients of the copies of a stage.
    struct Meeting
    {
        std::map<RankId, ActionPlace> places;
        std::map<RankId, Ticks> posted;
        Ticks end = -1;
    };

    const Message& messageOf(std::int32_t end) const
    {
        return m_listing.messages[static_cast<std::size_t>(end / 2)];
    }
    RankId rankOf(std::int32_t end) const
    {
        return end % 2 == 0 ? messageOf(end).from : messageOf(end).to;
    }
    End& endOf(std::int32_t end)
    {
        return m_messages[static_cast<std::size_t>(end / 2)].ends[end % 2];
    }
    Queue& queueOf(std::int32_t end);
    Host& hostOf(RankId rank) { return m_hosts[rank.index()]; }
    const Host& hostOf(RankId rank) const { return m_hosts[rank.index()]; }
    ActionTime& timeOf(ActionPlace place)
    {
        return m_played.times[place.rank.index()][static_cast<std::size_t>(place.action)];
    }

    void wake(RankId rank);
    bool step(RankId rank);
    void collective(Host& host, const Action& action, ActionTime& time) const;
    bool compute(RankId rank, EntryId entry, ActionTime& time);
    bool gradientsThere(RankId rank, EntryId entry, Ticks& ready, Ticks& start);
    bool post(RankId rank, std::int32_t end);
    void travel(std::int32_t message);
    void settle(std::int32_t end, Ticks done);
    void exchange(RankId rank, std::int32_t number);
    bool beginExchange(std::int32_t number);
    Ticks exchangeEnd(std::int32_t number, Ticks start) const;
    /// @return false where an update has to wait for its gradients
    bool exchangeThere(std::int32_t number, Ticks& ready, Ticks& start) const;
    void finish();

    // What holds.
    /// The action that one waits for, and why. Invalid where it waits for nothing.
    std::pair<HeldAction, ActionPlace> holder(ActionPlace place);
    std::pair<HeldAction, ActionPlace> holderOfEnd(std::int32_t end);
    std::pair<HeldAction, ActionPlace> holderOfExchange(ActionPlace place, std::int32_t number);
    ActionPlace placeOfEnd(std::int32_t end) const;
    std::vector<HeldAction> ring();

    const Listing& m_listing;
    const Schedule& m_schedule;
    const PipelineSpec& m_spec;
    const Costs& m_costs;
    const Transport& m_transport;
    MessagesOfEntries m_needs;
    Dependencies m_dependencies;
    std::vector<Travel> m_messages;
    std::map<std::int32_t, Meeting> m_meetings; // by number of the exchange
    std::vector<Host> m_hosts;
    std::vector<Ticks> m_entryEnd;
    std::map<EntryId, std::vector<RankId>> m_waitingFor; // by entry of another rank
    std::vector<Dependency> m_list;
    PairCommunicators m_pairs;
    std::deque<RankId> m_work;          // that may go on
    std::vector<std::int32_t> m_atHead; // ends that their communicators have come to
    Played m_played;
};

} // namespace pw::communication
