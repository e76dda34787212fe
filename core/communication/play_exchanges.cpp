// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/communication/exchanges.h"
#include "core/communication/player.h"

#include <algorithm>

namespace pw::communication {

/// A rank comes to an exchange; those that can begin now do.
void Player::exchange(RankId rank, std::int32_t number)
{
    m_meetings[number].posted[rank] = hostOf(rank).now;
    hostOf(rank).exchanges.ends.push_back(number);
    std::vector<std::int32_t> next = {number};
    while (!next.empty()) {
        const std::int32_t one = next.back();
        next.pop_back();
        if (!beginExchange(one))
            continue;
        for (const auto& [holder, place] : m_meetings[one].places) {
            const Queue& queue = hostOf(holder).exchanges;
            if (queue.head < queue.ends.size())
                next.push_back(queue.ends[queue.head]);
        }
    }
}

/// @return false where a rank has not come to it, or has an earlier one before it
bool Player::beginExchange(std::int32_t number)
{
    Meeting& meeting = m_meetings[number];
    if (meeting.end >= 0 || meeting.posted.size() < meeting.places.size())
        return false;
    Ticks start = 0;
    for (const auto& [rank, posted] : meeting.posted) {
        const Queue& queue = hostOf(rank).exchanges;
        if (queue.ends[queue.head] != number)
            return false;
        start = std::max({start, posted, queue.free});
    }
    meeting.end = exchangeEnd(number, start);
    for (const auto& [rank, place] : meeting.places) {
        Queue& queue = hostOf(rank).exchanges;
        ++queue.head;
        queue.free = meeting.end;
        ActionTime& time = timeOf(place);
        time.start = start;
        time.end = meeting.end;
        wake(rank);
    }
    return true;
}

/// Two copies send each other all; more of them first the shards of the others, then their own.
Ticks Player::exchangeEnd(std::int32_t number, Ticks start) const
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

bool Player::exchangeThere(std::int32_t number, Ticks& ready, Ticks& start) const
{
    const Meeting& meeting = m_meetings.at(number);
    if (meeting.end < 0)
        return false;
    for (const auto& [rank, posted] : meeting.posted)
        ready = std::max(ready, posted);
    start = std::max(start, meeting.end);
    return true;
}

/// What an exchange that has not begun waits for: its place among those of its rank, or a rank that
/// has not come to it, or has another one before it.
std::pair<HeldAction, ActionPlace> Player::holderOfExchange(ActionPlace place, std::int32_t number)
{
    const Host& host = hostOf(place.rank);
    const Meeting& meeting = m_meetings.at(number);
    if (meeting.posted.count(place.rank) == 0)
        return {{place, Hold::NotYet}, {place.rank, static_cast<std::int32_t>(host.at)}};
    const Queue& queue = host.exchanges;
    if (const std::int32_t head = queue.ends[queue.head]; head != number)
        return {{place, Hold::Order}, m_meetings.at(head).places.at(place.rank)};
    for (const auto& [rank, there] : meeting.places) {
        const Queue& other = hostOf(rank).exchanges;
        const bool isHead = other.head < other.ends.size() && other.ends[other.head] == number;
        if (!isHead)
            return {{place, Hold::Peer}, there};
    }
    return {};
}

} // namespace pw::communication
