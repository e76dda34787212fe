// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/compare/compare_tools.h"

#include "ui/compare/compare_page.h"
#include "ui/core_words.h"
#include "ui/document/schedule_document.h"
#include "ui/timeline/find_bar.h"
#include "ui/timeline/playback.h"

#include <QLayout>

namespace pw::ui {

CompareTools::CompareTools(ComparePage& page)
    : QObject(&page)
    , m_page(page)
{
    // Told whenever a timeline comes, goes or is another one.
    connect(&page, &Page::titleChanged, this, &CompareTools::attach);
    attach();
}

void CompareTools::attach()
{
    if (m_page.rowCount() == 0)
        return;
    attachFind();
    attachPlayback();
}

void CompareTools::attachFind()
{
    if (TimelineView* top = &m_page.timeline(0); top != m_searched) {
        delete m_find;
        m_searched = top;
        m_find = new FindBar(*top, &m_page);
        m_page.layout()->addWidget(m_find);
    }
    if (const ComparedPtr shown = m_page.compared(0))
        m_find->setSpec(shown->schedule->spec());
}

void CompareTools::attachPlayback()
{
    int longest = 0;
    bool there = false;
    for (int row = 0; row < m_page.rowCount(); ++row) {
        there = there || &m_page.timeline(row) == m_played;
        if (m_page.timeline(row).lanes()->end() > m_page.timeline(longest).lanes()->end())
            longest = row;
    }
    TimelineView* played = &m_page.timeline(longest);
    // A cursor that is there stays.
    if (!there || (played != m_played && !m_playback->time())) {
        delete m_playback;
        m_played = played;
        m_playback = new Playback(*played, m_page.range(), &m_page);
        m_page.layout()->addWidget(m_playback);
        connect(m_playback, &Playback::moved, this, [this](std::optional<double> time) {
            for (int row = 0; row < m_page.rowCount(); ++row) {
                Overlay overlay = m_page.timeline(row).overlay();
                overlay.cursor = time;
                m_page.timeline(row).setOverlay(std::move(overlay));
            }
        });
    }
    for (int row = 0; row < m_page.rowCount(); ++row)
        if (&m_page.timeline(row) == m_played)
            if (const ComparedPtr shown = m_page.compared(row))
                m_playback->setNarration(
                    {[shown](const Pass& pass) { return passText(pass, shown->schedule->spec()); },
                     {}});
}

} // namespace pw::ui
