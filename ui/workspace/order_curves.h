// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/edit/phases.h"
#include "core/sim/draft_times.h"
#include "ui/charts/bubble_chart.h"
#include "ui/charts/step_chart.h"
#include "ui/models/lanes.h"

#include <QCoreApplication>

#include <optional>
#include <vector>

namespace pw::ui {

/// An order with its times, as charts are made of it. Refers to what its maker has.
struct TimedOrder
{
    const Draft& draft;
    const DraftTimes& times;
    const Costs& costs;
    const Schedule* schedule = nullptr; ///< the same, where it is whole and runs
};

/// Curves of a chart, and how its values are meant.
struct Curves
{
    std::vector<StepSeries> series;
    StepChart::Unit unit = StepChart::Unit::Plain;
    QString subtitle;
    std::optional<double> limit; ///< that must not be crossed
    QString limitLabel;          ///< beside its line; empty: the cap in bytes
    DeviceId device;             ///< whose they are, where bands of an order may lie behind them
    /// Lighter curves over the others, such as those of the plan; none: what is there stays.
    std::optional<std::vector<StepSeries>> planned;
};

/// The words of charts.
struct ChartWords
{
    Q_DECLARE_TR_FUNCTIONS(ScheduleCurves)
};

/// "device 3".
QString deviceText(DeviceId device);
/// Steps of a count over time.
StepSeries seriesOf(const std::vector<CountPoint>& points);

/// Bubble of every device by both measures.
std::vector<BubbleRow> bubbleRows(const SimResult& result);
/// The same of a draft; empty in a deadlock, where nothing ends.
std::vector<BubbleRow> bubbleRows(const DraftTimes& times);

/// What of the bubbles has come by a time of a play: idle time so far as part of the whole, so that
/// each grows to what it is at the end. Empty where the lanes are not the devices of the rows, and
/// at the end.
std::vector<BubbleRow> bubblesSoFar(const std::vector<BubbleRow>& whole, const Lanes& lanes,
                                    Ticks now);

/// The device that holds most, which charts show while nothing is selected.
DeviceId fullestDevice(const SimResult& result);

} // namespace pw::ui
