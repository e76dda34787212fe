// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/traces/activity_rows.h"

#include "core/base/text.h"
#include "ui/text.h"
#include "ui/traces/lane_title.h"

#include <QObject>

#include <algorithm>
#include <map>
#include <set>

namespace pw::ui {

namespace {

QString rankTitle(std::int32_t number)
{
    return number < 0 ? QObject::tr("no rank") : QObject::tr("rank %1").arg(number);
}

/// Keys beyond those of lanes and what is around them.
constexpr std::size_t counterKeys = std::size_t{1} << 40U;

QString ownerTitle(const ActivityLane& lane)
{
    if (!lane.owner.empty())
        return lane.device ? text(lane.owner) : QObject::tr("process %1").arg(text(lane.owner));
    return lane.device ? QObject::tr("device") : QObject::tr("host");
}

/// Of a lane, with one level or with all.
int laneHeight(int levels)
{
    // A lane of one level has room for its title and what it holds.
    return std::max(levels * ActivityRows::levelHeight, ActivityRows::levelHeight + 4) +
           ActivityRows::laneGap;
}

LaneRows::Row laneRow(const std::vector<ActivityLane>& lanes, std::size_t lane)
{
    const ActivityLane& of = lanes[lane];
    LaneRows::Row row;
    row.depth = 2;
    row.lane = static_cast<int>(lane);
    row.key = lane;
    row.title = laneTitle(of);
    if (of.rankNumber >= 0)
        row.pinnedTitle = rankTitle(of.rankNumber) + QStringLiteral(", ") + row.title;
    row.note = text(groupedNumber(of.slices));
    row.levels = std::clamp(of.rows, 1, ActivityRows::deepestShown);
    row.height = laneHeight(row.levels);
    row.foldedHeight = laneHeight(1);
    return row;
}

LaneRows::Row heading(int depth, std::size_t key, const QString& title)
{
    LaneRows::Row row;
    row.depth = depth;
    row.key = key;
    row.title = title;
    row.height = ActivityRows::headHeight;
    return row;
}

LaneRows::Row counterRow(const std::vector<ActivityRows::Counter>& counters, std::size_t index)
{
    LaneRows::Row row = heading(2, counterKeys + index, counters[index].title);
    row.counter = static_cast<int>(index);
    row.note = counters[index].note;
    row.height = ActivityRows::counterHeight + ActivityRows::laneGap;
    return row;
}

/// Counters of ranks that have no lane, under their ranks.
void addLoneCounters(std::vector<LaneRows::Row>& rows, const std::vector<ActivityLane>& lanes,
                     const std::vector<ActivityRows::Counter>& counters, std::size_t next)
{
    std::set<std::int32_t> headed;
    for (const ActivityLane& lane : lanes)
        headed.insert(lane.rankNumber);
    std::map<std::int32_t, std::vector<std::size_t>> lone;
    for (std::size_t c = 0; c < counters.size(); ++c)
        if (headed.count(counters[c].rankNumber) == 0)
            lone[counters[c].rankNumber].push_back(c);
    for (const auto& [rank, which] : lone) {
        rows.push_back(heading(0, next++, rankTitle(rank)));
        for (const std::size_t c : which)
            rows.push_back(counterRow(counters, c));
    }
}

std::vector<LaneRows::Row> outlineOf(const std::vector<ActivityLane>& lanes,
                                     const std::vector<ActivityRows::Counter>& counters)
{
    std::vector<LaneRows::Row> rows;
    // Keys of lanes are their numbers, those of what is around come behind.
    std::size_t next = lanes.size();
    for (std::size_t i = 0; i < lanes.size(); ++i) {
        const ActivityLane& lane = lanes[i];
        const bool sameRank = i > 0 && lane.rankNumber == lanes[i - 1].rankNumber;
        const bool sameOwner =
            sameRank && lane.owner == lanes[i - 1].owner && lane.device == lanes[i - 1].device;
        if (!sameRank)
            rows.push_back(heading(0, next++, rankTitle(lane.rankNumber)));
        for (std::size_t c = 0; c < counters.size(); ++c) {
            if (counters[c].rankNumber != lane.rankNumber || sameRank)
                continue;
            rows.push_back(counterRow(counters, c));
        }
        if (!sameOwner)
            rows.push_back(heading(1, next++, ownerTitle(lane)));
        rows.push_back(laneRow(lanes, i));
    }
    addLoneCounters(rows, lanes, counters, next);
    return rows;
}

} // namespace

ActivityRows::ActivityRows(const std::vector<ActivityLane>& lanes,
                           const std::vector<Counter>& counters)
    : LaneRows(outlineOf(lanes, counters), headHeight)
{
}

} // namespace pw::ui
