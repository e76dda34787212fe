// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/runs/run_adaptive_view.h"

#include "ui/charts/step_chart.h"
#include "ui/plural.h"
#include "ui/presentation.h"
#include "ui/text.h"
#include "ui/timeline/time_ruler.h"

#include <QEvent>
#include <QLabel>
#include <QVBoxLayout>

#include <limits>

namespace pw::ui {

namespace {

StepSeries adaptedSeries(const QString& name, Role role, bool filled)
{
    StepSeries series;
    series.name = name;
    series.color = color(role);
    series.filled = filled;
    return series;
}

} // namespace

RunAdaptiveView::RunAdaptiveView(QWidget* parent)
    : QWidget(parent)
    , m_sentence(new QLabel(this))
    , m_ruler(new TimeRuler(m_range, this))
    , m_groups(new StepChart(m_range, tr("k"), StepChart::Unit::Whole, this))
    , m_network(new StepChart(m_range, tr("Network"), StepChart::Unit::Plain, this))
    , m_times(new StepChart(m_range, tr("Iterations"), StepChart::Unit::Plain, this))
{
    setAccessibleName(tr("k over time over the network"));
    m_sentence->setObjectName(QStringLiteral("adaptive-run-sentence"));
    m_sentence->setTextFormat(Qt::PlainText);
    m_sentence->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_sentence->setContentsMargins(14, 2, 14, 0);
    m_sentence->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_groups->setSubtitle(tr("over the training"));
    m_network->setSubtitle(tr("messages, × as long"));
    m_times->setSubtitle(tr("ms each"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_sentence);
    layout->addWidget(m_ruler);
    for (StepChart* chart : {m_groups, m_network, m_times}) {
        layout->addWidget(chart, 1);
        connect(chart, &StepChart::hovered, this, [this](std::optional<double> time) {
            for (StepChart* one : {m_groups, m_network, m_times})
                one->setPointer(time);
        });
    }
}

RunAdaptiveView::~RunAdaptiveView()
{
    // They look at the range until they go.
    delete m_ruler;
    delete m_groups;
    delete m_network;
    delete m_times;
}

QString RunAdaptiveView::sentence() const
{
    return m_sentence->text();
}

void RunAdaptiveView::setTraining(const StoredAdaptive& training, RunNumber run)
{
    m_training = training;
    m_run = run;
    QString words =
        tr("A training whose k follows the network: %1, %2 of k.")
            .arg(plural(static_cast<qint64>(training.iterations.size()), Noun::Iteration),
                 plural(training.switches(), Noun::Switch));
    QStringList reasons;
    for (const AdaptedStretch& stretch : training.stretches) {
        if (!stretch.reason.empty())
            reasons += text(stretch.reason);
        if (stretch.run == run && !stretch.reason.empty())
            words += QLatin1Char(' ') + tr("This run: %1").arg(text(stretch.reason));
    }
    m_sentence->setText(words);
    m_sentence->setToolTip(reasons.join(QLatin1Char('\n')));
    showCharts();
}

void RunAdaptiveView::showCharts()
{
    if (!m_training)
        return;
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    StepSeries k = adaptedSeries(tr("k"), Role::Forward, true);
    StepSeries here = adaptedSeries(tr("this run"), Role::Backward, false);
    StepSeries slow = adaptedSeries(tr("slowdown"), Role::Recompute, true);
    StepSeries time = adaptedSeries(tr("iteration"), Role::Forward, false);
    Ticks end = 1;
    int next = 0;
    for (const AdaptedPoint& point : m_training->iterations) {
        const AdaptedStretch& stretch = m_training->stretches[point.stretch];
        // A stretch that was deleted leaves a hole.
        if (!k.times.empty() && point.iteration != next) {
            for (StepSeries* series : {&k, &here, &slow, &time}) {
                series->times.push_back(end);
                series->values.push_back(none);
            }
        }
        for (StepSeries* series : {&k, &here, &slow, &time})
            series->times.push_back(point.start);
        const bool own = stretch.run == m_run;
        k.values.push_back(stretch.group);
        here.values.push_back(own ? stretch.group : none);
        slow.values.push_back(point.slowdown);
        time.values.push_back(msFromTicks(point.time));
        end = point.start + point.time;
        next = point.iteration + 1;
    }
    for (StepSeries* series : {&k, &here, &slow, &time}) {
        series->times.push_back(end);
        series->values.push_back(none);
    }
    m_range.setWhole(0, end);
    m_groups->setSeries({std::move(k), std::move(here)});
    m_network->setSeries({std::move(slow)});
    m_times->setSeries({std::move(time)});
}

void RunAdaptiveView::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        showCharts();
}

} // namespace pw::ui
