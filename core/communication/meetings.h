// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/communication/message_travels.h"
#include "core/communication/play.h"
#include "core/communication/rank_queue.h"

#include <cstdint>
#include <functional>
#include <map>
#include <utility>
#include <vector>

namespace pw::communication {

/// Where the ranks that hold copies of a stage exchange their gradients. A rank goes through its
/// exchanges in order, and one begins when all of its ranks have come to it. For `play` alone.
class Meetings
{
public:
    /// References outlive this.
    Meetings(const Listing& listing, const PipelineSpec& spec, const Costs& costs,
             const Transport& transport);

    /// Of one rank, when an exchange is done.
    using Done = std::function<void(ActionPlace place, Ticks start, Ticks end)>;

    /// A rank comes to an exchange; those that can begin now do.
    /// @param done  called for every rank of every exchange that does
    void come(RankId rank, std::int32_t number, Ticks now, const Done& done);

    bool knows(std::int32_t number) const { return m_meetings.count(number) != 0; }
    /// For an update that takes in what is exchanged: when all have it, and when it is there.
    /// @return false where it has not begun
    bool there(std::int32_t number, Ticks& ready, Ticks& start) const;
    /// The action by which a rank comes to an exchange that has not begun; invalid where it has, or
    /// there is none.
    ActionPlace waitingPlace(std::int32_t number, RankId rank) const;
    /// What an exchange that has not begun waits for: its place among those of its rank, or a rank
    /// that has not come to it, or has another one before it.
    std::pair<HeldAction, ActionPlace> holder(ActionPlace place, std::int32_t number,
                                              const ActionOfRank& actionOf) const;
    /// The first exchange of a rank that still waits; invalid where none does.
    ActionPlace firstWaiting(RankId rank) const;
    /// When the last exchange of a rank is done.
    Ticks freeAt(RankId rank) const { return m_queues[rank.index()].free; }

private:
    struct Meeting
    {
        std::map<RankId, ActionPlace> places;
        std::map<RankId, Ticks> posted;
        Ticks end = -1;
    };

    bool begin(std::int32_t number, const Done& done);
    Ticks endOf(std::int32_t number, Ticks start) const;

    const PipelineSpec& m_spec;
    const Costs& m_costs;
    const Transport& m_transport;
    std::map<std::int32_t, Meeting> m_meetings; // by number of the exchange
    std::vector<RankQueue> m_queues;            // by rank
};

} // namespace pw::communication
