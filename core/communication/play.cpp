// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/communication/play.h"

#include "core/communication/exchanges.h"
#include "core/communication/player.h"

#include <algorithm>

namespace pw::communication {

Player::Player(const Listing& listing, const Schedule& schedule, const Costs& costs,
               const Transport& transport)
    : m_listing(listing)
    , m_schedule(schedule)
    , m_spec(schedule.spec())
    , m_costs(costs)
    , m_transport(transport)
    , m_needs(listing, schedule)
    , m_dependencies(schedule)
    , m_travels(listing, m_spec, costs, transport, [this](RankId rank) { wake(rank); })
    , m_meetings(listing, m_spec, costs, transport)
    , m_hosts(listing.ranks.size())
    , m_entryEnd(static_cast<std::size_t>(schedule.entryCount()), -1)
{
    m_played.ranks.resize(listing.ranks.size());
    for (const RankId rank : Ids<RankId>(listing.ranks.size()))
        m_played.times.emplace_back(listing.of(rank).size());
}

Played Player::run()
{
    for (const RankId rank : Ids<RankId>(m_hosts.size()))
        m_work.push_back(rank);
    while (!m_work.empty()) {
        const RankId rank = m_work.front();
        m_work.pop_front();
        hostOf(rank).queued = false;
        while (step(rank)) {
        }
    }
    finish();
    return std::move(m_played);
}

void Player::wake(RankId rank)
{
    Host& host = hostOf(rank);
    if (host.queued)
        return;
    host.queued = true;
    m_work.push_back(rank);
}

/// Does the next action of a rank. @return false where it has to wait, or there is none
bool Player::step(RankId rank)
{
    Host& host = hostOf(rank);
    const auto& row = m_listing.of(rank);
    if (host.at == row.size())
        return false;
    const Action& action = row[host.at];
    ActionTime& time = m_played.times[rank.index()][host.at];
    time.posted = host.now;
    switch (action.kind) {
    case ActionKind::Compute:
        if (!compute(rank, EntryId(action.index), time))
            return false;
        break;
    case ActionKind::Send:
    case ActionKind::Receive:
        if (!m_travels.post(rank, 2 * action.index + (action.kind == ActionKind::Send ? 0 : 1),
                            host.now))
            return false;
        break;
    case ActionKind::WaitSend:
    case ActionKind::WaitReceive: {
        const Ticks done =
            m_travels.done(2 * action.index + (action.kind == ActionKind::WaitSend ? 0 : 1));
        if (done < 0)
            return false;
        time.start = host.now;
        m_played.ranks[rank.index()].exposed += std::max<Ticks>(0, done - host.now);
        host.now = time.end = std::max(host.now, done);
        break;
    }
    case ActionKind::Gather:
    case ActionKind::Reduce:
        collective(host, action, time);
        break;
    case ActionKind::Exchange:
        m_meetings.come(rank, action.index, host.now,
                        [this](ActionPlace place, Ticks start, Ticks end) {
                            ActionTime& met = timeOf(place);
                            met.start = start;
                            met.end = end;
                            wake(place.rank);
                        });
        break;
    case ActionKind::Free:
        host.gathered.erase(action.index);
        time.start = time.end = host.now;
        break;
    }
    ++host.at;
    return true;
}

void Player::collective(Host& host, const Action& action, ActionTime& time) const
{
    const bool gathers = action.kind == ActionKind::Gather;
    const std::vector<Ticks>& table = gathers ? m_transport.gather : m_transport.reduce;
    const auto stage = static_cast<std::size_t>(action.index % m_spec.stages());
    time.start = std::max(host.now, host.collectives);
    time.end = time.start + (table.empty() ? 0 : table[stage]);
    host.collectives = time.end;
    if (gathers)
        host.gathered[action.index] = time.end;
}

bool Player::compute(RankId rank, EntryId entry, ActionTime& time)
{
    Host& host = hostOf(rank);
    Ticks ready = 0; // everything that it needs is computed
    Ticks start = host.now;
    bool waits = false;
    m_needs.each(entry, [&](std::int32_t message) {
        const Ticks done = m_travels.done(2 * message + 1);
        waits |= done < 0;
        start = std::max(start, done);
        const EntryId producer =
            m_schedule.entryOf(m_schedule.table().id(m_travels.messageOf(2 * message).producer));
        ready = std::max(ready, m_entryEnd[static_cast<std::size_t>(producer)]);
    });
    if (waits || !gradientsThere(rank, entry, ready, start))
        return false;
    const EntryStages stages = stagesOf(m_schedule, entry);
    for (const std::int32_t hosted : {stages.first, stages.second}) {
        if (const auto found = host.gathered.find(hosted); found != host.gathered.end())
            start = std::max(start, found->second);
    }
    const Ticks took = entryTime(m_costs, m_spec, m_schedule.entry(entry));
    RankTime& sums = m_played.ranks[rank.index()];
    const Ticks computed = std::clamp(ready, host.now, start);
    sums.waited += computed - host.now;
    sums.exposed += start - computed;
    sums.busy += took;
    time.start = start;
    host.now = time.end = start + took;
    m_entryEnd[static_cast<std::size_t>(entry)] = time.end;
    if (const auto found = m_waitingFor.find(entry); found != m_waitingFor.end()) {
        for (const RankId waiter : found->second)
            wake(waiter);
        m_waitingFor.erase(found);
    }
    return true;
}

/// The gradients of other copies of a stage that an update takes in; they have no messages.
bool Player::gradientsThere(RankId rank, EntryId entry, Ticks& ready, Ticks& start)
{
    const Schedule::Places& places = m_schedule.places()[static_cast<std::size_t>(entry)];
    if (places.kind() != PassKind::U)
        return true;
    const std::int32_t met = exchangeBefore(m_spec, m_schedule.pass(places.first));
    if (m_meetings.knows(met))
        return m_meetings.there(met, ready, start);
    m_list.clear();
    m_dependencies.append(places.first, m_list);
    for (const Dependency& need : m_list) {
        if (!need.message)
            continue;
        const EntryId other = m_schedule.entryOf(need.producer);
        const Ticks end = m_entryEnd[static_cast<std::size_t>(other)];
        if (end < 0) {
            m_waitingFor[other].push_back(rank);
            return false;
        }
        const Bytes bytes =
            messageBytes(m_costs, m_spec, m_schedule.pass(need.producer), PassKind::U);
        ready = std::max(ready, end);
        start = std::max(start, arrival(m_costs, m_spec, m_schedule.device(need.producer),
                                        deviceOf(rank), bytes, end));
    }
    return true;
}

void Player::finish()
{
    m_travels.tell(m_played.times);
    m_played.whole = true;
    for (const RankId rank : Ids<RankId>(m_hosts.size())) {
        const Host& host = hostOf(rank);
        m_played.whole &= host.at == m_listing.of(rank).size() &&
                          !m_travels.firstWaiting(rank).valid() &&
                          !m_meetings.firstWaiting(rank).valid();
        RankTime& sums = m_played.ranks[rank.index()];
        sums.end =
            std::max({host.now, host.collectives, m_meetings.freeAt(rank), m_travels.freeAt(rank)});
        m_played.end = std::max(m_played.end, sums.end);
    }
    m_played.ring = ring();
    m_played.mixed = mixedMessages(m_listing, m_transport.communicators);
}

Played play(const Listing& listing, const Schedule& schedule, const Costs& costs,
            const Transport& transport)
{
    return Player(listing, schedule, costs, transport).run();
}

void setCollectiveTimes(Transport& transport, const Costs& costs, const PipelineSpec& spec,
                        int ranks)
{
    const auto timesOf = [&](const std::vector<Bytes>& bytes) {
        std::vector<Ticks> times;
        for (const Bytes whole : bytes) {
            // Any two different ranks stand for the data-parallel group: the link is that of all.
            const Bytes others = whole / ranks * (ranks - 1);
            const double seconds = costs.link.bytesPerSecond > 0
                                       ? static_cast<double>(others) / costs.link.bytesPerSecond
                                       : 0;
            const auto took = static_cast<Ticks>(seconds * static_cast<double>(ticksPerSecond));
            times.push_back(ranks > 1 ? (ranks - 1) * costs.link.latency + took : 0);
        }
        return times;
    };
    transport.gather = timesOf(costs.weights);
    transport.reduce = timesOf(costs.gradients);
    transport.gather.resize(static_cast<std::size_t>(spec.stages()), 0);
    transport.reduce.resize(static_cast<std::size_t>(spec.stages()), 0);
}

} // namespace pw::communication
