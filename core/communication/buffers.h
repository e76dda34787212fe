// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/communication/play.h"

#include <array>
#include <string_view>
#include <vector>

namespace pw::communication {

/// What communication keeps in a rank's memory, beside the activations of the schedule.
enum class BufferKind : std::uint8_t
{
    Received, ///< from posting a receive to the end of the pass that needs it
    Sent,     ///< what a pass sends, from its end until the send's buffer is given back
    Eager,    ///< messages that have left and whose receive is not done, on the receiver
    Gathered, ///< weights of gathered stages, beyond the rank's own part
    Exchanged ///< gradients of another copy of a stage, while they are added
};

constexpr int bufferKindCount = 5;

/// The kind in words: "received", "sent", "eager", "gathered", "exchanged".
std::string_view name(BufferKind kind);

/// Bytes in use from `time` on, by kind.
struct BufferPoint
{
    Ticks time = 0;
    std::array<Bytes, bufferKindCount> bytes{};

    Bytes total() const;

    friend bool operator==(const BufferPoint&, const BufferPoint&) = default;
};

/// The buffers of a rank over time: a point at every change, in time order, the first at 0. Where a
/// ring ends the listing, what is open stays.
///
/// @param ranks  of the data-parallel group that shards weights, at least 1
std::vector<BufferPoint> bufferCurve(const Listing& listing, const Schedule& schedule,
                                     const Costs& costs, const Played& played, RankId rank,
                                     int ranks = 1);

/// The most of every kind over a curve, and of their sum.
struct BufferPeaks
{
    std::array<Bytes, bufferKindCount> bytes{};
    Bytes total = 0;

    friend bool operator==(const BufferPeaks&, const BufferPeaks&) = default;
};
BufferPeaks peaksOf(const std::vector<BufferPoint>& curve);

/// How long something lies in a slot, by places in an order; both ends count.
struct SlotLife
{
    std::int32_t first = 0;
    std::int32_t last = 0;
    StageId stage{0};
    std::int32_t microBatch = 0;
    std::int32_t slot = -1;

    friend bool operator==(const SlotLife&, const SlotLife&) = default;
};

/// Gives every life the lowest slot that is free from its first to its last place.
/// @param lives  sorted by first place
/// @return       slots that are needed: the most lives at one place
int assignSlots(std::vector<SlotLife>& lives);

/// What shares a slot.
enum class SlotGrain : std::uint8_t
{
    StageAndMicroBatch,
    MicroBatch ///< all stages of a rank together
};

/// The activations of a device by places in its order of passes: F opens, BW or W closes, B does
/// not. Of a stage that is on the rank for two routes, each counts by itself; segments count from
/// the first F to the last close.
/// @source pytorch PR 196464, analyze_pipeline_activation_liveness
std::vector<SlotLife> activationSlots(const Schedule& schedule, DeviceId device, SlotGrain grain);

/// The receive buffers of a rank by places in its listing: a receive opens, the pass that needs it
/// closes.
/// @param forward  activations; else gradients
std::vector<SlotLife> receiveSlots(const Listing& listing, const Schedule& schedule, RankId rank,
                                   bool forward);

/// Slots that lives with assigned slots need.
int slotCount(const std::vector<SlotLife>& lives);

} // namespace pw::communication
