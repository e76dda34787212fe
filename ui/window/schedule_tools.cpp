// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/window/schedule_tools.h"

#include "core/edit/drag.h"
#include "ui/core_words.h"
#include "ui/timeline/find_bar.h"
#include "ui/timeline/phase_bands.h"
#include "ui/timeline/playback.h"
#include "ui/timeline/time_ruler.h"
#include "ui/window/chart_stack.h"
#include "ui/window/schedule_page.h"

#include <QBoxLayout>

namespace pw::ui {

ScheduleTools::ScheduleTools(SchedulePage& page)
    : QObject(&page)
    , m_page(page)
    , m_gaps(page.document())
    , m_phases(new PhaseBands(page.range(), &page))
    , m_find(new FindBar(page.timeline(), &page))
    , m_playback(new Playback(page.timeline(), page.range(), &page))
{
    auto* layout = qobject_cast<QBoxLayout*>(page.layout());
    layout->insertWidget(layout->indexOf(page.findChild<TimeRuler*>()) + 1, m_phases);
    layout->addWidget(m_find);
    layout->addWidget(m_playback);
    m_playback->setNarration(
        {[this](const Pass& pass) { return passText(pass, m_page.document().draft().spec); },
         [this](int lane, Ticks time) {
             const Gap* gap = m_gaps.at(lane, time);
             return gap == nullptr || gap->reason == WaitReason::Finished ? QString()
                    : gap->reason == WaitReason::Memory ? tr("idles: %1").arg(text(gap->text))
                                                        : text(gap->text);
         }});
    connect(&page.document(), &ScheduleDocument::resultChanged, this, [this] {
        m_find->setSpec(m_page.document().draft().spec);
        showPhases();
        showStrand();
    });
    connect(&page.timeline(), &TimelineView::selectionChanged, this, [this] {
        showPhases();
        showStrand();
    });
    connect(m_playback, &Playback::moved, &page.charts(), &ChartStack::setPointer);
    connect(&page.charts(), &ChartStack::hovered, this, [this](std::optional<double> time) {
        // The line goes through the lanes, too; the cursor of playback stays where it is.
        if (m_playback->time())
            return;
        Overlay overlay = m_page.timeline().overlay();
        overlay.pointer = time;
        m_page.timeline().setOverlay(std::move(overlay));
    });
    m_find->setSpec(page.document().draft().spec);
    showPhases();
}

void ScheduleTools::setStrandShown(bool shown)
{
    m_strandShown = shown;
    showStrand();
}

void ScheduleTools::showPhases()
{
    const ScheduleDocument& document = m_page.document();
    if (document.lanes()->spanCount() == 0) {
        m_phases->setPhases(std::nullopt);
        return;
    }
    const PhasesOf phases = document.schedule() ? phasesOf(*document.schedule(), document.result())
                                                : phasesOf(document.draft(), document.times());
    const SpanRef span = m_page.timeline().current();
    if (span.valid() && static_cast<std::size_t>(span.lane) < phases.devices.size())
        m_phases->setPhases(phases.devices[static_cast<std::size_t>(span.lane)],
                            tr("device %1").arg(span.lane));
    else
        m_phases->setPhases(phases.all, tr("all devices"), true);
}

void ScheduleTools::showStrand()
{
    const ScheduleDocument& document = m_page.document();
    Overlay overlay = m_page.timeline().overlay();
    overlay.strand.clear();
    const SpanRef span = m_page.timeline().current();
    if (m_strandShown && overlay.selected.size() == 1 && document.lanes()->holds(span)) {
        const Pass pass = document.lanes()->pass(span);
        if (pass.kind != PassKind::U)
            for (const EntryAt& at : strandOf(document.draft(), pass.microBatch))
                overlay.strand.push_back({at.device, at.position});
    }
    m_page.timeline().setOverlay(std::move(overlay));
}

} // namespace pw::ui
