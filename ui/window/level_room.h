// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/lesson/lesson_attempt.h"
#include "ui/lesson/open_lesson.h"
#include "ui/window/level_answers.h"
#include "ui/window/level_demonstration.h"
#include "ui/window/level_layers.h"

#include <QObject>
#include <QPointer>

#include <map>
#include <optional>
#include <utility>

namespace pw::ui {

class LessonPalette;
class LessonPanel;
class LessonProgress;
class MainWindow;
class Page;
class SchedulePage;

/// The level of the step that is open: the page that it is worked on, what a person does there and
/// how it is judged, help, the demonstration, and what is kept of all that.
class LevelRoom : public QObject
{
    Q_OBJECT

public:
    /// What a level is worked with; all of it outlives the room.
    struct Desk
    {
        MainWindow& window;
        LessonPanel& panel;
        LessonPalette& palette;
        LessonProgress& progress;
        const OpenLesson& lesson;
    };

    explicit LevelRoom(const Desk& desk);

    /// Null: the step has no level.
    const LessonLevel* level() const { return m_desk.lesson.level(); }
    /// Null: no level was begun yet, or its page is closed.
    SchedulePage* page() const { return m_page; }
    /// What stands in the level; null: none is open.
    const Project* project() const;
    /// Whether the lesson stands beside a page since its level is worked on there.
    bool isHome(const Page* page) const;

    /// The step is opened: its level is as it was left unsolved, else begins.
    void enter();
    /// Begins the level of the step anew; nothing where it has none.
    void start();
    /// The step is left: what it has come to is kept, and what stands there if it is no solution.
    void leave();
    /// Says how the level stands.
    void judge();
    /// Shows what is to be seen over the lanes, as the panel and a hint say.
    void showLayers();

    /// Puts the pass that can come first there. @pre a level is open
    void placeFirst();
    /// Passes until there is something to decide. @pre a level is open
    void runUntilChoice() { answers().runUntilChoice(); }

private:
    void connectPanel();
    void openPage(Project project);
    void openBench();
    /// @pre a level is open
    LevelAnswers answers() { return {m_desk.window, *m_page, *level()}; }
    void showField(const Standing& standing);
    void showKept();
    void restore();
    void put(Project project);
    void keepUnfinished();
    void keep(std::optional<LevelResult> result);
    void report(const Result<void>& kept);
    void placeReady(int place);
    void help(int stage);
    void play(int acts);

    Desk m_desk;
    QPointer<SchedulePage> m_page;
    LevelLayers m_layers;
    LevelDemonstration m_demonstration;
    LessonAttempt m_attempt;
    bool m_quiet = false;  ///< the level begins: nothing is judged
    bool m_worked = false; ///< the step's level has begun, and was not left since
    /// What stood in levels that were left unsolved since the window was opened, by lesson and
    /// step.
    std::map<std::pair<QString, int>, Project> m_unfinished;
};

} // namespace pw::ui
