// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/timeline/timeline_view.h"

#include "ui/presentation.h"

#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QScrollBar>
#include <QWheelEvent>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace pw::ui {

namespace {

constexpr int gap = 8;
constexpr int top = 4;
constexpr int leastHeight = 10;
constexpr int mostHeight = 64;
constexpr int usualHeight = 46;

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
{
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setAccessibleName(tr("Timeline"));
    setAccessibleDescription(tr("A lane a device; passes over time"));
    viewport()->setMouseTracking(true);
    connect(&m_range, &ViewRange::changed, this, &TimelineView::refresh);
}

void TimelineView::setLanes(LanesPtr lanes)
{
    const bool sameCount = lanes->lanes().size() == m_lanes->lanes().size();
    m_lanes = std::move(lanes);
    m_busy.clear();
    for (const Lane& lane : m_lanes->lanes())
        m_busy.push_back(busyPart(lane));
    m_range.setWhole(m_lanes->begin(), m_lanes->end());
    const std::size_t before = m_overlay.selected.size();
    std::erase_if(m_overlay.selected, [this](SpanRef span) { return !m_lanes->holds(span); });
    if (!sameCount)
        layoutLanes();
    refresh();
    if (m_overlay.selected.size() != before)
        Q_EMIT selectionChanged();
}

void TimelineView::setColorBy(ColorBy colorBy)
{
    m_colorBy = colorBy;
    refresh();
}

void TimelineView::setOverlay(Overlay overlay)
{
    m_overlay = std::move(overlay);
    viewport()->update();
}

void TimelineView::setHint(const QString& hint, bool refusal)
{
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
        const Lane& lane = m_lanes->lanes()[static_cast<std::size_t>(span.lane)];
        const auto index = static_cast<std::size_t>(span.index);
        m_range.reveal(static_cast<double>(lane.start[index]),
                       static_cast<double>(lane.end[index]));
    }
    viewport()->update();
    Q_EMIT selectionChanged();
}

SpanRef TimelineView::current() const
{
    return m_overlay.selected.empty() ? SpanRef{} : m_overlay.selected.back();
}

TimeScale TimelineView::scale() const
{
    return TimeScale::of(m_range, margin, viewport()->width() - margin);
}

double TimelineView::timeAt(double x) const
{
    return scale().time(x);
}

QRectF TimelineView::laneArea(int lane) const
{
    const int y = top + lane * (m_laneHeight + gap) - verticalScrollBar()->value();
    return QRectF(margin, y, viewport()->width() - margin, m_laneHeight);
}

int TimelineView::laneAt(QPointF point) const
{
    const double y = point.y() + verticalScrollBar()->value() - top + gap / 2.0;
    const int lane = static_cast<int>(std::floor(y / (m_laneHeight + gap)));
    return lane >= 0 && lane < static_cast<int>(m_lanes->lanes().size()) ? lane : -1;
}

SpanRef TimelineView::spanAt(QPointF point) const
{
    const int lane = laneAt(point);
    if (lane < 0 || point.x() < margin || !laneArea(lane).contains(point))
        return {};
    const Lane& spans = m_lanes->lanes()[static_cast<std::size_t>(lane)];
    const std::int64_t index = spans.at(static_cast<Ticks>(std::floor(timeAt(point.x()))));
    return index < 0 ? SpanRef{} : SpanRef{lane, index};
}

QRectF TimelineView::rectangleOf(SpanRef span) const
{
    if (!m_lanes->holds(span))
        return {};
    const Lane& lane = m_lanes->lanes()[static_cast<std::size_t>(span.lane)];
    const auto index = static_cast<std::size_t>(span.index);
    const TimeScale to = scale();
    QRectF area = laneArea(span.lane);
    area.setLeft(to.x(lane.start[index]));
    area.setRight(to.x(lane.end[index]));
    return area;
}

void TimelineView::setLaneHeight(int height)
{
    m_wantedHeight = std::clamp(height, leastHeight, mostHeight);
    layoutLanes();
    refresh();
}

void TimelineView::layoutLanes()
{
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
    paintOverlay(painter);
}

void TimelineView::paintBase(QPainter& painter) const
{
    painter.fillRect(viewport()->rect(), color(Role::Paper));
    const LanePainter lanes(*m_lanes, scale(), m_colorBy);
    QFont small = painter.font();
    small.setPixelSize(std::clamp(m_laneHeight / 3, 8, 12));
    for (int lane = 0; lane < static_cast<int>(m_lanes->lanes().size()); ++lane) {
        const QRectF area = laneArea(lane);
        if (area.bottom() < 0 || area.top() > viewport()->height())
            continue;
        painter.save();
        painter.setClipRect(area);
        painter.setFont(small);
        lanes.paint(painter, static_cast<std::size_t>(lane), area);
        painter.restore();
        paintTitle(painter, lane);
    }
}

void TimelineView::paintTitle(QPainter& painter, int lane) const
{
    const Lane& spans = m_lanes->lanes()[static_cast<std::size_t>(lane)];
    const QRectF area = laneArea(lane);
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

void TimelineView::paintOverlay(QPainter& painter) const
{
    painter.save();
    painter.setClipRect(QRectF(margin, 0, viewport()->width() - margin, viewport()->height()));
    painter.setPen(QPen(color(Role::Refusal), 2));
    painter.setBrush(Qt::NoBrush);
    for (const SpanRef span : m_overlay.critical) {
        if (!m_lanes->holds(span))
            continue;
        const QRectF box = rectangleOf(span);
        painter.drawLine(QPointF(box.left(), box.bottom() + 2),
                         QPointF(box.right() - 1, box.bottom() + 2));
    }
    const LanePainter lanes(*m_lanes, scale(), m_colorBy);
    const TimeScale to = scale();
    QFont small = font();
    small.setPixelSize(std::clamp(m_laneHeight / 3, 8, 12));
    painter.setFont(small);
    painter.setOpacity(0.75);
    for (const Ghost& ghost : m_overlay.ghosts) {
        QRectF box = laneArea(ghost.lane);
        box.setLeft(to.x(ghost.start));
        box.setRight(to.x(ghost.end));
        lanes.paintSpan(painter, box, ghost.look, ghost.pass, ghost.partner);
    }
    painter.setOpacity(1);
    painter.setRenderHint(QPainter::Antialiasing);
    for (const Arrow& arrow : m_overlay.arrows)
        paintArrow(painter, arrow);
    for (const SpanRef span : m_overlay.selected) {
        if (!m_lanes->holds(span))
            continue;
        const QRectF box = rectangleOf(span).adjusted(-1, -1, 0, 1);
        painter.setPen(QPen(color(Role::Paper), 4));
        painter.drawRoundedRect(box, 3.5, 3.5);
        painter.setPen(QPen(color(Role::Text), 2));
        painter.drawRoundedRect(box, 3.5, 3.5);
    }
    paintMarks(painter);
    painter.restore();
    paintHint(painter);
}

void TimelineView::paintArrow(QPainter& painter, const Arrow& arrow) const
{
    if (!m_lanes->holds(arrow.from) || !m_lanes->holds(arrow.to))
        return;
    const QRectF from = rectangleOf(arrow.from);
    const QRectF to = rectangleOf(arrow.to);
    const QPointF start(from.right() - 1, from.center().y());
    const QPointF end(to.left() + 1, to.center().y());
    const double bend = std::clamp((end.x() - start.x()) / 2, 12.0, 60.0);
    QPainterPath path(start);
    path.cubicTo(start + QPointF(bend, 0), end - QPointF(bend, 0), end);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(color(Role::Paper), 4));
    painter.drawPath(path);
    painter.setPen(QPen(color(Role::Accent), 1.6));
    painter.drawPath(path);
    painter.setBrush(color(Role::Accent));
    painter.setPen(Qt::NoPen);
    painter.drawPolygon(QPolygonF({end, end + QPointF(-7, -3.5), end + QPointF(-7, 3.5)}));
    painter.setBrush(Qt::NoBrush);
}

void TimelineView::paintMarks(QPainter& painter) const
{
    const TimeScale to = scale();
    const double height = viewport()->height();
    painter.setRenderHint(QPainter::Antialiasing, false);
    const auto line = [&](double time, Role role, const QString& label) {
        const double x = std::round(to.x(time));
        painter.setPen(QPen(color(role), 1));
        painter.drawLine(QPointF(x, 0), QPointF(x, height));
        if (!label.isEmpty())
            painter.drawText(QPointF(x + 4, height - 6), label);
    };
    if (m_overlay.markA && m_overlay.markB) {
        const double a = to.x(std::min(*m_overlay.markA, *m_overlay.markB));
        const double b = to.x(std::max(*m_overlay.markA, *m_overlay.markB));
        QColor veil = color(Role::Accent);
        veil.setAlphaF(0.10F);
        painter.fillRect(QRectF(a, 0, b - a, height), veil);
        painter.setPen(color(Role::Accent));
        painter.drawText(QRectF(a - 200, height - 36, b - a + 400, 16), Qt::AlignCenter,
                         durationText(std::abs(*m_overlay.markB - *m_overlay.markA)));
    }
    if (m_overlay.markA)
        line(*m_overlay.markA, Role::Accent, QStringLiteral("A"));
    if (m_overlay.markB)
        line(*m_overlay.markB, Role::Accent, QStringLiteral("B"));
    if (m_overlay.cursor)
        line(*m_overlay.cursor, Role::Refusal, {});
}

void TimelineView::paintHint(QPainter& painter) const
{
    if (m_hint.isEmpty())
        return;
    const QFontMetricsF metrics(font());
    const double width = std::min<double>(420, viewport()->width() - 16);
    QRectF text = metrics.boundingRect(QRectF(0, 0, width - 16, 400), Qt::TextWordWrap, m_hint);
    QRectF box = text.adjusted(-8, -6, 8, 6);
    box.moveTopLeft(m_pointer + QPointF(16, 20));
    box.moveRight(std::min<double>(box.right(), viewport()->width() - 8));
    box.moveBottom(std::min<double>(box.bottom(), viewport()->height() - 8));
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(color(m_hintIsRefusal ? Role::Refusal : Role::Line), 1));
    painter.setBrush(color(Role::Paper));
    painter.drawRoundedRect(box, 4, 4);
    painter.setPen(color(m_hintIsRefusal ? Role::Refusal : Role::Text));
    painter.setFont(font());
    painter.drawText(box.adjusted(8, 6, -8, -6), Qt::TextWordWrap, m_hint);
}

// Mouse

void TimelineView::mousePressEvent(QMouseEvent* event)
{
    m_pointer = m_pressPoint = event->position();
    m_pressTime = timeAt(m_pressPoint.x());
    const bool pan = event->button() == Qt::MiddleButton;
    if (pan) {
        m_gesture = Gesture::Pan;
        viewport()->setCursor(Qt::ClosedHandCursor);
        return;
    }
    if (event->button() != Qt::LeftButton)
        return;
    const SpanRef span = spanAt(m_pressPoint);
    const bool add = (event->modifiers() & (Qt::ControlModifier | Qt::ShiftModifier)) != 0;
    if (span.valid()) {
        const std::vector<SpanRef>& selected = m_overlay.selected;
        const bool known = std::find(selected.begin(), selected.end(), span) != selected.end();
        if (!known || add)
            select(span, add);
        m_pressed = span;
        m_gesture = Gesture::Press;
    } else if (m_pressPoint.x() >= margin) {
        if (!add)
            select({});
        m_gesture = Gesture::Measure;
    }
}

void TimelineView::mouseMoveEvent(QMouseEvent* event)
{
    const QPointF before = m_pointer;
    m_pointer = event->position();
    const double distance = (m_pointer - m_pressPoint).manhattanLength();
    switch (m_gesture) {
    case Gesture::None:
        Q_EMIT hovered(spanAt(m_pointer), m_pointer.x() < margin ? -1 : laneAt(m_pointer),
                       timeAt(m_pointer.x()));
        break;
    case Gesture::Press:
        if (distance < QApplication::startDragDistance())
            break;
        m_gesture = Gesture::Drag;
        viewport()->setCursor(Qt::ClosedHandCursor);
        Q_EMIT dragBegun(m_pressed);
        [[fallthrough]];
    case Gesture::Drag:
        Q_EMIT dragMoved(timeAt(m_pointer.x()) - m_pressTime, laneAt(m_pointer));
        break;
    case Gesture::Pan:
        m_range.pan((before.x() - m_pointer.x()) * scale().ticksPerPixel);
        verticalScrollBar()->setValue(verticalScrollBar()->value() -
                                      static_cast<int>(m_pointer.y() - before.y()));
        break;
    case Gesture::Measure:
        if (distance < QApplication::startDragDistance())
            break;
        m_overlay.markA = snapped(m_pressTime, laneAt(m_pressPoint));
        m_overlay.markB = snapped(timeAt(m_pointer.x()), laneAt(m_pointer));
        viewport()->update();
        Q_EMIT marksChanged();
        break;
    }
}

void TimelineView::mouseReleaseEvent(QMouseEvent*)
{
    endGesture(true);
}

void TimelineView::endGesture(bool dropped)
{
    const Gesture ended = m_gesture;
    m_gesture = Gesture::None;
    viewport()->unsetCursor();
    if (ended == Gesture::Drag) {
        setHint({}, false);
        Q_EMIT dragEnded(dropped);
    }
}

void TimelineView::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (const SpanRef span = spanAt(event->position()); span.valid())
        Q_EMIT activated(span);
    else
        m_range.fit();
}

void TimelineView::wheelEvent(QWheelEvent* event)
{
    const QPoint angle = event->angleDelta();
    const bool sideways =
        (event->modifiers() & Qt::ShiftModifier) != 0 || std::abs(angle.x()) > std::abs(angle.y());
    const bool overflow = verticalScrollBar()->maximum() > 0;
    if (sideways) {
        const int delta = angle.x() != 0 ? angle.x() : angle.y();
        m_range.pan(-delta / 120.0 * 0.1 * m_range.length());
    } else if ((event->modifiers() & Qt::ControlModifier) != 0 || !overflow) {
        m_range.zoom(std::pow(0.8, angle.y() / 120.0),
                     timeAt(std::max<double>(margin, event->position().x())));
    } else {
        QAbstractScrollArea::wheelEvent(event);
        return;
    }
    event->accept();
}

void TimelineView::leaveEvent(QEvent* event)
{
    if (m_gesture == Gesture::None)
        Q_EMIT hovered({}, -1, 0);
    QAbstractScrollArea::leaveEvent(event);
}

double TimelineView::snapped(double time, int lane) const
{
    constexpr double reach = 6;
    if (lane < 0)
        return time;
    const Lane& spans = m_lanes->lanes()[static_cast<std::size_t>(lane)];
    const auto at = static_cast<std::int64_t>(spans.firstEndingAfter(static_cast<Ticks>(time)));
    double best = time;
    double least = reach * scale().ticksPerPixel;
    for (std::int64_t i = at - 1; i <= at + 1; ++i) {
        if (i < 0 || i >= static_cast<std::int64_t>(spans.size()))
            continue;
        for (const Ticks edge :
             {spans.start[static_cast<std::size_t>(i)], spans.end[static_cast<std::size_t>(i)]}) {
            if (const double off = std::abs(static_cast<double>(edge) - time); off < least) {
                least = off;
                best = static_cast<double>(edge);
            }
        }
    }
    return best;
}

// Keys

/// Where zooming by key happens: at the pointer while it is over the lanes, else in the middle.
double TimelineView::anchor() const
{
    const bool over = viewport()->underMouse() && m_pointer.x() >= margin;
    return over ? timeAt(m_pointer.x()) : (m_range.begin() + m_range.end()) / 2;
}

void TimelineView::keyPressEvent(QKeyEvent* event)
{
    const bool plain =
        (event->modifiers() & ~(Qt::ShiftModifier | Qt::KeypadModifier)) == Qt::NoModifier;
    if (plain && (zoomKey(event->key()) || walkKey(event->key())))
        return;
    QAbstractScrollArea::keyPressEvent(event);
}

bool TimelineView::zoomKey(int key)
{
    switch (key) {
    case Qt::Key_W:
    case Qt::Key_Plus:
        m_range.zoom(0.8, anchor());
        return true;
    case Qt::Key_S:
    case Qt::Key_Minus:
        m_range.zoom(1.25, anchor());
        return true;
    case Qt::Key_A:
        m_range.pan(-0.1 * m_range.length());
        return true;
    case Qt::Key_D:
        m_range.pan(0.1 * m_range.length());
        return true;
    case Qt::Key_0:
    case Qt::Key_Home:
        m_range.fit();
        return true;
    case Qt::Key_F: {
        // Focus on the current pass; once it fills the view, back to everything.
        const SpanRef span = current();
        if (!m_lanes->holds(span)) {
            m_range.fit();
            return true;
        }
        const Lane& lane = m_lanes->lanes()[static_cast<std::size_t>(span.lane)];
        const auto begin = static_cast<double>(lane.start[static_cast<std::size_t>(span.index)]);
        const auto end = static_cast<double>(lane.end[static_cast<std::size_t>(span.index)]);
        const double around = 4 * std::max(end - begin, 1.0);
        if (m_range.length() < 1.01 * (end - begin + 2 * around))
            m_range.fit();
        else
            m_range.show(begin - around, end + around);
        return true;
    }
    default:
        return false;
    }
}

bool TimelineView::walkKey(int key)
{
    switch (key) {
    case Qt::Key_Period:
    case Qt::Key_Right:
        step(1);
        return true;
    case Qt::Key_Comma:
    case Qt::Key_Left:
        step(-1);
        return true;
    case Qt::Key_BracketRight:
        Q_EMIT walkAsked(1);
        return true;
    case Qt::Key_BracketLeft:
        Q_EMIT walkAsked(-1);
        return true;
    case Qt::Key_Up:
    case Qt::Key_Down: {
        const SpanRef span = current();
        const int lane = span.lane + (key == Qt::Key_Down ? 1 : -1);
        if (!m_lanes->holds(span) || lane < 0 || lane >= static_cast<int>(m_lanes->lanes().size()))
            return true;
        const Lane& from = m_lanes->lanes()[static_cast<std::size_t>(span.lane)];
        const Lane& to = m_lanes->lanes()[static_cast<std::size_t>(lane)];
        if (to.size() == 0)
            return true;
        const std::size_t at =
            to.firstEndingAfter(from.start[static_cast<std::size_t>(span.index)]);
        select({lane, static_cast<std::int64_t>(std::min(at, to.size() - 1))});
        return true;
    }
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (m_lanes->holds(current()))
            Q_EMIT activated(current());
        return true;
    case Qt::Key_M: {
        const SpanRef span = current();
        if (!m_lanes->holds(span))
            return true;
        const Lane& lane = m_lanes->lanes()[static_cast<std::size_t>(span.lane)];
        m_overlay.markA = static_cast<double>(lane.start[static_cast<std::size_t>(span.index)]);
        m_overlay.markB = static_cast<double>(lane.end[static_cast<std::size_t>(span.index)]);
        viewport()->update();
        Q_EMIT marksChanged();
        return true;
    }
    case Qt::Key_Escape:
        if (m_gesture != Gesture::None) {
            endGesture(false);
        } else if (m_overlay.markA || m_overlay.markB) {
            m_overlay.markA.reset();
            m_overlay.markB.reset();
            viewport()->update();
            Q_EMIT marksChanged();
        } else {
            select({});
        }
        return true;
    default:
        return false;
    }
}

void TimelineView::step(int direction)
{
    const SpanRef span = current();
    if (!m_lanes->holds(span)) {
        for (std::size_t lane = 0; lane < m_lanes->lanes().size(); ++lane) {
            if (m_lanes->lanes()[lane].size() > 0) {
                select({static_cast<std::int32_t>(lane), 0});
                return;
            }
        }
        return;
    }
    const SpanRef next{span.lane, span.index + direction};
    if (m_lanes->holds(next))
        select(next);
}

} // namespace pw::ui
