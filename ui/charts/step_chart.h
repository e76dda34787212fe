// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/types.h"
#include "core/io/colors.h"
#include "ui/timeline/view_range.h"

#include <QString>
#include <QWidget>

#include <memory>
#include <optional>
#include <vector>

class QCustomPlot;

namespace pw::ui {

/// A value over time that keeps until its next point.
struct StepSeries
{
    QString name;
    QColor color;
    bool filled = false; ///< down to the series before it, or to 0
    std::vector<Ticks> times;
    std::vector<double> values; ///< one a time
};

/// Step curves over the timeline's time axis, with a line that must not be crossed. Knows nothing
/// of schedules.
class StepChart : public QWidget
{
    Q_OBJECT

public:
    /// How values are written on the axis.
    enum class Unit
    {
        Plain,
        Bytes
    };

    StepChart(ViewRange& range, const QString& title, Unit unit, QWidget* parent = nullptr);
    ~StepChart() override;

    /// Series from the bottom of a stack to its top; values are those of the stack, not of the
    /// part.
    void setSeries(std::vector<StepSeries> series);
    /// Lighter curves of a trial over the present ones; empty: none.
    void setTrial(std::vector<StepSeries> series);
    void setLimit(std::optional<double> limit, const QString& label);
    void setSubtitle(const QString& subtitle);
    void setUnit(Unit unit);

    QSize sizeHint() const override { return {900, 150}; }

Q_SIGNALS:
    void hovered(double time);

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void fill();
    void applyColors();
    void scaleValues();

    ViewRange& m_range;
    QString m_title;
    QString m_subtitle;
    Unit m_unit;
    std::vector<StepSeries> m_series;
    std::vector<StepSeries> m_trial;
    std::optional<double> m_limit;
    QString m_limitLabel;
    QCustomPlot* m_plot;
};

/// A size for people: "8.2 GiB".
QString bytesText(double bytes);

} // namespace pw::ui
