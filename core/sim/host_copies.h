// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/sim/simulator.h"

#include <cstdint>
#include <vector>

namespace pw {

// When activations are copied to the host and back. Every device has two copy engines, one in
// either direction; each does one copy after another.
//
// There: a copy is asked for when its F ends, and the engine takes them in that order.
//
// Back: as late as the device's own work allows. The passes of a device are laid end to end by
// their times, idle time left out. From the last to the first, a copy back ends where the first
// pass that needs it begins, or where the copy after it begins, whichever is earlier. It is asked
// for when the pass starts in which it begins: at the earliest the one behind its F, and never
// before a copy that an earlier pass needs. The engine takes them in the order of need, each once
// its copy there has ended, and the pass that needs it waits for the end.
//
// So everything is known when the order is: an engine that runs it needs no clock. Where no copy is
// asked for sooner than its copy there has ended, nothing waits, however long the idle time.
// @source the slots of arXiv:2503.01328 §4.2, in a device's working time and with an engine in
// either direction

/// An activation that is copied, as the order has it.
struct HostCell
{
    Pass cell;
    EntryId forward; ///< of the F
    EntryId needed;  ///< of the first R, B or BW behind it; none in a draft
    EntryId asked;   ///< at whose start the way back is asked for
    Bytes bytes = 0; ///< that the F leaves
    Share share = 0;
    Ticks way = 0; ///< one copy
    DeviceId device{0};
    bool recomputed = false;
    bool lost = false; ///< of a wrong draft: its backward stands before its F
};

/// The offloaded cells of an order, by device.
class HostPlan
{
public:
    /// Forgets everything. @return whether anything is offloaded at all
    bool begin(const PipelineSpec& spec, const Costs& costs);
    /// A device's order from its first entry on, each once. `time` is the entry's.
    void add(DeviceId device, EntryId entry, const OrderEntry& passes, Ticks time);
    void finish();
    /// All of it for a schedule. @return as `begin`
    bool make(const Schedule& schedule, const Costs& costs);

    const std::vector<HostCell>& cells() const { return m_cells; }
    /// First cell of a device; of a device more than there are, the number of cells.
    std::int32_t first(DeviceId device) const { return m_begin[static_cast<std::size_t>(device)]; }
    /// Cells of a device by their F.
    std::int32_t byForward(std::int32_t at) const
    {
        return m_byForward[static_cast<std::size_t>(at)];
    }

private:
    void addPass(DeviceId device, EntryId entry, const Pass& pass);
    void askBack(DeviceId device);

    const PipelineSpec* m_spec = nullptr;
    const Costs* m_costs = nullptr;
    PassTable m_table;
    std::vector<std::int32_t> m_marks; // by cell: its place in `m_cells`, or −1
    std::vector<HostCell> m_cells;
    std::vector<std::int32_t> m_begin; // devices + 1
    std::vector<std::int32_t> m_byForward;
    std::vector<std::vector<Ticks>> m_worked; // by device and entry: work before it, and all of it
    std::vector<EntryId> m_firstEntry;        // by device
};

/// A change of what a device holds, by one of its passes.
struct HeldChange
{
    Ticks time = 0;
    ActivationChange change;
};

/// The copies while a simulation runs, device by device and entry by entry.
class HostClock
{
public:
    /// Plans a schedule, and is ready for its entries. @return whether anything is offloaded at all
    bool begin(const Schedule& schedule, const Costs& costs);
    /// Of other orders: what its user adds entries to, before `start`.
    HostPlan& plan() { return m_plan; }
    void start(int devices);

    /// When an entry may start that could at `start`: when what it needs is back.
    ///
    /// @param starts, ends  of the entries before it, by entry
    Ticks ready(DeviceId device, EntryId entry, Ticks start, const std::vector<Ticks>& starts,
                const std::vector<Ticks>& ends);
    /// An entry has ended: what its F leaves is on its way.
    void ended(DeviceId device, EntryId entry, Ticks end);
    /// A pass changes what its device holds. In the order of the passes.
    void held(DeviceId device, Ticks time, const ActivationChange& change);

    /// All copies, and the peaks of every device with them.
    void settle(SimResult& result) const;

private:
    struct Device
    {
        std::int32_t next = 0;    ///< cell that is needed next
        std::int32_t leaving = 0; ///< by F, the one that leaves next
        Ticks outFree = 0, backFree = 0;
    };

    HostPlan m_plan;
    std::vector<Device> m_devices;
    std::vector<HostCopy> m_copies;              // by cell of the plan
    std::vector<std::vector<HeldChange>> m_held; // by device
};

/// What a device copies, and how much of it no pass waits for.
struct HostTraffic
{
    Bytes bytes = 0;   ///< to the host; as many come back
    Ticks copying = 0; ///< both directions
    Ticks waiting = 0; ///< of passes, for the way back
    Bytes peakOnHost = 0;
    int cells = 0;

    /// Part of the copying that no pass waits for, 0 … 1; 1 without copies.
    double hidden() const;
};

HostTraffic hostTraffic(const SimResult& result, DeviceId device);

/// The cells whose copies lengthen nothing: those that the passes between F and backward hide, with
/// the engines' other copies. Of `cells`, or of all where it is empty.
///
/// @pre `simulate(schedule, costs)` succeeds
std::vector<Pass> hiddenOffload(const Schedule& schedule, const Costs& costs,
                                std::vector<Pass> cells = {});

/// As few of these as the caps need: whole stages, those whose activations wait longest first.
/// Empty where nothing has to go.
///
/// @error BadValue     there is no cap
/// @error MemoryLimit  all of what is hidden would not do; the first pass that is above its cap
/// @error Deadlock     of the order
Result<std::vector<Pass>> fittingOffload(const Schedule& schedule, const Costs& costs);

} // namespace pw
