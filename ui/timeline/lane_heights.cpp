// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/timeline/lane_heights.h"

#include "ui/timeline/lane_geometry.h"
#include "ui/timeline/time_axis.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace pw::ui {

namespace {

constexpr int leastHeight = 1;
constexpr int mostHeight = 260; ///< of few devices in a large window
constexpr int pinnedHeadHeight = 20;
constexpr std::size_t headingKey = std::size_t{1} << 42U; ///< beyond those of lanes
constexpr double nestedPart = 0.6; ///< of a device's height that a lane inside of it has

int nestedHeight(int laneHeight)
{
    return std::max(leastHeight, static_cast<int>(std::lround(nestedPart * laneHeight)));
}

/// Of a heading above lanes.
int headingHeight()
{
    return TimeAxis::letters(11) + 9;
}

/// Lanes that are shown, and what else there is, in pixels.
struct Wants
{
    int lanes = 0;
    int nested = 0; ///< inside of others
    int rest = 0;
    bool grouped = false; ///< lanes stand below headings

    int heightAt(int laneHeight) const
    {
        return lanes * (laneHeight + LaneGeometry::gapBehind(laneHeight, grouped ? 1 : 0)) +
               nested * (nestedHeight(laneHeight) + LaneGeometry::gapBehind(laneHeight, 1)) + rest;
    }
    /// The highest lanes that a room takes; the lowest where it takes none.
    int fitting(int room) const
    {
        int low = leastHeight, high = mostHeight;
        while (low < high) {
            const int middle = (low + high + 1) / 2;
            (heightAt(middle) <= room ? low : high) =
                heightAt(middle) <= room ? middle : middle - 1;
        }
        return low;
    }
};

Wants wantsOf(const Lanes& lanes, const LaneRows* rows)
{
    if (rows == nullptr)
        return {std::max(1, static_cast<int>(lanes.lanes().size())), 0, 0};
    Wants wants;
    wants.grouped = !lanes.lanes().empty() && !lanes.lanes().front().group.isEmpty();
    for (const LaneRows::Row& row : rows->rows()) {
        if (row.lane < 0)
            wants.rest += row.height;
        else if (lanes.lanes()[static_cast<std::size_t>(row.lane)].depth == 0)
            ++wants.lanes;
        else
            ++wants.nested;
    }
    return wants;
}

/// Rows of lanes of a height, below the headings of their groups.
std::vector<LaneRows::Row> outlineOf(const std::vector<Lane>& lanes, int laneHeight)
{
    std::vector<LaneRows::Row> outline;
    for (std::size_t i = 0; i < lanes.size(); ++i) {
        const Lane& lane = lanes[i];
        const bool grouped = !lane.group.isEmpty();
        if (grouped && (i == 0 || lanes[i - 1].group != lane.group)) {
            LaneRows::Row head;
            head.key = headingKey + i;
            head.title = lane.group;
            head.height = headingHeight();
            outline.push_back(std::move(head));
        }
        LaneRows::Row row;
        row.depth = lane.depth + (grouped ? 1 : 0);
        row.lane = static_cast<int>(i);
        row.key = i;
        row.title = lane.title;
        row.height = (lane.depth == 0 ? laneHeight : nestedHeight(laneHeight)) +
                     LaneGeometry::gapBehind(laneHeight, row.depth);
        outline.push_back(std::move(row));
    }
    return outline;
}

} // namespace

void LaneHeights::want(int height)
{
    m_wanted = height > 0 ? std::clamp(height, leastHeight, mostHeight) : 0;
}

void LaneHeights::setLeast(int height)
{
    m_least = std::clamp(height, leastHeight, mostHeight);
}

const LaneRows* LaneHeights::tree(const LaneRows& rows) const
{
    return m_nested || rows.anyPinned() ? &rows : nullptr;
}

/// The tree of the lanes, as high as they are now.
void LaneHeights::outline(const Lanes& lanes, LaneRows& rows)
{
    std::vector<LaneRows::Row> outline = outlineOf(lanes.lanes(), m_height);
    m_nested = std::any_of(outline.begin(), outline.end(),
                           [](const LaneRows::Row& row) { return row.depth > 0; });
    rows.setOutline(std::move(outline), pinnedHeadHeight);
}

LaneHeights::Extent LaneHeights::layOut(const Lanes& lanes, int room, LaneRows& rows)
{
    constexpr int top = LaneGeometry::top;
    outline(lanes, rows);
    const Wants wants = wantsOf(lanes, tree(rows));
    m_height = m_wanted > 0 ? m_wanted : std::max(m_least, wants.fitting(room - top));
    if (tree(rows) != nullptr)
        outline(lanes, rows); // as high as they have become
    return {top + (tree(rows) != nullptr ? rows.height() : wants.heightAt(m_height)),
            top + LaneGeometry::gapBehind(mostHeight) +
                wants.heightAt(m_wanted > 0 ? m_wanted : mostHeight)};
}

} // namespace pw::ui
