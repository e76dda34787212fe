// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <QRectF>
#include <QString>

#include <functional>
#include <vector>

class QPainter;

namespace pw::ui {

/// A linear axis of a plot with round marks.
struct PlotAxis
{
    QString title;
    std::function<QString(double)> write; ///< a mark with its unit
    double least = 0;
    double most = 1;
    bool whole = false; ///< marks at whole numbers alone
    bool sizes = false; ///< marks at powers of two and their multiples: bytes
    std::vector<double> marks{};

    /// Reaches over the values with some room, and from 0 where `zero`; finds the marks.
    void span(double lowest, double highest, bool zero, int count);
    /// 0 … 1 of a value.
    double part(double value) const { return (value - least) / (most - least); }
};

/// Where the plot of two axes is, and where a point of it.
struct PlotArea
{
    QRectF box;
    const PlotAxis* across = nullptr;
    const PlotAxis* up = nullptr;

    QPointF point(double x, double y) const;
};

/// Ground, grid, marks and titles of two axes in a widget's rectangle.
/// @return  where the points go
PlotArea paintAxes(QPainter& painter, const QRectF& room, const PlotAxis& across,
                   const PlotAxis& up);

} // namespace pw::ui
