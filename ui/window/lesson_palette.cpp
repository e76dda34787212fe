// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/window/lesson_palette.h"

#include "ui/window/main_window.h"
#include "ui/window/schedule_page.h"

#include <QAction>
#include <QDockWidget>
#include <QTimer>

namespace pw::ui {

LessonPalette::LessonPalette(MainWindow& window, PalettePanel& palette, QDockWidget& lesson)
    : QObject(&lesson)
    , m_window(window)
    , m_palette(palette)
    , m_lesson(lesson)
{
}

void LessonPalette::show(PaletteParts parts, const std::vector<PassKind>& kinds)
{
    if (m_palette.parts() == parts && m_shown == kinds)
        return;
    m_shown = kinds;
    m_palette.showParts(parts, kinds);
    // Once the layout knows of it.
    QTimer::singleShot(0, this, [this, alone = parts == PaletteParts::Passes] { makeRoom(alone); });
}

void LessonPalette::makeRoom(bool tilesAlone)
{
    QDockWidget* above = m_window.dock(QStringLiteral("palette"));
    if (above == nullptr || !above->isVisible() || m_lesson.isFloating())
        return;
    const int high = m_window.height();
    m_window.resizeDocks({above, &m_lesson},
                         {tilesAlone ? above->minimumSizeHint().height() : high / 3, high},
                         Qt::Vertical);
}

/// As the page in front wants it: a level says so, all others have everything.
void LessonPalette::followPage()
{
    const SchedulePage* page = m_window.schedulePage();
    const bool level = page != nullptr && page == m_page && !m_lesson.isHidden();
    show(level ? m_parts : PaletteParts::All, level ? m_kinds : std::vector<PassKind>());
}

void LessonPalette::prepare(SchedulePage& page, const LessonLevel& level)
{
    page.setLocked(MainWindow::tr("Times, kinds and memory are given in a level."));
    m_page = &page;
    m_parts = level.freedom == Freedom::Choice ? PaletteParts::Families : PaletteParts::Passes;
    m_kinds = level.freedom == Freedom::Order ? level.kinds : std::vector<PassKind>();
    followPage();
    if (m_follows)
        return;
    m_follows = true;
    connect(m_lesson.toggleViewAction(), &QAction::toggled, this, &LessonPalette::followPage);
    connect(&m_window, &MainWindow::pageChanged, this, &LessonPalette::followPage);
}

} // namespace pw::ui
