// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/trace/records.h"

#include <QString>
#include <QWidget>

#include <vector>

class QCustomPlot;
class QLabel;

namespace pw::ui {

/// The loss over optimizer steps as a curve; what is not a number is a gap in it.
class LossChart : public QWidget
{
    Q_OBJECT

public:
    explicit LossChart(QWidget* parent = nullptr);

    /// @param losses  in any order of steps, which count from 0
    /// @param warmup  steps of warm-up, drawn lighter
    void setLosses(const std::vector<StepLoss>& losses, int warmup = 0);
    /// What is said where there is no loss.
    void setEmptyText(const QString& text);

    QSize sizeHint() const override { return {600, 160}; }

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void applyColors();
    void fill();

    QCustomPlot* m_plot;
    QLabel* m_last;
    QLabel* m_empty;
    std::vector<StepLoss> m_losses;
    int m_warmup = 0;
};

} // namespace pw::ui
