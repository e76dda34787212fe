// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/lesson/class_map.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace pw;

namespace {

LevelResult result(const char* lesson, int level, bool solved, int tries, int hints = 0)
{
    LevelResult made;
    made.lesson = lesson;
    made.level = level;
    made.solved = solved;
    made.tries = tries;
    made.hints = hints;
    return made;
}

AnswerResult answer(const char* lesson, int step, int chosen, bool right)
{
    return {lesson, step, 0, chosen, right};
}

} // namespace

/// Where a class is stuck.
class TestClassMap : public QObject
{
    Q_OBJECT

private slots:
    void levelsAreCountedOverPersons()
    {
        const std::vector<LessonResults> all = {
            {"Ada", {result("a", 0, true, 1), result("b", 0, false, 9)}, {}},
            {"", {result("a", 0, true, 5, 2), result("b", 0, false, 3)}, {}},
            {"Cid",
             {result("a", 0, true, 2), result("b", 0, true, 4), result("a", 1, false, 1)},
             {}},
        };
        const ClassMap map = classMapOf(all);
        QCOMPARE(map.people, (std::vector<std::string>{"Ada", "2", "Cid"}));
        QCOMPARE(map.levels.size(), std::size_t{3});
        const ClassLevel& first = map.levels[0];
        QCOMPARE(first.lesson, std::string("a"));
        QVERIFY(first.marks ==
                (std::vector<ClassMark>{ClassMark::Solved, ClassMark::Helped, ClassMark::Solved}));
        QCOMPARE(first.solved, 3);
        QCOMPARE(first.medianTries, 2.0);
        QCOMPARE(first.hints, 2);
        QVERIFY(map.levels[1].marks ==
                (std::vector<ClassMark>{ClassMark::None, ClassMark::None, ClassMark::Tried}));
        // The level that most are stuck in comes first; one that nobody is stuck in is none.
        const auto worst = map.worst(5);
        QCOMPARE(worst.size(), std::size_t{2});
        QCOMPARE(worst[0].lesson, std::string("b"));
        QCOMPARE(worst[0].stuck(), 2);
        QCOMPARE(map.worst(1).size(), std::size_t{1});
    }

    void theMedianOfAnEvenNumberIsBetween()
    {
        const std::vector<LessonResults> all = {{"A", {result("a", 0, true, 1)}, {}},
                                                {"B", {result("a", 0, true, 4)}, {}}};
        QCOMPARE(classMapOf(all).levels[0].medianTries, 2.5);
    }

    void theCommonestWrongAnswerIsFound()
    {
        const std::vector<LessonResults> all = {
            {"A", {}, {answer("a", 1, 2, false), answer("a", 3, 0, true)}},
            {"B", {}, {answer("a", 1, 0, false)}},
            {"C", {}, {answer("a", 1, 2, false)}},
            {"D", {}, {answer("a", 1, 1, true)}},
        };
        const ClassMap map = classMapOf(all);
        QVERIFY(map.questions ==
                (std::vector<ClassQuestion>{{"a", 1, 0, 4, 1, 2, 2}, {"a", 3, 0, 1, 1, -1, 0}}));
    }

    void answersComeBackAndTheFirstOneStays()
    {
        LessonResults results;
        results.who = "Ada";
        results.note(answer("05-1f1b", 2, 1, false));
        results.note(answer("05-1f1b", 2, 0, true));
        const auto read = readResults(writeResults(results));
        QVERIFY(read && *read == results);
        QCOMPARE(read->answers.size(), std::size_t{1});
        QCOMPARE(read->answers[0].chosen, 1);
        // Files from before answers were kept.
        const auto old = readResults(R"({"pipewright_results": 1, "who": "x", "levels": []})");
        QVERIFY(old && old->answers.empty());
    }
};

PW_TEST(TestClassMap)
#include "tst_class_map.moc"
