// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/communication/meetings.h"

#include <algorithm>

namespace pw::communication {

Meetings::Meetings(const Listing& listing, const PipelineSpec& spec, const Costs& costs,
                   const Transport& transport)
    : m_spec(spec)
    , m_costs(costs)
    , m_transport(transport)
    , m_queues(listing.ranks.size())
{
    for (const RankId rank : Ids<RankId>(listing.ranks.size())) {
        const auto& row = listing.of(rank);
        for (std::size_t i = 0; i < row.size(); ++i)
            if (row[i].kind == ActionKind::Exchange)
                m_meetings[row[i].index].places[rank] = {rank, static_cast<std::int32_t>(i)};
    }
}

void Meetings::come(RankId rank, std::int32_t number, Ticks now, const Done& done)
{
    m_meetings[number].posted[rank] = now;
    m_queues[rank.index()].posted.push_back(number);
    std::vector<std::int32_t> next = {number};
    while (!next.empty()) {
        const std::int32_t one = next.back();
        next.pop_back();
        if (!begin(one, done))
            continue;
        for (const auto& [holder, place] : m_meetings[one].places) {
            const RankQueue& queue = m_queues[holder.index()];
            if (!queue.empty())
                next.push_back(queue.first());
        }
    }
}

/// @return false where a rank has not come to it, or has an earlier one before it
bool Meetings::begin(std::int32_t number, const Done& done)
{
    Meeting& meeting = m_meetings[number];
    if (meeting.end >= 0 || meeting.posted.size() < meeting.places.size())
        return false;
    Ticks start = 0;
    for (const auto& [rank, posted] : meeting.posted) {
        const RankQueue& queue = m_queues[rank.index()];
        if (queue.first() != number)
            return false;
        start = std::max({start, posted, queue.free});
    }
    meeting.end = endOf(number, start);
    for (const auto& [rank, place] : meeting.places) {
        m_queues[rank.index()].pop(meeting.end);
        done(place, start, meeting.end);
    }
    return true;
}

/// Two copies send each other all; more of them first the shards of the others, then their own.
Ticks Meetings::endOf(std::int32_t number, Ticks start) const
{
    const auto stage = static_cast<std::size_t>(number % m_spec.stages());
    if (!m_transport.exchange.empty())
        return start + m_transport.exchange[stage];
    const Bytes whole = m_costs.gradients.empty() ? 0 : m_costs.gradients[stage];
    const auto& places = m_meetings.at(number).places;
    const auto copies = static_cast<Bytes>(places.size());
    const Bytes bytes = copies == 2 ? whole : (whole + copies - 1) / copies;
    const Ticks rounds = copies == 2 ? 1 : 2 * (static_cast<Ticks>(copies) - 1);
    Ticks slowest = 0;
    for (const auto& [from, here] : places) {
        for (const auto& [to, there] : places) {
            if (from != to)
                slowest = std::max(
                    slowest,
                    arrival(m_costs, m_spec, deviceOf(from), deviceOf(to), bytes, start) - start);
        }
    }
    return start + rounds * slowest;
}

bool Meetings::there(std::int32_t number, Ticks& ready, Ticks& start) const
{
    const Meeting& meeting = m_meetings.at(number);
    if (meeting.end < 0)
        return false;
    for (const auto& [rank, posted] : meeting.posted)
        ready = std::max(ready, posted);
    start = std::max(start, meeting.end);
    return true;
}

ActionPlace Meetings::waitingPlace(std::int32_t number, RankId rank) const
{
    const auto met = m_meetings.find(number);
    return met != m_meetings.end() && met->second.end < 0 ? met->second.places.at(rank)
                                                          : ActionPlace();
}

std::pair<HeldAction, ActionPlace> Meetings::holder(ActionPlace place, std::int32_t number,
                                                    const ActionOfRank& actionOf) const
{
    const Meeting& meeting = m_meetings.at(number);
    if (meeting.posted.count(place.rank) == 0)
        return {{place, Hold::NotYet}, {place.rank, actionOf(place.rank)}};
    if (const std::int32_t first = m_queues[place.rank.index()].first(); first != number)
        return {{place, Hold::Order}, m_meetings.at(first).places.at(place.rank)};
    for (const auto& [rank, there] : meeting.places) {
        const RankQueue& other = m_queues[rank.index()];
        if (other.empty() || other.first() != number)
            return {{place, Hold::Peer}, there};
    }
    return {};
}

ActionPlace Meetings::firstWaiting(RankId rank) const
{
    const RankQueue& queue = m_queues[rank.index()];
    return queue.empty() ? ActionPlace() : m_meetings.at(queue.first()).places.at(rank);
}

} // namespace pw::communication
