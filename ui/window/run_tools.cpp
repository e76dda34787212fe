// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/window/run_tools.h"

#include "core/edit/phases.h"
#include "ui/core_words.h"
#include "ui/document/schedule_document.h"
#include "ui/timeline/find_bar.h"
#include "ui/timeline/phase_bands.h"
#include "ui/timeline/playback.h"
#include "ui/timeline/schedule_links.h"
#include "ui/timeline/time_ruler.h"
#include "ui/window/chart_stack.h"
#include "ui/window/run_page.h"

#include <QBoxLayout>

namespace pw::ui {

RunTools::RunTools(RunPage& page)
    : QObject(&page)
    , m_page(page)
    , m_phases(new PhaseBands(page.range(), &page))
    , m_find(new FindBar(page.timeline(), &page))
    , m_playback(new Playback(page.timeline(), page.range(), &page))
{
    auto* ruler = page.findChild<TimeRuler*>();
    auto* board = qobject_cast<QBoxLayout*>(ruler->parentWidget()->layout());
    board->insertWidget(board->indexOf(ruler) + 1, m_phases);
    board->addWidget(m_find);
    board->addWidget(m_playback);
    m_playback->setNarration(
        {[this](const Pass& pass) {
             return m_page.shown() == nullptr ? QString()
                                              : passText(pass, m_page.shown()->schedule->spec());
         },
         [this](int lane, Ticks time) {
             const std::optional<Gap> gap = m_page.gapAt(lane, time);
             return !gap || gap->reason == WaitReason::Finished ? QString() : text(gap->text);
         }});
    connect(&page, &RunPage::loaded, this, &RunTools::showRun);
    connect(&page.timeline(), &TimelineView::selectionChanged, this, [this] {
        showPhases();
        showStrand();
    });
    connect(m_playback, &Playback::moved, &page.charts(), &ChartStack::setPointer);
    connect(&page.charts(), &ChartStack::hovered, this, [this](std::optional<double> time) {
        if (m_playback->time())
            return;
        Overlay overlay = m_page.timeline().overlay();
        overlay.pointer = time;
        m_page.timeline().setOverlay(std::move(overlay));
    });
    showRun();
}

void RunTools::setStrandShown(bool shown)
{
    m_strandShown = shown;
    showStrand();
}

void RunTools::showRun()
{
    if (m_page.shown() != nullptr)
        m_find->setSpec(m_page.shown()->schedule->spec());
    showPhases();
    showStrand();
}

void RunTools::showPhases()
{
    if (m_page.shown() == nullptr) {
        m_phases->setPhases(std::nullopt);
        return;
    }
    const PhasesOf phases = phasesOf(*m_page.shown()->schedule, m_page.shown()->measured);
    const SpanRef span = m_page.timeline().current();
    if (span.valid() && static_cast<std::size_t>(span.lane) < phases.devices.size())
        m_phases->setPhases(phases.devices[static_cast<std::size_t>(span.lane)],
                            tr("device %1").arg(span.lane));
    else
        m_phases->setPhases(phases.all, tr("all devices"), true);
}

void RunTools::showStrand()
{
    if (m_page.shown() == nullptr)
        return;
    const RunTimeline& run = *m_page.shown();
    Overlay overlay = m_page.timeline().overlay();
    overlay.strand.clear();
    const SpanRef span = m_page.timeline().current();
    if (m_strandShown && overlay.selected.size() == 1 && run.lanes->holds(span)) {
        const Pass pass = run.lanes->pass(span);
        if (pass.kind != PassKind::U)
            for (const std::int32_t entry : strandOf(*run.schedule, run.measured, pass.microBatch))
                if (const SpanRef found = spanOf(*run.lanes, *run.schedule, entry); found.valid())
                    overlay.strand.push_back(found);
    }
    m_page.timeline().setOverlay(std::move(overlay));
}

} // namespace pw::ui
