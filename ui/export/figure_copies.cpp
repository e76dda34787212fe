// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/export/figure_parts.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>

// What a figure says of activations that wait in the host's memory; lanes draw the copies.
namespace pw::ui {

bool FigureDrawing::Parts::hasCopies() const
{
    const std::vector<Lane>& lanes = content.lanes->lanes();
    return laneHeight >= LanePainter::leastWithCopies &&
           std::any_of(lanes.begin(), lanes.end(),
                       [](const Lane& lane) { return !lane.copies.empty(); });
}

/// A line of its own below the kinds: the corner and the row of either way, and what they are.
void FigureDrawing::Parts::paintCopyLegend(QPainter& painter, double top) const
{
    const double swatch = line() * 0.9;
    double x = left;
    for (const bool back : {false, true}) {
        const QColor ink = color(back ? Role::Later : Role::Accent);
        const QRectF patch(x, top + 0.05 * line(), swatch, swatch);
        const double side = 0.45 * swatch;
        const double edge = back ? patch.left() : patch.right();
        QPainterPath corner(QPointF(edge, patch.top()));
        corner.lineTo(edge + (back ? side : -side), patch.top());
        corner.lineTo(edge, patch.top() + side);
        corner.closeSubpath();
        painter.fillPath(corner, ink);
        painter.fillRect(QRectF(patch.left(), patch.bottom() - 3, swatch, 3), ink);
        const QString words = back ? FigureWords::tr("back from the host's memory")
                                   : FigureWords::tr("to the host's memory");
        const double wide = metrics.horizontalAdvance(words);
        x += swatch + 5;
        painter.setPen(textColor());
        painter.drawText(QRectF(x, top, wide + 2, line()), Qt::AlignLeft | Qt::AlignVCenter, words);
        x += wide + 14;
    }
}

} // namespace pw::ui
