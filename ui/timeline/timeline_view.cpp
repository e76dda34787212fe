// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/timeline/timeline_view.h"

#include "ui/timeline/overlay_marks.h"

#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>

#include <algorithm>
#include <utility>

namespace pw::ui {

TimelineView::TimelineView(ViewRange& range, QWidget* parent)
    : LaneView(range, parent)
    , m_lanes(std::make_shared<const Lanes>())
    , m_gestures(*this)
{
    m_picture.setLanes(m_lanes);
    setAccessibleName(tr("Timeline"));
    setAccessibleDescription(tr("A lane a device; passes over time"));
    // The picture of the lanes covers all of it.
    viewport()->setAttribute(Qt::WA_OpaquePaintEvent);
    // Whether the picture of the lanes can be moved is seen when it is painted.
    connect(&m_range, &ViewRange::changed, viewport(), qOverload<>(&QWidget::update));
    connect(&m_gestures, &SpanGestures::dragBegun, this, &TimelineView::dragBegun);
    connect(&m_gestures, &SpanGestures::dragMoved, this, &TimelineView::dragMoved);
    connect(&m_gestures, &SpanGestures::dragEnded, this, &TimelineView::dragEnded);
}

void TimelineView::setLanes(LanesPtr lanes, Ticks room)
{
    const bool sameTree =
        std::equal(lanes->lanes().begin(), lanes->lanes().end(), m_lanes->lanes().begin(),
                   m_lanes->lanes().end(), [](const Lane& one, const Lane& other) {
                       return one.depth == other.depth && one.group == other.group;
                   });
    m_lanes = std::move(lanes);
    m_picture.setLanes(m_lanes);
    m_room = room;
    if (m_rangeIsOurs)
        m_range.setWhole(m_lanes->begin(), std::max(m_lanes->end(), m_room));
    const std::size_t before = m_overlay.selected.size();
    std::erase_if(m_overlay.selected, [this](SpanRef span) { return !m_lanes->holds(span); });
    if (!sameTree)
        layoutLanes();
    m_overlay.found.reset();
    viewport()->update();
    Q_EMIT lanesChanged();
    if (m_overlay.selected.size() != before)
        Q_EMIT selectionChanged();
}

void TimelineView::setPreview(LanesPtr lanes)
{
    if (lanes == m_picture.preview())
        return;
    // It only grows while something is held, so that the time under the pointer stays.
    if (lanes)
        m_range.setWhole(m_lanes->begin(), std::max(m_range.wholeEnd(), lanes->end()));
    else
        m_range.setWhole(m_lanes->begin(), std::max(m_lanes->end(), m_room));
    m_picture.setPreview(std::move(lanes));
    viewport()->update();
}

void TimelineView::setColorBy(ColorBy colorBy)
{
    m_picture.setColorBy(colorBy);
    viewport()->update();
    Q_EMIT coloursChanged();
}

void TimelineView::setHeat(HeatPtr heat, Ticks most)
{
    m_picture.setHeat(std::move(heat), most);
    viewport()->update();
}

void TimelineView::setHint(const QString& hint, bool refusal, std::optional<QPointF> at)
{
    if (at)
        setPointer(*at);
    m_hint = hint;
    m_hintIsRefusal = refusal;
    viewport()->update();
}

void TimelineView::select(SpanRef span, bool add)
{
    std::vector<SpanRef>& selected = m_overlay.selected;
    if (!add)
        selected.clear();
    if (m_lanes->holds(span)) {
        const auto known = std::find(selected.begin(), selected.end(), span);
        if (known != selected.end())
            selected.erase(known);
        else
            selected.push_back(span);
        reveal(span);
    }
    viewport()->update();
    Q_EMIT selectionChanged();
}

void TimelineView::setSelection(std::vector<SpanRef> spans)
{
    std::erase_if(spans, [this](SpanRef span) { return !m_lanes->holds(span); });
    m_overlay.selected = std::move(spans);
    viewport()->update();
    Q_EMIT selectionChanged();
}

void TimelineView::reveal(SpanRef span)
{
    const std::optional<TimeStretch> times = spanWalk().timesOf(span);
    if (!times)
        return;
    if (!isLaneShown(span.lane)) {
        m_rows.openLane(span.lane);
        relayout();
    }
    m_range.reveal(static_cast<double>(times->start), static_cast<double>(times->end));
    const QRectF area = laneGeometry().laneArea(span.lane);
    if (area.top() < 0)
        verticalScrollBar()->setValue(verticalScrollBar()->value() + static_cast<int>(area.top()) -
                                      LaneGeometry::top);
    else if (area.bottom() > viewport()->height())
        verticalScrollBar()->setValue(verticalScrollBar()->value() +
                                      LaneGeometry::gapBehind(laneHeight()) +
                                      static_cast<int>(area.bottom()) - viewport()->height());
}

LaneGeometry TimelineView::laneGeometry() const
{
    const QRectF lanes = room();
    return LaneGeometry(*m_lanes, scale(), QSizeF(lanes.right(), lanes.height()), laneHeight(),
                        verticalScrollBar()->value(), rows());
}

int TimelineView::readyAt(QPointF point) const
{
    const LaneGeometry geometry = laneGeometry();
    for (std::size_t i = 0; i < m_overlay.ready.size(); ++i)
        if (readyBox(geometry, m_overlay, i).contains(point))
            return static_cast<int>(i);
    return -1;
}

double TimelineView::snapped(double time, int lane) const
{
    constexpr double reach = 6; // pixels
    return spanWalk().snapped(time, lane, reach * scale().ticksPerPixel);
}

void TimelineView::refresh()
{
    m_picture.spoil();
    viewport()->update();
}

void TimelineView::scrollContentsBy(int, int)
{
    refresh();
}

void TimelineView::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        refresh();
    QAbstractScrollArea::changeEvent(event);
}

void TimelineView::resizeEvent(QResizeEvent* event)
{
    QAbstractScrollArea::resizeEvent(event);
    relayout();
}

void TimelineView::paintEvent(QPaintEvent*)
{
    const LaneGeometry geometry = laneGeometry();
    QPainter painter(viewport());
    painter.drawPixmap(
        0, 0, m_picture.paint({viewport()->size(), devicePixelRatioF(), font()}, geometry));
    OverlayPainter over(geometry, colorBy(), font());
    over.setWords(m_picture.words());
    if (m_picture.preview()) {
        over.paintTrial(painter, m_overlay);
    } else {
        over.paint(painter, m_overlay);
        MarkPainter(geometry.scale(), room(), font()).paint(painter, marks());
    }
    paintHint(painter, m_hint, m_hintIsRefusal, pointer(), viewport()->rect(), font());
}

// Heights and folds of the lanes

void TimelineView::setLaneHeight(int height)
{
    m_heights.want(height);
    relayout();
}

void TimelineView::setLeastLaneHeight(int height)
{
    m_heights.setLeast(height);
    relayout();
}

void TimelineView::layoutLanes()
{
    const int page = viewport()->height();
    const LaneHeights::Extent extent = m_heights.layOut(*m_lanes, page, m_rows);
    verticalScrollBar()->setPageStep(page);
    verticalScrollBar()->setSingleStep(
        std::max(1, (laneHeight() + LaneGeometry::gapBehind(laneHeight())) / 2));
    verticalScrollBar()->setRange(0, std::max(0, extent.now - page));
    // No taller than lanes become: what they leave belongs to the charts.
    setMaximumHeight(m_lanes->lanes().empty() ? QWIDGETSIZE_MAX : extent.most);
}

void TimelineView::relayout()
{
    layoutLanes();
    refresh();
}

void TimelineView::toggleLane(int lane)
{
    m_rows.toggle(static_cast<std::size_t>(lane));
    relayout();
}

/// A press on the title of a lane that others are inside of folds it, or opens it again; so does
/// one on a heading.
bool TimelineView::pressTitle(QPointF point)
{
    const LaneRows::Row* row = point.x() < margin() ? laneGeometry().rowAt(point) : nullptr;
    if (row == nullptr || !row->inner || row->pinned)
        return false;
    m_rows.toggle(row->key);
    relayout();
    return true;
}

// Mouse and keys

bool TimelineView::pressLanes(QMouseEvent& event)
{
    return m_gestures.press(pressPoint(), event.modifiers());
}

void TimelineView::moveLanes(QMouseEvent& event)
{
    const QPointF point = event.position();
    if (m_gestures.holds())
        m_gestures.move(point);
    else
        Q_EMIT hovered(spanAt(point), point.x() < margin() ? -1 : laneAt(point), timeAt(point.x()));
}

void TimelineView::releaseLanes(QMouseEvent& event)
{
    m_gestures.release(event.button());
}

void TimelineView::setDraggedAt(std::optional<QPointF> point)
{
    if (point && point->x() >= margin())
        followEdge(*point, Qt::Horizontal | Qt::Vertical);
    else
        stopFollowing();
}

void TimelineView::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (const SpanRef span = spanAt(event->position()); span.valid())
        Q_EMIT activated(span);
    else if (const int place = readyAt(event->position()); place >= 0)
        Q_EMIT readyActivated(place);
    else
        m_range.fit();
}

void TimelineView::leaveEvent(QEvent* event)
{
    if (!m_gestures.holds() && !holdsPointer())
        leaveHover();
    QAbstractScrollArea::leaveEvent(event);
}

void TimelineView::goTo(SpanRef span)
{
    if (span.valid())
        select(span);
}

void TimelineView::stepAlong(int direction)
{
    goTo(m_lanes->holds(current()) ? spanWalk().along(current(), direction) : spanWalk().first());
}

} // namespace pw::ui
