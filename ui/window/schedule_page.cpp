// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/window/schedule_page.h"

#include "core/sim/dependencies.h"
#include "core/sim/explain.h"
#include "core/sim/memory.h"
#include "core/sim/metrics.h"
#include "ui/charts/bubble_chart.h"
#include "ui/charts/step_chart.h"
#include "ui/presentation.h"
#include "ui/timeline/overview.h"
#include "ui/timeline/time_ruler.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QLocale>
#include <QMessageBox>
#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>

namespace pw::ui {

namespace {

QColor memoryColor(MemoryKind kind)
{
    switch (kind) {
    case MemoryKind::Weights:
        return color(Role::Update);
    case MemoryKind::Versions:
        return color(Role::UpdateTint);
    case MemoryKind::Gradients:
        return color(Role::RecomputeTint);
    case MemoryKind::Optimizer:
        return color(Role::Recompute);
    case MemoryKind::Activations:
        return color(Role::Forward);
    case MemoryKind::HeldForWeight:
        return color(Role::Weight);
    }
    return color(Role::Secondary);
}

/// Micro-batches that are alive on a device over time, where no bytes are given.
StepSeries shareSeries(const ScheduleDocument& document, int device)
{
    const Schedule& schedule = *document.schedule();
    const Costs& costs = document.costs();
    std::vector<std::pair<Ticks, Share>> changes;
    for (std::int32_t i = schedule.begin(device); i < schedule.end(device); ++i) {
        const OrderEntry entry = schedule.entry(i);
        const auto at = static_cast<std::size_t>(i);
        for (const Pass& pass : {entry.pass, entry.paired ? entry.partner : entry.pass}) {
            if (pass.kind == PassKind::U || (entry.paired && &pass == &entry.pass))
                continue;
            const ActivationCost& cost =
                costs.activation[cellIndex(schedule.spec(), pass.stage, pass.segment)];
            const Share share = activationChange(cost, pass.kind, schedule.recomputed(pass)).share;
            changes.emplace_back(
                share > 0 ? document.result().start[at] : document.result().end[at], share);
            if (!entry.paired)
                break;
        }
    }
    std::stable_sort(changes.begin(), changes.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    StepSeries series;
    series.times.push_back(0);
    series.values.push_back(0);
    Share now = 0;
    for (const auto& [time, share] : changes) {
        now += share;
        if (series.times.back() == time) {
            series.values.back() = microBatchesFromShare(now);
        } else {
            series.times.push_back(time);
            series.values.push_back(microBatchesFromShare(now));
        }
    }
    return series;
}

} // namespace

SchedulePage::SchedulePage(QWidget* parent)
    : Page(parent)
    , m_overview(new Overview(m_range, this))
    , m_ruler(new TimeRuler(m_range, this))
    , m_timeline(new TimelineView(m_range, this))
    , m_memory(new StepChart(m_range, tr("Memory"), StepChart::Unit::Plain, this))
    , m_bubble(new BubbleChart(this))
    , m_problem(new QLabel(this))
{
    m_problem->setWordWrap(true);
    m_problem->setMargin(12);
    m_problem->hide();
    auto* lower = new QSplitter(Qt::Vertical, this);
    lower->setChildrenCollapsible(false);
    lower->addWidget(m_timeline);
    lower->addWidget(m_memory);
    lower->addWidget(m_bubble);
    lower->setStretchFactor(0, 5);
    lower->setStretchFactor(1, 2);
    lower->setStretchFactor(2, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_overview);
    layout->addWidget(m_ruler);
    layout->addWidget(m_problem);
    layout->addWidget(lower, 1);
    setFocusProxy(m_timeline);

    connect(&m_document, &ScheduleDocument::resultChanged, this, &SchedulePage::showResult);
    connect(&m_document, &ScheduleDocument::titleChanged, this, &Page::titleChanged);
    connect(m_timeline, &TimelineView::selectionChanged, this, &SchedulePage::showSelection);
    connect(m_timeline, &TimelineView::hovered, this, &SchedulePage::tell);
    connect(m_timeline, &TimelineView::walkAsked, this, &SchedulePage::walk);
}

SpanRef SchedulePage::spanOf(std::int32_t entry) const
{
    const Schedule& schedule = *m_document.schedule();
    for (int device = 0; device < schedule.devices(); ++device)
        if (entry < schedule.end(device))
            return {device, entry - schedule.begin(device)};
    return {};
}

void SchedulePage::setCriticalPathShown(bool shown)
{
    m_criticalShown = shown;
    showSelection();
}

void SchedulePage::showResult()
{
    m_timeline->setLanes(m_document.lanes());
    m_overview->setLanes(m_document.lanes());
    m_problem->setVisible(!m_document.problem().isEmpty());
    m_problem->setText(m_document.problem());
    std::vector<BubbleRow> rows;
    if (m_document.schedule()) {
        for (int device = 0; device < m_document.schedule()->devices(); ++device)
            rows.push_back({tr("device %1").arg(device),
                            wallBubble(m_document.result(), device).rate(),
                            spanBubble(m_document.result(), device).rate()});
    }
    m_bubble->setRows(std::move(rows));
    showSelection();
    Q_EMIT figuresChanged();
}

QString SchedulePage::figures() const
{
    if (!m_document.schedule())
        return {};
    const SimResult& result = m_document.result();
    const auto bubble = [](const Bubble& one) {
        return QStringLiteral("%1 (%2 %)")
            .arg(durationText(static_cast<double>(one.idle)),
                 QLocale::c().toString(100 * one.rate(), 'f', 1));
    };
    return tr("makespan %1     span bubble %2     wall bubble %3     peak %4 "
              "micro-batches     %5 passes, simulated in %6")
        .arg(durationText(static_cast<double>(result.makespan)), bubble(spanBubble(result)),
             bubble(wallBubble(result)), QLocale::c().toString(peakMicroBatches(result), 'g', 4),
             QLocale::c().toString(m_document.schedule()->passCount()),
             durationText(static_cast<double>(m_document.simulationTime())));
}

bool SchedulePage::save(bool ask)
{
    QString path = m_document.path();
    if (ask || path.isEmpty())
        path = QFileDialog::getSaveFileName(this, tr("Save"), path,
                                            tr("Pipewright projects (*.pipewright.json *.json)"));
    if (path.isEmpty())
        return false;
    if (QFileInfo(path).suffix().isEmpty())
        path += QStringLiteral(".pipewright.json");
    if (const Result<void> done = m_document.save(path); !done) {
        QMessageBox::warning(this, tr("Not saved"), text(done.error().message));
        return false;
    }
    Q_EMIT saved();
    return true;
}

/// The device of the selected pass, else the one that holds most.
int SchedulePage::chartDevice() const
{
    if (const SpanRef span = m_timeline->current(); span.valid())
        return span.lane;
    const std::vector<DeviceResult>& devices = m_document.result().devices;
    const auto most = std::max_element(devices.begin(), devices.end(),
                                       [](const DeviceResult& a, const DeviceResult& b) {
                                           return std::pair(a.peakActivation, a.peakShare) <
                                                  std::pair(b.peakActivation, b.peakShare);
                                       });
    return most == devices.end() ? 0 : static_cast<int>(most - devices.begin());
}

void SchedulePage::showMemory()
{
    if (!m_document.schedule()) {
        m_memory->setSeries({});
        return;
    }
    const int device = chartDevice();
    const std::vector<MemoryPoint> curve =
        memoryCurve(*m_document.schedule(), m_document.costs(), m_document.result(), device);
    const bool bytes = std::any_of(curve.begin(), curve.end(),
                                   [](const MemoryPoint& point) { return point.total() > 0; });
    std::vector<StepSeries> series;
    if (!bytes) {
        StepSeries shares = shareSeries(m_document, device);
        shares.color = color(Role::Forward);
        shares.filled = true;
        series.push_back(std::move(shares));
    }
    std::vector<double> below(curve.size(), 0);
    for (int kind = 0; bytes && kind < memoryKindCount; ++kind) {
        StepSeries one;
        one.name = text(name(static_cast<MemoryKind>(kind)));
        one.color = memoryColor(static_cast<MemoryKind>(kind));
        one.filled = true;
        bool any = false;
        for (std::size_t i = 0; i < curve.size(); ++i) {
            const Bytes own = curve[i].bytes[static_cast<std::size_t>(kind)];
            any = any || own > 0;
            below[i] += static_cast<double>(own);
            one.times.push_back(curve[i].time);
            one.values.push_back(below[i]);
        }
        if (any)
            series.push_back(std::move(one));
    }
    m_memory->setUnit(bytes ? StepChart::Unit::Bytes : StepChart::Unit::Plain);
    m_memory->setSubtitle(
        tr("device %1, %2").arg(device).arg(bytes ? tr("by kind") : tr("micro-batches")));
    const std::vector<Bytes>& caps = m_document.costs().memoryCap;
    const double cap =
        bytes && !caps.empty() ? static_cast<double>(caps[static_cast<std::size_t>(device)]) : 0;
    m_memory->setLimit(cap > 0 ? std::optional(cap) : std::nullopt,
                       tr("cap %1").arg(bytesText(cap)));
    m_memory->setSeries(std::move(series));
}

void SchedulePage::showSelection()
{
    Overlay overlay = m_timeline->overlay();
    overlay.arrows.clear();
    overlay.critical.clear();
    if (m_document.schedule()) {
        const Schedule& schedule = *m_document.schedule();
        if (const SpanRef span = m_timeline->current(); m_document.lanes()->holds(span)) {
            const Dependencies dependencies(schedule);
            const PassId id = schedule.table().id(m_document.lanes()->pass(span));
            std::vector<Dependency> waits;
            dependencies.append(id, waits);
            for (const Dependency& wait : waits)
                if (wait.message)
                    overlay.arrows.push_back({spanOf(schedule.entryOf(wait.producer)), span});
            std::vector<PassId> consumers;
            dependencies.appendConsumers(id, consumers);
            for (const PassId consumer : consumers)
                if (schedule.device(consumer) != span.lane)
                    overlay.arrows.push_back({span, spanOf(schedule.entryOf(consumer))});
        }
        if (m_criticalShown)
            for (const CriticalEntry& entry :
                 criticalPath(schedule, m_document.costs(), m_document.result()))
                overlay.critical.push_back(spanOf(entry.entry));
    }
    m_timeline->setOverlay(std::move(overlay));
    showMemory();
    Q_EMIT selectionChanged();
}

void SchedulePage::tell(SpanRef span, int lane, double time)
{
    if (lane < 0 || !m_document.schedule()) {
        Q_EMIT told({});
        return;
    }
    const Schedule& schedule = *m_document.schedule();
    if (span.valid()) {
        const Lane& spans = m_document.lanes()->lanes()[static_cast<std::size_t>(span.lane)];
        const auto index = static_cast<std::size_t>(span.index);
        Q_EMIT told(tr("%1, %2 – %3")
                        .arg(text(describe(m_document.lanes()->pass(span), schedule.spec())),
                             durationText(static_cast<double>(spans.start[index])),
                             durationText(static_cast<double>(spans.end[index]))));
        return;
    }
    for (const Gap& gap : gaps(schedule, m_document.costs(), m_document.result(), lane)) {
        if (static_cast<double>(gap.start) <= time && time < static_cast<double>(gap.end)) {
            Q_EMIT told(
                tr("device %1 idles for %2: %3")
                    .arg(lane)
                    .arg(durationText(static_cast<double>(gap.end - gap.start)), text(gap.text)));
            return;
        }
    }
    Q_EMIT told({});
}

void SchedulePage::walk(int direction)
{
    const SpanRef span = m_timeline->current();
    if (!m_document.schedule() || !m_document.lanes()->holds(span))
        return;
    const Schedule& schedule = *m_document.schedule();
    const Dependencies dependencies(schedule);
    const PassId id = schedule.table().id(m_document.lanes()->pass(span));
    // Of several the one on another device, as arrows are drawn; else the first.
    std::vector<PassId> ends;
    if (direction > 0) {
        dependencies.appendConsumers(id, ends);
    } else {
        std::vector<Dependency> waits;
        dependencies.append(id, waits);
        for (const Dependency& wait : waits)
            ends.push_back(wait.producer);
    }
    if (ends.empty())
        return;
    const auto away = std::find_if(ends.begin(), ends.end(),
                                   [&](PassId end) { return schedule.device(end) != span.lane; });
    m_timeline->select(spanOf(schedule.entryOf(away != ends.end() ? *away : ends.front())));
}

} // namespace pw::ui
