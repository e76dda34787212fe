// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/charts/step_chart.h"
#include "ui/charts/step_points.h"
#include "ui/timeline/time_axis.h"

#include <QPainter>
#include <qcustomplot.h>

#include <algorithm>

namespace pw::ui {

void StepChart::setGrown(std::optional<double> until)
{
    if (until == m_grown)
        return;
    m_grown = until;
    fill();
}

void StepChart::appendShown(const StepSeries& series, QVector<double>& times,
                            QVector<double>& values) const
{
    // The plot learns its width with the next replot only.
    const int columns = static_cast<int>(TimeAxis::length(m_range, *this));
    appendVisible(series, m_range, columns, times, values);
    if (!m_grown)
        return;
    const auto behind = std::upper_bound(times.begin(), times.end(), *m_grown);
    const auto left = behind - times.begin();
    if (left == times.size())
        return;
    times.resize(left);
    values.resize(left);
    // The step that is under way ends here.
    if (left > 0) {
        times.push_back(*m_grown);
        values.push_back(values.back());
    }
}

/// A step line over the curves; one pixel wide, as thousands of them are drawn while one drags.
void StepChart::paintTrial(QPainter& painter, const StepSeries& series) const
{
    QVector<double> times, values;
    appendShown(series, times, values);
    const TimeScale scale = this->scale();
    QPolygonF line;
    for (qsizetype i = 0; i < times.size(); ++i) {
        const QPointF point(scale.x(times[i]), m_plot->yAxis->coordToPixel(values[i]));
        if (!line.isEmpty())
            line << QPointF(point.x(), line.last().y());
        line << point;
    }
    painter.setPen(QPen(series.color, 1, Qt::DashLine));
    painter.drawPolyline(line);
}

QStringList StepChart::legend() const
{
    QStringList names;
    double below = 0;
    for (const StepSeries& series : m_series) {
        const std::optional<double> value = m_pointer ? valueAt(series, *m_pointer) : std::nullopt;
        // A filled series is a layer: its own part counts.
        const double part = value.value_or(0) - (series.filled ? below : 0);
        if (series.filled)
            below = value.value_or(below);
        if (series.name.isEmpty())
            continue;
        names << (value ? QStringLiteral("%1 %2").arg(series.name, valueText(part)) : series.name);
    }
    return names;
}

} // namespace pw::ui
