// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/traces/activity_rows.h"

#include "core/base/text.h"
#include "ui/text.h"

#include <QObject>

#include <algorithm>

namespace pw::ui {

namespace {

QString rankTitle(const ActivityLane& lane)
{
    return lane.rank < 0 ? QObject::tr("no rank") : QObject::tr("rank %1").arg(lane.rank);
}

/// Keys beyond those of lanes and what is around them.
constexpr std::size_t counterKeys = std::size_t{1} << 40U;
constexpr std::size_t pinnedKey = std::size_t{1} << 41U;

QString ownerTitle(const ActivityLane& lane)
{
    if (!lane.owner.empty())
        return lane.device ? text(lane.owner) : QObject::tr("process %1").arg(text(lane.owner));
    return lane.device ? QObject::tr("device") : QObject::tr("host");
}

} // namespace

ActivityRows::ActivityRows(const std::vector<ActivityLane>& lanes, std::vector<Counter> counters)
    : m_lanes(lanes)
    , m_counters(std::move(counters))
{
    // Keys of lanes are their numbers, those of what is around come behind.
    std::size_t next = lanes.size();
    for (std::size_t i = 0; i < lanes.size(); ++i) {
        const bool sameRank = i > 0 && lanes[i].rank == lanes[i - 1].rank;
        const bool sameOwner = sameRank && lanes[i].owner == lanes[i - 1].owner &&
                               lanes[i].device == lanes[i - 1].device;
        m_rankKeys.push_back(sameRank ? m_rankKeys.back() : next++);
        m_ownerKeys.push_back(sameOwner ? m_ownerKeys.back() : next++);
    }
    layOut();
}

ActivityRows::Row ActivityRows::laneRow(std::size_t lane) const
{
    const ActivityLane& of = m_lanes[lane];
    Row row;
    row.depth = 2;
    row.lane = static_cast<int>(lane);
    row.key = lane;
    row.title = text(of.name);
    row.note = text(groupedNumber(of.slices));
    row.folded = m_folded.count(lane) > 0;
    row.levels = row.folded ? 1 : std::clamp(of.rows, 1, deepestShown);
    // A lane of one level has room for its title and what it holds.
    row.height = std::max(row.levels * levelHeight, levelHeight + 4) + laneGap;
    return row;
}

void ActivityRows::togglePin(int lane)
{
    if (lane < 0 || static_cast<std::size_t>(lane) >= m_lanes.size())
        return;
    if (m_pinned.erase(lane) == 0)
        m_pinned.insert(lane);
    layOut();
}

void ActivityRows::layOut()
{
    m_rows.clear();
    int top = 0;
    const auto append = [&](Row row) {
        row.top = top;
        top += row.height;
        m_rows.push_back(std::move(row));
    };
    if (!m_pinned.empty()) {
        Row head;
        head.title = QObject::tr("pinned");
        head.key = pinnedKey;
        append(head);
        for (const int lane : m_pinned) {
            Row row = laneRow(static_cast<std::size_t>(lane));
            row.pinned = true;
            if (m_lanes[static_cast<std::size_t>(lane)].rank >= 0)
                row.title = rankTitle(m_lanes[static_cast<std::size_t>(lane)]) +
                            QStringLiteral(", ") + row.title;
            append(row);
        }
    }
    for (std::size_t i = 0; i < m_lanes.size(); ++i) {
        const ActivityLane& lane = m_lanes[i];
        const bool rankFolded = m_folded.count(m_rankKeys[i]) > 0;
        const bool ownerFolded = m_folded.count(m_ownerKeys[i]) > 0;
        if (i == 0 || m_rankKeys[i] != m_rankKeys[i - 1]) {
            Row row;
            row.key = m_rankKeys[i];
            row.title = rankTitle(lane);
            row.folded = rankFolded;
            append(row);
        }
        if (rankFolded)
            continue;
        for (std::size_t c = 0; c < m_counters.size(); ++c) {
            if (m_counters[c].rank != lane.rank || (i > 0 && m_rankKeys[i] == m_rankKeys[i - 1]))
                continue;
            Row row;
            row.depth = 2;
            row.counter = static_cast<int>(c);
            row.key = counterKeys + c;
            row.title = m_counters[c].title;
            row.note = m_counters[c].note;
            row.height = counterHeight + laneGap;
            append(row);
        }
        if (i == 0 || m_ownerKeys[i] != m_ownerKeys[i - 1]) {
            Row row;
            row.depth = 1;
            row.key = m_ownerKeys[i];
            row.title = ownerTitle(lane);
            row.folded = ownerFolded;
            append(row);
        }
        if (ownerFolded)
            continue;
        if (m_pinned.count(static_cast<int>(i)) == 0)
            append(laneRow(i));
    }
}

int ActivityRows::height() const
{
    return m_rows.empty() ? 0 : m_rows.back().top + m_rows.back().height;
}

int ActivityRows::rowAt(int y) const
{
    const auto after = std::upper_bound(m_rows.begin(), m_rows.end(), y,
                                        [](int place, const Row& row) { return place < row.top; });
    if (after == m_rows.begin() || y >= height())
        return -1;
    return static_cast<int>(std::prev(after) - m_rows.begin());
}

void ActivityRows::toggle(std::size_t key)
{
    if (m_folded.erase(key) == 0)
        m_folded.insert(key);
    layOut();
}

int ActivityRows::openLane(int lane)
{
    if (lane < 0 || static_cast<std::size_t>(lane) >= m_lanes.size())
        return -1;
    const auto place = static_cast<std::size_t>(lane);
    m_folded.erase(m_rankKeys[place]);
    m_folded.erase(m_ownerKeys[place]);
    layOut();
    const auto found = std::find_if(m_rows.begin(), m_rows.end(),
                                    [lane](const Row& row) { return row.lane == lane; });
    return static_cast<int>(found - m_rows.begin());
}

} // namespace pw::ui
