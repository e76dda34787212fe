// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/timeline/time_axis.h"
#include "ui/timeline/timeline_view.h"

#include <QScrollBar>

#include <algorithm>
#include <cmath>
#include <cstddef>

// Where the lanes of a timeline stand: one below the other, or as a tree that folds, with what is
// pinned above all.

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

LaneGeometry TimelineView::laneGeometry() const
{
    const QRectF lanes = room();
    return LaneGeometry(*m_lanes, scale(), QSizeF(lanes.right(), lanes.height()), m_laneHeight,
                        verticalScrollBar()->value(), rows());
}

const LaneRows* TimelineView::rows() const
{
    return m_nested || m_rows.anyPinned() ? &m_rows : nullptr;
}

void TimelineView::setLaneHeight(int height)
{
    m_wantedHeight = height > 0 ? std::clamp(height, leastHeight, mostHeight) : 0;
    layoutLanes();
    refresh();
}

void TimelineView::setLeastLaneHeight(int height)
{
    m_leastHeight = std::clamp(height, leastHeight, mostHeight);
    layoutLanes();
    refresh();
}

/// The tree of the lanes, as high as they are now.
void TimelineView::outlineLanes()
{
    std::vector<LaneRows::Row> outline = outlineOf(m_lanes->lanes(), m_laneHeight);
    m_nested = std::any_of(outline.begin(), outline.end(),
                           [](const LaneRows::Row& row) { return row.depth > 0; });
    m_rows.setOutline(std::move(outline), pinnedHeadHeight);
}

void TimelineView::layoutLanes()
{
    constexpr int top = LaneGeometry::top;
    outlineLanes();
    const Wants wants = wantsOf(*m_lanes, rows());
    m_laneHeight = m_wantedHeight > 0
                       ? m_wantedHeight
                       : std::max(m_leastHeight, wants.fitting(viewport()->height() - top));
    if (rows() != nullptr)
        outlineLanes(); // as high as they have become
    const int whole = top + (rows() != nullptr ? m_rows.height() : wants.heightAt(m_laneHeight));
    verticalScrollBar()->setPageStep(viewport()->height());
    verticalScrollBar()->setSingleStep(
        std::max(1, (m_laneHeight + LaneGeometry::gapBehind(m_laneHeight)) / 2));
    verticalScrollBar()->setRange(0, std::max(0, whole - viewport()->height()));
    // No taller than lanes become: what they leave belongs to the charts.
    setMaximumHeight(m_lanes->lanes().empty()
                         ? QWIDGETSIZE_MAX
                         : top + LaneGeometry::gapBehind(mostHeight) +
                               wants.heightAt(m_wantedHeight > 0 ? m_wantedHeight : mostHeight));
}

void TimelineView::toggleLane(int lane)
{
    m_rows.toggle(static_cast<std::size_t>(lane));
    layoutLanes();
    refresh();
}

bool TimelineView::isLaneShown(int lane) const
{
    return rows() == nullptr || m_rows.rowOf(lane) != nullptr;
}

void TimelineView::relayout()
{
    layoutLanes();
    refresh();
}

/// A press on the title of a lane that others are inside of folds it, or opens it again; so does
/// one on a heading.
bool TimelineView::pressTitle(QPointF point)
{
    if (rows() == nullptr || point.x() >= margin())
        return false;
    const int at = m_rows.rowAt(static_cast<int>(std::floor(point.y())) +
                                verticalScrollBar()->value() - LaneGeometry::top);
    if (at < 0)
        return false;
    const LaneRows::Row row = m_rows.rows()[static_cast<std::size_t>(at)];
    if (!row.inner || row.pinned)
        return false;
    m_rows.toggle(row.key);
    layoutLanes();
    refresh();
    return true;
}

/// The lane that is shown below (+1) or above (−1) another one; −1: none.
int TimelineView::laneBeside(int lane, int direction) const
{
    const int count = static_cast<int>(m_lanes->lanes().size());
    if (rows() == nullptr)
        return lane + direction < count ? lane + direction : -1;
    const std::vector<LaneRows::Row>& all = m_rows.rows();
    const LaneRows::Row* own = m_rows.rowOf(lane);
    if (own == nullptr)
        return -1;
    for (auto place = own - all.data() + direction;
         place >= 0 && place < static_cast<std::ptrdiff_t>(all.size()); place += direction)
        if (const int beside = all[static_cast<std::size_t>(place)].lane; beside >= 0)
            return beside;
    return -1;
}

} // namespace pw::ui
