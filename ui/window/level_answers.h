// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/edit/edit.h"
#include "core/lesson/lesson.h"
#include "core/lesson/ready.h"

#include <QString>

namespace pw::ui {

class MainWindow;
class SchedulePage;

/// What a person answers in a level, each a step that undo takes back; the window says what was
/// done, or why it was not.
class LevelAnswers
{
public:
    LevelAnswers(MainWindow& window, SchedulePage& page, const LessonLevel& level)
        : m_window(window)
        , m_page(page)
        , m_level(level)
    {
    }

    /// A pass that can come next.
    void place(const ReadyPass& ready);
    /// What a double click on a pass means: it is toggled where the level is about that, else the
    /// rest of its micro-batch follows.
    /// @param ordering  whether passes can be placed now
    void answer(const Pass& pass, bool ordering);
    /// Passes until there is something to decide.
    void runUntilChoice();
    /// One of the level's schedules; nothing where there is none of the number.
    void choose(int choice);
    void moveLayer(int from, int to);

private:
    /// Another answer for a pass: its activation goes to the host, what slows it down is mended.
    void toggle(const Pass& pass);
    void take(const ReadyRun& run);
    void doEdit(const Result<Edit>& edit, const QString& name);

    MainWindow& m_window;
    SchedulePage& m_page;
    const LessonLevel& m_level;
};

} // namespace pw::ui
