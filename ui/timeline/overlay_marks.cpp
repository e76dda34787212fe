// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/timeline/overlay_marks.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <utility>

namespace pw::ui {

void paintBand(QPainter& painter, const QRectF& band)
{
    QColor veil = color(Role::Accent);
    veil.setAlphaF(0.15F);
    painter.setPen(QPen(color(Role::Accent), 1));
    painter.setBrush(veil);
    painter.drawRect(band);
    painter.setBrush(Qt::NoBrush);
}

void paintFrame(QPainter& painter, const QRectF& box, Role role)
{
    for (const auto& [ink, width] : {std::pair(Role::Paper, 4), std::pair(role, 2)}) {
        painter.setPen(QPen(color(ink), width));
        painter.drawRoundedRect(box, 3.5, 3.5);
    }
}

void paintHint(QPainter& painter, const QString& hint, bool refusal, QPointF beside,
               const QRectF& room, const QFont& font)
{
    if (hint.isEmpty())
        return;
    const QFontMetricsF metrics(font);
    const double width = std::min<double>(420, room.width() - 16);
    const QRectF text = metrics.boundingRect(QRectF(0, 0, width - 16, 400), Qt::TextWordWrap, hint);
    QRectF box = text.adjusted(-8, -6, 8, 6);
    box.moveTopLeft(beside + QPointF(16, 20));
    box.moveRight(std::min<double>(box.right(), room.right() - 8));
    box.moveBottom(std::min<double>(box.bottom(), room.bottom() - 8));
    // A pointer that has left the room leaves the sentence in it.
    box.moveLeft(std::max<double>(box.left(), room.left() + 8));
    box.moveTop(std::max<double>(box.top(), room.top() + 8));
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(color(refusal ? Role::Refusal : Role::Line), 1));
    painter.setBrush(color(Role::Paper));
    painter.drawRoundedRect(box, 4, 4);
    painter.setPen(color(refusal ? Role::Refusal : Role::Text));
    painter.setFont(font);
    painter.drawText(box.adjusted(8, 6, -8, -6), Qt::TextWordWrap, hint);
}

} // namespace pw::ui
