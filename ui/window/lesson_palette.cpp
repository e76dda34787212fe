// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/window/lesson_palette.h"

#include "ui/text.h"
#include "ui/window/bench_page.h"
#include "ui/window/main_window.h"
#include "ui/window/schedule_page.h"

#include <QAction>
#include <QDockWidget>
#include <QTimer>

#include <algorithm>

namespace pw::ui {

LessonPalette::LessonPalette(MainWindow& window, PalettePanel& palette, QDockWidget& lesson)
    : QObject(&lesson)
    , m_window(window)
    , m_palette(palette)
    , m_lesson(lesson)
{
}

void LessonPalette::makeRoom(bool low)
{
    QDockWidget* above = m_window.dock(QStringLiteral("palette"));
    if (above == nullptr || !above->isVisible() || m_lesson.isFloating())
        return;
    const int high = m_window.height();
    m_window.resizeDocks({above, &m_lesson},
                         {low ? above->minimumSizeHint().height() : high / 3, high}, Qt::Vertical);
}

/// As the page in front wants it: a level says so, all others have everything.
void LessonPalette::followPage()
{
    const SchedulePage* page = m_window.schedulePage();
    const bool bench = m_bench && qobject_cast<BenchPage*>(m_window.page()) != nullptr;
    const bool level = ((page != nullptr && page == m_page) || bench) && !m_lesson.isHidden();
    const PaletteShown shown = level ? m_level : PaletteShown();
    const bool other = m_palette.shown() != shown;
    if (other)
        m_palette.showParts(shown);
    // The lesson may have been away with its page.
    if (other || level)
        makeRoomSoon(shown.parts == PaletteParts::Passes || !shown.families.isEmpty());
}

void LessonPalette::makeRoomSoon(bool low)
{
    QTimer::singleShot(0, this, [this, low] { makeRoom(low); });
}

void LessonPalette::prepare(SchedulePage& page, const LessonLevel& level)
{
    page.setLocked(MainWindow::tr("Times, kinds and memory are given in a level."));
    page.setWaiting(level.freedom == Freedom::Choice  ? EmptyLanes::Families
                    : level.freedom == Freedom::Block ? EmptyLanes::Block
                                                      : EmptyLanes::Passes);
    m_bench = level.freedom == Freedom::Block;
    m_page = &page;
    m_level = {};
    m_level.parts = level.freedom == Freedom::Choice  ? PaletteParts::Families
                    : level.freedom == Freedom::Order ? PaletteParts::Passes
                    : level.freedom == Freedom::Block ? PaletteParts::Passes
                                                      : PaletteParts::Nothing;
    if (level.freedom == Freedom::Order)
        m_level.kinds = level.kinds;
    if (level.freedom == Freedom::Block && !level.start.blocks.empty())
        for (const BlockPass& placed : level.start.blocks.front().passes)
            if (const PassKind kind = placed.pass.kind;
                std::find(m_level.kinds.begin(), m_level.kinds.end(), kind) == m_level.kinds.end())
                m_level.kinds.push_back(kind);
    // A family that no lesson has told of yet is no choice.
    if (level.freedom == Freedom::Choice)
        for (const FamilyChoice& choice : level.choices)
            if (const QString id = text(choice.id); !m_level.families.contains(id))
                m_level.families += id;
    followPage();
    if (m_follows)
        return;
    m_follows = true;
    connect(m_lesson.toggleViewAction(), &QAction::toggled, this, &LessonPalette::followPage);
    connect(&m_window, &MainWindow::pageChanged, this, &LessonPalette::followPage);
}

} // namespace pw::ui
