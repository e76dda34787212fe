// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/noise/noise_bands.h"
#include "ui/document/latest_work.h"

#include <QObject>
#include <QTimer>

#include <memory>

namespace pw::ui {

/// Bands and sensitivity of one schedule under one noise, computed in another thread.
class NoiseStudy : public QObject
{
    Q_OBJECT

public:
    explicit NoiseStudy(QObject* parent = nullptr);

    /// What is looked at; the same again changes nothing. Answers come by `changed`, a moment after
    /// the last call.
    /// @param schedule  null: nothing
    void set(std::shared_ptr<const Schedule> schedule, const Costs& costs, const NoiseModel& model);
    /// Nothing is looked at, and what was found is forgotten.
    void clear();

    /// Null: not there yet, or nothing is looked at.
    const std::shared_ptr<const NoiseBands>& bands() const { return m_bands; }
    const std::shared_ptr<const Sensitivity>& sensitivity() const { return m_sensitivity; }
    /// Why there is none, in a sentence; empty where there is no reason.
    const QString& problem() const { return m_problem; }
    bool busy() const { return m_delay.isActive() || m_first.busy() || m_second.busy(); }

Q_SIGNALS:
    /// Something was found or forgotten, or why it cannot be.
    void changed();

private:
    void begin();
    void beginSensitivity();

    std::shared_ptr<const Schedule> m_schedule;
    Costs m_costs;
    NoiseModel m_model;
    QTimer m_delay; ///< while somebody types or drags there is no hurry
    LatestWork m_first;
    LatestWork m_second;
    std::shared_ptr<const NoiseBands> m_bands;
    std::shared_ptr<const Sensitivity> m_sensitivity;
    QString m_problem;
};

} // namespace pw::ui
