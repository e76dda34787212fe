// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/model/draft.h"
#include "core/sim/memory.h"
#include "core/sim/ring.h"
#include "core/sim/simulator.h"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace pw {

/// Start and end of every entry that a draft has. Entries count through the devices' lists, as in a
/// `Schedule`.
struct DraftTimes
{
    std::vector<EntryId> begin; ///< first entry of each device, then the number of entries
    SimResult times;
    std::vector<EntryId> blocked; ///< entries that stand in a ring, sorted
    std::vector<RingLink> ring;   ///< the first ring that was found

    EntryId entry(DeviceId device, std::size_t position) const
    {
        return begin[device.index()] + static_cast<std::int32_t>(position);
    }
    DeviceId deviceOf(EntryId index) const;

    friend bool operator==(const DraftTimes& a, const DraftTimes& b)
    {
        return a.begin == b.begin && a.times == b.times && a.blocked == b.blocked;
    }
};

/// The first ring of a draft in words, as a deadlock of the simulator says it; empty without a
/// ring.
Sentence ringText(const DraftTimes& times, const PipelineSpec& spec);

class DraftRun;

/// Gives every entry of an unfinished or wrong draft a start and an end.
///
/// As in a `Simulator`, but a pass waits only for passes that are there: what is missing holds
/// nothing up. An entry that the spec does not have on the device, and the second of two equal
/// passes, takes its time there, waits for nobody, and nobody waits for it. Where entries wait for
/// each other in a ring (also a B before its F on one device), each of them starts behind the
/// earlier entries of its device, and is listed as blocked. Activation counts what the draft has: a
/// backward releases what passes before it have kept.
///
/// Of a complete draft without problems and rings the times are those of `Simulator`, bit for bit.
/// Keeps its buffers, as `Simulator` does.
class DraftSimulator
{
public:
    DraftSimulator();
    ~DraftSimulator();
    DraftSimulator(DraftSimulator&&) noexcept;
    DraftSimulator& operator=(DraftSimulator&&) noexcept;

    /// @pre         `check(draft.spec)` and `check(costs, draft.spec)` hold; a list for every
    /// device
    /// @param out   overwritten
    /// @param holds sorted by entry
    /// @complexity  O(entries + places of the spec)
    void run(const Draft& draft, const Costs& costs, DraftTimes& out,
             std::span<const Hold> holds = {});

private:
    std::unique_ptr<DraftRun> m_run;
};

/// `DraftSimulator::run` with buffers of its own.
/// @error BadValue, TooLarge  of the spec or the costs, or another number of lists than devices
Result<DraftTimes> draftTimes(const Draft& draft, const Costs& costs);

/// Memory over time of every device of a draft, by device; as `memoryCurve`, but with the first
/// weight version only. @pre as `DraftSimulator::run`; the times are the draft's
std::vector<std::vector<MemoryPoint>> draftMemory(const Draft& draft, const Costs& costs,
                                                  const DraftTimes& times);
/// Of one device.
std::vector<MemoryPoint> draftMemory(const Draft& draft, const Costs& costs,
                                     const DraftTimes& times, DeviceId device);

/// Activation alive on a device from a time on, in shares of a micro-batch.
struct SharePoint
{
    Ticks time = 0;
    Share share = 0;

    friend bool operator==(const SharePoint&, const SharePoint&) = default;
};

/// Activation of a device over time: a point at every change, the first at 0. @pre as `draftMemory`
std::vector<SharePoint> draftShares(const Draft& draft, const Costs& costs, const DraftTimes& times,
                                    DeviceId device);

} // namespace pw
