// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/alternatives/schedule_card.h"

#include "ui/presentation.h"
#include "ui/timeline/lane_painter.h"

#include <QPainter>

#include <algorithm>

namespace pw::ui {

namespace {

constexpr int cardWidth = 330;
constexpr int cardMargin = 12;
constexpr int cardPicture = 84;

} // namespace

ScheduleCard::ScheduleCard(QWidget* parent)
    : QWidget(parent)
{
    setAttribute(Qt::WA_TransparentForMouseEvents);
    hide();
}

void ScheduleCard::show(const Content& content, QPointF place)
{
    m_content = content;
    const int line = fontMetrics().height();
    const int high = 2 * cardMargin + line + 6 + (content.lanes ? cardPicture + 6 : 0) + line +
                     (content.verdict.isEmpty() ? 0 : line + 2);
    resize(std::min(cardWidth, parentWidget()->width() - 8), high);
    // Right below the point, or on its other sides where there is no room.
    constexpr int away = 14;
    QPoint corner = place.toPoint() + QPoint(away, away);
    if (corner.x() + width() > parentWidget()->width())
        corner.setX(std::max(0, place.toPoint().x() - away - width()));
    if (corner.y() + height() > parentWidget()->height())
        corner.setY(std::max(0, place.toPoint().y() - away - height()));
    move(corner);
    setAccessibleName(content.title);
    setAccessibleDescription(content.figures + QLatin1Char(' ') + content.verdict);
    raise();
    QWidget::show();
    update();
}

void ScheduleCard::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(color(Role::Line), 1));
    painter.setBrush(color(Role::Paper));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 5, 5);
    painter.setRenderHint(QPainter::Antialiasing, false);
    const QRectF inner = QRectF(rect()).adjusted(cardMargin, cardMargin, -cardMargin, -cardMargin);
    const double line = fontMetrics().height();
    QFont bold = font();
    bold.setWeight(QFont::DemiBold);
    painter.setFont(bold);
    painter.setPen(color(Role::Text));
    const double title = QFontMetricsF(bold).horizontalAdvance(m_content.title);
    painter.drawText(
        QRectF(inner.left(), inner.top(), inner.width(), line), Qt::AlignLeft,
        QFontMetricsF(bold).elidedText(m_content.title, Qt::ElideRight, inner.width()));
    QFont small = font();
    small.setPixelSize(11);
    painter.setFont(small);
    painter.setPen(color(Role::Secondary));
    const double left = inner.width() - title - 12;
    if (left > 30)
        painter.drawText(QRectF(inner.right() - left, inner.top(), left, line),
                         Qt::AlignRight | Qt::AlignVCenter,
                         QFontMetricsF(small).elidedText(m_content.source, Qt::ElideRight, left));
    double top = inner.top() + line + 6;
    if (m_content.lanes) {
        const Lanes& lanes = *m_content.lanes;
        const auto count = static_cast<double>(lanes.lanes().size());
        const double high = std::min(20.0, cardPicture / count);
        TimeScale scale;
        scale.begin = static_cast<double>(lanes.begin());
        scale.left = inner.left();
        scale.ticksPerPixel = static_cast<double>(lanes.end() - lanes.begin()) / inner.width();
        LanePainter picture(lanes, scale, ColorBy::Kind);
        QFont none = font();
        none.setPixelSize(100); // labels would not be readable, and find no room
        painter.setFont(none);
        const double first = top + (cardPicture - high * count) / 2;
        for (std::size_t lane = 0; lane < lanes.lanes().size(); ++lane)
            picture.paint(painter, lane,
                          QRectF(inner.left(), first + static_cast<double>(lane) * high,
                                 inner.width(), std::max(1.0, high - 1)));
        top += cardPicture + 6;
    }
    painter.setFont(font());
    const QFontMetricsF metrics(font());
    painter.setPen(color(Role::Text));
    painter.drawText(QRectF(inner.left(), top, inner.width(), line), Qt::AlignLeft,
                     metrics.elidedText(m_content.figures, Qt::ElideRight, inner.width()));
    painter.setPen(color(m_content.good ? Role::Good : Role::Secondary));
    painter.drawText(QRectF(inner.left(), top + line + 2, inner.width(), line), Qt::AlignLeft,
                     metrics.elidedText(m_content.verdict, Qt::ElideRight, inner.width()));
}

} // namespace pw::ui
