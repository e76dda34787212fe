// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/store/stored_adaptive.h"
#include "ui/timeline/view_range.h"

#include <QWidget>

#include <optional>

class QLabel;

namespace pw::ui {

class StepChart;
class TimeRuler;

/// k over time over the network, of a stored training whose k follows it: the stretches that are
/// kept as runs beside the one that is shown, too.
class RunAdaptiveView : public QWidget
{
    Q_OBJECT

public:
    explicit RunAdaptiveView(QWidget* parent = nullptr);
    ~RunAdaptiveView() override;

    /// @param run  whose stretch stands out
    void setTraining(const StoredAdaptive& training, RunNumber run);
    const std::optional<StoredAdaptive>& training() const { return m_training; }
    /// What is said above the charts.
    QString sentence() const;
    StepChart& groups() { return *m_groups; }
    StepChart& network() { return *m_network; }
    StepChart& times() { return *m_times; }

protected:
    void changeEvent(QEvent* event) override;

private:
    void showCharts();

    ViewRange m_range;
    QLabel* m_sentence;
    TimeRuler* m_ruler;
    StepChart* m_groups;
    StepChart* m_network;
    StepChart* m_times;
    std::optional<StoredAdaptive> m_training;
    RunNumber m_run = 0;
};

} // namespace pw::ui
