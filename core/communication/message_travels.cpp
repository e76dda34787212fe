// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/communication/message_travels.h"

#include <algorithm>

namespace pw::communication {

namespace {

Ticks arrivalOf(const Costs& costs, const PipelineSpec& spec, const Message& way, Bytes bytes,
                Ticks start)
{
    return arrival(costs, spec, deviceOf(way.from), deviceOf(way.to), bytes, start);
}

} // namespace

std::int32_t communicatorOf(const Message& message, RankId rank, Communicators communicators)
{
    switch (communicators) {
    case Communicators::One:
        break;
    case Communicators::Direction:
        return isForward(message) ? 0 : 1;
    case Communicators::Edge:
        return message.from == rank ? 2 * message.to : 2 * message.from + 1;
    case Communicators::Pair:
        return message.from == rank ? message.to.value : message.from.value;
    }
    return 0;
}

MessageTravels::MessageTravels(const Listing& listing, const PipelineSpec& spec, const Costs& costs,
                               const Transport& transport, std::function<void(RankId)> wake)
    : m_listing(listing)
    , m_spec(spec)
    , m_costs(costs)
    , m_transport(transport)
    , m_wake(std::move(wake))
    , m_travels(listing.messages.size())
    , m_queues(listing.ranks.size())
{
    for (const RankId rank : Ids<RankId>(listing.ranks.size())) {
        const auto& row = listing.of(rank);
        for (std::size_t i = 0; i < row.size(); ++i) {
            if (row[i].kind != ActionKind::Send && row[i].kind != ActionKind::Receive)
                continue;
            const std::int32_t end = 2 * row[i].index + (row[i].kind == ActionKind::Send ? 0 : 1);
            endOf(end).place = {rank, static_cast<std::int32_t>(i)};
        }
    }
    for (std::size_t i = 0; i < m_travels.size(); ++i) {
        const Message& message = listing.messages[i];
        m_travels[i].bytes = messageBytes(costs, spec, message.producer, message.consumer.kind);
        m_travels[i].eager = transport.eagerBytes && m_travels[i].bytes <= *transport.eagerBytes;
    }
}

std::int32_t MessageTravels::communicatorOfEnd(std::int32_t end) const
{
    return communicatorOf(messageOf(end), rankOf(end), m_transport.communicators);
}

RankQueue& MessageTravels::queueOf(std::int32_t end)
{
    return m_queues[rankOf(end).index()][communicatorOfEnd(end)];
}

/// @pre something was posted there
const RankQueue& MessageTravels::queueOf(std::int32_t end) const
{
    return m_queues[rankOf(end).index()].at(communicatorOfEnd(end));
}

bool MessageTravels::post(RankId rank, std::int32_t end, Ticks& now)
{
    if (m_transport.communicators == Communicators::Pair &&
        !m_pairs.meet(rank, rankOf(end ^ 1), now, m_wake))
        return false;
    endOf(end).posted = now;
    RankQueue& queue = queueOf(end);
    const bool isFirst = queue.empty();
    queue.posted.push_back(end);
    if (isFirst)
        m_atHead.push_back(end);
    while (!m_atHead.empty()) {
        const std::int32_t next = m_atHead.back();
        m_atHead.pop_back();
        endOf(next).ready = std::max(endOf(next).posted, queueOf(next).free);
        travel(next / 2);
    }
    return true;
}

/// Moves a message as far as its ends allow.
void MessageTravels::travel(std::int32_t message)
{
    Travel& travel = m_travels[static_cast<std::size_t>(message)];
    const Message& way = messageOf(2 * message);
    const End& from = travel.ends[0];
    const End& to = travel.ends[1];
    if (!travel.eager) {
        if (from.ready < 0 || to.ready < 0)
            return;
        travel.start = std::max(from.ready, to.ready);
        travel.arrives = arrivalOf(m_costs, m_spec, way, travel.bytes, travel.start);
        settle(2 * message, travel.arrives);
        settle(2 * message + 1, travel.arrives);
        return;
    }
    if (from.ready >= 0 && from.done < 0) {
        travel.start = from.ready;
        travel.arrives = arrivalOf(m_costs, m_spec, way, travel.bytes, travel.start);
        settle(2 * message, from.ready);
    }
    if (to.ready >= 0 && to.done < 0 && travel.arrives >= 0)
        settle(2 * message + 1, std::max(to.ready, travel.arrives));
}

/// Ends one side, which is the first of its communicator: the next one is.
void MessageTravels::settle(std::int32_t end, Ticks done)
{
    endOf(end).done = done;
    m_wake(rankOf(end));
    RankQueue& queue = queueOf(end);
    queue.pop(done);
    if (!queue.empty())
        m_atHead.push_back(queue.first());
}

std::pair<HeldAction, ActionPlace> MessageTravels::holder(std::int32_t end,
                                                          const ActionOfRank& actionOf) const
{
    const RankId rank = rankOf(end);
    const ActionPlace here = placeOf(end);
    if (endOf(end).posted < 0) {
        const bool there = here.action == actionOf(rank);
        const RankId held = there ? rankOf(end ^ 1) : rank;
        return {{here, there ? Hold::Connect : Hold::NotYet}, {held, actionOf(held)}};
    }
    if (const std::int32_t first = queueOf(end).first(); first != end)
        return {{here, Hold::Order}, placeOf(first)};
    return {{here, Hold::Peer}, placeOf(end ^ 1)};
}

ActionPlace MessageTravels::firstWaiting(RankId rank) const
{
    for (const auto& [number, queue] : m_queues[rank.index()])
        if (!queue.empty())
            return placeOf(queue.first());
    return {};
}

Ticks MessageTravels::freeAt(RankId rank) const
{
    Ticks free = 0;
    for (const auto& [number, queue] : m_queues[rank.index()])
        free = std::max(free, queue.free);
    return free;
}

void MessageTravels::tell(std::vector<std::vector<ActionTime>>& times) const
{
    for (const Travel& travel : m_travels) {
        for (const End& end : travel.ends) {
            ActionTime& time =
                times[end.place.rank.index()][static_cast<std::size_t>(end.place.action)];
            time.start = travel.start;
            time.end = end.done;
        }
    }
}

} // namespace pw::communication
