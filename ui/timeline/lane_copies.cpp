// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/presentation.h"
#include "ui/timeline/lane_painter.h"

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

/// A corner of what leaves for the host, and one of what waits for it to come back.
void LanePainter::paintMarks(QPainter& painter, const QRectF& box, SpanLook look) const
{
    constexpr double side = 6;
    if ((!look.leaves && !look.returns) || box.width() < side + 1 || box.height() < 2 * side)
        return;
    const auto corner = [&](double x, double inwards, Role role) {
        QPainterPath path(QPointF(x, box.top()));
        path.lineTo(x + inwards * side, box.top());
        path.lineTo(x, box.top() + side);
        path.closeSubpath();
        painter.fillPath(path, color(role));
        painter.strokePath(path, QPen(color(Role::Lane), 0.7));
    };
    if (look.leaves)
        corner(box.right() - 1, -1, Role::Accent);
    if (look.returns)
        corner(box.left(), 1, Role::Later);
}

} // namespace pw::ui
