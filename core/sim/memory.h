// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/model/known_sizes.h"
#include "core/sim/simulator.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pw {

/// What device memory is used for; the order is that of a stack, bottom first.
enum class MemoryKind : std::uint8_t
{
    Weights,  ///< one version of every stage on the device
    Versions, ///< further weight versions (PipeDream, PipeDream-2BW)
    Gradients,
    Optimizer,     ///< states and master weights
    Activations,   ///< kept for a backward
    HeldForWeight, ///< kept between B and W
    Buffers,       ///< allocated once: messages under way, gathered inputs, empty gradients
    Workspace,     ///< what a pass takes while it runs, counted all the time
    Fragments      ///< what the allocator cannot use of activations and workspace
};

constexpr int memoryKindCount = 9;

/// The kind in words: "weights", "weight versions", "gradients", "optimizer", "activations", "held
/// for W", "buffers", "workspace", "fragments".
std::string_view name(MemoryKind kind);

/// Bytes in use from `time` on, by kind.
struct MemoryPoint
{
    Ticks time = 0;
    std::array<Bytes, memoryKindCount> bytes{};

    Bytes of(MemoryKind kind) const { return bytes[static_cast<std::size_t>(kind)]; }
    Bytes& of(MemoryKind kind) { return bytes[static_cast<std::size_t>(kind)]; }
    /// Activations and what is held for W: what a schedule decides.
    Bytes activation() const { return of(MemoryKind::Activations) + of(MemoryKind::HeldForWeight); }
    Bytes total() const;

    friend bool operator==(const MemoryPoint&, const MemoryPoint&) = default;
};

/// What a device holds before its first pass.
MemoryPoint pointOf(const StandingMemory& standing);

/// Memory of a device over time: a point at every change, in time order, the first at 0.
std::vector<MemoryPoint> memoryCurve(const Schedule& schedule, const Costs& costs,
                                     const SimResult& result, DeviceId device);

/// The moment at which a device holds most, all kinds together, of several the first.
MemoryPoint peakMemory(const Schedule& schedule, const Costs& costs, const SimResult& result,
                       DeviceId device);

/// The most that each device holds at once, all kinds together, by device: the totals of
/// `peakMemory`, read from what the simulator knows where weights have one version.
/// @complexity  O(stages); O(passes · devices) where weights have several versions
std::vector<Bytes> heldAtMost(const Schedule& schedule, const Costs& costs,
                              const SimResult& result);
/// The same of an order that need not be whole, with one version of the weights.
std::vector<Bytes> heldAtMost(const PipelineSpec& spec, const Costs& costs,
                              const SimResult& result);

/// The fullest device, of several the first, and the moment at which it holds most.
struct PeakMemory
{
    DeviceId device{0};
    MemoryPoint point;

    Bytes total() const { return point.total(); }

    friend bool operator==(const PeakMemory&, const PeakMemory&) = default;
};

PeakMemory peakMemory(const Schedule& schedule, const Costs& costs, const SimResult& result);

/// What a limit in micro-batches allows. A little more, so that 2.333333 is met by 7/3, and 1 by
/// segments of a micro-batch whose shares are each rounded up.
constexpr Share shareLimit(double microBatches)
{
    constexpr double slack = 1 + 1e-6;
    return static_cast<Share>(microBatches * slack * static_cast<double>(shareOne));
}

/// The pass that first takes a device above its cap.
struct MemoryOverflow
{
    DeviceId device{0};
    Pass pass;
    Ticks time = 0;
    Bytes bytes = 0; ///< in use with the pass
    Bytes cap = 0;   ///< of the device; 0 where the share cap is the one exceeded
    Share share = 0; ///< activation with the pass
    Share shareCap = 0;

    Sentence text(const PipelineSpec& spec) const;
};

/// The first overflow in time over all devices; none where every device stays under its cap, or has
/// none.
std::optional<MemoryOverflow> firstOverflow(const Schedule& schedule, const Costs& costs,
                                            const SimResult& result);

/// Weight versions of a hosted stage alive at once, the most over time: 1 for synchronous families.
///
/// A version lives until its last reader's backward has ended and a newer one is there.
int weightVersionsAlive(const Schedule& schedule, const SimResult& result, int route,
                        StageId stage);

} // namespace pw
