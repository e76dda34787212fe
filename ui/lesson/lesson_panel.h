// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/io/colors.h"
#include "core/lesson/lesson.h"
#include "core/lesson/standing.h"

#include <QScrollArea>
#include <QString>

#include <optional>
#include <vector>

class QLabel;
class QPushButton;
class QVBoxLayout;

namespace pw::ui {

/// Where a step stands in its course.
struct LessonPlace
{
    int lesson = 1; ///< from 1
    int lessons = 1;
    int step = 0; ///< from 0
};

/// A step of a lesson: text, pictures, questions, and of its level the goals with where they stand,
/// the medals and help. Shows and asks; the level itself is a schedule in a tab.
class LessonPanel : public QWidget
{
    Q_OBJECT

public:
    explicit LessonPanel(QWidget* parent = nullptr);

    /// Shows a step. The lesson is kept as a copy.
    void showStep(const Lesson& lesson, const LessonPlace& place);
    /// Where the level of the step stands.
    void setStanding(const Standing& standing);
    /// How far the hints have been asked for: 0 none, 1 said, 2 shown, 3 done.
    int hintStage() const { return m_hintStage; }

    QSize sizeHint() const override;

Q_SIGNALS:
    void backAsked();
    void skipAsked();
    void nextAsked();
    void resetAsked();
    void benchAsked();
    /// The next stage of help, which the panel shows: the second points at a pass, the third does
    /// the first steps.
    void hintAsked(int stage);
    /// The whole demonstration.
    void playAsked();

private:
    struct GoalRow
    {
        QLabel* mark;
        QLabel* now;
    };
    struct MedalRow
    {
        QLabel* mark;
        QLabel* now;
    };

    QLabel* addLabel(QVBoxLayout& layout, const QString& text, Role role = Role::Text,
                     bool strong = false);
    void addHead(const Lesson& lesson, const LessonPlace& place);
    void addQuestion(const LessonQuestion& question);
    void addLevel(const LessonLevel& level);
    void addMedal(const QString& name, const MedalStanding& medal);
    void addHelp(const LessonLevel& level);
    void addWay(const Lesson& lesson, const LessonPlace& place);
    void takeHint();

    QScrollArea* m_scroll;
    QWidget* m_content = nullptr;
    QVBoxLayout* m_layout = nullptr;
    QPushButton* m_next = nullptr;
    QPushButton* m_hint = nullptr;
    QLabel* m_said = nullptr;
    QLabel* m_trouble = nullptr;
    QLabel* m_solved = nullptr;
    std::vector<GoalRow> m_goals;
    std::vector<MedalRow> m_medals;
    LessonHints m_hints;
    int m_hintStage = 0;
    QString m_language;
};

} // namespace pw::ui
