// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/window/laser_pointer.h"

#include "ui/presentation.h"

#include <QApplication>
#include <QCursor>
#include <QEvent>
#include <QPainter>

#include <algorithm>

namespace pw::ui {

namespace {

constexpr int frame = 16; // ms
constexpr std::size_t trailFrames = 14;
constexpr int dotRadius = 7;

} // namespace

LaserPointer::LaserPointer(QWidget* over)
    : QWidget(over)
    , m_trail{over->mapFromGlobal(QCursor::pos())}
{
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setGeometry(over->rect());
    over->installEventFilter(this);
    // Widgets below have pointers of their own, and do not track it all.
    QApplication::setOverrideCursor(Qt::BlankCursor);
    m_timer.start(frame, this);
    show();
    raise();
}

LaserPointer::~LaserPointer()
{
    QApplication::restoreOverrideCursor();
}

bool LaserPointer::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == parentWidget() && event->type() == QEvent::Resize)
        setGeometry(parentWidget()->rect());
    return QWidget::eventFilter(watched, event);
}

/// All that the trail touches.
QRect LaserPointer::reach() const
{
    QRect all;
    for (const QPoint& point : m_trail)
        all |= QRect(point, QSize(1, 1));
    const int room = 2 * dotRadius;
    return all.adjusted(-room, -room, room, room);
}

void LaserPointer::timerEvent(QTimerEvent* event)
{
    if (event->timerId() != m_timer.timerId())
        return QWidget::timerEvent(event);
    const QRect before = reach();
    const QPoint now = mapFromGlobal(QCursor::pos());
    const bool rests = std::all_of(m_trail.begin(), m_trail.end(),
                                   [&now](const QPoint& point) { return point == now; });
    m_trail.push_back(now);
    while (m_trail.size() > trailFrames)
        m_trail.pop_front();
    if (!rests)
        update(before | reach());
}

void LaserPointer::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    QColor ink = color(Role::Refusal);
    for (std::size_t i = 1; i < m_trail.size(); ++i) {
        const double fresh = static_cast<double>(i) / static_cast<double>(m_trail.size());
        ink.setAlphaF(static_cast<float>(0.5 * fresh));
        painter.setPen(QPen(ink, 1 + dotRadius * fresh, Qt::SolidLine, Qt::RoundCap));
        if (m_trail[i - 1] != m_trail[i])
            painter.drawLine(m_trail[i - 1], m_trail[i]);
    }
    painter.setPen(Qt::NoPen);
    ink.setAlphaF(0.25F);
    painter.setBrush(ink);
    painter.drawEllipse(dot(), 2 * dotRadius - 2, 2 * dotRadius - 2);
    ink.setAlphaF(1);
    painter.setBrush(ink);
    painter.drawEllipse(dot(), dotRadius, dotRadius);
}

} // namespace pw::ui
