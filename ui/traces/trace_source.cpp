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

/// A line a lane of the strip, the more coloured the busier it is; communication that nothing hides
/// has a colour of its own.
void TraceSource::paintOverview(QPainter& painter, QSize pixels, const TimeScale& scale) const
{
    if (m_activity == nullptr || m_activity->strip.empty() || m_activity->end <= 0)
        return;
    const QColor busy = activityColor(ActivityKind::Compute), idle = color(Role::Lane),
                 exposed = activityColor(ActivityKind::Wait);
    const auto count = static_cast<int>(m_activity->strip.size());
    for (std::size_t lane = 0; lane < m_activity->strip.size(); ++lane) {
        const ShownActivity::Strip& parts = m_activity->strip[lane];
        QImage line(pixels.width(), 1, QImage::Format_RGB32);
        line.fill(idle);
        const auto partAt = [&](double x) {
            const double at = scale.time(x) / static_cast<double>(m_activity->end);
            const auto all = static_cast<double>(parts.busy.size());
            return static_cast<std::size_t>(std::clamp(at * all, 0.0, all));
        };
        const auto mean = [](const std::vector<float>& list, std::size_t from, std::size_t to) {
            float sum = 0;
            for (std::size_t part = from; part < std::min(to, list.size()); ++part)
                sum += list[part];
            return sum / static_cast<float>(std::max<std::size_t>(to - from, 1));
        };
        for (int x = 0; x < pixels.width(); ++x) {
            const std::size_t from = partAt(x);
            const std::size_t to = std::min(std::max(from + 1, partAt(x + 1)), parts.busy.size());
            const float all = mean(parts.busy, from, to), bare = mean(parts.exposed, from, to);
            constexpr float least = 0.3F; // seen, however short it is
            if (all > 0)
                line.setPixelColor(
                    x, 0,
                    mixedColor(idle, mixedColor(busy, exposed, bare / all), std::max(all, least)));
        }
        const OverviewLane place = overviewLane(static_cast<int>(lane), count, pixels.height());
        painter.setOpacity(place.opacity);
        painter.drawImage(QRectF(0, place.top, pixels.width(), place.height), line);
    }
    painter.setOpacity(1);
}

} // namespace pw::ui
