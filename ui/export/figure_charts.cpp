// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/document/schedule_document.h"
#include "ui/export/figure_parts.h"

#include <QPainter>

#include <algorithm>

namespace pw::ui {

void FigureDrawing::Parts::paintBubbles(QPainter& painter) const
{
    painter.setPen(textColor());
    painter.setFont(bold);
    const QString heading = FigureWords::tr("Bubble");
    painter.drawText(QRectF(left, bubblesTop, right - left, line()), Qt::AlignLeft, heading);
    painter.setFont(font);
    painter.setPen(quietColor());
    const double headingWidth = QFontMetricsF(bold).horizontalAdvance(heading) + 8;
    painter.drawText(QRectF(left + headingWidth, bubblesTop, right - left - headingWidth, line()),
                     Qt::AlignLeft,
                     FigureWords::tr("idle part of the makespan (wall) and of the "
                                     "device's own span"));
    const bool named = bubbleRow >= line();
    const double words = named ? metrics.horizontalAdvance(ratesText({{}, 0.888, 0.888})) + 22 : 0;
    const double room = std::max(20.0, right - left - words);
    const double top = bubblesTop + line() + 2;
    const double bottom = top + static_cast<double>(content.bubbles.size()) * bubbleRow;
    // The axis goes to 100 %, so that bars of two figures can be held against each other.
    for (const int mark : {0, 25, 50, 75, 100}) {
        const double x = left + room * mark / 100;
        painter.setPen(QPen(paper() ? QColor(0xb0, 0xb0, 0xb0) : color(Role::Line), 0.7));
        painter.drawLine(QPointF(x, top), QPointF(x, bottom + 3));
        painter.setPen(quietColor());
        painter.drawText(QRectF(x - 30, bottom + 3, 60, line()), Qt::AlignCenter,
                         mark == 0 ? QStringLiteral("0") : QStringLiteral("%1 %").arg(mark));
    }
    for (std::size_t i = 0; i < content.bubbles.size(); ++i) {
        const BubbleRow& row = content.bubbles[i];
        const double y = top + static_cast<double>(i) * bubbleRow;
        const QRectF bar(left, y + 0.2 * bubbleRow, room, 0.6 * bubbleRow);
        painter.fillRect(QRectF(bar.topLeft(), QSizeF(room * row.wall, bar.height())),
                         color(Role::Secondary));
        if (!named)
            continue;
        painter.setPen(textColor());
        painter.drawText(QRectF(pad, y, left - pad - 8, bubbleRow),
                         Qt::AlignRight | Qt::AlignVCenter, row.device);
        painter.drawText(QRectF(right - words, y, words, bubbleRow),
                         Qt::AlignRight | Qt::AlignVCenter, ratesText(row));
    }
}

void FigureDrawing::Parts::paintLegend(QPainter& painter) const
{
    double ignored = 0;
    QRectF note;
    const double swatch = line() * 0.9;
    painter.setFont(font);
    for (const auto& [box, kind] : legendBoxes(&ignored, &note)) {
        double x = box.left();
        for (const int tint : key.tints(kind)) {
            const QRectF patch(x, box.top() + 0.05 * line(), swatch, swatch);
            const QColor ink = spanColor(ColorBy::Kind, kind, tint, 0);
            painter.fillRect(patch, ink);
            QRectF pattern = patch;
            if (kind == PassKind::BW) {
                QRectF stripe = patch;
                stripe.setTop(patch.bottom() - swatch * 0.25);
                painter.fillRect(stripe, spanColor(ColorBy::Kind, PassKind::W, tint, 0));
                pattern.setBottom(stripe.top());
            }
            if (paper())
                paintPattern(painter, pattern, kind, ink);
            x += swatch + 2;
        }
        painter.setPen(textColor());
        painter.drawText(QRectF(x + 3, box.top(), box.right() - x, line()),
                         Qt::AlignLeft | Qt::AlignVCenter,
                         text(name(kind)) + QLatin1Char(' ') + meaningOf(kind));
    }
    painter.setPen(quietColor());
    painter.drawText(note, Qt::AlignLeft | Qt::AlignVCenter,
                     key.anyTint() ? tintNote() : QString());
}

} // namespace pw::ui
