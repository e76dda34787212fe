// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/types.h"
#include "core/model/pass.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

namespace pw {

/// A slot of a lane that no row has taken; rows are kept as their numbers.
constexpr std::int8_t vacant = -1;

/// The six kinds of work of one micro-batch on one device of a V placement, in the order of its
/// trajectory.
///
/// Device i of p holds stage i (chunk 0) and stage 2p−1−i (chunk 1). F0 and B1 travel down the
/// devices, F1 and B0 up.
enum class VRow : std::uint8_t
{
    F0,
    F1,
    B1,
    B0,
    W1,
    W0
};

constexpr int vRowCount = 6;

constexpr bool isForward(VRow row)
{
    return row == VRow::F0 || row == VRow::F1;
}

constexpr bool isWeight(VRow row)
{
    return row == VRow::W1 || row == VRow::W0;
}

/// Stage of a row on a device.
constexpr StageId stageOf(VRow row, DeviceId device, int devices)
{
    const bool chunk0 = row == VRow::F0 || row == VRow::B0 || row == VRow::W0;
    return StageId(chunk0 ? device : 2 * devices - 1 - device);
}

/// What a V-shaped schedule is made for: equal or unequal times, and the latency of each hop.
struct VProblem
{
    int devices = 0;
    int microBatches = 0;
    std::vector<Ticks> forward;           ///< by stage, 2p entries
    std::vector<Ticks> backward;          ///< by stage, for the input only
    std::vector<Ticks> weight;            ///< by stage
    std::vector<Ticks> activationLatency; ///< by stage s: the message s → s+1, 2p−1 entries
    std::vector<Ticks> gradientLatency;   ///< by stage s: the message s+1 → s, 2p−1 entries

    Ticks duration(VRow row, DeviceId device) const;

    /// The same times on every stage, one latency on every hop between devices.
    static VProblem uniform(int devices, int microBatches, Ticks forward, Ticks backward,
                            Ticks weight, Ticks latency);

    /// Of no meaning, so that answers can be kept by problem.
    friend bool operator<(const VProblem& a, const VProblem& b)
    {
        const auto all = [](const VProblem& one) {
            return std::tie(one.devices, one.microBatches, one.forward, one.backward, one.weight,
                            one.activationLatency, one.gradientLatency);
        };
        return all(a) < all(b);
    }
};

/// The order of every device as rows only.
///
/// Each row takes its micro-batches in order, so the k-th entry of a row is micro-batch k. 6·m
/// entries a device.
class VOrder
{
public:
    VOrder() = default;
    VOrder(int devices, int microBatches);

    int devices() const { return m_devices; }
    int microBatches() const { return m_microBatches; }
    int length() const { return vRowCount * m_microBatches; }
    std::span<VRow> device(int i);
    std::span<const VRow> device(int i) const;

    friend bool operator==(const VOrder&, const VOrder&) = default;

private:
    int m_devices = 0;
    int m_microBatches = 0;
    std::vector<VRow> m_rows;
};

/// What a search makes small first.
enum class VAim : std::uint8_t
{
    Span,    ///< the longest device: end of its last pass minus start of its first
    Makespan ///< from the first start to the last end of all
};

/// What an order takes: time and memory.
struct VFigures
{
    Ticks span = 0;     ///< largest over the devices: end of the last pass minus start of the first
    Ticks makespan = 0; ///< end of the last pass of all
    int peak = 0;       ///< most live chunk activations on a device, from F to the end of W

    /// True if this is the better result: smaller in what is aimed at, then in the other time, then
    /// in the peak.
    bool betterThan(const VFigures& other, VAim aim) const;
    Ticks of(VAim aim) const { return aim == VAim::Span ? span : makespan; }
};

/// Times orders for one problem; keeps its buffers, so that a search allocates nothing.
class VTimer
{
public:
    /// Figures of an order, or nothing where devices wait for each other in a ring or a W precedes
    /// its B.
    ///
    /// @param order  of the problem's devices; may have fewer micro-batches
    std::optional<VFigures> measure(const VProblem& problem, const VOrder& order);

    /// Start of each pass of the last order measured, in the layout of `VOrder`.
    std::span<const Ticks> starts(DeviceId device) const;

private:
    bool advance(const VProblem& problem, const VOrder& order, DeviceId device);

    int m_length = 0;
    int m_microBatches = 0;
    std::vector<Ticks> m_start;
    std::vector<Ticks> m_end; // [row 0…3][device][micro-batch]
    std::vector<std::array<int, vRowCount>> m_done;
    std::vector<int> m_position;
    std::vector<Ticks> m_clock;
    std::vector<DeviceId> m_ready; // devices that may go on
    std::vector<int> m_awaited;    // by device: the row whose message it waits for, or -1
};

/// Most live chunk activations of each device (F +1, W −1).
std::vector<int> vPeaks(const VOrder& order);

/// Start offsets of one micro-batch on each device, rows F0 F1 B1 B0, in units of one pass.
///
/// The block repeats every `interval` units; W takes slots that stay free. Offsets of a device
/// differ modulo the interval.
/// @source arXiv:2405.15362 §3
struct VBlock
{
    int interval = vRowCount;
    std::vector<std::array<int, 4>> offsets; ///< by device

    int devices() const { return static_cast<int>(offsets.size()); }
    friend bool operator==(const VBlock&, const VBlock&) = default;
    // libc++ 14 has no <=> of vectors.
    friend bool operator<(const VBlock& a, const VBlock& b)
    {
        return std::tie(a.interval, a.offsets) < std::tie(b.interval, b.offsets);
    }
};

/// @source arXiv:2405.15362, offsets as in its authors' code
VBlock vMinBlock(int devices);
VBlock vHalfBlock(int devices);
/// Both hops of the down rows take 4 units, those of the up rows 2.
VBlock vZbBlock(int devices);

/// True if no two rows of a device fall on the same slot when the block repeats, and two slots are
/// left for W.
bool repeatsWithoutCollision(const VBlock& block);

/// The offsets of W1 and W0 on a device: the first slots after their B that no row takes.
std::array<int, 2> weightOffsets(const VBlock& block, DeviceId device);

/// Most live chunk activations on a device while the block repeats for ever.
int steadyPeak(const VBlock& block);

/// The block repeated as it is.
VOrder vRepeatedOrder(const VBlock& block, int microBatches);

/// Repeats a block, moves warm-up and cool-down passes into earlier free slots while no device's
/// peak grows past the largest, and fills W into the free slots that are left.
///
/// @param block  repeats without collision
/// @source       arXiv:2405.15362 §3.3 (repeat, squeeze, reorder)
VOrder vOrderFromBlock(const VBlock& block, int microBatches);

} // namespace pw
