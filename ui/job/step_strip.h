// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/job/job.h"

#include <QWidget>

#include <cstddef>
#include <vector>

namespace pw::ui {

/// All steps of a job as bars, as high as they took; a click goes to one, arrow keys to the next.
class StepStrip : public QWidget
{
    Q_OBJECT

public:
    explicit StepStrip(QWidget* parent = nullptr);

    /// @param usual  the median of those that count
    void setSteps(const std::vector<JobStep>& steps, Ticks usual);
    void setCurrent(std::size_t step);
    /// The step at a place; −1: beside them.
    int stepAt(double x) const;

    QSize sizeHint() const override { return {400, 34}; }
    QSize minimumSizeHint() const override { return {120, 34}; }

Q_SIGNALS:
    void chosen(int step);
    void told(const QString& sentence);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    struct Bar
    {
        std::int32_t number;
        Ticks time;
        bool counts;
    };

    QString textOf(const Bar& bar) const;
    void choose(int step);

    std::vector<Bar> m_bars;
    Ticks m_usual = 0;
    int m_current = -1;
};

} // namespace pw::ui
