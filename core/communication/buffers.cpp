// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/communication/buffers.h"

#include "core/communication/exchanges.h"

#include <queue>

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

namespace pw::communication {

namespace {

struct BufferChange
{
    Ticks time = 0;
    BufferKind kind = BufferKind::Received;
    Bytes bytes = 0;
};

/// Collects what changes the buffers of a rank.
class BufferChanges
{
public:
    BufferChanges(const Listing& listing, const Schedule& schedule, const Costs& costs,
                  const Played& played, RankId rank, int ranks)
        : m_listing(listing)
        , m_schedule(schedule)
        , m_costs(costs)
        , m_played(played)
        , m_rank(rank)
        , m_ranks(ranks)
    {
    }

    std::vector<BufferChange> all()
    {
        const auto& row = m_listing.of(m_rank);
        const auto& times = m_played.times[m_rank.index()];
        for (std::size_t i = 0; i < row.size(); ++i) {
            if (row[i].kind == ActionKind::Compute)
                m_computed[EntryId(row[i].index)] = times[i].end;
            if (row[i].kind == ActionKind::WaitSend)
                m_released[row[i].index] = times[i].end;
        }
        for (std::size_t i = 0; i < row.size(); ++i) {
            switch (row[i].kind) {
            case ActionKind::Receive:
                receive(row[i].index, times[i]);
                break;
            case ActionKind::Send:
                send(row[i].index, times[i]);
                break;
            case ActionKind::Gather:
                add(BufferKind::Gathered, othersOf(row[i].index), times[i].start);
                break;
            case ActionKind::Free:
                add(BufferKind::Gathered, -othersOf(row[i].index), times[i].end);
                break;
            case ActionKind::Exchange:
                add(BufferKind::Exchanged, gradientsOf(row[i].index), times[i].start);
                add(BufferKind::Exchanged, -gradientsOf(row[i].index), times[i].end);
                break;
            case ActionKind::Compute:
            case ActionKind::WaitSend:
            case ActionKind::WaitReceive:
            case ActionKind::Reduce:
                break;
            }
        }
        // What is given back at a time comes before what is taken then.
        std::stable_sort(m_changes.begin(), m_changes.end(),
                         [](const BufferChange& a, const BufferChange& b) {
                             return std::tie(a.time, a.bytes) < std::tie(b.time, b.bytes);
                         });
        return std::move(m_changes);
    }

private:
    void add(BufferKind kind, Bytes bytes, Ticks time)
    {
        if (time >= 0 && bytes != 0)
            m_changes.push_back({time, kind, bytes});
    }

    Bytes bytesOf(std::int32_t message) const
    {
        const Message& way = m_listing.messages[static_cast<std::size_t>(message)];
        return messageBytes(m_costs, m_schedule.spec(), way.producer, way.consumer.kind);
    }

    Ticks endOf(const Pass& pass) const
    {
        const auto found = m_computed.find(m_schedule.entryOf(m_schedule.table().id(pass)));
        return found == m_computed.end() ? -1 : found->second;
    }

    void receive(std::int32_t message, const ActionTime& time)
    {
        const Bytes bytes = bytesOf(message);
        const Message& way = m_listing.messages[static_cast<std::size_t>(message)];
        add(BufferKind::Received, bytes, time.posted);
        add(BufferKind::Received, -bytes, endOf(way.consumer));
        // What left before its receive was come to lies in the transport's buffer.
        if (time.start >= 0 && (time.posted < 0 || time.start < time.posted)) {
            add(BufferKind::Eager, bytes, time.start);
            add(BufferKind::Eager, -bytes, time.end);
        }
    }

    void send(std::int32_t message, const ActionTime& time)
    {
        const Bytes bytes = bytesOf(message);
        const Message& way = m_listing.messages[static_cast<std::size_t>(message)];
        const Ticks made = endOf(way.producer);
        if (made < 0)
            return;
        add(BufferKind::Sent, bytes, made);
        const auto waited = m_released.find(message);
        add(BufferKind::Sent, -bytes,
            waited != m_released.end() ? waited->second
            : m_listing.freesWhenSent  ? time.end
            : m_played.whole           ? m_played.ranks[m_rank.index()].end
                                       : -1);
    }

    Bytes othersOf(std::int32_t hosted) const
    {
        if (m_costs.weights.empty())
            return 0;
        const auto stage = static_cast<std::size_t>(hosted % m_schedule.spec().stages());
        const Bytes whole = m_costs.weights[stage];
        return whole - whole / m_ranks;
    }

    /// Of two copies all of the other's gradients come, of more a shard at a time.
    Bytes gradientsOf(std::int32_t exchange) const
    {
        if (m_costs.gradients.empty())
            return 0;
        const StageId stage(exchange % m_schedule.spec().stages());
        const auto copies = static_cast<Bytes>(holdersOf(m_schedule.spec(), stage).size());
        const Bytes whole = m_costs.gradients[static_cast<std::size_t>(stage)];
        return copies == 2 ? whole : (whole + copies - 1) / copies;
    }

    const Listing& m_listing;
    const Schedule& m_schedule;
    const Costs& m_costs;
    const Played& m_played;
    RankId m_rank;
    int m_ranks;
    std::map<EntryId, Ticks> m_computed;      // ends
    std::map<std::int32_t, Ticks> m_released; // ends of waits by message
    std::vector<BufferChange> m_changes;
};

} // namespace

std::string_view name(BufferKind kind)
{
    constexpr std::array<std::string_view, bufferKindCount> names = {"received", "sent", "eager",
                                                                     "gathered", "exchanged"};
    return names[static_cast<std::size_t>(kind)];
}

Bytes BufferPoint::total() const
{
    return std::accumulate(bytes.begin(), bytes.end(), Bytes{0});
}

std::vector<BufferPoint> bufferCurve(const Listing& listing, const Schedule& schedule,
                                     const Costs& costs, const Played& played, RankId rank,
                                     int ranks)
{
    std::vector<BufferPoint> curve(1);
    for (const BufferChange& change :
         BufferChanges(listing, schedule, costs, played, rank, ranks).all()) {
        if (change.time > curve.back().time)
            curve.push_back({change.time, curve.back().bytes});
        curve.back().bytes[static_cast<std::size_t>(change.kind)] += change.bytes;
    }
    return curve;
}

BufferPeaks peaksOf(const std::vector<BufferPoint>& curve)
{
    BufferPeaks peaks;
    for (const BufferPoint& point : curve) {
        for (std::size_t kind = 0; kind < point.bytes.size(); ++kind)
            peaks.bytes[kind] = std::max(peaks.bytes[kind], point.bytes[kind]);
        peaks.total = std::max(peaks.total, point.total());
    }
    return peaks;
}

int assignSlots(std::vector<SlotLife>& lives)
{
    using Busy = std::pair<std::int32_t, std::int32_t>; // last place, slot
    std::priority_queue<Busy, std::vector<Busy>, std::greater<>> busy;
    std::priority_queue<std::int32_t, std::vector<std::int32_t>, std::greater<>> free;
    std::int32_t slots = 0;
    for (SlotLife& life : lives) {
        while (!busy.empty() && busy.top().first < life.first) {
            free.push(busy.top().second);
            busy.pop();
        }
        if (free.empty()) {
            life.slot = slots++;
        } else {
            life.slot = free.top();
            free.pop();
        }
        busy.emplace(life.last, life.slot);
    }
    return slots;
}

std::vector<SlotLife> activationSlots(const Schedule& schedule, DeviceId device, SlotGrain grain)
{
    std::vector<SlotLife> lives;
    std::map<std::pair<StageId, std::int32_t>, std::size_t> known; // and micro-batch
    const auto take = [&](const Pass& pass, std::int32_t place) {
        const bool opens = pass.kind == PassKind::F;
        if (!opens && pass.kind != PassKind::BW && pass.kind != PassKind::W)
            return;
        const StageId stage = grain == SlotGrain::MicroBatch ? StageId::none() : pass.stage;
        const auto [found, isNew] = known.try_emplace({stage, pass.microBatch}, lives.size());
        if (isNew)
            lives.push_back({place, place, StageId(std::max<int>(stage, 0)), pass.microBatch, -1});
        lives[found->second].last = place;
    };
    const EntryId begin = schedule.begin(device);
    for (const EntryId i : schedule.entries(device)) {
        const OrderEntry entry = schedule.entry(i);
        take(entry.pass, i - begin);
        if (entry.paired)
            take(entry.partner, i - begin);
    }
    assignSlots(lives);
    return lives;
}

std::vector<SlotLife> receiveSlots(const Listing& listing, const Schedule& schedule, RankId rank,
                                   bool forward)
{
    const auto& row = listing.of(rank);
    std::map<EntryId, std::int32_t> placeOfEntry;
    for (std::size_t i = 0; i < row.size(); ++i) {
        if (row[i].kind == ActionKind::Compute)
            placeOfEntry[EntryId(row[i].index)] = static_cast<std::int32_t>(i);
    }
    std::vector<SlotLife> lives;
    for (std::size_t i = 0; i < row.size(); ++i) {
        if (row[i].kind != ActionKind::Receive || isForward(listing.message(row[i])) != forward)
            continue;
        const Pass& consumer = listing.message(row[i]).consumer;
        const EntryId entry = schedule.entryOf(schedule.table().id(consumer));
        lives.push_back({static_cast<std::int32_t>(i), placeOfEntry[entry], consumer.stage,
                         consumer.microBatch, -1});
    }
    assignSlots(lives);
    return lives;
}

int slotCount(const std::vector<SlotLife>& lives)
{
    int slots = 0;
    for (const SlotLife& life : lives)
        slots = std::max(slots, life.slot + 1);
    return slots;
}

} // namespace pw::communication
