// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/types.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <vector>

namespace pw {

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

/// What slices of one level, which come by start, are put together to: those shorter than a grain
/// that begin in the same stretch [k·grain, (k + 1)·grain) become one, unless a longer one stands
/// between them. So it does not matter where a window begins: whatever begins in its whole
/// stretches comes as it would in any other one.
class SliceGroup
{
public:
    bool empty() const { return m_slice.count == 0; }
    const ActivitySlice& slice() const { return m_slice; }

    /// Adds a slice where it belongs to the group. @return  false: it does not
    bool join(const ActivitySlice& slice, Ticks grain)
    {
        const Ticks length = slice.end - slice.start;
        if (length >= grain || m_longest >= grain || slice.start >= m_stretchEnd)
            return false;
        m_slice.end = m_slice.end < slice.end ? slice.end : m_slice.end;
        m_slice.count += slice.count;
        m_slice.id = -1;
        if (length > m_longest) {
            m_longest = length;
            m_slice.name = slice.name;
            m_slice.kind = slice.kind;
        }
        return true;
    }

    /// A group of one. @pre the grain is above 0
    void begin(const ActivitySlice& slice, Ticks grain)
    {
        m_slice = slice;
        m_longest = slice.end - slice.start;
        const Ticks over = slice.start % grain;
        m_stretchEnd = slice.start - over + (over < 0 ? 0 : grain);
    }

private:
    ActivitySlice m_slice = {0, 0, -1, -1, 0, 0, ActivityKind::Other};
    Ticks m_longest = 0; // of the slices in it
    Ticks m_stretchEnd = 0;
};

/// Puts neighbours together that are too short for a grain, on each level; see `SliceGroup`. Slices
/// come by start.
class SliceMerger
{
public:
    /// @param grain  0: each comes alone
    /// @param out    gets what is merged; in no order before `finish`
    SliceMerger(Ticks grain, std::vector<ActivitySlice>& out)
        : m_grain(grain)
        , m_out(out)
    {
    }

    void take(const ActivitySlice& slice);
    /// After the last one. Sorts by start and depth.
    void finish();

private:
    Ticks m_grain;
    std::vector<ActivitySlice>& m_out;
    std::vector<SliceGroup> m_groups; // by level
};

/// The same, each level into a list of its own, which is by start; levels without a list are left
/// out.
class LevelMerger
{
public:
    LevelMerger(Ticks grain, std::vector<std::vector<ActivitySlice>>& out)
        : m_grain(grain)
        , m_out(out)
        , m_groups(out.size())
    {
    }

    void take(const ActivitySlice& slice);
    /// After the last one.
    void finish();

private:
    Ticks m_grain;
    std::vector<std::vector<ActivitySlice>>& m_out;
    std::vector<SliceGroup> m_groups; // by level
};

} // namespace pw
