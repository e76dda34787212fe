// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/lesson/lesson.h"
#include "ui/panels/palette_panel.h"

#include <QObject>
#include <QPointer>

class QDockWidget;

namespace pw::ui {

class MainWindow;
class SchedulePage;

/// What the window has beside a level is what the level needs: where a family is to be chosen, the
/// palette has those that the level offers, else the tiles of its passes, and the lesson has its
/// room. What a level gives, the page does not change. Until the lesson is closed.
class LessonPalette : public QObject
{
public:
    /// @param lesson  the dock of the lesson; it owns this
    LessonPalette(MainWindow& window, PalettePanel& palette, QDockWidget& lesson);

    /// For the page of a level, from its beginning on.
    void prepare(SchedulePage& page, const LessonLevel& level);
    /// The lesson has the room, once the layout knows of it. @param low  the palette is
    void makeRoomSoon(bool low);

private:
    void followPage();
    void makeRoom(bool low);

    MainWindow& m_window;
    PalettePanel& m_palette;
    QDockWidget& m_lesson;
    QPointer<SchedulePage> m_page; ///< of the level
    PaletteShown m_level;          ///< what its palette has
    bool m_bench = false;          ///< the level is worked on on the bench
    bool m_follows = false;
};

} // namespace pw::ui
