// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/job/job_views.h"
#include "ui/traces/shown_job.h"

#include <QString>

#include <optional>
#include <vector>

namespace pw::ui {

/// A figure of every worker, and how it is told.
struct WorkerValues
{
    ShownJobPtr job; ///< null: there is nothing yet
    WorkerMeasure measure = WorkerMeasure::Work;
    std::optional<Pass> pass;                  ///< the figure is of it alone, in ticks
    std::vector<std::optional<double>> values; ///< as of `workerValues`

    int replicas() const;
    int devices() const;
    std::optional<double> valueOf(const Worker& worker) const;
    /// "1.62 times the median of its stage"
    QString valueText(double value) const;
    /// The same for the edge of an axis: "1.62×", "12.4 ms"
    QString axisText(double value) const;
    /// "stage 2 of replica 5, rank 42: 1.62 times the median of its stage"
    QString textOf(const Worker& worker) const;
};

} // namespace pw::ui
