// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/adaptive/adaptive_client.h"
#include "ui/charts/step_chart.h"

#include <QWidget>

#include <vector>

namespace pw::ui {

/// k, the network and the iterations over time, as simulated and as run.
class AdaptiveCharts : public QWidget
{
    Q_OBJECT

public:
    explicit AdaptiveCharts(QWidget* parent = nullptr);
    ~AdaptiveCharts() override;

    /// @param simulated  null: it is not there
    /// @param points     iterations of the run; empty: there is none
    void showRuns(const AdaptComparison* simulated, const std::vector<AdaptivePoint>& points);

private:
    /// Series of the three charts, from the bottom up.
    struct Series
    {
        std::vector<StepSeries> groups, network, times;
        Ticks end = 1; ///< of all of them
    };

    static void addSimulated(Series& all, const AdaptComparison& simulated, bool alone);
    static void addRun(Series& all, const std::vector<AdaptivePoint>& points);

    ViewRange m_range;
    StepChart* m_groups;
    StepChart* m_network;
    StepChart* m_times;
};

} // namespace pw::ui
