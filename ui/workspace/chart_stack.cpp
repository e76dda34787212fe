// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/workspace/chart_stack.h"

#include "core/base/assert.h"
#include "ui/timeline/timeline_view.h"
#include "ui/workspace/timeline_source.h"

#include <QEvent>

#include <algorithm>
#include <utility>

namespace pw::ui {

ChartStack::ChartStack(ViewRange& range, TimelineView* timeline, QWidget* parent)
    : QSplitter(Qt::Vertical, parent)
    , m_timeline(timeline)
    , m_bubble(new BubbleChart(this))
{
    setObjectName(QStringLiteral("charts"));
    setChildrenCollapsible(false);
    addWidget(timeline);
    for (const TimelineChart& chart : timelineCharts()) {
        StepChart* steps = nullptr;
        if (chart.curves != nullptr)
            steps = new StepChart(range, chart.titleText(), StepChart::Unit::Plain, this);
        m_charts.push_back({&chart, steps});
        addWidget(widget(m_charts.back()));
        if (!chart.usual)
            widget(m_charts.back())->hide();
    }
    setStretchFactor(indexOf(timeline), 5);
    for (const Shown& one : m_charts)
        setStretchFactor(indexOf(widget(one)), one.steps == nullptr ? 1 : 2);
    eachSteps([this](const TimelineChart&, StepChart& steps) {
        connect(&steps, &StepChart::hovered, this, [this](std::optional<double> time) {
            setPointer(time);
            Q_EMIT hovered(time);
        });
    });
    connect(timeline, &TimelineView::hovered, this, [this](SpanRef, int lane, double time) {
        setPointer(lane < 0 ? std::nullopt : std::optional(time));
    });
}

QWidget* ChartStack::widget(const Shown& one) const
{
    if (one.steps != nullptr)
        return one.steps;
    return m_bubble;
}

const ChartStack::Shown& ChartStack::find(std::string_view chart) const
{
    const auto found = std::find_if(m_charts.begin(), m_charts.end(),
                                    [chart](const Shown& one) { return one.chart->id == chart; });
    PW_ASSERT(found != m_charts.end());
    return *found;
}

StepChart& ChartStack::steps(std::string_view chart) const
{
    return *find(chart).steps;
}

bool ChartStack::shown(std::string_view chart) const
{
    return !widget(find(chart))->isHidden();
}

void ChartStack::setShown(std::string_view chart, bool shown)
{
    if (shown == this->shown(chart))
        return;
    widget(find(chart))->setVisible(shown);
    if (shown)
        Q_EMIT stale();
}

DeviceId ChartStack::device(const SimResult& result) const
{
    const SpanRef span = m_timeline->current();
    return span.valid() && span.lane < static_cast<int>(result.devices.size())
               ? DeviceId(span.lane)
               : fullestDevice(result);
}

void ChartStack::fill(const std::function<Curves(const TimelineChart&)>& curvesOf)
{
    eachSteps([&](const TimelineChart& chart, StepChart& view) {
        const bool seen = !view.isHidden();
        Curves curves = seen ? curvesOf(chart) : Curves{};
        if (chart.id == memoryChart)
            showNoise(curves);
        if (!seen)
            return;
        view.setLimit(curves.limit, curves.limitLabel.isEmpty()
                                        ? tr("limit %1").arg(bytesText(curves.limit.value_or(0)))
                                        : curves.limitLabel);
        view.setUnit(curves.unit);
        view.setSubtitle(curves.subtitle);
        if (curves.planned)
            view.setTrial(*std::move(curves.planned));
        view.setSeries(std::move(curves.series));
    });
}

void ChartStack::show(const TimedOrder& order)
{
    const DeviceId own = device(order.times.times);
    m_bubble->setRows(bubbleRows(order.times));
    growBubbles();
    fill([&](const TimelineChart& chart) { return chart.curves(order, own); });
}

void ChartStack::show(const TimelineSource& source)
{
    if (source.lanes()->lanes().empty()) {
        clear();
        return;
    }
    const SpanRef span = m_timeline->current();
    m_bubble->setRows(source.bubbles());
    growBubbles();
    if (std::optional<std::vector<BubbleRow>> planned = source.plannedBubbles())
        m_bubble->setTrial(*std::move(planned));
    fill([&](const TimelineChart& chart) {
        return source.curves(chart, span.valid() ? span.lane : -1);
    });
}

void ChartStack::setNoise(std::shared_ptr<const NoiseBands> noise)
{
    if (noise == m_noise)
        return;
    m_noise = std::move(noise);
    Q_EMIT stale();
}

void ChartStack::showNoise(const Curves& memory)
{
    std::vector<BubbleBand> bubbles;
    StepBand band;
    if (m_noise)
        for (const NoiseBand& one : m_noise->wall)
            bubbles.push_back({one.low, one.high});
    const DeviceId device = memory.device;
    if (m_noise && device.valid() && device.index() < m_noise->memory.size()) {
        band.name = tr("nine of ten runs");
        band.times = m_noise->times;
        for (const NoiseBand& one : m_noise->memory[device.index()]) {
            band.low.push_back(one.low);
            band.high.push_back(one.high);
        }
    }
    m_bubble->setBands(std::move(bubbles));
    steps(memoryChart).setBand(std::move(band));
}

void ChartStack::clear()
{
    m_bubble->setRows({});
    eachSteps([](const TimelineChart&, StepChart& chart) {
        chart.setSubtitle({});
        chart.setLimit(std::nullopt, {});
        chart.setSeries({});
    });
    clearTrial();
}

void ChartStack::showTrial(const TimedOrder& order)
{
    const SimResult& result = order.times.times;
    const DeviceId own = device(result);
    m_bubble->setTrial(bubbleRows(order.times));
    eachSteps([&](const TimelineChart& chart, StepChart& view) {
        if (view.isHidden())
            return;
        std::vector<StepSeries> series = chart.curves(order, own).series;
        if (chart.lastIsTrial && series.size() > 1)
            series.erase(series.begin(), series.end() - 1);
        view.setTrial(std::move(series));
    });
}

void ChartStack::clearTrial()
{
    m_bubble->setTrial({});
    eachSteps([](const TimelineChart&, StepChart& chart) { chart.setTrial({}); });
}

void ChartStack::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange)
        Q_EMIT stale();
    QSplitter::changeEvent(event);
}

void ChartStack::setGrown(std::optional<double> until)
{
    eachSteps([&](const TimelineChart&, StepChart& chart) { chart.setGrown(until); });
    m_grown = until;
    growBubbles();
}

void ChartStack::growBubbles()
{
    const LanesPtr lanes = m_timeline->lanes();
    m_bubble->setSoFar(m_grown && lanes
                           ? bubblesSoFar(m_bubble->rows(), *lanes, static_cast<Ticks>(*m_grown))
                           : std::vector<BubbleRow>{});
}

void ChartStack::setPointer(std::optional<double> time)
{
    eachSteps([&](const TimelineChart&, StepChart& chart) { chart.setPointer(time); });
}

} // namespace pw::ui
