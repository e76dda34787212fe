// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/lesson/ready.h"
#include "ui/lesson/lesson_attempt.h"
#include "ui/lesson/lesson_progress.h"
#include "ui/window/level_answers.h"

#include <QObject>
#include <QPointer>
#include <QTimer>

#include <optional>
#include <vector>

class QDockWidget;

namespace pw::ui {

class LessonPalette;
struct LessonPlace;
class LessonPanel;
class MainWindow;
class Page;
class PalettePanel;
class SchedulePage;
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
    const Lesson& lesson() const { return m_lesson; }
    /// Its file, as text.
    const std::string& source() const { return m_source; }
    /// The step that is open, from 0.
    int step() const { return m_step; }
    /// What stands in its level; null: none is open.
    const Project* levelProject() const;
    QString language() const;

    /// The lesson and step that was left last, else the first one.
    void resume();
    /// @return  false where there is no such lesson
    bool open(const QString& id, int step);
    /// A lesson of a file. What comes next may be a lesson of the program, or a file beside it.
    /// @error Io, TooLarge, Syntax …  as of `readLesson`; the lesson that is open stays
    Result<void> openFile(const QString& path);
    /// Shows a lesson, beginning with a step.
    /// @param source  the text of its file
    /// @param folder  of the file; empty: it has none
    void showText(Lesson lesson, std::string source, int step, const QString& folder = {});
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
    /// Puts the pass that can come first there.
    void placeFirst();
    void runUntilChoice();

private:
    const LessonLevel* level() const;
    int levelNumber() const;
    LessonPlace place() const;
    /// The file beside the lesson's that its `next` names; empty: there is none.
    QString fileOfNext() const;
    void connectPanel();
    void showStep(int step);
    void startLevel();
    void openBench();
    /// @pre a level is open
    LevelAnswers answers();
    void showKept();
    void restore();
    void judge();
    void keep(std::optional<LevelResult> result);
    void showReady();
    void showField(const Standing& standing);
    void placeReady(int place);
    void help(int stage);
    void play(int acts);
    void playNext();

    bool isHome(const Page* page) const;

    Studio& m_studio;
    MainWindow& m_window;
    LessonPanel* m_panel;
    QDockWidget* m_dock;
    LessonPalette* m_palette;
    LessonProgress m_progress;
    Lesson m_lesson;
    std::string m_source;
    QString m_folder;        ///< of its file; empty: it has none
    bool m_practice = false; ///< it was made on the spot
    int m_step = 0;
    QPointer<SchedulePage> m_page;
    QPointer<Page> m_home;          ///< that was in front when the lesson was opened
    std::vector<ReadyPass> m_ready; ///< as the overlay shows them
    std::optional<Pass> m_hinted;   ///< that the second hint points at
    LessonAttempt m_attempt;
    bool m_quiet = false;
    bool m_playing = false;
    QTimer m_timer;
    int m_act = 0;
    int m_acts = 0;
};

} // namespace pw::ui
