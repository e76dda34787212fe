// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/timeline/timeline_view.h"

#include <QEvent>
#include <QScrollBar>

#include <algorithm>

namespace pw::ui {

namespace {

double busyPart(const Lane& lane)
{
    if (lane.size() == 0)
        return 0;
    Ticks busy = 0;
    for (std::size_t i = 0; i < lane.size(); ++i)
        busy += lane.end[i] - lane.start[i];
    return static_cast<double>(busy) /
           static_cast<double>(std::max<Ticks>(1, lane.end.back() - lane.start.front()));
}

} // namespace

TimelineView::TimelineView(ViewRange& range, QWidget* parent)
    : LaneView(range, parent)
    , m_lanes(std::make_shared<const Lanes>())
{
    setAccessibleName(tr("Timeline"));
    setAccessibleDescription(tr("A lane a device; passes over time"));
    // The picture of the lanes covers all of it.
    viewport()->setAttribute(Qt::WA_OpaquePaintEvent);
    // Whether the picture of the lanes can be moved is seen when it is painted.
    connect(&m_range, &ViewRange::changed, viewport(), qOverload<>(&QWidget::update));
}

void TimelineView::setLanes(LanesPtr lanes, Ticks room)
{
    const bool sameTree =
        std::equal(lanes->lanes().begin(), lanes->lanes().end(), m_lanes->lanes().begin(),
                   m_lanes->lanes().end(), [](const Lane& one, const Lane& other) {
                       return one.depth == other.depth && one.group == other.group;
                   });
    m_lanes = std::move(lanes);
    m_busy.clear();
    for (const Lane& lane : m_lanes->lanes())
        m_busy.push_back(busyPart(lane));
    m_room = room;
    if (m_rangeIsOurs)
        m_range.setWhole(m_lanes->begin(), std::max(m_lanes->end(), m_room));
    const std::size_t before = m_overlay.selected.size();
    std::erase_if(m_overlay.selected, [this](SpanRef span) { return !m_lanes->holds(span); });
    if (!sameTree)
        layoutLanes();
    m_overlay.found.reset();
    refresh();
    Q_EMIT lanesChanged();
    if (m_overlay.selected.size() != before)
        Q_EMIT selectionChanged();
}

void TimelineView::setPreview(LanesPtr lanes)
{
    if (lanes == m_preview)
        return;
    m_preview = std::move(lanes);
    // It only grows while something is held, so that the time under the pointer stays.
    if (m_preview)
        m_range.setWhole(m_lanes->begin(), std::max(m_range.wholeEnd(), m_preview->end()));
    else
        m_range.setWhole(m_lanes->begin(), std::max(m_lanes->end(), m_room));
    refresh();
}

void TimelineView::setColorBy(ColorBy colorBy)
{
    m_colorBy = colorBy;
    refresh();
    Q_EMIT coloursChanged();
}

void TimelineView::setHeat(HeatPtr heat, Ticks most)
{
    m_heat = std::move(heat);
    m_mostHeat = most;
    refresh();
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
    if (!m_lanes->holds(span))
        return;
    if (!isLaneShown(span.lane)) {
        m_rows.openLane(span.lane);
        layoutLanes();
        refresh();
    }
    const Lane& lane = m_lanes->lanes()[static_cast<std::size_t>(span.lane)];
    const auto index = static_cast<std::size_t>(span.index);
    m_range.reveal(static_cast<double>(lane.start[index]), static_cast<double>(lane.end[index]));
    const QRectF area = laneGeometry().laneArea(span.lane);
    if (area.top() < 0)
        verticalScrollBar()->setValue(verticalScrollBar()->value() + static_cast<int>(area.top()) -
                                      LaneGeometry::top);
    else if (area.bottom() > viewport()->height())
        verticalScrollBar()->setValue(verticalScrollBar()->value() +
                                      LaneGeometry::gapBehind(m_laneHeight) +
                                      static_cast<int>(area.bottom()) - viewport()->height());
}

SpanRef TimelineView::current() const
{
    return m_overlay.selected.empty() ? SpanRef{} : m_overlay.selected.back();
}

bool TimelineView::sees(int lane) const
{
    return laneGeometry().laneArea(lane).intersects(room());
}

int TimelineView::laneAt(QPointF point) const
{
    return laneGeometry().laneAt(point);
}

SpanRef TimelineView::spanAt(QPointF point) const
{
    return laneGeometry().spanAt(point);
}

QRectF TimelineView::rectangleOf(SpanRef span) const
{
    return laneGeometry().rectangleOf(span);
}

void TimelineView::refresh()
{
    m_stale = true;
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
    layoutLanes();
    refresh();
}

} // namespace pw::ui
