// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/away_mark.h"
#include "ui/presentation.h"
#include "ui/timeline/heat_painter.h"
#include "ui/timeline/lane_painter.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

// How a lane shows what goes to the host's memory.
namespace pw::ui {

namespace {

/// The whole pixel of a place, the same for places that are a whole number of pixels apart.
double copyPixel(double place)
{
    constexpr double little = 1e-4;
    return std::floor(place + 0.5 + little);
}

/// On whole pixels: not every font has it.
void paintAway(QPainter& painter, const QRectF& box, const QColor& block)
{
    using Mark = AwayMark;
    const auto left = static_cast<int>(copyPixel(box.right() - Mark::room - Mark::width));
    const auto top = static_cast<int>(copyPixel(box.top() + Mark::top));
    const QColor ink = inkOn(block);
    constexpr int middle = Mark::width / 2;
    // Lines of a guessed time are away.
    painter.fillRect(left, top, Mark::width, Mark::height, block);
    for (int row = 0; row < Mark::head; ++row)
        painter.fillRect(left + middle - row, top + row, 2 * row + 1, 1, ink);
    for (const int dash : Mark::stem)
        painter.fillRect(left + middle, top + dash, 1, Mark::dash, ink);
}

} // namespace

/// Two thin rows at the lower edge: what leaves for the host, and under it what comes back.
void LanePainter::paintCopies(QPainter& painter, const Lane& lane, const QRectF& area,
                              const QRectF& exposed) const
{
    if (lane.copies.empty() || area.height() < leastWithCopies)
        return;
    const double row = std::clamp(std::floor(area.height() / 12), 1.0, 3.0);
    const QColor ground = color(Role::Lane);
    for (const LaneCopy& copy : lane.copies) {
        const double left = copyPixel(std::max(m_scale.x(copy.start), area.left() - 4));
        const double right = copyPixel(std::min(m_scale.x(copy.end), area.right() + 4));
        if (right <= left || right < exposed.left() || left > exposed.right())
            continue;
        const QRectF bar(left, area.bottom() - (copy.back ? row : 2 * row + 1),
                         std::max(right - left - 1, 1.0), row);
        // A rim of the ground keeps it apart from the pass that it lies on.
        painter.fillRect(bar.adjusted(0, -1, 0, 0), ground);
        painter.fillRect(bar, color(copy.back ? Role::Later : Role::Accent));
    }
}

/// What leaves for the host has a ⇡ where it stands clear of the letters, else a corner; what waits
/// for it to come back has a corner.
void LanePainter::paintMarks(QPainter& painter, const QRectF& box, SpanLook look,
                             const QColor& ink) const
{
    constexpr double side = 6;
    if (box.width() < side + 1 || box.height() < 2 * side)
        return;
    const auto corner = [&](double x, double inwards, Role role) {
        QPainterPath path(QPointF(x, box.top()));
        path.lineTo(x + inwards * side, box.top());
        path.lineTo(x, box.top() + side);
        path.closeSubpath();
        painter.fillPath(path, color(role));
        painter.strokePath(path, QPen(color(Role::Lane), 0.7));
    };
    const double line = QFontMetricsF(painter.font()).height();
    const double most = 3 * line; // of a letter and a number
    const PictureBox block{0, 0, box.width(), box.height()};
    const PictureBox letters{0, 0, most, box.width() < most ? 2 * line : line};
    if (look.leaves && AwayMark::fits(block, letters, look))
        paintAway(painter, box, ink);
    else if (look.leaves)
        corner(box.right() - 1, -1, Role::Accent);
    if (look.returns)
        corner(box.left(), 1, Role::Later);
}

} // namespace pw::ui
