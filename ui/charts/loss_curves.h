// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <QString>
#include <QWidget>

#include <vector>

class QCustomPlot;

namespace pw::ui {

/// The loss of one training, or the mean of several, over optimizer steps.
struct LossCurve
{
    struct Point
    {
        int step = 1; ///< from 1
        double loss = 0;
        double lowest = 0; ///< of several trainings; else the loss
        double highest = 0;
    };
    QString title;
    std::vector<Point> points; ///< by step
};

/// Losses of several trainings over each other, with the bands that they lie in.
class LossCurves : public QWidget
{
    Q_OBJECT

public:
    explicit LossCurves(QWidget* parent = nullptr);

    void setCurves(std::vector<LossCurve> curves);
    const std::vector<LossCurve>& curves() const { return m_curves; }

    QSize sizeHint() const override { return {600, 160}; }

protected:
    void changeEvent(QEvent* event) override;

private:
    void draw();

    QCustomPlot* m_plot;
    std::vector<LossCurve> m_curves;
};

} // namespace pw::ui
