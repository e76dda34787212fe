// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/noise/noise_bands.h"
#include "ui/workspace/order_curves.h"

#include <QSplitter>

#include <functional>
#include <memory>
#include <optional>

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

    bool shown(Chart chart) const;
    void setShown(Chart chart, bool shown);
    StepChart& memory() { return *m_memory; }
    BubbleChart& bubble() { return *m_bubble; }
    StepChart& flights() { return *m_inFlight; }
    StepChart& links() { return *m_links; }

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
    QWidget* widget(Chart chart) const;
    /// Of the charts that are shown.
    void fill(const std::function<Curves(Chart)>& curvesOf);
    void growBubbles();
    /// Bands behind the bubbles of all devices and the memory of the one that is shown.
    void showNoise(const Curves& memory);

    TimelineView* m_timeline;
    StepChart* m_memory;
    BubbleChart* m_bubble;
    StepChart* m_inFlight;
    StepChart* m_links;
    std::shared_ptr<const NoiseBands> m_noise;
    std::optional<double> m_grown; ///< until when
};

} // namespace pw::ui
