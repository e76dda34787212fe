// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/model/dependency_rule.h"
#include "core/sim/draft_holding.h"
#include "core/sim/draft_times.h"
#include "core/sim/host_copies.h"
#include "core/sim/sites.h"
#include "core/sim/waiters.h"

#include <algorithm>
#include <limits>
#include <span>
#include <vector>

// The inside of DraftSimulator, which two files have.
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

struct DraftSimulator::Buffers
{
    const Draft* draft = nullptr;
    const Costs* costs = nullptr;
    DraftTimes* out = nullptr;
    PassTable table;
    std::vector<Site> sites;
    std::vector<const ActivationCost*> keeps; // by site
    std::vector<DraftEntry> entries;
    std::vector<Ticks> finish;       // by place
    std::vector<std::uint8_t> kinds; // by place; meaningless where notThere
    std::vector<EntryId> entryOf;    // by place; committed messages only
    std::vector<std::uint8_t> held;  // by cell, see `DraftHolding`
    std::vector<DraftDevice> devices;
    std::vector<DeviceId> ready;
    std::vector<DeviceId> walk;       // devices that wait for each other
    std::vector<EntryId> walkNext;    // where each of them stood
    std::vector<std::uint8_t> onWalk; // by device
    std::span<const Hold> holds;
    bool slowTimes = false, traced = false, committed = false, offloads = false;
    HostClock hostClock;

    const PipelineSpec& spec() const { return draft->spec; }
    bool there(std::int32_t place) const { return at(place) != notThere; }
    Ticks at(std::int32_t place) const { return finish[static_cast<std::size_t>(place)]; }
    const Site& site(const DraftPlace& pass) const { return sites[pass.site()]; }
    const OrderEntry& order(DeviceId device, EntryId entry) const
    {
        const auto index = static_cast<std::size_t>(device);
        return draft->orders[index][static_cast<std::size_t>(entry - out->begin[index])];
    }
    Pass passOf(std::int32_t place) const
    {
        const auto kind = static_cast<PassKind>(kinds[static_cast<std::size_t>(place)]);
        return table.pass(PassId(place), kind, spec());
    }
    DeviceId deviceOf(std::int32_t place) const
    {
        const Pass pass = passOf(place);
        return spec().device(pass.route, pass.stage);
    }

    void prepare();
    void prepareOffload();
    DraftPlace claim(const Pass& pass, DeviceId device, EntryId entry);
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
    void breakRings();
    void force(std::size_t first);
    void unlink(DeviceId index);
    void summarise();
};

} // namespace pw
