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

#include <cstdint>
#include <optional>
#include <vector>

class QCheckBox;
class QLabel;
class QPushButton;
class QVBoxLayout;

namespace pw::ui {

class FieldChart;
class FreeAnswer;
class GoalList;
class LessonWay;
class MedalRow;
class MarkedText;
class QuestionCard;

/// Where a step stands in its course.
struct LessonPlace
{
    int lesson = 0; ///< from 1; 0: none of the course, a file
    int lessons = 1;
    int step = 0;      ///< from 0
    bool more = false; ///< a lesson comes next
};

/// A step of a lesson: text, pictures, questions, and of its level the goals with where they stand,
/// the medals and help. Shows and asks; the level itself is a schedule in a tab.
class LessonPanel : public QWidget
{
    Q_OBJECT

public:
    explicit LessonPanel(QWidget* parent = nullptr);

    /// Shows a step. The lesson is kept as a copy.
    /// @param answers  what was answered to its questions before; −1: nothing yet
    void showStep(const Lesson& lesson, const LessonPlace& place,
                  const std::vector<int>& answers = {});
    /// Where the level of the step stands.
    void setStanding(const Standing& standing, bool shown = false); ///< shown: by a demonstration
    /// Which of the level's schedules is there; −1: none of them.
    void setChosen(int choice);
    /// A solution was kept: it can be had again, and its figures stand beside par.
    void setKept(const Standing& kept);
    /// How many layers each stage has, of a level that moves them.
    void setLayers(const std::vector<int>& layers);
    /// The families' points and one's own, of a level that is solved; empty: not shown.
    void setField(std::vector<FieldPoint> points, const FieldPoint& own);
    /// Whether ready passes are to be shown.
    bool readyShown() const { return m_readyShown; }
    /// As a click on it; nothing where the step has no such choice.
    void toggleReady();
    /// The language of the lessons, "en".
    void setLanguage(const QString& language) { m_language = language; }
    const QString& language() const { return m_language; }

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
    /// The solution that was kept.
    void solutionAsked();
    /// One of the level's schedules is wanted. @param choice  index in `LessonLevel::choices`
    void choiceAsked(int choice);
    /// A layer is to go from a stage to the one beside it.
    void layerAsked(int from, int to);
    /// Passes that can come next are to be shown, or not any more.
    void readyToggled(bool shown);
    /// Passes are to be placed until there is something to decide.
    void runAsked();
    void answered(int question, int chosen, bool right); ///< from 0, as in the file
    /// A word of the glossary is asked for. @param word  index in `glossaryWords()`
    void wordAsked(int word);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QLabel* addLabel(QVBoxLayout& layout, const QString& text, Role role = Role::Text,
                     bool strong = false);
    MarkedText* addMarked(QVBoxLayout& layout, const LessonText& words, Role ink = Role::Text);
    /// The panel does not scroll sideways: words and buttons of every language have their room, and
    /// within a step it never becomes narrower.
    void giveRoom();
    void addHead(const Lesson& lesson, const LessonPlace& place);
    void addQuestion(const LessonStep& step, int number, const QString& place, int answer);
    void showPar();
    void addLevel(const LessonLevel& level);
    void addMedals(const LessonLevel& level);
    void addHelp(const LessonLevel& level);
    void addOrderHelp();
    void takeHint();

    QScrollArea* m_scroll;
    LessonWay* m_way; ///< below what scrolls: it stays when words or charts come and go
    QWidget* m_content = nullptr;
    QVBoxLayout* m_layout = nullptr;
    QPointer<QCheckBox> m_ready;
    QPointer<FreeAnswer> m_free;
    QPointer<GoalList> m_goals;
    QPointer<MedalRow> m_medals;
    std::vector<QuestionCard*> m_questions; ///< of the step
    QPushButton* m_hint = nullptr;
    QPushButton* m_mine = nullptr;
    MarkedText* m_said = nullptr;
    FieldChart* m_field = nullptr;
    QLabel* m_solved = nullptr;
    LessonHints m_hints;
    int m_hintStage = 0;      ///< 0: none was asked for, 1: said, 2: shown, 3: done
    bool m_wasSolved = false; ///< in this step
    bool m_readyShown = false;
    QString m_language;
    const std::uint32_t m_seed; ///< of the order of answers
};

} // namespace pw::ui
