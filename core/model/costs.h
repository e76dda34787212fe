// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/base/value.h"
#include "core/model/pipeline_spec.h"

#include <cstddef>
#include <limits>
#include <optional>
#include <vector>

namespace pw {

/// What one micro-batch's segment keeps on the device of a stage, from its F on.
///
/// F adds `activation`, B leaves `keptForWeight`, W releases that; BW releases all at once. A B
/// that computes its forward again may leave more bytes than F did. With an R pass, F leaves
/// `stash` only (the stage's input) and R adds the rest. The same in shares of a micro-batch.
struct ActivationCost
{
    Bytes activation = 0;
    Bytes keptForWeight = 0;
    Bytes stash = 0;
    Share share = 0;
    Share keptForWeightShare = 0;
    Share stashShare = 0;

    friend bool operator==(const ActivationCost&, const ActivationCost&) = default;
};

/// What a pass does to the activation on its device: F and R add at their start, B, W and BW
/// change it at their end.
struct ActivationChange
{
    Bytes bytes = 0; ///< below 0: released
    Share share = 0; ///< the same in shares of a micro-batch

    friend bool operator==(const ActivationChange&, const ActivationChange&) = default;
};

/// The change by a pass of a kind; the one place that knows what `ActivationCost` means.
///
/// @param recomputed  whether the cell has an R pass; matters for F only
constexpr ActivationChange activationChange(const ActivationCost& cost, PassKind kind,
                                            bool recomputed)
{
    switch (kind) {
    case PassKind::F:
        return recomputed ? ActivationChange{cost.stash, cost.stashShare}
                          : ActivationChange{cost.activation, cost.share};
    case PassKind::R:
        return {cost.activation - cost.stash, cost.share - cost.stashShare};
    case PassKind::B:
        return {cost.keptForWeight - cost.activation, cost.keptForWeightShare - cost.share};
    case PassKind::W:
        return {-cost.keptForWeight, -cost.keptForWeightShare};
    case PassKind::BW:
        return {-cost.activation, -cost.share};
    case PassKind::U:
        break;
    }
    return {};
}

/// A connection between two devices, in one direction.
struct Link
{
    Ticks latency = 0;
    double bytesPerSecond = 0; ///< 0: only the latency counts

    friend bool operator==(const Link&, const Link&) = default;
};

/// From `start` on every link takes `slowdown` times as long (a preempted network), until the next
/// phase.
struct LinkPhase
{
    Ticks start = 0;
    double slowdown = 1;

    friend bool operator==(const LinkPhase&, const LinkPhase&) = default;
};

/// Which activations go to the host's memory after their F and come back for their backward, and
/// the way there. `core/sim/host_copies.h` says when they are copied.
struct Offload
{
    /// PCI Express 5.0 with 16 lanes in one direction, bytes a second, and the part of a link's
    /// rate that copies reach. Nothing else in the project knows a usual link to the host.
    static constexpr double usualLink = 64e9;
    static constexpr double reachedPart = 0.85;
    static constexpr double usualRate = reachedPart * usualLink;

    /// Cells, as their F, sorted, no two alike; empty: all activations stay.
    std::vector<Pass> cells;
    /// Between a device and its host, in either direction; every device has its own.
    Link link{0, usualRate};

    friend bool operator==(const Offload&, const Offload&) = default;
};

/// A time of its own for one single pass.
struct PassTime
{
    Pass pass;
    Ticks time = 0;

    friend bool operator==(const PassTime&, const PassTime&) = default;
};

/// What every pass of a spec takes and keeps. A value; sized for one spec.
///
/// Tables named "by cell" have S·k entries, index stage·k + segment. Tables that may be empty say
/// what that means.
struct Costs
{
    Costs();
    PW_VALUE(Costs);

    std::vector<Ticks> forward;   ///< T_F by cell
    std::vector<Ticks> backward;  ///< T_B by cell
    std::vector<Ticks> weight;    ///< T_W by cell
    std::vector<Ticks> fused;     ///< T_BW by cell; empty: T_B + T_W
    std::vector<Ticks> recompute; ///< T_R by cell; empty: T_F
    std::vector<Ticks> pair;   ///< overlapped F and BW by cell of the F; empty: the sum of the two
    std::vector<Ticks> update; ///< T_U by stage; empty: 0
    std::vector<PassTime> single; ///< sorted by pass; replaces the table's time

    Link link;                        ///< between any two different devices
    std::vector<Link> links;          ///< p·p, index from·p + to; empty: `link` everywhere
    std::vector<LinkPhase> linkTrace; ///< sorted by start; empty: never slower

    std::vector<ActivationCost> activation; ///< by cell
    std::vector<Bytes> forwardMessage;      ///< by cell: what F of the stage sends on; empty: 0
    std::vector<Bytes> backwardMessage; ///< by cell: what the stage's backward sends back; empty: 0
    std::vector<Bytes> weights;         ///< by stage, one version; empty: 0
    std::vector<Bytes> gradients;       ///< by stage; empty: 0
    std::vector<Bytes> optimizer;       ///< by stage: states and master weights; empty: 0
    /// By stage, what its device has allocated once for it: messages under way, gathered inputs,
    /// empty gradients. A device has the most of its stages; empty: 0.
    std::vector<Bytes> buffers;
    /// By stage, what one of its passes takes while it runs: a layer that is computed again, the
    /// loss. A device has the most of its stages, and counts it all the time; empty: 0.
    std::vector<Bytes> workspace;
    /// What the allocator cannot use, as a part of activations and workspace: 0 … 1.
    double fragments = 0;
    std::vector<Bytes> memoryCap; ///< by device; empty: no cap
    /// Most activation that a device may hold, in shares of a micro-batch; 0: no cap.
    Share shareCap = 0;

    Offload offload; ///< of a project's schedule, see `Project`

    bool operator==(const Costs& other) const;
};

/// Equal stages: times and bytes of a full device share of the model, for one micro-batch.
///
/// A device with v chunks and k segments spends 1/v of it on a chunk, and on a segment the part of
/// its length.
struct UniformCosts
{
    Ticks forward = ticksPerMs;
    Ticks backward = ticksPerMs; ///< for the input only; BW takes backward + weight
    Ticks weight = ticksPerMs;
    std::optional<Ticks> pair{}; ///< overlapped F and BW; none: the sum
    Ticks hop = 0;               ///< latency of a message between two devices, T_c
    Ticks update = 0;            ///< U of a full device share
    double keptForWeight = 1;    ///< part of an activation still held between B and W, 0 … 1
    double stash = 0;            ///< part of an activation that recomputation keeps, 0 … 1
    Bytes activation = 0;        ///< of one micro-batch on a full device share
    Bytes memoryCap = 0;         ///< of every device; 0: no cap

    friend bool operator==(const UniformCosts&, const UniformCosts&) = default;
};

/// The table form of equal stages for a spec.
Costs expand(const UniformCosts& uniform, const PipelineSpec& spec);

/// Shares of a micro-batch by cell, as `ActivationCost` wants them, with bytes 0.
///
/// A stage counts 1/(chunks of its route on its device), a segment its part of the length.
std::vector<ActivationCost> activationShares(const PipelineSpec& spec, double keptForWeight,
                                             double stash);

/// The longest time that one entry of a table, or a single pass, may have: `maxPasses` such passes
/// in a row, recomputations, updates and messages between them still fit 64 bits.
constexpr Ticks longestPass = std::numeric_limits<Ticks>::max() / (4 * maxPasses);

/// Index of a stage's segment in a table by cell.
inline std::size_t cellIndex(const PipelineSpec& spec, StageId stage, int segment)
{
    return static_cast<std::size_t>(stage) * spec.segmentLengths.size() +
           static_cast<std::size_t>(segment);
}

/// Checks the table sizes against the spec and the range of all values, so that no time and no sum
/// of bytes over a schedule of the spec leaves 64 bits.
///
/// @error BadValue  names the table, the entry and the value
/// @error TooLarge  activations, or message times, that add up to too much
Result<void> check(const Costs& costs, const PipelineSpec& spec);

/// Time that one pass takes, from the single times or the tables.
Ticks passTime(const Costs& costs, const PipelineSpec& spec, const Pass& pass);

/// The same without the single times: what the tables say of passes like this one.
Ticks tableTime(const Costs& costs, const PipelineSpec& spec, const Pass& pass);

/// Time of an order entry: of a pass, or of an overlapped pair.
///
/// A pair of F and BW takes `pair`; of F and B the same less T_W, at least the longer of the two;
/// without a pair table or with a single time on either pass, the sum.
Ticks entryTime(const Costs& costs, const PipelineSpec& spec, const OrderEntry& entry);

/// Bytes that a pass sends to one that waits for it on another device: an activation or a gradient,
/// and to a U the weight gradients of the stage.
Bytes messageBytes(const Costs& costs, const PipelineSpec& spec, const Pass& producer,
                   PassKind consumer);

/// Time of a message of `bytes` over a link that nothing slows down: latency and bytes ⁄ bandwidth.
/// Same device: 0.
Ticks nominalMessageTime(const Costs& costs, const PipelineSpec& spec, DeviceId from, DeviceId to,
                         Bytes bytes);

/// Arrival of a message of `bytes` sent from one device to another at `sent`, with latency,
/// bandwidth and link trace. Same device: at once.
Ticks arrival(const Costs& costs, const PipelineSpec& spec, DeviceId from, DeviceId to, Bytes bytes,
              Ticks sent);

} // namespace pw
