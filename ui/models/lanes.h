// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/io/lane_spans.h"

#include <QString>

#include <cstdint>
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

/// The spans of one lane with what stands beside it.
struct Lane : LaneSpans
{
    QString title;
    QString detail; ///< "stages 0, 7"
    /// In the tree of lanes: 0 a device. What is inside of a lane stands behind it, deeper, and is
    /// folded away with it.
    int depth = 0;
    /// Heading that stands above the lane, and above those behind it that have the same: they fold
    /// with it. Empty: none.
    QString group;
};

class LanePyramid;

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
    const PassSource& passes() const { return m_passes; }
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
LanesPtr lanesOf(std::shared_ptr<const Schedule> shared, const SimResult& result);

/// A draft, a lane a device; a span's entry counts through the devices' lists. Keeps the passes of
/// its own.
/// @pre the times are of this draft
LanesPtr lanesOf(const Draft& draft, const DraftTimes& times);

} // namespace pw::ui
