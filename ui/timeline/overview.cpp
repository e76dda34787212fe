// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/timeline/overview.h"

#include "ui/presentation.h"
#include "ui/timeline/time_axis.h"

#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

namespace pw::ui {

OverviewLane overviewLane(int lane, int count, int height)
{
    const auto rowOf = [&](int which) {
        return static_cast<int>(std::int64_t{which} * height / std::max(1, count));
    };
    OverviewLane place{rowOf(lane), 1, 1};
    const int high = rowOf(lane + 1) - place.top;
    constexpr int leastWithLine = 4;
    if (high >= 1) {
        place.height = high >= leastWithLine ? high - 1 : high; // a hairline between them
        // Lanes before may have shared its first row; it covers them where it has more than that.
        if (high > 1)
            return place;
    }
    int before = 0;
    while (before < lane && rowOf(lane - before - 1) == place.top)
        ++before;
    place.opacity = 1.0 / (before + 1);
    return place;
}

Overview::Overview(ViewRange& range, QWidget* parent)
    : QWidget(parent)
    , m_range(range)
    , m_title(tr("Overview"))
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setMouseTracking(true);
    setAccessibleName(m_title);
    connect(&m_range, &ViewRange::changed, this, qOverload<>(&QWidget::update));
    connect(&m_range, &ViewRange::wholeChanged, this, [this] {
        m_picture = {};
        update();
    });
}

void Overview::setPainter(Painter painter)
{
    m_painter = std::move(painter);
    m_picture = {};
    update();
}

void Overview::setTitle(const QString& title)
{
    m_title = title;
    setAccessibleName(title);
    update();
}

void Overview::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange)
        m_picture = {};
    QWidget::changeEvent(event);
}

QRectF Overview::strip() const
{
    return TimeAxis::room(m_range, *this).adjusted(0, 5, 0, -5);
}

double Overview::timeAt(double x) const
{
    return scale().time(x);
}

TimeScale Overview::scale() const
{
    return TimeAxis::ofAll(m_range, *this);
}

QRectF Overview::frame() const
{
    const QRectF area = strip();
    const TimeScale all = scale();
    return QRectF(QPointF(std::max(all.x(m_range.begin()), area.left()), area.top()),
                  QPointF(std::min(all.x(m_range.end()), area.right()), area.bottom()));
}

void Overview::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), color(Role::Paper));
    const QRectF area = strip();
    const QSize pixels = (area.size() * devicePixelRatioF()).toSize();
    if (m_picture.size() != pixels && !pixels.isEmpty()) {
        m_picture = QImage(pixels, QImage::Format_RGB32);
        m_picture.fill(color(Role::Lane));
        QPainter inside(&m_picture);
        const TimeScale all = scale();
        if (m_painter)
            m_painter(inside, pixels,
                      {all.begin, all.ticksPerPixel * area.width() / pixels.width(), 0});
    }
    painter.drawImage(area, m_picture);
    const QRectF shown = frame();
    QColor veil = color(Role::Paper);
    veil.setAlphaF(0.6F);
    painter.fillRect(QRectF(area.topLeft(), QPointF(shown.left(), area.bottom())), veil);
    painter.fillRect(QRectF(QPointF(shown.right(), area.top()), area.bottomRight()), veil);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(color(Role::Accent), 1.5));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(shown.adjusted(-1, -2, 1, 2), 3, 3);
    painter.setPen(color(Role::Secondary));
    painter.drawText(QRectF(14, 0, TimeAxis::margin() - 20, height()), Qt::AlignVCenter, m_title);
}

Overview::Grip Overview::gripAt(QPointF point) const
{
    constexpr double reach = 5;
    const QRectF shown = frame();
    if (std::abs(point.x() - shown.left()) < reach)
        return Grip::Begin;
    if (std::abs(point.x() - shown.right()) < reach)
        return Grip::End;
    return shown.contains(point) && !m_range.showsAll() ? Grip::Inside : Grip::New;
}

void Overview::mousePressEvent(QMouseEvent* event)
{
    m_grip = gripAt(event->position());
    m_grabbed = timeAt(event->position().x());
}

void Overview::mouseMoveEvent(QMouseEvent* event)
{
    const double time = timeAt(event->position().x());
    if ((event->buttons() & Qt::LeftButton) == 0) {
        const Grip grip = gripAt(event->position());
        setCursor(grip == Grip::Begin || grip == Grip::End ? Qt::SizeHorCursor
                  : grip == Grip::Inside                   ? Qt::OpenHandCursor
                                                           : Qt::CrossCursor);
        return;
    }
    switch (m_grip) {
    case Grip::None:
        break;
    case Grip::Inside:
        m_range.pan(time - m_grabbed);
        m_grabbed = time;
        break;
    case Grip::Begin:
        m_range.show(std::min(time, m_range.end() - 20), m_range.end());
        break;
    case Grip::End:
        m_range.show(m_range.begin(), std::max(time, m_range.begin() + 20));
        break;
    case Grip::New:
        m_range.show(std::min(time, m_grabbed), std::max(time, m_grabbed));
        break;
    }
}

void Overview::mouseDoubleClickEvent(QMouseEvent*)
{
    m_range.fit();
}

} // namespace pw::ui
