// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/timeline/edge_scroll.h"

#include <algorithm>

namespace pw::ui {

namespace {

constexpr double edgeReach = 28;      ///< pixels from an edge
constexpr int interval = 30;          ///< milliseconds
constexpr int patience = 8;           ///< ticks; what is only on its way through moves nothing
constexpr double mostPerTick = 0.035; ///< part of the view, a tick

double pull(double at, double from, double to)
{
    const double near = std::min(edgeReach, (to - from) / 4);
    if (near <= 0)
        return 0;
    const double low = std::clamp((from + near - at) / near, 0.0, 1.0);
    const double high = std::clamp((at - to + near) / near, 0.0, 1.0);
    return high - low;
}

} // namespace

EdgeScroll::EdgeScroll(QObject* parent)
    : QObject(parent)
{
    m_timer.setInterval(interval);
    connect(&m_timer, &QTimer::timeout, this, &EdgeScroll::tick);
}

void EdgeScroll::follow(QPointF point, const QRectF& area, Qt::Orientations directions)
{
    m_pull = {(directions & Qt::Horizontal) != 0 ? pull(point.x(), area.left(), area.right()) : 0,
              (directions & Qt::Vertical) != 0 ? pull(point.y(), area.top(), area.bottom()) : 0};
    if (m_pull.isNull()) {
        stop();
    } else if (!m_timer.isActive()) {
        m_waited = 0;
        m_timer.start();
    }
}

void EdgeScroll::stop()
{
    m_timer.stop();
}

void EdgeScroll::tick()
{
    if (++m_waited > patience)
        Q_EMIT moveAsked(mostPerTick * m_pull.x(), mostPerTick * m_pull.y());
}

} // namespace pw::ui
