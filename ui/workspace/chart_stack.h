// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/noise/noise_bands.h"
#include "ui/workspace/timeline_chart.h"

#include <QSplitter>

#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace pw::ui {

class TimelineSource;
class TimelineView;

/// A timeline and the charts below it, over one range of time. Charts follow the timeline's pointer
/// and the device of its current pass.
class ChartStack : public QSplitter
{
    Q_OBJECT

public:
    /// The stack takes the timeline.
    ChartStack(ViewRange& range, TimelineView* timeline, QWidget* parent = nullptr);

    /// Shows an order; refers to it no longer than the call.
    void show(const TimedOrder& order);
    /// Shows the curves of a source, of the lane that the current span is on.
    void show(const TimelineSource& source);
    using QSplitter::show;
    /// Shows nothing.
    void clear();
    /// The lighter curves of a trial over those that are shown.
    void showTrial(const TimedOrder& order);
    void clearTrial();

    /// Bands under noise behind the curves, of the order that is shown; null: none.
    void setNoise(std::shared_ptr<const NoiseBands> noise);

    /// Device whose curves are shown; none: the fullest one. The owner shows the order again.
    DeviceId device(const SimResult& result) const;

    /// @param chart  of `timelineCharts`, by its id
    bool shown(std::string_view chart) const;
    void setShown(std::string_view chart, bool shown);
    /// @pre the chart has curves
    StepChart& steps(std::string_view chart) const;
    StepChart& memory() { return steps(memoryChart); }
    BubbleChart& bubble() { return *m_bubble; }

    /// A line at a time in all charts; none: no line.
    void setPointer(std::optional<double> time);
    /// Shows all curves over time up to one, and the idle time so far; none: the whole of them.
    void setGrown(std::optional<double> until);

Q_SIGNALS:
    /// An order has to be shown again: a chart was opened, or the colours are others.
    void stale();
    /// The pointer is over a chart at a time, or has left it.
    void hovered(std::optional<double> time);

protected:
    void changeEvent(QEvent* event) override;

private:
    /// A chart of the registry, as it stands here.
    struct Shown
    {
        const TimelineChart* chart = nullptr;
        StepChart* steps = nullptr; ///< null: the bubbles
    };

    QWidget* widget(const Shown& one) const;
    const Shown& find(std::string_view chart) const;
    /// Those that have curves.
    template<class Call>
    void eachSteps(Call call) const
    {
        for (const Shown& one : m_charts)
            if (one.steps != nullptr)
                call(*one.chart, *one.steps);
    }
    /// Of the charts that are shown.
    void fill(const std::function<Curves(const TimelineChart&)>& curvesOf);
    void growBubbles();
    /// Bands behind the bubbles of all devices and the memory of the one that is shown.
    void showNoise(const Curves& memory);

    TimelineView* m_timeline;
    BubbleChart* m_bubble;
    std::vector<Shown> m_charts; ///< as `timelineCharts`
    std::shared_ptr<const NoiseBands> m_noise;
    std::optional<double> m_grown; ///< until when
};

} // namespace pw::ui
