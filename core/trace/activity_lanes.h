// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/base/types.h"
#include "core/trace/slice_merger.h"
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
    std::int32_t rankNumber = -1; ///< as the files say it; −1: not known
    std::int32_t replica = -1;    ///< of a pipeline, where files say it; −1: they do not
    bool device = false;          ///< a stream, not a thread
    std::string owner;            ///< "GPU 0", or the process: "python 2910249"
    std::string name;             ///< "stream 7", or the thread
    std::int32_t track = -1;      ///< of `Trace::tracks`; −1: not known
    std::int32_t rows = 0;        ///< levels of nesting, at least 1
    std::int64_t slices = 0;
    Ticks start = 0; ///< of the first slice
    Ticks end = 0;   ///< of the last one to end

    friend bool operator==(const ActivityLane&, const ActivityLane&) = default;
};

/// The rows of a trace, wherever they are kept. All times are nanoseconds from the same zero.
class ActivitySource
{
public:
    virtual ~ActivitySource() = default;

    /// In the order in which they are drawn: by rank, devices before processes.
    virtual const std::vector<ActivityLane>& lanes() const = 0;

    /// Replaces `out` by the slices of a lane that reach into [from, to), by start and depth.
    /// @param grain  slices shorter than this that begin less than this apart on a level may come
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

/// A trace in memory as a source. Long lanes have coarser levels beside their spans; the finest is
/// at most a fifth as long, each further one a third of the one before.
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

    /// The same slices, each level into a list of its own, by start: for pictures, which need no
    /// order across levels. Levels without a list are left out. What begins in the whole stretches
    /// of a grain (see `SliceGroup`) in [from, to) is the same for every window.
    void levels(std::size_t lane, Ticks from, Ticks to, Ticks grain,
                std::vector<std::vector<ActivitySlice>>& out) const;

    const ActivityLanes& order() const { return m_lanes; }

private:
    /// Neighbours of a long lane put together, for windows that are long themselves.
    struct Coarse
    {
        Ticks grain = 0;
        std::vector<ActivitySlice> slices;
        std::vector<Ticks> ends; ///< as `m_ends`
    };

    void findCoarse(std::size_t lane);
    /// Hands what reaches into a window to a merger, from the coarsest level that is fine enough.
    template<class Merger>
    void read(std::size_t lane, Ticks from, Ticks to, Ticks grain, Merger& merger) const;
    ActivitySlice sliceAt(std::size_t place) const;

    const Trace& m_trace;
    ActivityLanes m_lanes;
    std::vector<Ticks> m_ends; // of each block of spans the last end, to pass over it
    std::vector<std::vector<Coarse>> m_coarse; // by lane, the finest first
};

} // namespace pw
