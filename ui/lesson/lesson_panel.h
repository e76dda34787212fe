// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/io/colors.h"
#include "core/lesson/field.h"
#include "core/lesson/lesson.h"
#include "core/lesson/standing.h"

#include <QPointer>
#include <QScrollArea>
#include <QString>

#include <optional>
#include <vector>

class QCheckBox;
class QLabel;
class QPushButton;
class QVBoxLayout;

namespace pw::ui {

class FieldChart;
class LessonCard;
class MarkedText;

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
    /// The families' points and one's own, of a level that is solved; empty: not shown.
    void setField(std::vector<FieldPoint> points, const FieldPoint& own);
    /// Whether ready passes are to be shown.
    bool readyShown() const { return m_readyShown; }
    /// As a click on it; nothing where the step has no such choice.
    void toggleReady();
    /// The language of the lessons, "en".
    void setLanguage(const QString& language) { m_language = language; }
    const QString& language() const { return m_language; }
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
    /// Passes that can come next are to be shown, or not any more.
    void readyToggled(bool shown);
    /// Passes are to be placed until there is something to decide.
    void runAsked();
    /// A word of the glossary is asked for. @param word  index in `glossaryWords()`
    void wordAsked(int word);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct GoalRow
    {
        QLabel* mark;
        QLabel* now;
    };
    struct MedalRow
    {
        LessonCard* card;
        QLabel* mark;
        QLabel* now;
    };

    QLabel* addLabel(QVBoxLayout& layout, const QString& text, Role role = Role::Text,
                     bool strong = false);
    MarkedText* addMarked(QVBoxLayout& layout, const LessonText& words, Role ink = Role::Text);
    /// The panel does not scroll sideways: words and buttons of every language have their room, and
    /// within a step it never becomes narrower.
    void giveRoom();
    void addHead(const Lesson& lesson, const LessonPlace& place);
    void addQuestion(const LessonQuestion& question);
    void addLevel(const LessonLevel& level);
    void addMedals(const LessonLevel& level);
    MedalRow addMedal(QLayout& row, const QString& name, const MedalStanding& medal);
    void addHelp(const LessonLevel& level);
    void addOrderHelp();
    void addWay(const Lesson& lesson, const LessonPlace& place);
    void takeHint();

    QScrollArea* m_scroll;
    QWidget* m_content = nullptr;
    QVBoxLayout* m_layout = nullptr;
    QPushButton* m_next = nullptr;
    bool m_last = false; ///< nothing comes behind the step
    QPointer<QCheckBox> m_ready;
    QPushButton* m_hint = nullptr;
    MarkedText* m_said = nullptr;
    FieldChart* m_field = nullptr;
    QLabel* m_trouble = nullptr;
    QLabel* m_solved = nullptr;
    std::vector<GoalRow> m_goals;
    std::vector<MedalRow> m_medals;
    LessonHints m_hints;
    int m_hintStage = 0;
    bool m_readyShown = false;
    QString m_language;
};

} // namespace pw::ui
