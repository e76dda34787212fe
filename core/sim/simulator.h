// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/model/costs.h"
#include "core/model/schedule.h"

#include <limits>
#include <memory>
#include <span>
#include <vector>

namespace pw {

/// What a device did.
struct DeviceResult
{
    Ticks busy = 0;           ///< sum of its passes
    Ticks firstStart = 0;     ///< of its first pass
    Ticks lastEnd = 0;        ///< of its last pass
    Share peakShare = 0;      ///< most activation alive at once, in shares of a micro-batch
    Bytes peakActivation = 0; ///< the same in bytes

    Ticks span() const { return lastEnd - firstStart; }

    friend bool operator==(const DeviceResult&, const DeviceResult&) = default;
};

/// The way of an activation to the host's memory and back.
struct HostCopy
{
    Pass cell; ///< its F
    DeviceId device{0};
    EntryId forward{0}; ///< entry whose end it leaves behind
    EntryId needed;     ///< entry that needs it again; none in a draft, and it stays there
    Bytes bytes = 0;
    Share share = 0;
    Ticks outStart = 0, outEnd = 0;   ///< room on the device is free from the end on
    Ticks backStart = 0, backEnd = 0; ///< room on the device is taken from the start on
    Ticks wait = 0; ///< of the entry that needs it, beyond everything else that it waits for

    friend bool operator==(const HostCopy&, const HostCopy&) = default;
};

/// Start and end of every entry of a schedule, and what follows from them.
struct SimResult
{
    std::vector<Ticks> start; ///< by entry of the schedule; the earliest is 0
    std::vector<Ticks> end;   ///< by entry
    std::vector<DeviceResult> devices;
    Ticks makespan = 0; ///< last end minus first start
    /// By device, then in the order of need; empty where nothing is offloaded.
    std::vector<HostCopy> copies;

    friend bool operator==(const SimResult&, const SimResult&) = default;
};

/// An entry that may not start before a time, for a look at what it would push.
struct Hold
{
    EntryId entry{0};
    Ticks earliest = 0;

    friend bool operator==(const Hold&, const Hold&) = default;
};

/// Gives every pass of a schedule a start and an end.
///
/// A device runs its entries in the given order, one at a time. A pass also waits for the passes it
/// depends on, and for the message when they ran on another device (`core/sim/dependencies.h` has
/// the rules). An overlapped pair needs both inputs at its start and has both results at its end.
/// Activations count from the start of F to the end of W or BW; those that are offloaded
/// (`Costs::offload`) not while they are on the host alone (`core/sim/host_copies.h` has the
/// rules).
///
/// Keeps its buffers: a repeat on a schedule that is not larger allocates nothing. One object is
/// for one thread.
class Simulator
{
public:
    Simulator();
    ~Simulator();
    Simulator(Simulator&&) noexcept;
    Simulator& operator=(Simulator&&) noexcept;

    /// @param schedule  p devices, any order
    /// @param costs     made for the schedule's spec; see `check(Costs, PipelineSpec)`
    /// @param result    overwritten
    /// @param holds     sorted by entry; none where messages are committed, since what a receiver
    ///                  that is held does to its sender is `DraftSimulator`'s to say
    /// @error Deadlock  devices wait for each other in a ring; the message names the passes of the
    /// ring
    /// @complexity      O(passes)
    /// @source          own; dependency rules from arXiv:2401.10241 §2
    Result<void> run(const Schedule& schedule, const Costs& costs, SimResult& result,
                     std::span<const Hold> holds = {});

    /// Keeps how far the devices have come at some times of a run, for `runPart`. Nothing is kept
    /// where what a pass waits for is more than its device, its inputs and their messages.
    /// @param result    of `run` without holds; stays as it is until `runPart` no longer follows
    /// @complexity      O(passes); up to 64 MB
    void keep(const Schedule& schedule, const Costs& costs, const SimResult& result);

    /// A time that does not come.
    static constexpr Ticks never = std::numeric_limits<Ticks>::max();

    /// A part of a run: what comes behind a time of the kept one, up to where it is of interest.
    struct Part
    {
        const SimResult& kept; ///< what `keep` was given, by the same costs; not the new result
        Ticks from = 0;        ///< what starts before it in `kept` is where it was, and not held
        Ticks again = never;   ///< what starts later in `kept` is where it was, and not held
        Ticks until = never;   ///< what starts later may be at `never`; only entries are told then
        /// What starts before it in `kept` stands in the result already, which is as it was given
        /// last.
        Ticks has = std::numeric_limits<Ticks>::min();
    };

    /// What `run` gives, for an order that is like the kept one until a time.
    Result<void> runPart(const Part& part, const Schedule& schedule, const Costs& costs,
                         SimResult& result, std::span<const Hold> holds = {});

private:
    Result<void> finish();

    struct Buffers;
    std::unique_ptr<Buffers> m_buffers;
};

/// `Simulator::run` with buffers of its own.
Result<SimResult> simulate(const Schedule& schedule, const Costs& costs);

} // namespace pw
