// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/workspace/chart_stack.h"

#include "ui/timeline/timeline_view.h"
#include "ui/workspace/timeline_source.h"

#include <QEvent>

#include <utility>

namespace pw::ui {

ChartStack::ChartStack(ViewRange& range, TimelineView* timeline, QWidget* parent)
    : QSplitter(Qt::Vertical, parent)
    , m_timeline(timeline)
    , m_memory(new StepChart(range, tr("Memory"), StepChart::Unit::Plain, this))
    , m_bubble(new BubbleChart(this))
    , m_inFlight(new StepChart(range, tr("In flight"), StepChart::Unit::Plain, this))
    , m_links(new StepChart(range, tr("Links"), StepChart::Unit::Plain, this))
{
    setObjectName(QStringLiteral("charts"));
    setChildrenCollapsible(false);
    addWidget(timeline);
    for (const Chart chart : allCharts)
        addWidget(widget(chart));
    setStretchFactor(0, 5);
    for (int i = 1; i < count(); ++i)
        setStretchFactor(i, i == 2 ? 1 : 2);
    m_inFlight->hide();
    m_links->hide();
    for (StepChart* chart : {m_memory, m_inFlight, m_links})
        connect(chart, &StepChart::hovered, this, [this](std::optional<double> time) {
            setPointer(time);
            Q_EMIT hovered(time);
        });
    connect(timeline, &TimelineView::hovered, this, [this](SpanRef, int lane, double time) {
        setPointer(lane < 0 ? std::nullopt : std::optional(time));
    });
}

QWidget* ChartStack::widget(Chart chart) const
{
    switch (chart) {
    case Chart::Memory:
        return m_memory;
    case Chart::Bubble:
        return m_bubble;
    case Chart::InFlight:
        return m_inFlight;
    case Chart::Links:
        return m_links;
    }
    return nullptr;
}

bool ChartStack::shown(Chart chart) const
{
    return !widget(chart)->isHidden();
}

void ChartStack::setShown(Chart chart, bool shown)
{
    if (shown == this->shown(chart))
        return;
    widget(chart)->setVisible(shown);
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

void ChartStack::fill(const std::function<Curves(Chart)>& curvesOf)
{
    for (const auto& [chart, view] :
         {std::pair(Chart::Memory, m_memory), std::pair(Chart::InFlight, m_inFlight),
          std::pair(Chart::Links, m_links)}) {
        Curves curves = shown(chart) ? curvesOf(chart) : Curves{};
        if (chart == Chart::Memory)
            showNoise(curves);
        if (!shown(chart))
            continue;
        view->setLimit(curves.limit, curves.limitLabel.isEmpty()
                                         ? tr("cap %1").arg(bytesText(curves.limit.value_or(0)))
                                         : curves.limitLabel);
        view->setUnit(curves.unit);
        view->setSubtitle(curves.subtitle);
        if (curves.planned)
            view->setTrial(*std::move(curves.planned));
        view->setSeries(std::move(curves.series));
    }
}

void ChartStack::show(const TimedOrder& order)
{
    const DeviceId own = device(order.times.times);
    m_bubble->setRows(bubbleRows(order.times));
    growBubbles();
    fill([&](Chart chart) { return orderCurves(order, chart, own); });
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
    fill([&](Chart chart) { return source.curves(chart, span.valid() ? span.lane : -1); });
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
    m_memory->setBand(std::move(band));
}

void ChartStack::clear()
{
    m_bubble->setRows({});
    for (StepChart* chart : {m_memory, m_inFlight, m_links}) {
        chart->setSubtitle({});
        chart->setLimit(std::nullopt, {});
        chart->setSeries({});
    }
    clearTrial();
}

void ChartStack::showTrial(const TimedOrder& order)
{
    const SimResult& result = order.times.times;
    const DeviceId own = device(result);
    m_bubble->setTrial(bubbleRows(order.times));
    // Of a stack its upper edge, of several devices the one that is shown: both stand last.
    const auto last = [](Curves curves) {
        if (curves.series.size() > 1)
            curves.series.erase(curves.series.begin(), curves.series.end() - 1);
        return std::move(curves.series);
    };
    if (shown(Chart::Memory))
        m_memory->setTrial(last(memoryCurves(order, own)));
    if (shown(Chart::InFlight))
        m_inFlight->setTrial(last(inFlightCurves(order, own)));
    if (shown(Chart::Links))
        m_links->setTrial(linkCurves(order, own).series);
}

void ChartStack::clearTrial()
{
    m_bubble->setTrial({});
    for (StepChart* chart : {m_memory, m_inFlight, m_links})
        chart->setTrial({});
}

void ChartStack::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange)
        Q_EMIT stale();
    QSplitter::changeEvent(event);
}

void ChartStack::setGrown(std::optional<double> until)
{
    for (StepChart* chart : {m_memory, m_inFlight, m_links})
        chart->setGrown(until);
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
    for (StepChart* chart : {m_memory, m_inFlight, m_links})
        chart->setPointer(time);
}

} // namespace pw::ui
