// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/io/colors.h"
#include "ui/charts/step_curves.h"
#include "ui/timeline/view_range.h"

#include <QString>
#include <QStringList>
#include <QWidget>

#include <optional>
#include <vector>

class QCustomPlot;

namespace pw::ui {

class StepVeil;

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
        Whole, ///< marks at whole numbers alone
        Bytes
    };

    StepChart(ViewRange& range, const QString& title, Unit unit, QWidget* parent = nullptr);
    ~StepChart() override;

    /// Series from the bottom of a stack to its top; values are those of the stack, not of the
    /// part.
    void setSeries(std::vector<StepSeries> series);
    /// Lighter curves of a trial over the present ones; empty: none.
    void setTrial(std::vector<StepSeries> series);
    /// A band behind the names and over the curves; the default: none.
    void setBand(StepBand band);
    void setLimit(std::optional<double> limit, const QString& label);
    void setSubtitle(const QString& subtitle);
    void setUnit(Unit unit);
    /// A line at a time, with the values there beside the names; none: no line.
    void setPointer(std::optional<double> time);

    /// Shows the curves up to a time, over the axis that they need as a whole; none: all of them.
    void setGrown(std::optional<double> until);
    const std::optional<double>& grown() const { return m_curves.grown; }

    /// What stands in the chart: a name a series, with its value at the pointer.
    QStringList legend() const;

    QSize sizeHint() const override { return {900, 150}; }

Q_SIGNALS:
    /// The pointer is over the curves at a time, or gone.
    void hovered(std::optional<double> time);

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void fill();
    void takeLetters();
    void applyColors();
    void scaleValues();
    void addOverflow();
    void measure();
    /// What has changed stands in the veil, unless the axis has to reach further or less far.
    void fillWhereMeasured();
    /// The pointer of the mouse is over the plot. @return  false: the plot shall hear of it too
    bool pointAt(QEvent& event);
    int labelRoom() const;
    void place();
    QString valueText(double value) const;

    ViewRange& m_range;
    QString m_title;
    QString m_subtitle;
    Unit m_unit;
    StepCurves m_curves;
    double m_grabbed = 0; ///< where the pointer was when it last moved the range
    double m_most = 0;    ///< of all values
    QCustomPlot* m_plot;
    StepVeil* m_veil = nullptr; ///< over the plot: names, values and the pointer's line
};

/// A size for people: "8.2 GiB".
QString bytesText(double bytes);

} // namespace pw::ui
