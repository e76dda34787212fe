// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/lesson/lesson.h"
#include "core/lesson/standing.h"

#include <QWidget>

#include <vector>

class QLabel;

namespace pw::ui {

/// What a level asks for, with where each goal stands, and below it why the level cannot count as
/// it stands.
class GoalList : public QWidget
{
    Q_OBJECT

public:
    explicit GoalList(const LessonLevel& level, QWidget* parent = nullptr);

    /// @param standing  in the level of this
    void setStanding(const Standing& standing);

private:
    struct Row
    {
        QLabel* mark;
        QLabel* now;
    };

    Row addRow(const LessonGoal& goal);

    std::vector<LessonGoal> m_asked;
    std::vector<Row> m_rows; ///< one a goal
    PipelineSpec m_spec;     ///< of the level
    QLabel* m_trouble;
};

} // namespace pw::ui
