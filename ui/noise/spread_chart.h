// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/noise/noise.h"

#include <QWidget>

#include <vector>

namespace pw::ui {

/// How often which makespan comes about: columns over time, the part between the 5 % and the 95 %
/// quantile darker, and lines at the median and at the makespan without noise.
class SpreadChart : public QWidget
{
    Q_OBJECT

public:
    explicit SpreadChart(QWidget* parent = nullptr);

    /// Null: nothing.
    void setSamples(const NoiseSamples* samples);

    QSize sizeHint() const override { return {360, 130}; }
    QSize minimumSizeHint() const override { return {160, 64}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    double m_least = 0, m_most = 1; ///< ticks
    std::vector<int> m_columns;     ///< runs of each
    double m_low = 0, m_middle = 0, m_high = 0, m_nominal = 0;
};

} // namespace pw::ui
