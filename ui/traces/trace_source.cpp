// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/traces/trace_source.h"

#include "ui/presentation.h"
#include "ui/timeline/overview.h"
#include "ui/traces/activity_view.h"

#include <QImage>
#include <QPainter>

#include <algorithm>
#include <utility>

namespace pw::ui {

void TraceSource::setActivity(ShownActivityPtr activity)
{
    m_activity = std::move(activity);
    if (m_view != nullptr)
        m_view->setActivity(m_activity);
    Q_EMIT lanesChanged();
}

LaneView* TraceSource::makeView(ViewRange& range, QWidget* parent)
{
    m_view = new ActivityView(range, parent);
    m_view->setActivity(m_activity);
    return m_view;
}

/// A line a lane of the strip, the more coloured the busier it is.
void TraceSource::paintOverview(QPainter& painter, QSize pixels, const TimeScale& scale) const
{
    if (m_activity == nullptr || m_activity->strip.empty() || m_activity->end <= 0)
        return;
    const QColor busy = activityColor(ActivityKind::Compute), idle = color(Role::Lane);
    const auto count = static_cast<int>(m_activity->strip.size());
    for (std::size_t lane = 0; lane < m_activity->strip.size(); ++lane) {
        const ShownActivity::Strip& parts = m_activity->strip[lane];
        QImage line(pixels.width(), 1, QImage::Format_RGB32);
        line.fill(idle);
        const auto partAt = [&](double x) {
            const double at = scale.time(x) / static_cast<double>(m_activity->end);
            const auto all = static_cast<double>(parts.size());
            return static_cast<std::size_t>(std::clamp(at * all, 0.0, all));
        };
        for (int x = 0; x < pixels.width(); ++x) {
            const std::size_t from = partAt(x);
            const std::size_t to = std::min(std::max(from + 1, partAt(x + 1)), parts.size());
            float sum = 0;
            for (std::size_t part = from; part < to; ++part)
                sum += parts[part];
            constexpr float least = 0.3F; // seen, however short it is
            if (sum > 0)
                line.setPixelColor(
                    x, 0,
                    mixedColor(idle, busy, std::max(sum / static_cast<float>(to - from), least)));
        }
        const OverviewLane place = overviewLane(static_cast<int>(lane), count, pixels.height());
        painter.setOpacity(place.opacity);
        painter.drawImage(QRectF(0, place.top, pixels.width(), place.height), line);
    }
    painter.setOpacity(1);
}

} // namespace pw::ui
