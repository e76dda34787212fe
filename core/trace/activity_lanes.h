// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/base/types.h"
#include "core/trace/trace.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace pw {

// Everything that a trace holds, as rows to draw: rank ▸ device ▸ stream and rank ▸ process ▸
// thread, each with slices that nest. Pages and reports read it through `ActivitySource`, which is
// a trace in memory or a run in the store.

/// A row: a stream of a device, or a thread of a process.
struct ActivityLane
{
    std::int32_t rank = -1;  ///< number as the files say it; −1: not known
    bool device = false;     ///< a stream, not a thread
    std::string owner;       ///< "GPU 0", or the process: "python 2910249"
    std::string name;        ///< "stream 7", or the thread
    std::int32_t track = -1; ///< of `Trace::tracks`; −1: not known
    std::int32_t rows = 0;   ///< levels of nesting, at least 1
    std::int64_t slices = 0;
    Ticks start = 0; ///< of the first slice
    Ticks end = 0;   ///< of the last one to end

    friend bool operator==(const ActivityLane&, const ActivityLane&) = default;
};

/// A stretch of a lane.
struct ActivitySlice
{
    Ticks start = 0;
    Ticks end = 0;
    std::int64_t id = -1;    ///< for its arguments; −1: several that are too short to be seen
    std::int32_t name = -1;  ///< for `ActivitySource::name`; of several, of the one that took most
    std::int32_t count = 1;  ///< how many it stands for
    std::uint16_t depth = 0; ///< level of nesting, from 0
    ActivityKind kind = ActivityKind::Other;

    friend bool operator==(const ActivitySlice&, const ActivitySlice&) = default;
};

/// The rows of a trace, wherever they are kept. All times are nanoseconds from the same zero.
class ActivitySource
{
public:
    virtual ~ActivitySource() = default;

    /// In the order in which they are drawn: by rank, devices before processes.
    virtual const std::vector<ActivityLane>& lanes() const = 0;

    /// Replaces `out` by the slices of a lane that reach into [from, to), by start and depth.
    /// @param grain  slices shorter than this that stand less than this apart on a level may come
    ///               as one; 0: each comes alone
    /// @error        as of the place they are kept in
    virtual Result<void> slices(std::size_t lane, Ticks from, Ticks to, Ticks grain,
                                std::vector<ActivitySlice>& out) const = 0;

    /// Calls `take` with every slice of a lane, by start and depth, until it returns false.
    virtual Result<void> each(std::size_t lane,
                              const std::function<bool(const ActivitySlice&)>& take) const;

    /// The text of a name; empty where there is none.
    virtual Result<std::string> name(std::int32_t name) const = 0;
};

/// The lanes of a trace, with the spans of each.
struct ActivityLanes
{
    std::vector<ActivityLane> lanes;
    std::vector<std::size_t> firstSpan; ///< by lane, a place in `spans`; one more at the end
    std::vector<std::int32_t> spans;    ///< of `Trace::spans`, by lane, start and depth
};

/// Sorts the spans of a trace into lanes and finds their depth, which it writes into them. A span
/// that overlaps another one of its track without nesting is on a second lane of that track.
/// Memory is four bytes a span. @complexity O(n log n)
ActivityLanes activityLanes(Trace& trace);

/// A trace in memory as a source. Long lanes have a coarser level beside their spans, which is at
/// most an eighth as long.
class TraceActivity : public ActivitySource
{
public:
    /// @param trace  outlives this; its spans get their depth
    explicit TraceActivity(Trace& trace);
    /// @param lanes  of `activityLanes` for the trace, or as they were kept
    TraceActivity(const Trace& trace, ActivityLanes lanes);

    const std::vector<ActivityLane>& lanes() const override { return m_lanes.lanes; }
    Result<void> slices(std::size_t lane, Ticks from, Ticks to, Ticks grain,
                        std::vector<ActivitySlice>& out) const override;
    Result<void> each(std::size_t lane,
                      const std::function<bool(const ActivitySlice&)>& take) const override;
    Result<std::string> name(std::int32_t name) const override;

    const ActivityLanes& order() const { return m_lanes; }

private:
    /// Neighbours of a long lane put together, for windows that are long themselves.
    struct Coarse
    {
        Ticks grain = 0; ///< 0: the lane has none
        std::vector<ActivitySlice> slices;
        std::vector<Ticks> ends; ///< as `m_ends`
    };

    void findCoarse(std::size_t lane);
    ActivitySlice sliceAt(std::size_t place) const;

    const Trace& m_trace;
    ActivityLanes m_lanes;
    std::vector<Ticks> m_ends;    // of each block of spans the last end, to pass over it
    std::vector<Coarse> m_coarse; // by lane
};

/// Makes one slice of neighbours that are both shorter than a grain and less than a grain apart, on
/// each level. Slices come by start.
class SliceMerger
{
public:
    /// @param out  gets what is merged; sort it by start afterwards, see `finish`
    SliceMerger(Ticks grain, std::vector<ActivitySlice>& out)
        : m_grain(grain)
        , m_out(out)
    {
    }

    void take(const ActivitySlice& slice);
    /// After the last one. Sorts by start and depth.
    void finish();

private:
    struct Level
    {
        ActivitySlice slice;
        Ticks longest = 0; // of the slices in it
    };

    Ticks m_grain;
    std::vector<ActivitySlice>& m_out;
    std::vector<Level> m_levels; // count 0: none yet
};

} // namespace pw
