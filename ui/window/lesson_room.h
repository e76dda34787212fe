// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/lesson/lesson_progress.h"
#include "ui/lesson/open_lesson.h"
#include "ui/window/level_room.h"

#include <QObject>
#include <QPointer>

class QDockWidget;

namespace pw::ui {

class LessonPalette;
class LessonPanel;
class MainWindow;
class Page;
class PalettePanel;
class Studio;

/// The lesson that is open: its step in the dock, its level in a tab, what was done in it.
class LessonRoom : public QObject
{
    Q_OBJECT

public:
    LessonRoom(Studio& studio, PalettePanel& palette);

    LessonProgress& progress() { return m_progress; }
    bool running() const;
    QDockWidget& dock() { return *m_dock; }
    /// Why nothing can be placed for a person now; empty: it can.
    QString whyNoOrder() const;
    /// The lesson that is open. @pre running()
    const Lesson& lesson() const { return m_open.lesson(); }
    /// Its file, as text.
    const std::string& source() const { return m_open.source(); }
    /// The step that is open, from 0.
    int step() const { return m_open.step(); }
    /// What stands in its level; null: none is open.
    const Project* levelProject() const { return m_level.project(); }
    QString language() const;

    /// The lesson and step that was left last, else the first one.
    void resume();
    /// @return  false where there is no such lesson
    bool open(const QString& id, int step);
    /// A lesson of a file. What comes next may be a lesson of the program, or a file beside it.
    /// @error Io, TooLarge, Syntax …  as of `readLesson`; the lesson that is open stays
    Result<void> openFile(const QString& path);
    /// Shows a lesson, beginning with its step.
    void show(OpenLesson lesson);
    /// One step on or back; over the end of a lesson to the next one, over its begin to the one
    /// before.
    void walk(int by);
    void forget();
    /// A level that is made on the spot, another one each time; worked out beside the window.
    void practise();
    /// The next language that the lesson has texts in; remembered.
    void changeLanguage();
    /// Why not; empty: it has several.
    QString whyNoLanguage() const;

    /// Shows what can come next, or not any more.
    void toggleReady();
    /// Puts the pass that can come first there. @pre whyNoOrder is empty
    void placeFirst() { m_level.placeFirst(); }
    void runUntilChoice();

private:
    void connectPanel();
    void openNext();
    void showStep(int step);
    bool isHome(const Page* page) const;

    Studio& m_studio;
    MainWindow& m_window;
    LessonPanel* m_panel;
    QDockWidget* m_dock;
    LessonPalette* m_palette;
    LessonProgress m_progress;
    OpenLesson m_open;
    LevelRoom m_level;
    QPointer<Page> m_home; ///< that was in front when the lesson was opened
};

} // namespace pw::ui
