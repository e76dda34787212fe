// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/types.h"
#include "core/model/pass.h"

#include <QString>

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace pw {
class Schedule;
struct Draft;
struct DraftTimes;
struct PipelineSpec;
struct SimResult;
} // namespace pw

namespace pw::ui {

/// The tint of the last of a device's several chunks.
constexpr int fullTint = 7;

/// How light the passes of a chunk are: 0 for the first of a device, `fullTint` for its last, and
/// evenly in between. Up to eight chunks are told apart.
std::uint8_t tintOf(int chunk, int chunks);

/// How a span is drawn; 4 bytes, since there are millions.
struct SpanLook
{
    PassKind kind = PassKind::F;
    PassKind partner = PassKind::F; ///< of an overlapped pair: kind in the lower half
    std::uint8_t paired : 1 = 0;
    std::uint8_t tint : 3 = 0; ///< of its chunk, see `tintOf`
    std::uint8_t partnerTint : 3 = 0;
    std::uint8_t blocked : 1 = 0; ///< never starts: stands in a ring
    std::uint8_t guessed : 1 = 0; ///< its time was not measured; hatched
    std::uint8_t leaves : 1 = 0;  ///< what it keeps goes to the host's memory
    std::uint8_t returns : 1 = 0; ///< what it needs comes back from there
};

/// A copy between a lane's device and its host.
struct LaneCopy
{
    Ticks start = 0;
    Ticks end = 0;
    bool back = false; ///< to the device
};

/// The spans of one lane, sorted by start, not overlapping. Parallel arrays: 24 bytes a span.
struct Lane
{
    QString title;
    QString detail; ///< "stages 0, 7"
    /// In the tree of lanes: 0 a device. What is inside of a lane stands behind it, deeper, and is
    /// folded away with it.
    int depth = 0;
    std::vector<Ticks> start;
    std::vector<Ticks> end;
    std::vector<SpanLook> look;
    std::vector<LaneCopy> copies;    ///< in any order; drawn thin at the lane's lower edge
    std::vector<std::int32_t> entry; ///< what the maker of the lanes knows the span by

    std::size_t size() const { return start.size(); }
    /// First span that ends after `time`; `size()` if none does.
    std::size_t firstEndingAfter(Ticks time) const;
    /// Span at a time, or −1.
    std::int64_t at(Ticks time) const;
};

class LanePyramid;

/// The pass of an entry; of an overlapped pair the first or the second.
using PassSource = std::function<Pass(std::int32_t entry, bool partner)>;

/// A span of a timeline.
struct SpanRef
{
    std::int32_t lane = -1;
    std::int64_t index = -1;

    bool valid() const { return lane >= 0 && index >= 0; }
    friend bool operator==(const SpanRef&, const SpanRef&) = default;
};

/// What a timeline shows: a simulated schedule or a recorded run, by lane. Immutable once made and
/// shared; a change makes new ones.
class Lanes
{
public:
    Lanes();
    /// Takes lanes and prepares the coarse levels for those with many spans.
    /// @param passes  tells what a span's entry is
    Lanes(std::vector<Lane> lanes, PassSource passes);
    ~Lanes();
    Lanes(Lanes&&) noexcept;
    Lanes& operator=(Lanes&&) noexcept;

    const std::vector<Lane>& lanes() const { return m_lanes; }
    std::size_t spanCount() const;
    Ticks begin() const { return m_begin; }
    Ticks end() const { return m_end; }
    Pass pass(SpanRef span, bool partner = false) const;
    bool holds(SpanRef span) const;
    /// Coarse levels of a lane; null where the spans themselves are few enough.
    const LanePyramid* pyramid(std::size_t lane) const;

private:
    std::vector<Lane> m_lanes;
    std::vector<std::unique_ptr<LanePyramid>> m_pyramids;
    PassSource m_passes;
    Ticks m_begin = 0;
    Ticks m_end = 1;
};

using LanesPtr = std::shared_ptr<const Lanes>;

/// A simulated schedule, a lane a device; a span's entry is the schedule's.
/// @pre the result is of this schedule
LanesPtr lanesOf(std::shared_ptr<const Schedule> schedule, const SimResult& result);

/// A draft, a lane a device; a span's entry counts through the devices' lists. Keeps the passes of
/// its own.
/// @pre the times are of this draft
LanesPtr lanesOf(const Draft& draft, const DraftTimes& times);

/// How an entry of an order is drawn, by its chunk.
class EntryLooks
{
public:
    explicit EntryLooks(const PipelineSpec& spec);

    SpanLook look(const OrderEntry& entry) const;

private:
    std::uint8_t tint(const Pass& pass) const;

    std::size_t m_stages;
    std::vector<std::uint8_t> m_tints; ///< by route and stage
};

} // namespace pw::ui
