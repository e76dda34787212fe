// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/traces/activity_rows.h"

#include "core/base/text.h"
#include "ui/text.h"
#include "ui/traces/lane_title.h"

#include <QObject>

#include <algorithm>
#include <utility>

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

/// Puts rows one below the other.
class ActivityOutline
{
public:
    ActivityOutline(const std::vector<ActivityLane>& lanes,
                    const std::vector<ActivityRows::Counter>& counters, const RankRows& ranks)
        : m_lanes(lanes)
        , m_counters(counters)
        , m_ranks(ranks)
        , m_next(
              lanes.size()) // keys of lanes are their numbers, those of what is around come behind
    {
    }

    std::vector<LaneRows::Row> rows()
    {
        const std::vector<std::size_t> shown = shownLanes();
        std::set<std::int32_t> headed;
        const ActivityLane* before = nullptr;
        for (const std::size_t i : shown) {
            const ActivityLane& lane = m_lanes[i];
            const bool sameRank = before != nullptr && lane.rankNumber == before->rankNumber;
            if (!sameRank) {
                addRank(lane.rankNumber);
                headed.insert(lane.rankNumber);
            }
            if (!sameRank || lane.owner != before->owner || lane.device != before->device)
                add(heading(1, m_next++, ownerTitle(lane)));
            add(laneRow(m_lanes, i));
            before = &lane;
        }
        // Counters of ranks that have no lane.
        std::set<std::int32_t> lone;
        for (const ActivityRows::Counter& counter : m_counters)
            if (headed.count(counter.rankNumber) == 0 && m_ranks.shows(counter.rankNumber))
                lone.insert(counter.rankNumber);
        for (const std::int32_t rank : lone)
            addRank(rank);
        return std::move(m_rows);
    }

private:
    const RankGroup* groupOf(std::int32_t rank) const
    {
        const auto found = m_ranks.groups.find(rank);
        return found == m_ranks.groups.end() ? nullptr : &found->second;
    }

    /// In their order, group by group.
    std::vector<std::size_t> shownLanes() const
    {
        std::vector<std::size_t> shown;
        for (std::size_t i = 0; i < m_lanes.size(); ++i)
            if (m_ranks.shows(m_lanes[i].rankNumber))
                shown.push_back(i);
        const auto placeOf = [this](std::size_t i) {
            const RankGroup* group = groupOf(m_lanes[i].rankNumber);
            return group != nullptr ? group->place : -1;
        };
        std::stable_sort(shown.begin(), shown.end(), [&placeOf](std::size_t a, std::size_t b) {
            return placeOf(a) < placeOf(b);
        });
        return shown;
    }

    void addRank(std::int32_t rank)
    {
        const RankGroup* group = groupOf(rank);
        if (!m_ranks.groups.empty() && (m_rows.empty() || group != m_group) &&
            (group == nullptr || m_group == nullptr || *group != *m_group)) {
            m_rows.push_back(heading(0, m_next++, group != nullptr ? group->title : rankTitle(-1)));
            m_group = group;
        }
        add(heading(0, m_next++, rankTitle(rank)));
        for (std::size_t c = 0; c < m_counters.size(); ++c)
            if (m_counters[c].rankNumber == rank)
                add(counterRow(m_counters, c));
    }

    void add(LaneRows::Row row)
    {
        row.depth += m_ranks.groups.empty() ? 0 : 1;
        m_rows.push_back(std::move(row));
    }

    const std::vector<ActivityLane>& m_lanes;
    const std::vector<ActivityRows::Counter>& m_counters;
    const RankRows& m_ranks;
    std::size_t m_next;
    const RankGroup* m_group = nullptr; ///< whose heading was added last
    std::vector<LaneRows::Row> m_rows;
};

} // namespace

ActivityRows::ActivityRows(const std::vector<ActivityLane>& lanes,
                           const std::vector<Counter>& counters, const RankRows& ranks)
    : LaneRows(ActivityOutline(lanes, counters, ranks).rows(), headHeight)
{
}

} // namespace pw::ui
