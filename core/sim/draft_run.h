// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/model/dependency_rule.h"
#include "core/sim/draft_holding.h"
#include "core/sim/draft_times.h"
#include "core/sim/held_entries.h"
#include "core/sim/host_copies.h"
#include "core/sim/sites.h"
#include "core/sim/waiters.h"

#include <algorithm>
#include <limits>
#include <span>
#include <vector>

// The inside of DraftSimulator.
namespace pw {

// What `finish` holds of a pass that is not in the draft.
constexpr Ticks notThere = std::numeric_limits<Ticks>::min();

/// A pass of an entry in its compact form; without a place it is only there to take time.
struct DraftPlace
{
    std::int32_t place = none;
    std::uint32_t code = 0; ///< site and kind in one

    std::uint32_t site() const { return code / 8; }
    PassKind kind() const { return static_cast<PassKind>(code % 8); }
};

struct DraftEntry
{
    DraftPlace first;
    DraftPlace second;
    bool paired = false;
};

struct DraftDevice
{
    Ticks free = 0;
    Ticks busy = 0;
    Share share = 0, peakShare = 0;
    Bytes bytes = 0, peakBytes = 0;
    EntryId next{0};
    DeviceId nextWaiter;
    std::int32_t waiting = none; ///< place that cannot start
    std::int32_t needed = none;  ///< place that it waits for
    std::int32_t gradient = 0;   ///< inputs of a U that have been seen to
    Ticks gradientStart = 0;     ///< when they are there
    bool forced = false;         ///< the next entry starts without what is undone
};

/// What a draft has, by the places of its spec's table, and when it is done.
class DraftPlaces
{
public:
    /// Nothing is there yet. @param spec  must outlive this
    void clear(const PipelineSpec& spec);
    /// Gives a pass of an entry its place; none where the spec does not have it on the device, or
    /// where it is there already.
    DraftPlace claim(const Pass& pass, DeviceId device, EntryId entry);

    const PassTable& table() const { return m_table; }
    bool there(std::int32_t place) const { return at(place) != notThere; }
    Ticks at(std::int32_t place) const { return m_finish[static_cast<std::size_t>(place)]; }
    /// End of a pass; of one that is not done what waits for it, see `waiterCode`.
    Ticks& slot(std::int32_t place) { return m_finish[static_cast<std::size_t>(place)]; }
    /// @pre there(place)
    PassKind kind(std::int32_t place) const
    {
        return static_cast<PassKind>(m_kinds[static_cast<std::size_t>(place)]);
    }
    EntryId entry(std::int32_t place) const { return m_entries[static_cast<std::size_t>(place)]; }
    Pass pass(std::int32_t place) const
    {
        return m_table.pass(PassId(place), kind(place), *m_spec);
    }
    DeviceId device(std::int32_t place) const
    {
        const Pass found = pass(place);
        return m_spec->device(found.route, found.stage);
    }

private:
    const PipelineSpec* m_spec = nullptr;
    PassTable m_table;
    bool m_committed = false;
    std::vector<Ticks> m_finish;
    std::vector<std::uint8_t> m_kinds; ///< meaningless where nothing is there
    std::vector<EntryId> m_entries;    ///< committed messages only
};

class DraftRun;

/// Devices that wait for each other in a ring: a draft shows what would run all the same.
class DraftRings
{
public:
    /// Runs a draft to its end.
    void run(DraftRun& run);

private:
    void push(const DraftRun& run, DeviceId device);
    void force(DraftRun& run, std::size_t first);
    static void unlink(DraftRun& run, DeviceId index);

    std::vector<DeviceId> m_walk;       ///< devices that wait for each other
    std::vector<EntryId> m_next;        ///< where each of them stood
    std::vector<std::uint8_t> m_onWalk; ///< by device
};

/// One run of a draft; keeps its buffers for the next.
class DraftRun
{
public:
    void run(const Draft& draft, const Costs& costs, DraftTimes& out, std::span<const Hold> holds);

private:
    friend class DraftRings;

    const PipelineSpec& spec() const { return m_draft->spec; }
    const Site& site(const DraftPlace& pass) const { return m_sites[pass.site()]; }
    const OrderEntry& order(DeviceId device, EntryId entry) const
    {
        return m_draft->orders[device.index()]
                              [static_cast<std::size_t>(entry - m_out->begin[device.index()])];
    }

    void prepare();
    void prepareOffload();
    void drain();
    void runDevice(DeviceId index);
    bool inputs(DraftDevice& device, const DraftPlace& pass, Ticks& start);
    bool updateInputs(DraftDevice& device, std::int32_t place, const Pass& update, Ticks& start);
    bool commitments(DraftDevice& device, DeviceId index, Ticks& start);
    bool commitment(DraftDevice& device, DeviceId from, std::int32_t waiting, const Pass& producer,
                    const Pass& wanted, Ticks met, Ticks& start);
    Ticks messageEnd(Ticks sent, DeviceId from, const Site& site, Bytes bytes, Ticks nominal) const;
    void finishPass(std::int32_t place, Ticks time);
    void account(DraftDevice& device, DeviceId index, const DraftPlace& pass, Ticks start);
    void accountEntry(DraftDevice& device, DeviceId index, const DraftEntry& entry, Ticks start);
    void summarise();

    const Draft* m_draft = nullptr;
    const Costs* m_costs = nullptr;
    DraftTimes* m_out = nullptr;
    DraftPlaces m_places;
    DraftRings m_rings;
    std::vector<Site> m_sites;
    std::vector<const ActivationCost*> m_keeps; ///< by site
    std::vector<DraftEntry> m_entries;
    std::vector<std::uint8_t> m_held; ///< by cell, see `DraftHolding`
    std::vector<DraftDevice> m_devices;
    std::vector<DeviceId> m_ready;
    HeldEntries m_holds;
    bool m_anyHolds = false;
    bool m_slowTimes = false, m_traced = false, m_committed = false, m_offloads = false;
    HostClock m_hostClock;
};

} // namespace pw
