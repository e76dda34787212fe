// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/adaptive/adaptive_charts.h"

#include "ui/adaptive/adaptive_page.h"
#include "ui/presentation.h"
#include "ui/timeline/time_ruler.h"

#include <QBoxLayout>

#include <algorithm>
#include <limits>
#include <utility>

namespace pw::ui {

namespace {

StepSeries seriesCalled(const QString& name, const QColor& ink, bool filled)
{
    StepSeries series;
    series.name = name;
    series.color = ink;
    series.filled = filled;
    return series;
}

/// The last value keeps until a time.
void finishSeries(StepSeries& series, Ticks last, Ticks& end)
{
    if (series.values.empty())
        return;
    series.times.push_back(last);
    series.values.push_back(series.values.back());
    end = std::max(end, last);
}

} // namespace

AdaptiveCharts::AdaptiveCharts(QWidget* parent)
    : QWidget(parent)
    , m_groups(new StepChart(m_range, AdaptivePage::tr("k"), StepChart::Unit::Whole, this))
    , m_network(new StepChart(m_range, AdaptivePage::tr("Network"), StepChart::Unit::Plain, this))
    , m_times(new StepChart(m_range, AdaptivePage::tr("Iterations"), StepChart::Unit::Plain, this))
{
    m_groups->setSubtitle(AdaptivePage::tr("over time"));
    m_network->setSubtitle(AdaptivePage::tr("messages, × as long"));
    m_times->setSubtitle(AdaptivePage::tr("ms each"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(new TimeRuler(m_range, this));
    for (StepChart* chart : {m_groups, m_network, m_times}) {
        layout->addWidget(chart, 1);
        connect(chart, &StepChart::hovered, this, [this](std::optional<double> time) {
            for (StepChart* one : {m_groups, m_network, m_times})
                one->setPointer(time);
        });
    }
}

AdaptiveCharts::~AdaptiveCharts()
{
    // The views look at the range until they go.
    qDeleteAll(findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly));
}

void AdaptiveCharts::addSimulated(Series& all, const AdaptComparison& simulated, bool alone)
{
    StepSeries k = seriesCalled(AdaptivePage::tr("simulated"), color(Role::Forward), alone);
    StepSeries slow = seriesCalled(AdaptivePage::tr("simulated"), color(Role::Recompute), alone);
    StepSeries own = seriesCalled(AdaptivePage::tr("k that follows"), color(Role::Forward), false);
    StepSeries first = seriesCalled(AdaptivePage::tr("1F1B"), color(Role::Secondary), false);
    Ticks last = 0;
    for (const AdaptedIteration& one : simulated.adaptive.iterations) {
        for (StepSeries* series : {&k, &slow, &own})
            series->times.push_back(one.start);
        k.values.push_back(simulated.pairs[static_cast<std::size_t>(one.pair)].group);
        slow.values.push_back(one.slowdown);
        own.values.push_back(msFromTicks(one.time));
        last = one.start + one.time;
    }
    Ticks firstLast = 0;
    for (const AdaptedIteration& one : simulated.fixed.front().iterations) {
        first.times.push_back(one.start);
        first.values.push_back(msFromTicks(one.time));
        firstLast = one.start + one.time;
    }
    for (StepSeries* series : {&k, &slow, &own})
        finishSeries(*series, last, all.end);
    finishSeries(first, firstLast, all.end);
    all.groups.push_back(std::move(k));
    all.network.push_back(std::move(slow));
    all.times.push_back(std::move(first));
    all.times.push_back(std::move(own));
}

void AdaptiveCharts::addRun(Series& all, const std::vector<AdaptivePoint>& points)
{
    StepSeries k = seriesCalled(AdaptivePage::tr("run"), color(Role::Backward), true);
    StepSeries slow = seriesCalled(AdaptivePage::tr("run"), color(Role::Backward), true);
    StepSeries own = seriesCalled(AdaptivePage::tr("run"), color(Role::Backward), false);
    for (const AdaptivePoint& point : points) {
        for (StepSeries* series : {&k, &slow, &own})
            series->times.push_back(point.start);
        k.values.push_back(point.group);
        slow.values.push_back(point.slowdown);
        own.values.push_back(msFromTicks(point.time));
    }
    // What has not been run yet is left free.
    for (StepSeries* series : {&k, &slow, &own}) {
        finishSeries(*series, points.back().start + points.back().time, all.end);
        series->values.back() = std::numeric_limits<double>::quiet_NaN();
    }
    all.groups.push_back(std::move(k));
    all.network.push_back(std::move(slow));
    all.times.push_back(std::move(own));
}

void AdaptiveCharts::showRuns(const AdaptComparison* simulated,
                              const std::vector<AdaptivePoint>& points)
{
    Series all;
    if (simulated != nullptr)
        addSimulated(all, *simulated, points.empty());
    if (!points.empty())
        addRun(all, points);
    m_range.setWhole(0, all.end);
    m_groups->setSeries(std::move(all.groups));
    m_network->setSeries(std::move(all.network));
    m_times->setSeries(std::move(all.times));
}

} // namespace pw::ui
