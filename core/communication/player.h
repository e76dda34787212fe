// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/communication/meetings.h"
#include "core/communication/message_travels.h"
#include "core/communication/play.h"
#include "core/communication/receives.h"
#include "core/sim/dependencies.h"

#include <deque>
#include <map>

namespace pw::communication {

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
    struct Host
    {
        std::size_t at = 0; ///< action to come
        Ticks now = 0;
        Ticks collectives = 0; ///< the communicator of gathers and reductions is free
        bool queued = true;
        std::map<std::int32_t, Ticks> gathered; ///< by hosted stage: when its weights are there
    };

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
    void finish();

    // What holds.
    /// The action that one waits for, and why. Invalid where it waits for nothing.
    std::pair<HeldAction, ActionPlace> holder(ActionPlace place);
    std::vector<HeldAction> ring();

    const Listing& m_listing;
    const Schedule& m_schedule;
    const PipelineSpec& m_spec;
    const Costs& m_costs;
    const Transport& m_transport;
    MessagesOfEntries m_needs;
    Dependencies m_dependencies;
    MessageTravels m_travels;
    Meetings m_meetings;
    std::vector<Host> m_hosts;
    std::vector<Ticks> m_entryEnd;
    std::map<EntryId, std::vector<RankId>> m_waitingFor; // by entry of another rank
    std::vector<Dependency> m_list;
    std::deque<RankId> m_work; // that may go on
    Played m_played;
};

} // namespace pw::communication
