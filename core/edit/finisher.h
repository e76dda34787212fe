// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/edit/compose.h"
#include "core/edit/finish_room.h"
#include "core/edit/placing.h"
#include "core/model/dependency_rule.h"
#include "core/sim/dependencies.h"
#include "core/sim/list_scheduler.h"

#include <algorithm>
#include <set>
#include <tuple>

// The rule of `finishRest` for its list scheduler, which two files have.
namespace pw {

/// Ranks of what a device may add; the least runs first.
using FinishKey = std::tuple<int, int, int, std::int32_t>; // rank, micro-batch, depth, place

struct FinishLane
{
    std::size_t next = 0; ///< of the entries that are there
    bool running = false;
    OrderEntry current;
    std::set<FinishKey> ready;                ///< all but forwards
    std::vector<std::set<FinishKey>> forward; ///< by stage and route
    std::vector<std::int32_t> added;          ///< positions in the device's order
};

/// The rule of a greedy list scheduler that runs the draft's entries in their order and fills in
/// the rest.
class Finisher
{
public:
    /// @param open  micro-batches that may be on their way at once, unless nothing else can run
    /// @param room  a forward that is added leaves room for what its device still has to take of
    ///              the oldest micro-batch there
    Finisher(const Draft& draft, const Costs& costs, const Schedule& wanted, FinishRule rule,
             Share cap, int open, bool room)
        : m_draft(draft)
        , m_spec(draft.spec)
        , m_costs(costs)
        , m_wanted(wanted)
        , m_dependencies(wanted)
        , m_rule(rule)
        , m_open(open)
        , m_room(costs, wanted, cap, room)
        , m_unmet(static_cast<std::size_t>(wanted.table().size()))
        , m_readyAt(m_unmet.size(), 0)
        , m_fixed(m_unmet.size(), false)
        , m_left(static_cast<std::size_t>(m_spec.totalMicroBatches()), 0)
        , m_lanes(static_cast<std::size_t>(m_spec.devices))
        , m_scheduler(m_spec.devices)
    {
        prepare();
    }

    /// Runs to the end. @return whether all passes ran
    bool run()
    {
        admit();
        for (;;) {
            m_scheduler.run(*this);
            if (m_todo == 0)
                return true;
            if (m_admitted == m_spec.totalMicroBatches())
                return false;
            // Nothing runs: an entry that is there may need a later micro-batch.
            ++m_open;
            admit();
        }
    }

    /// Entries of a device that were added, with their positions in its order.
    std::vector<PlacedEntry> added(DeviceId device) const
    {
        std::vector<PlacedEntry> list;
        for (const std::int32_t position : m_lanes[device.index()].added)
            list.push_back(
                {position, m_scheduler.order(device)[static_cast<std::size_t>(position)]});
        return list;
    }

    /// Why the rest cannot run. @pre `run` gave false
    Error reason() const
    {
        if (m_room.isShort())
            return m_room.reason();
        return deadlockError(ring(), m_spec);
    }

private:
    friend class ListScheduler<PassId>;

    void prepare()
    {
        for (std::size_t i = 0; i < m_lanes.size(); ++i) {
            m_lanes[i].forward.resize(static_cast<std::size_t>(m_spec.routeCount()) *
                                      static_cast<std::size_t>(m_spec.stages()));
            for (const OrderEntry& entry : m_draft.orders[i]) {
                m_fixed[index(entry.pass)] = true;
                if (entry.paired)
                    m_fixed[index(entry.partner)] = true;
            }
        }
        std::vector<Dependency> needs;
        for (std::int32_t i = 0; i < m_wanted.entryCount(); ++i) {
            const PassId id = m_wanted.places()[static_cast<std::size_t>(i)].first;
            const Pass pass = m_wanted.pass(id);
            needs.clear();
            m_dependencies.append(id, needs);
            m_unmet[static_cast<std::size_t>(id.value)] = static_cast<int>(needs.size());
            if (const PassId update = updateBefore(pass); update.valid())
                ++m_unmet[static_cast<std::size_t>(id.value)];
            if (pass.kind != PassKind::U)
                ++m_left[static_cast<std::size_t>(pass.microBatch)];
            ++m_todo;
        }
        // The first forward of a micro-batch waits until the micro-batch is let in.
        for (int j = 0; j < m_spec.totalMicroBatches(); ++j)
            ++m_unmet[index(first(j))];
        for (std::int32_t i = 0; i < m_wanted.entryCount(); ++i) {
            const PassId id = m_wanted.places()[static_cast<std::size_t>(i)].first;
            if (m_unmet[static_cast<std::size_t>(id.value)] == 0)
                m_scheduler.ready(0, m_wanted.device(id), id);
        }
    }

    Pass first(int microBatch) const
    {
        return {PassKind::F, static_cast<std::uint8_t>(m_spec.route(microBatch)), StageId(0),
                microBatch, 0};
    }

    std::size_t index(const Pass& pass) const
    {
        return static_cast<std::size_t>(m_wanted.table().id(pass).value);
    }

    /// The update that an F has to stand behind; it makes the weights that the F reads.
    PassId updateBefore(const Pass& pass) const
    {
        const int number =
            pass.kind == PassKind::F ? pw::updateBefore(m_spec, pass.microBatch) : -1;
        return number < 0 ? PassId() : m_wanted.table().updateId(pass.route, pass.stage, number);
    }

    void admit()
    {
        while (m_admitted < m_spec.totalMicroBatches() && m_running < m_open) {
            ++m_running;
            meet(m_wanted.table().id(first(m_admitted++)), m_scheduler.now());
        }
    }

    void meet(PassId id, Ticks there)
    {
        const auto at = static_cast<std::size_t>(id.value);
        m_readyAt[at] = std::max(m_readyAt[at], there);
        if (--m_unmet[at] == 0)
            m_scheduler.ready(m_readyAt[at], m_wanted.device(id), id);
    }

    void ended(DeviceId device)
    {
        FinishLane& lane = m_lanes[device.index()];
        lane.running = false;
        finish(lane.current.pass);
        if (lane.current.paired)
            finish(lane.current.partner);
    }

    void take(DeviceId device, PassId id)
    {
        FinishLane& lane = m_lanes[device.index()];
        const Pass pass = m_wanted.pass(id);
        m_unmet[static_cast<std::size_t>(id.value)] = -1; // its time has come
        if (m_fixed[static_cast<std::size_t>(id.value)])
            return;
        const FinishKey key{rank(pass.kind), pass.microBatch, -pass.stage, id.value};
        const int place = pass.route * m_spec.stages() + pass.stage;
        if (pass.kind == PassKind::F)
            lane.forward[static_cast<std::size_t>(place)].insert(key);
        else
            lane.ready.insert(key);
    }

    int rank(PassKind kind) const
    {
        switch (kind) {
        case PassKind::U:
        case PassKind::R:
            return 0;
        case PassKind::F:
            return m_rule == FinishRule::ForwardFirst ? 1 : 2;
        case PassKind::B:
        case PassKind::BW:
            return m_rule == FinishRule::ForwardFirst ? 2 : 1;
        case PassKind::W:
            return 3;
        }
        return 3;
    }

    bool mayStart(const Pass& pass) const { return m_unmet[index(pass)] == -1; }

    void choose(DeviceId device)
    {
        FinishLane& lane = m_lanes[device.index()];
        if (lane.running)
            return;
        m_room.forgetShort(device);
        const auto& there = m_draft.orders[static_cast<std::size_t>(device)];
        if (lane.next < there.size()) {
            const OrderEntry& head = there[lane.next];
            if (mayStart(head.pass) && (!head.paired || mayStart(head.partner)) &&
                m_room.fits(device, head)) {
                ++lane.next;
                start(device, head, false);
                return;
            }
        }
        std::set<FinishKey>* from = lane.ready.empty() ? nullptr : &lane.ready;
        for (auto& list : lane.forward) {
            if (list.empty() || (from != nullptr && *from->begin() < *list.begin()))
                continue;
            const OrderEntry entry = entryAt(*list.begin());
            if (m_room.fits(device, entry) && m_room.leavesRoom(device, entry.pass))
                from = &list;
        }
        // An R adds, too.
        if (from == nullptr || !m_room.fits(device, entryAt(*from->begin())))
            return;
        const OrderEntry entry = entryAt(*from->begin());
        from->erase(from->begin());
        start(device, entry, true);
    }

    OrderEntry entryAt(const FinishKey& key) const
    {
        return single(m_wanted.pass(PassId(std::get<3>(key))));
    }

    void start(DeviceId device, const OrderEntry& entry, bool added)
    {
        FinishLane& lane = m_lanes[device.index()];
        if (added)
            lane.added.push_back(static_cast<std::int32_t>(m_scheduler.order(device).size()));
        lane.current = entry;
        lane.running = true;
        m_room.begin(device, entry.pass);
        if (entry.paired)
            m_room.begin(device, entry.partner);
        m_scheduler.start(device, entry, entryTime(m_costs, m_spec, entry));
    }

    void finish(const Pass& pass)
    {
        const Ticks now = m_scheduler.now();
        const PassId id = m_wanted.table().id(pass);
        --m_todo;
        const DeviceId from = m_spec.device(pass.route, pass.stage);
        m_room.end(from, pass);
        m_consumers.clear();
        m_dependencies.appendConsumers(id, m_consumers);
        for (const PassId consumer : m_consumers) {
            const DeviceId to = m_wanted.device(consumer);
            const Bytes bytes =
                from == to ? 0 : messageBytes(m_costs, m_spec, pass, m_wanted.kind(consumer));
            meet(consumer, arrival(m_costs, m_spec, from, to, bytes, now));
        }
        if (pass.kind == PassKind::U) {
            releaseForwards(pass, now);
        } else if (--m_left[static_cast<std::size_t>(pass.microBatch)] == 0) {
            --m_running;
            admit();
        }
    }

    void releaseForwards(const Pass& update, Ticks now)
    {
        if (m_spec.updateRule == UpdateRule::Stashed)
            return;
        const int from =
            (update.microBatch + stepsUntilRead(m_spec.updateRule)) * m_spec.microBatches;
        const int end = std::min(from + m_spec.microBatches, m_spec.totalMicroBatches());
        for (int j = from; j < end; ++j) {
            if (m_spec.route(j) != update.route)
                continue;
            for (int q = 0; q < m_spec.segments(); ++q)
                meet(m_wanted.table().id({PassKind::F, update.route, update.stage, j, q}), now);
        }
    }

    /// A pass that has not run and that this one waits for, of those that are there.
    Pass waitsFor(const Pass& pass) const;
    bool ran(const Pass& pass) const;
    std::vector<RingLink> ring() const;

    const Draft& m_draft;
    const PipelineSpec& m_spec;
    const Costs& m_costs;
    const Schedule& m_wanted;
    Dependencies m_dependencies;
    FinishRule m_rule;
    int m_open;
    FinishRoom m_room;
    std::vector<int> m_unmet;     // by place; −1: may start
    std::vector<Ticks> m_readyAt; // by place
    std::vector<bool> m_fixed;    // by place
    std::vector<int> m_left;      // passes by micro-batch
    std::vector<FinishLane> m_lanes;
    ListScheduler<PassId> m_scheduler;
    std::vector<PassId> m_consumers;
    std::int64_t m_todo = 0;
    int m_admitted = 0;
    int m_running = 0;
};

} // namespace pw
