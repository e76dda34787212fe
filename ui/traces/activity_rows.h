// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/trace/activity_lanes.h"

#include <QString>

#include <cstddef>
#include <set>
#include <vector>

namespace pw::ui {

/// The lanes of a trace as a tree that can be folded: rank ▸ device or process ▸ stream or thread.
/// Says where each row stands, in pixels from the top of all rows.
class ActivityRows
{
public:
    static constexpr int headHeight = 24;
    static constexpr int levelHeight = 16; ///< of a level of nested slices
    static constexpr int laneGap = 6;
    static constexpr int deepestShown = 24; ///< levels of a lane
    static constexpr int counterHeight = 40;

    /// A counter that stands under its rank.
    struct Counter
    {
        std::int32_t rank = -1; ///< number, as of a lane
        QString title;
        QString note;
    };

    struct Row
    {
        int depth = 0;    ///< 0 rank, 1 device or process, 2 lane
        int lane = -1;    ///< of a lane: its number
        int counter = -1; ///< of a counter: its number
        bool pinned = false;
        std::size_t key = 0; ///< what it is folded by
        QString title;
        QString note; ///< beside it: how much it holds
        bool folded = false;
        int top = 0;
        int height = headHeight;
        int levels = 0; ///< of slices that are shown
    };

    ActivityRows() = default;
    explicit ActivityRows(const std::vector<ActivityLane>& lanes,
                          std::vector<Counter> counters = {});

    /// Those that are not inside of something folded.
    const std::vector<Row>& rows() const { return m_rows; }
    int height() const;
    /// The row at a height; −1: none.
    int rowAt(int y) const;
    /// Folds a row, or opens it again; a lane that is folded shows its outermost slices alone.
    void toggle(std::size_t key);
    /// Lets a lane stand above all others, or puts it back.
    void togglePin(int lane);
    bool isPinned(int lane) const { return m_pinned.count(lane) > 0; }
    /// The row of a lane, which everything around it opens for; −1: there is none.
    int openLane(int lane);

private:
    void layOut();
    Row laneRow(std::size_t lane) const;

    std::vector<ActivityLane> m_lanes;
    std::vector<Counter> m_counters;
    std::set<int> m_pinned;
    std::vector<std::size_t> m_rankKeys, m_ownerKeys; ///< by lane
    std::set<std::size_t> m_folded;
    std::vector<Row> m_rows;
};

} // namespace pw::ui
