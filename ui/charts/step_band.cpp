// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/charts/step_chart.h"
#include "ui/presentation.h"

#include <QPainter>
#include <qcustomplot.h>

#include <utility>

// The band of a step chart: what a value stays between.
namespace pw::ui {

void StepChart::setBand(StepBand band)
{
    if (band.times.empty() && m_band.times.empty())
        return;
    m_band = std::move(band);
    const double before = m_most;
    measure();
    if (m_most != before)
        fill();
    else
        m_veil->update();
}

/// Over any colour of a curve, in light and dark.
QColor StepChart::bandColor()
{
    QColor veil = color(Role::Text);
    veil.setAlphaF(0.2F);
    return veil;
}

/// The upper edge forth and the lower one back.
void StepChart::paintBand(QPainter& painter) const
{
    const TimeScale scale = this->scale();
    QPolygonF edge;
    const auto add = [&](std::size_t i, double value) {
        edge << QPointF(scale.x(static_cast<double>(m_band.times[i])),
                        m_plot->yAxis->coordToPixel(value));
    };
    for (std::size_t i = 0; i < m_band.times.size(); ++i)
        add(i, m_band.high[i]);
    for (std::size_t i = m_band.times.size(); i-- > 0;)
        add(i, m_band.low[i]);
    QColor line = color(Role::Text);
    line.setAlphaF(0.55F);
    painter.setPen(QPen(line, 1));
    painter.setBrush(bandColor());
    painter.drawPolygon(edge);
    painter.setBrush(Qt::NoBrush);
}

} // namespace pw::ui
