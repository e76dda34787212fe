// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/window/schedule_page.h"

#include "core/sim/dependencies.h"
#include "core/sim/explain.h"
#include "core/sim/metrics.h"
#include "ui/panels/against_rows.h"
#include "ui/presentation.h"
#include "ui/timeline/overview.h"
#include "ui/timeline/time_ruler.h"
#include "ui/window/chart_stack.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QLocale>
#include <QMessageBox>
#include <QVBoxLayout>

#include <algorithm>

namespace pw::ui {

SchedulePage::SchedulePage(QWidget* parent)
    : Page(parent)
    , m_overview(new Overview(m_range, this))
    , m_ruler(new TimeRuler(m_range, this))
    , m_timeline(new TimelineView(m_range, this))
    , m_charts(new ChartStack(m_range, m_timeline, this))
    , m_problem(new QLabel(this))
{
    m_problem->setWordWrap(true);
    m_problem->setMargin(12);
    m_problem->hide();
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_overview);
    layout->addWidget(m_ruler);
    layout->addWidget(m_problem);
    layout->addWidget(m_charts, 1);
    setFocusProxy(m_timeline);

    connect(&m_document, &ScheduleDocument::resultChanged, this, &SchedulePage::showResult);
    connect(&m_document, &ScheduleDocument::titleChanged, this, &Page::titleChanged);
    connect(m_timeline, &TimelineView::selectionChanged, this, &SchedulePage::showSelection);
    connect(m_timeline, &TimelineView::hovered, this, &SchedulePage::tell);
    connect(m_timeline, &TimelineView::walkAsked, this, &SchedulePage::walk);
    connect(m_charts, &ChartStack::stale, this, &SchedulePage::showCharts);
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
    showSelection();
    Q_EMIT figuresChanged();
}

QString SchedulePage::figures() const
{
    return figuresText(m_document);
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

void SchedulePage::showCharts()
{
    if (m_document.draft().orders.empty())
        m_charts->clear();
    else
        m_charts->show({m_document.draft(), m_document.times(), m_document.costs(),
                        m_document.schedule().get()});
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
    showCharts();
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
