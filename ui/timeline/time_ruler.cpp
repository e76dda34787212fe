// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/timeline/time_ruler.h"

#include "ui/presentation.h"
#include "ui/timeline/time_axis.h"

#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>

#include <cmath>

namespace pw::ui {

TimeRuler::TimeRuler(ViewRange& range, QWidget* parent)
    : QWidget(parent)
    , m_range(range)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("Time axis"));
    connect(&m_range, &ViewRange::changed, this, qOverload<>(&QWidget::update));
}

void TimeRuler::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), color(Role::Paper));
    const TimeScale scale = TimeAxis::of(m_range, *this);
    QFont small = font();
    small.setPixelSize(TimeAxis::letters(11));
    painter.setFont(small);
    const TimeMarks marks =
        timeMarks(scale, TimeAxis::length(m_range, *this), TimeAxis::letters(84));
    for (const double time : marks.times) {
        const double x = std::round(scale.x(time));
        painter.setPen(color(Role::Line));
        painter.drawLine(QPointF(x, height() - TimeAxis::letters(12)), QPointF(x, height() - 1));
        painter.setPen(color(Role::Secondary));
        const QString words = axisText(time, marks);
        if (x + 4 + painter.fontMetrics().horizontalAdvance(words) <= width())
            painter.drawText(QPointF(x + 4, height() - 5), words);
    }
}

void TimeRuler::mousePressEvent(QMouseEvent* event)
{
    m_grabbed = event->position().x();
}

void TimeRuler::mouseMoveEvent(QMouseEvent* event)
{
    if ((event->buttons() & Qt::LeftButton) == 0)
        return;
    m_range.pan((m_grabbed - event->position().x()) * TimeAxis::of(m_range, *this).ticksPerPixel);
    m_grabbed = event->position().x();
}

void TimeRuler::wheelEvent(QWheelEvent* event)
{
    const TimeScale scale = TimeAxis::of(m_range, *this);
    m_range.zoom(std::pow(0.8, event->angleDelta().y() / 120.0), scale.time(event->position().x()));
}

} // namespace pw::ui
