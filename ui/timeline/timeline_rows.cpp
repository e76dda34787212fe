// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/timeline/timeline_view.h"

#include <QContextMenuEvent>
#include <QMenu>
#include <QScrollBar>

#include <algorithm>
#include <cmath>

// Where the lanes of a timeline stand: one below the other, or as a tree that folds, with what is
// pinned above all.

namespace pw::ui {

namespace {

constexpr int leastHeight = 10;
constexpr int mostHeight = 64;
constexpr int usualHeight = 46;
constexpr int pinnedHeadHeight = 20;
constexpr double nestedPart = 0.6; ///< of a device's height that a lane inside of it has

int nestedHeight(int laneHeight)
{
    return std::max(leastHeight, static_cast<int>(std::lround(nestedPart * laneHeight)));
}

/// Lanes as high as devices have them, and what else there is, in pixels.
struct Wants
{
    double lanes = 0;
    int rest = 0;

    int heightAt(int laneHeight) const
    {
        return static_cast<int>(std::lround(lanes * laneHeight)) + rest;
    }
};

Wants wantsOf(const Lanes& lanes, const LaneRows* rows)
{
    constexpr int gap = LaneGeometry::gap;
    const int count = std::max(1, static_cast<int>(lanes.lanes().size()));
    if (rows == nullptr)
        return {static_cast<double>(count), count * gap};
    Wants wants;
    for (const LaneRows::Row& row : rows->rows()) {
        if (row.lane < 0) {
            wants.rest += row.height;
            continue;
        }
        wants.lanes += row.depth == 0 ? 1 : nestedPart;
        wants.rest += LaneGeometry::gapBehind(row.depth);
    }
    return wants;
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
    m_wantedHeight = std::clamp(height, leastHeight, mostHeight);
    layoutLanes();
    refresh();
}

/// The tree of the lanes, as high as they are now.
void TimelineView::outlineLanes()
{
    std::vector<LaneRows::Row> outline;
    m_nested = false;
    for (const Lane& lane : m_lanes->lanes()) {
        LaneRows::Row row;
        row.depth = lane.depth;
        row.lane = static_cast<int>(outline.size());
        row.key = outline.size();
        row.title = lane.title;
        row.height = (lane.depth == 0 ? m_laneHeight : nestedHeight(m_laneHeight)) +
                     LaneGeometry::gapBehind(lane.depth);
        m_nested = m_nested || lane.depth > 0;
        outline.push_back(std::move(row));
    }
    m_rows.setOutline(std::move(outline), pinnedHeadHeight);
}

void TimelineView::layoutLanes()
{
    constexpr int top = LaneGeometry::top;
    outlineLanes();
    const Wants wants = wantsOf(*m_lanes, rows());
    const int room = static_cast<int>((viewport()->height() - top - wants.rest) / wants.lanes);
    m_laneHeight = m_wantedHeight > 0 ? m_wantedHeight : std::clamp(room, 18, usualHeight);
    if (rows() != nullptr)
        outlineLanes(); // as high as they have become
    const int whole = top + (rows() != nullptr ? m_rows.height() : wants.heightAt(m_laneHeight));
    verticalScrollBar()->setPageStep(viewport()->height());
    verticalScrollBar()->setSingleStep((m_laneHeight + LaneGeometry::gap) / 2);
    verticalScrollBar()->setRange(0, std::max(0, whole - viewport()->height()));
    // No taller than the lanes are at their usual height: the room belongs to the charts.
    setMaximumHeight(m_lanes->lanes().empty()
                         ? QWIDGETSIZE_MAX
                         : top + LaneGeometry::gap +
                               wants.heightAt(std::max(m_wantedHeight, usualHeight)));
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

void TimelineView::togglePin(int lane)
{
    m_rows.togglePin(lane);
    layoutLanes();
    refresh();
}

/// A press on the title of a lane that others are inside of folds it, or opens it again.
bool TimelineView::pressTitle(QPointF point)
{
    const int lane = point.x() < margin ? laneAt(point) : -1;
    const LaneRows::Row* row = rows() != nullptr ? m_rows.rowOf(lane) : nullptr;
    if (row == nullptr || !row->inner || row->pinned)
        return false;
    toggleLane(lane);
    return true;
}

/// On the title of a lane: to pin it.
void TimelineView::contextMenuEvent(QContextMenuEvent* event)
{
    const int lane = event->pos().x() < margin ? laneAt(event->pos()) : -1;
    if (lane < 0) {
        QAbstractScrollArea::contextMenuEvent(event);
        return;
    }
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const QAction* pin =
        menu->addAction(isPinned(lane) ? tr("Back to its place") : tr("Pin above all"));
    connect(pin, &QAction::triggered, this, [this, lane] { togglePin(lane); });
    menu->popup(event->globalPos());
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
