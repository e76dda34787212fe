// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/optimise/schedule_bound.h"
#include "core/sim/simulator.h"
#include "ui/document/latest_work.h"
#include "ui/models/whole_peak.h"

#include <QObject>

#include <memory>
#include <optional>
#include <vector>

namespace pw::ui {

/// What is known of a schedule beyond its simulation, and takes time to find.
struct ScheduleFindings
{
    std::vector<Ticks> slack; ///< by entry
    ProvenBound bound;
    WholePeak memory;
    /// 1F1B with the same work; none where it cannot be, and then why.
    struct Other
    {
        Ticks makespan = 0;
        double peak = 0;     ///< micro-batches
        Bytes peakBytes = 0; ///< of activations alone
        WholePeak memory;
    };
    std::optional<Other> oneFOneB;
    QString noOneFOneB;
};

/// What searches of this program have proven of schedules, whatever became of those.
SearchedBounds& searchedBounds();

/// Finds beside the window's work. Only what belongs to the last schedule asked for is told.
class Finder : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;

    void find(std::shared_ptr<const Schedule> schedule, const Costs& costs,
              const SimResult& result);
    /// Nothing is wanted any more.
    void forget();
    /// Of the last schedule asked for; null: not found yet.
    const std::shared_ptr<const ScheduleFindings>& findings() const { return m_findings; }

Q_SIGNALS:
    void found();

private:
    std::shared_ptr<const ScheduleFindings> m_findings;
    LatestWork m_finding;
};

} // namespace pw::ui
