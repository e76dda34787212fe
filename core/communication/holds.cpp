// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/communication/exchanges.h"
#include "core/communication/player.h"
#include "core/sim/ring.h"

#include <algorithm>
#include <tuple>

namespace pw::communication {

std::pair<HeldAction, ActionPlace> Player::holder(ActionPlace place)
{
    const Action& action = m_listing.of(place.rank)[static_cast<std::size_t>(place.action)];
    const auto actionOf = [this](RankId rank) {
        return static_cast<std::int32_t>(hostOf(rank).at);
    };
    switch (action.kind) {
    case ActionKind::Send:
        return m_travels.holder(2 * action.index, actionOf);
    case ActionKind::Receive:
        return m_travels.holder(2 * action.index + 1, actionOf);
    case ActionKind::WaitSend:
        return {{place, Hold::Message}, m_travels.placeOf(2 * action.index)};
    case ActionKind::WaitReceive:
        return {{place, Hold::Message}, m_travels.placeOf(2 * action.index + 1)};
    case ActionKind::Compute:
        break;
    case ActionKind::Exchange:
        return m_meetings.holder(place, action.index, actionOf);
    case ActionKind::Gather:
    case ActionKind::Free:
    case ActionKind::Reduce:
        return {};
    }
    if (const Pass pass = m_schedule.entry(EntryId(action.index)).pass; pass.kind == PassKind::U) {
        const ActionPlace met = m_meetings.waitingPlace(exchangeBefore(m_spec, pass), place.rank);
        if (met.valid())
            return {{place, Hold::Message}, met};
    }
    std::int32_t open = -1;
    m_needs.each(EntryId(action.index), [&](std::int32_t message) {
        if (open < 0 && m_travels.done(2 * message + 1) < 0)
            open = message;
    });
    if (open >= 0)
        return {{place, Hold::Message}, m_travels.placeOf(2 * open + 1)};
    for (const auto& [entry, waiters] : m_waitingFor) {
        if (std::find(waiters.begin(), waiters.end(), place.rank) == waiters.end())
            continue;
        const PassId id = m_schedule.places()[static_cast<std::size_t>(entry)].first;
        const RankId rank = rankOf(m_schedule.device(id));
        return {{place, Hold::Gradient}, {rank, actionOf(rank)}};
    }
    return {};
}

/// The ring that holds the first rank which is held; empty where all is done.
std::vector<HeldAction> Player::ring()
{
    ActionPlace place;
    for (const RankId rank : Ids<RankId>(m_hosts.size())) {
        if (place.valid())
            break;
        const Host& host = hostOf(rank);
        if (host.at < m_listing.of(rank).size())
            place = {rank, static_cast<std::int32_t>(host.at)};
        if (!place.valid())
            place = m_travels.firstWaiting(rank);
        if (!place.valid())
            place = m_meetings.firstWaiting(rank);
    }
    std::vector<HeldAction> walk;
    while (place.valid()) {
        const auto known = std::find_if(
            walk.begin(), walk.end(), [&](const HeldAction& held) { return held.place == place; });
        if (known != walk.end()) {
            walk.erase(walk.begin(), known);
            return walk;
        }
        const auto [held, next] = holder(place);
        if (!held.place.valid())
            return {};
        walk.push_back(held);
        place = next;
    }
    return {};
}

std::vector<MixedUp> mixedMessages(const Listing& listing, Communicators communicators)
{
    // By connection: sender, receiver, communicator.
    using Connection = std::tuple<RankId, RankId, std::int32_t>;
    std::map<Connection, std::vector<ActionPlace>> sends;
    const auto connectionOf = [&](const Message& message) {
        // An edge's or a pair's number differs between its ends, but between them there is one.
        const bool byRanks =
            communicators == Communicators::Edge || communicators == Communicators::Pair;
        const std::int32_t number =
            byRanks ? 0 : communicatorOf(message, message.from, communicators);
        return Connection{message.from, message.to, number};
    };
    const auto each = [&](ActionKind kind, auto&& use) {
        for (const RankId rank : Ids<RankId>(listing.ranks.size())) {
            for (std::size_t i = 0; i < listing.of(rank).size(); ++i) {
                const Action& action = listing.of(rank)[i];
                if (action.kind == kind)
                    use(connectionOf(listing.message(action)), action.index,
                        ActionPlace{rank, static_cast<std::int32_t>(i)});
            }
        }
    };
    each(ActionKind::Send, [&](const Connection& connection, std::int32_t, ActionPlace place) {
        sends[connection].push_back(place);
    });
    std::map<Connection, std::size_t> received;
    std::map<Connection, bool> told;
    std::vector<MixedUp> mixed;
    each(ActionKind::Receive,
         [&](const Connection& connection, std::int32_t message, ActionPlace place) {
             const std::size_t at = received[connection]++;
             const ActionPlace& sent = sends[connection][at];
             const Action& send = listing.of(sent.rank)[static_cast<std::size_t>(sent.action)];
             if (send.index == message || told[connection])
                 return;
             told[connection] = true;
             mixed.push_back({sent, place});
         });
    return mixed;
}

namespace {

std::string placeText(const ActionPlace& place, const Listing& listing, const Schedule& schedule)
{
    return actionText(listing.of(place.rank)[static_cast<std::size_t>(place.action)], listing,
                      schedule);
}

} // namespace

Sentence heldText(const std::vector<HeldAction>& ring, std::size_t link, const Listing& listing,
                  const Schedule& schedule)
{
    const HeldAction& held = ring[link];
    const ActionPlace& next = ring[(link + 1) % ring.size()].place;
    const std::string here = placeText(held.place, listing, schedule);
    const std::string there = placeText(next, listing, schedule);
    const Sentence rank = said("rank %1", held.place.rank);
    const Sentence otherRank = said("rank %1", next.rank);
    switch (held.hold) {
    case Hold::Peer:
        return said("%1 of %2 waits for %3 of %4", here, rank, there, otherRank);
    case Hold::Order:
        return said("%1 of %2 is queued behind %3 in the same communicator", here, rank, there);
    case Hold::NotYet:
        return said("%1 has not come to %2: it is held in %3", rank, here, there);
    case Hold::Message:
        return said("%1 of %2 waits for its %3", here, rank, there);
    case Hold::Connect:
        return said("%1 of %2 waits until %3 makes their communicator with it, which is held in %4",
                    here, rank, otherRank, there);
    case Hold::Gradient:
        return said("%1 of %2 waits for the gradients of %3, which is held in %4", here, rank,
                    otherRank, there);
    }
    return {};
}

Sentence ringText(const Played& played, const Listing& listing, const Schedule& schedule)
{
    if (played.ring.empty())
        return {};
    return pw::ringText(played.ring.size(), [&](std::size_t link) {
        return heldText(played.ring, link, listing, schedule);
    });
}

Sentence mixedText(const MixedUp& mixed, const Listing& listing, const Schedule& schedule)
{
    return said(
        "rank %1 would take %2 of rank %3 for %4: they are received in another order than sent",
        mixed.received.rank, placeText(mixed.sent, listing, schedule), mixed.sent.rank,
        placeText(mixed.received, listing, schedule));
}

} // namespace pw::communication
