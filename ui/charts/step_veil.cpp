// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/charts/step_veil.h"

#include "ui/presentation.h"
#include "ui/timeline/time_axis.h"

#include <QFontMetricsF>
#include <QPainter>
#include <qcustomplot.h>

#include <cmath>
#include <utility>

namespace pw::ui {

namespace {

/// Over any colour of a curve, in light and dark.
QColor bandColor()
{
    QColor veil = color(Role::Text);
    veil.setAlphaF(0.2F);
    return veil;
}

/// Behind words that stand over curves.
QColor wordsGround()
{
    QColor ground = color(Role::Lane);
    ground.setAlphaF(0.8F);
    return ground;
}

} // namespace

StepVeil::StepVeil(const QWidget& chart, QCustomPlot& plot, const ViewRange& range,
                   const StepCurves& curves, std::function<QString(double)> valueText)
    : QWidget(&plot)
    , m_chart(chart)
    , m_plot(plot)
    , m_range(range)
    , m_curves(curves)
    , m_valueText(std::move(valueText))
{
    setAttribute(Qt::WA_TransparentForMouseEvents);
}

QRectF StepVeil::area() const
{
    return QRectF(m_plot.axisRect()->rect());
}

TimeScale StepVeil::scale() const
{
    TimeScale scale = TimeAxis::of(m_range, m_chart);
    scale.left -= m_plot.x();
    return scale;
}

int StepVeil::columns() const
{
    // The plot learns its width with the next replot only.
    return static_cast<int>(TimeAxis::length(m_range, m_chart));
}

double StepVeil::yOf(double value) const
{
    return m_plot.yAxis->coordToPixel(value);
}

void StepVeil::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setClipRect(area());
    if (!m_curves.band.times.empty())
        paintBand(painter);
    for (const StepSeries& series : m_curves.trial)
        paintTrial(painter, series);
    painter.setClipping(false);
    if (m_curves.pointer)
        paintPointer(painter);
    QFont small = m_chart.font();
    small.setPixelSize(TimeAxis::letters(11));
    small.setWeight(QFont::DemiBold);
    painter.setFont(small);
    const double namesEnd = paintNames(painter);
    if (m_curves.limit)
        paintLimit(painter, namesEnd);
}

/// The upper edge forth and the lower one back.
void StepVeil::paintBand(QPainter& painter) const
{
    const StepBand& band = m_curves.band;
    const TimeScale scale = this->scale();
    QPolygonF edge;
    const auto add = [&](std::size_t i, double value) {
        edge << QPointF(scale.x(static_cast<double>(band.times[i])), yOf(value));
    };
    for (std::size_t i = 0; i < band.times.size(); ++i)
        add(i, band.high[i]);
    for (std::size_t i = band.times.size(); i-- > 0;)
        add(i, band.low[i]);
    QColor line = color(Role::Text);
    line.setAlphaF(0.55F);
    painter.setPen(QPen(line, 1));
    painter.setBrush(bandColor());
    painter.drawPolygon(edge);
    painter.setBrush(Qt::NoBrush);
}

/// A step line over the curves; one pixel wide, as thousands of them are drawn while one drags.
void StepVeil::paintTrial(QPainter& painter, const StepSeries& series) const
{
    QVector<double> times, values;
    m_curves.appendShown(series, m_range, columns(), times, values);
    const TimeScale scale = this->scale();
    QPolygonF line;
    for (qsizetype i = 0; i < times.size(); ++i) {
        const QPointF point(scale.x(times[i]), yOf(values[i]));
        if (!line.isEmpty())
            line << QPointF(point.x(), line.last().y());
        line << point;
    }
    painter.setPen(QPen(series.color, 1, Qt::DashLine));
    painter.drawPolyline(line);
}

void StepVeil::paintPointer(QPainter& painter) const
{
    const QRectF area = this->area();
    const double x = std::round(scale().x(*m_curves.pointer));
    if (x < area.left() || x > area.right())
        return;
    painter.setPen(QPen(color(Role::Secondary), 1));
    painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
}

double StepVeil::paintNames(QPainter& painter) const
{
    const QRectF area = this->area();
    const QFontMetricsF metrics(painter.font());
    const QColor ground = wordsGround();
    double x = area.left() + 8;
    const auto write = [&](const QString& words, const QColor& ink) {
        const QRectF box(x, area.top() + 2, metrics.horizontalAdvance(words), metrics.height());
        painter.fillRect(box.adjusted(-3, 0, 3, 0), ground);
        painter.setPen(ink);
        painter.drawText(box, Qt::AlignLeft | Qt::AlignVCenter, words);
        x = box.right() + 18;
    };
    // A swatch, since tints are too light to be read as text.
    const auto writeWith = [&](const QColor& swatch, const QString& words) {
        painter.fillRect(QRectF(x, area.top() + 5, TimeAxis::letters(8), metrics.height() - 6),
                         swatch);
        x += TimeAxis::letters(12);
        write(words, color(Role::Text));
    };
    if (m_curves.pointer)
        write(durationText(*m_curves.pointer), color(Role::Secondary));
    const QStringList names = m_curves.names(m_valueText);
    qsizetype next = 0;
    for (const StepSeries& series : m_curves.series) {
        if (series.name.isEmpty())
            continue;
        if (x > area.right() - 40)
            break;
        writeWith(series.color, names[next++]);
    }
    if (!m_curves.band.times.empty() && x < area.right() - 40)
        writeWith(bandColor(), m_curves.band.name);
    return x - 18;
}

/// The name of the limit, above its line where that is no place of the names, else below it.
void StepVeil::paintLimit(QPainter& painter, double namesEnd) const
{
    const QRectF area = this->area();
    const double line = yOf(*m_curves.limit);
    if (line < area.top())
        return;
    const QFontMetricsF metrics(painter.font());
    const double wide = metrics.horizontalAdvance(m_curves.limitLabel), high = metrics.height();
    // Beside the names there is no need to give way to them.
    const bool below = namesEnd > area.right() - wide - 10;
    const double names = below ? area.top() + 2 + high : area.top();
    const double top = line - high - 1 >= names ? line - high - 1 : line + 2;
    const QRectF box(area.right() - wide - 4, top, wide, high);
    painter.fillRect(box.adjusted(-3, 0, 3, 0), wordsGround());
    painter.setPen(color(Role::Refusal));
    painter.drawText(box, Qt::AlignLeft | Qt::AlignVCenter, m_curves.limitLabel);
}

} // namespace pw::ui
