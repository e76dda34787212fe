// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/lesson/guess.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace pw;

namespace {

/// A step with one question, as a lesson file has it, and a level of orders.
LessonStep stepWith(const std::string& answers, int right)
{
    const auto lesson =
        readLesson(R"({"pipewright_lesson": 1, "title": "t", "summary": "s", "steps": [{
 "title": "t", "text": "t",
 "questions": [{"ask": "a", "answers": )" +
                       answers + R"(, "right": )" + std::to_string(right) + R"(, "why": "w"}],
 "level": {"task": "t", "start": {"devices": 2, "micro_batches": 2},
  "goals": [{"complete": true}], "par": {"time_ms": 9}, "hints": {"say": "", "show": ""},
  "demonstration": {"orders": ["F0 F1 BW0 BW1", "F0 BW0 F1 BW1"]}}}]})",
                   "x");
    return lesson ? lesson->steps.front() : LessonStep();
}

} // namespace

/// What answers say in numbers.
class TestLessonGuess : public QObject
{
    Q_OBJECT

private slots:
    /// As the web page's `shuffled` has it, by seed and question.
    void answersAreShuffledAsInTheWebPage()
    {
        using Order = std::vector<int>;
        QCOMPARE(answerOrder(3, 0, "01-devices-and-passes 1 0"), (Order{0, 1, 2}));
        QCOMPARE(answerOrder(3, 7, "01-devices-and-passes 1 0"), (Order{1, 2, 0}));
        QCOMPARE(answerOrder(4, 2000000011, "20-a-slow-replica 0 0"), (Order{1, 2, 0, 3}));
        QCOMPARE(answerOrder(5, 123456789, "11-v-shapes 2 1"), (Order{1, 2, 0, 3, 4}));
        QCOMPARE(answerOrder(6, 1, ""), (Order{4, 1, 5, 2, 0, 3}));
        QCOMPARE(answerOrder(1, 5, "x"), Order{0});
        QVERIFY(answerOrder(0, 5, "x").empty());
    }

    void theFirstNumberOfEachAnswerIsItsGuess_data()
    {
        QTest::addColumn<QString>("answers");
        QTest::addColumn<QList<double>>("numbers");
        QTest::newRow("times") << R"(["12 ms", "{9 ms|par.time}", "6.5 ms"])"
                               << QList<double>{12, 9, 6.5};
        QTest::newRow("parts") << R"(["{3 ⁄ 7|~x}, about {43 %|~x}", "1 ⁄ 4"])"
                               << QList<double>{3.0 / 7, 0.25};
        QTest::newRow("rates") << R"(["5 %", "about 30 %"])" << QList<double>{0.05, 0.3};
        QTest::newRow("with what is counted")
            << R"(["{24|24} times", "{6|wide.gathers} times, as before"])" << QList<double>{24, 6};
        QTest::newRow("a name is no number") << R"(["1F1B", "8"])" << QList<double>{};
        QTest::newRow("words") << R"(["the first", "the last"])" << QList<double>{};
        QTest::newRow("one without") << R"(["4 ms", "not at all"])" << QList<double>{};
        QTest::newRow("nothing but naught") << R"(["0", "0 ms"])" << QList<double>{};
    }
    void theFirstNumberOfEachAnswerIsItsGuess()
    {
        QFETCH(QString, answers);
        QFETCH(QList<double>, numbers);
        const LessonStep step = stepWith(answers.toStdString(), 0);
        QCOMPARE(step.questions.size(), std::size_t{1});
        const auto guess = guessOf(step, step.questions.front());
        QCOMPARE(guess.has_value(), !numbers.isEmpty());
        for (qsizetype i = 0; guess && i < numbers.size(); ++i)
            QVERIFY(qFuzzyCompare(guess->answers[static_cast<std::size_t>(i)], numbers[i]));
    }

    void theMakespanOfTheLevelIsATimeInItsLanes()
    {
        const LessonStep step = stepWith(R"(["12 ms", "{9 ms|par.time}"])", 1);
        const auto guess = guessOf(step, step.questions.front());
        QVERIFY(guess && guess->ofLevel);
        QCOMPARE(guess->timeOf(0).value_or(0), 12 * ticksPerMs);
        QVERIFY(!guess->timeOf(2));
        QVERIFY(!guess->timeOf(-1));
    }

    /// Goals stay in sight, so none says the time that a question of its step asks for.
    void noGoalOfTheCourseTellsAnAnswer()
    {
        int asked = 0;
        for (const ShippedLesson& shipped : shippedLessons()) {
            const auto lesson = shippedLesson(std::string(shipped.id));
            QVERIFY(lesson);
            for (const LessonStep& step : lesson->steps)
                for (const LessonQuestion& question : step.questions) {
                    const auto guess = guessOf(step, question);
                    if (!step.level || !guess || !guess->ofLevel)
                        continue;
                    ++asked;
                    for (const LessonGoal& goal : step.level->goals)
                        QVERIFY2(goal.kind != GoalKind::Makespan, step.title.in().c_str());
                }
        }
        QVERIFY(asked >= 2);
    }

    void aTimeOfSomethingElseIsNoneOfTheLevel()
    {
        const LessonStep step = stepWith(R"(["12 ms", "{9 ms|picture.time}"])", 1);
        const auto guess = guessOf(step, step.questions.front());
        QVERIFY(guess && !guess->ofLevel);
        QVERIFY(!guess->timeOf(0));
    }
};

PW_TEST(TestLessonGuess)
#include "tst_lesson_guess.moc"
