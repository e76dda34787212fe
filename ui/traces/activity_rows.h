// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/trace/activity_lanes.h"
#include "ui/timeline/lane_rows.h"

#include <QString>

#include <cstdint>
#include <map>
#include <set>
#include <vector>

namespace pw::ui {

/// A heading above ranks that have something in common.
struct RankGroup
{
    int place = 0; ///< among the groups
    QString title;

    friend bool operator==(const RankGroup&, const RankGroup&) = default;
};

/// Which ranks have rows, by their numbers, and what they stand below.
struct RankRows
{
    std::set<std::int32_t> ranks;             ///< empty: all
    std::map<std::int32_t, RankGroup> groups; ///< by rank; empty: there are no groups

    bool shows(std::int32_t rank) const { return ranks.empty() || ranks.count(rank) > 0; }
};

/// The lanes of a trace as a tree that can be folded: rank ▸ device or process ▸ stream or thread,
/// below the groups of ranks where there are some.
/// Of rows the key of a lane is its number.
class ActivityRows : public LaneRows
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
        std::int32_t rankNumber = -1; ///< as of a lane
        QString title;
        QString note;
    };

    ActivityRows() = default;
    explicit ActivityRows(const std::vector<ActivityLane>& lanes,
                          const std::vector<Counter>& counters = {}, const RankRows& ranks = {});
};

} // namespace pw::ui
