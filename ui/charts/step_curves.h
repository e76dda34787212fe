// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/types.h"
#include "ui/timeline/view_range.h"

#include <QColor>
#include <QString>
#include <QStringList>
#include <QVector>

#include <functional>
#include <optional>
#include <vector>

namespace pw::ui {

/// A value over time that keeps until its next point; one that is not a number ends it.
struct StepSeries
{
    QString name;
    QColor color;
    bool filled = false; ///< down to the series before it, or to 0
    std::vector<Ticks> times;
    std::vector<double> values; ///< one a time
};

/// What a value stays between, over time; without times there is none.
struct StepBand
{
    QString name;
    std::vector<Ticks> times;
    std::vector<double> low, high; ///< one a time
};

/// What a step chart shows.
struct StepCurves
{
    /// From the bottom of a stack to its top; values are those of the stack, not of the part.
    std::vector<StepSeries> series;
    std::vector<StepSeries> trial; ///< lighter curves over the others; empty: none
    StepBand band;
    std::optional<double> limit;
    QString limitLabel;
    std::optional<double> pointer; ///< a time at which values are told
    std::optional<double> grown;   ///< nothing is shown behind this time

    /// The greatest value of all.
    double greatest() const;
    /// The points of a series that are drawn in so many columns.
    void appendShown(const StepSeries& of, const ViewRange& range, int columns,
                     QVector<double>& times, QVector<double>& values) const;
    /// A name a series, with its value at the pointer.
    QStringList names(const std::function<QString(double)>& valueText) const;
};

} // namespace pw::ui
