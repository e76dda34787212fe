// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/timeline/timeline_view.h"

#include "ui/presentation.h"

#include <QEvent>
#include <QPainter>
#include <QScrollBar>

#include <algorithm>

namespace pw::ui {

namespace {

constexpr int leastHeight = 10;
constexpr int mostHeight = 64;
constexpr int usualHeight = 46;

constexpr double previewOpacity = 0.55;

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
    : QAbstractScrollArea(parent)
    , m_range(range)
    , m_lanes(std::make_shared<const Lanes>())
    , m_edge(new EdgeScroll(this))
{
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setAccessibleName(tr("Timeline"));
    setAccessibleDescription(tr("A lane a device; passes over time"));
    viewport()->setMouseTracking(true);
    connect(&m_range, &ViewRange::changed, this, &TimelineView::refresh);
    connect(m_edge, &EdgeScroll::moveAsked, this, &TimelineView::moveUnderDrag);
}

void TimelineView::setLanes(LanesPtr lanes, Ticks room)
{
    const bool sameCount = lanes->lanes().size() == m_lanes->lanes().size();
    m_lanes = std::move(lanes);
    m_busy.clear();
    for (const Lane& lane : m_lanes->lanes())
        m_busy.push_back(busyPart(lane));
    m_room = room;
    if (m_rangeIsOurs)
        m_range.setWhole(m_lanes->begin(), std::max(m_lanes->end(), m_room));
    const std::size_t before = m_overlay.selected.size();
    std::erase_if(m_overlay.selected, [this](SpanRef span) { return !m_lanes->holds(span); });
    if (!sameCount)
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

void TimelineView::setOverlay(Overlay overlay)
{
    m_overlay = std::move(overlay);
    viewport()->update();
}

void TimelineView::setHint(const QString& hint, bool refusal, std::optional<QPointF> at)
{
    if (at)
        m_pointer = *at;
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
    const Lane& lane = m_lanes->lanes()[static_cast<std::size_t>(span.lane)];
    const auto index = static_cast<std::size_t>(span.index);
    m_range.reveal(static_cast<double>(lane.start[index]), static_cast<double>(lane.end[index]));
    const QRectF area = laneGeometry().laneArea(span.lane);
    if (area.top() < 0)
        verticalScrollBar()->setValue(verticalScrollBar()->value() + static_cast<int>(area.top()) -
                                      LaneGeometry::top);
    else if (area.bottom() > viewport()->height())
        verticalScrollBar()->setValue(verticalScrollBar()->value() + LaneGeometry::gap +
                                      static_cast<int>(area.bottom()) - viewport()->height());
}

SpanRef TimelineView::current() const
{
    return m_overlay.selected.empty() ? SpanRef{} : m_overlay.selected.back();
}

QRectF TimelineView::room() const
{
    return {margin, 0, TimeAxis::length(*this), static_cast<double>(viewport()->height())};
}

bool TimelineView::sees(int lane) const
{
    return laneGeometry().laneArea(lane).intersects(room());
}

double TimelineView::timeAt(double x) const
{
    return scale().time(x);
}

LaneGeometry TimelineView::laneGeometry() const
{
    const QRectF lanes = room();
    return LaneGeometry(*m_lanes, scale(), QSizeF(lanes.right(), lanes.height()), m_laneHeight,
                        verticalScrollBar()->value());
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

void TimelineView::setLaneHeight(int height)
{
    m_wantedHeight = std::clamp(height, leastHeight, mostHeight);
    layoutLanes();
    refresh();
}

void TimelineView::layoutLanes()
{
    constexpr int top = LaneGeometry::top;
    constexpr int gap = LaneGeometry::gap;
    const int count = std::max(1, static_cast<int>(m_lanes->lanes().size()));
    const int room = (viewport()->height() - top) / count - gap;
    m_laneHeight = m_wantedHeight > 0 ? m_wantedHeight : std::clamp(room, 18, usualHeight);
    const int whole = top + count * (m_laneHeight + gap);
    verticalScrollBar()->setPageStep(viewport()->height());
    verticalScrollBar()->setSingleStep((m_laneHeight + gap) / 2);
    verticalScrollBar()->setRange(0, std::max(0, whole - viewport()->height()));
    // No taller than the lanes are at their usual height: the room belongs to the charts.
    setMaximumHeight(m_lanes->lanes().empty()
                         ? QWIDGETSIZE_MAX
                         : top + count * (std::max(m_wantedHeight, usualHeight) + gap) + gap);
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

// Painting

void TimelineView::paintEvent(QPaintEvent*)
{
    if (m_stale) {
        const double ratio = devicePixelRatioF();
        const QSize pixels = viewport()->size() * ratio;
        if (m_base.size() != pixels)
            m_base = QPixmap(pixels);
        m_base.setDevicePixelRatio(ratio);
        QPainter painter(&m_base);
        painter.setFont(font());
        paintBase(painter);
        m_stale = false;
    }
    QPainter painter(viewport());
    painter.drawPixmap(0, 0, m_base);
    const LaneGeometry geometry = laneGeometry();
    const OverlayPainter over(geometry, m_colorBy, font());
    Overlay shown = m_preview ? Overlay{} : m_overlay;
    if (m_preview)
        shown.ghosts = m_overlay.ghosts;
    over.paint(painter, shown);
    over.paintHint(painter, m_hint, m_hintIsRefusal, m_pointer);
}

void TimelineView::paintBase(QPainter& painter) const
{
    painter.fillRect(viewport()->rect(), color(Role::Paper));
    const LaneGeometry geometry = laneGeometry();
    const Lanes& shown = m_preview ? *m_preview : *m_lanes;
    const LanePainter lanes(shown, geometry.scale(), m_colorBy);
    QFont small = painter.font();
    small.setPixelSize(geometry.labelPixels());
    for (int lane = 0; lane < static_cast<int>(m_lanes->lanes().size()); ++lane) {
        const QRectF area = geometry.laneArea(lane);
        if (area.bottom() < 0 || area.top() > viewport()->height())
            continue;
        painter.save();
        painter.setClipRect(area);
        painter.setFont(small);
        painter.setOpacity(m_preview ? previewOpacity : 1);
        if (static_cast<std::size_t>(lane) < shown.lanes().size())
            lanes.paint(painter, static_cast<std::size_t>(lane), area);
        if (m_heat != nullptr && m_preview == nullptr)
            HeatPainter(*m_lanes, *m_heat, m_mostHeat, geometry.scale())
                .paint(painter, static_cast<std::size_t>(lane), area);
        painter.restore();
        paintTitle(painter, lane, area);
    }
}

void TimelineView::paintTitle(QPainter& painter, int lane, const QRectF& area) const
{
    const Lane& spans = m_lanes->lanes()[static_cast<std::size_t>(lane)];
    QRectF room(14, area.top(), margin - 24, area.height());
    QFont bold = font();
    bold.setWeight(QFont::DemiBold);
    bold.setPixelSize(std::clamp(m_laneHeight - 4, 8, 12));
    painter.setFont(bold);
    painter.setPen(color(Role::Text));
    if (m_laneHeight < 40) {
        painter.drawText(room, Qt::AlignVCenter | Qt::AlignLeft, spans.title);
        return;
    }
    painter.drawText(room.adjusted(0, 2, 0, 0), Qt::AlignTop | Qt::AlignLeft, spans.title);
    QFont small = font();
    small.setPixelSize(11);
    painter.setFont(small);
    painter.setPen(color(Role::Secondary));
    painter.drawText(room.adjusted(0, 17, 0, 0), Qt::AlignTop | Qt::AlignLeft, spans.detail);
    const QRectF bar(room.left(), room.bottom() - 7, room.width() - 6, 4);
    painter.fillRect(bar, color(Role::Line));
    painter.fillRect(
        QRectF(bar.topLeft(), QSizeF(bar.width() * m_busy[static_cast<std::size_t>(lane)], 4)),
        color(Role::Accent));
}

} // namespace pw::ui
