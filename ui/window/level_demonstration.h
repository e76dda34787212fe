// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/lesson/lesson.h"

#include <QObject>
#include <QPointer>
#include <QTimer>

namespace pw::ui {

class MainWindow;
class SchedulePage;

/// Does the acts of a level's demonstration one after the other, so that each of them is seen.
class LevelDemonstration : public QObject
{
    Q_OBJECT

public:
    explicit LevelDemonstration(MainWindow& window);

    /// @param level  as it begins; outlives the demonstration, or `stop` is called before it goes
    /// @param acts   of the first ones
    void begin(SchedulePage& page, const LessonLevel& level, int acts);
    /// What was done stays.
    void stop();
    bool playing() const { return m_level != nullptr; }

private:
    void doNext();

    MainWindow& m_window;
    QPointer<SchedulePage> m_page;
    const LessonLevel* m_level = nullptr; ///< null: nothing is played
    QTimer m_timer;
    int m_act = 0;
    int m_acts = 0;
};

} // namespace pw::ui
