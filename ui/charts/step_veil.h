// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/charts/step_curves.h"
#include "ui/timeline/time_scale.h"

#include <QWidget>

class QCustomPlot;
class QPainter;

namespace pw::ui {

/// Over a plot of step curves: its band, the curves of a trial, the pointer's line, the names of
/// series and limit. What changes with every move of the mouse is here, since a plot takes long.
class StepVeil : public QWidget
{
public:
    /// @param chart      that the plot stands in, for where times are
    /// @param valueText  how a value is written. All outlive the veil
    StepVeil(const QWidget& chart, QCustomPlot& plot, const ViewRange& range,
             const StepCurves& curves, std::function<QString(double)> valueText);

    /// Where the curves are on the plot.
    QRectF area() const;
    /// Of the plot, which begins left of the axis.
    TimeScale scale() const;
    /// That the axis is long.
    int columns() const;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void paintBand(QPainter& painter) const;
    void paintTrial(QPainter& painter, const StepSeries& series) const;
    void paintPointer(QPainter& painter) const;
    /// @return  from where on there is room beside them
    double paintNames(QPainter& painter) const;
    void paintLimit(QPainter& painter, double namesEnd) const;
    double yOf(double value) const;

    const QWidget& m_chart;
    QCustomPlot& m_plot;
    const ViewRange& m_range;
    const StepCurves& m_curves;
    std::function<QString(double)> m_valueText;
};

} // namespace pw::ui
