// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/edit/compose.h"
#include "core/lesson/play.h"
#include "core/lesson/standing.h"
#include "core/lesson/step_parts.h"
#include "tests/support/test_program.h"

#include <QtTest>

#include <algorithm>

using namespace pw;

namespace {

std::string shippedText(std::string_view id)
{
    for (const ShippedLesson& lesson : shippedLessons())
        if (lesson.id == id)
            return std::string(lesson.text);
    return {};
}

/// The step of the first level of a kind in a lesson of the program.
std::size_t stepWith(const std::string& text, Freedom freedom)
{
    const auto lesson = readLesson(text, "x");
    for (std::size_t s = 0; s < lesson->steps.size(); ++s)
        if (lesson->steps[s].level && lesson->steps[s].level->freedom == freedom)
            return s;
    return 99;
}

} // namespace

class TestStepParts : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    /// What is written back as it was read changes nothing that a reader knows.
    void linesComeBackAsTheyWere()
    {
        for (const ShippedLesson& shipped : shippedLessons()) {
            const std::string text(shipped.text);
            const auto before = readLesson(text, "x");
            for (std::size_t s = 0; s < before->steps.size(); ++s) {
                const auto parts = stepParts(text, s);
                QVERIFY2(parts, parts ? "" : parts.error().message.c_str());
                const auto again = withParts(text, s, *parts);
                QVERIFY2(again, again ? "" : again.error().message.c_str());
                const auto after = readLesson(*again, "x");
                const LessonStep &was = before->steps[s], &is = after->steps[s];
                QCOMPARE(is.questions.size(), was.questions.size());
                for (std::size_t q = 0; q < was.questions.size(); ++q) {
                    QCOMPARE(is.questions[q].right, was.questions[q].right);
                    QVERIFY(is.questions[q].answers == was.questions[q].answers);
                    QVERIFY(is.questions[q].why == was.questions[q].why);
                }
                if (!was.level)
                    continue;
                QCOMPARE(is.level->demonstration.size(), was.level->demonstration.size());
                QVERIFY(play(*is.level, is.level->start).value() ==
                        play(*was.level, was.level->start).value());
                QVERIFY(is.level->choices == was.level->choices);
                QVERIFY(is.level->kinds == was.level->kinds);
                QCOMPARE(is.level->goals.size(), was.level->goals.size());
                for (std::size_t g = 0; g < was.level->goals.size(); ++g) {
                    QCOMPARE(is.level->goals[g].kind, was.level->goals[g].kind);
                    QCOMPARE(is.level->goals[g].limit, was.level->goals[g].limit);
                }
            }
        }
    }

    /// Each act of every demonstration, seen from outside, is an act that leads to the same.
    void whatIsDoneIsRecordedAsActs()
    {
        for (const ShippedLesson& shipped : shippedLessons()) {
            const std::string text(shipped.text);
            const auto lesson = readLesson(text, "x");
            for (std::size_t s = 0; s < lesson->steps.size(); ++s) {
                if (!lesson->steps[s].level)
                    continue;
                const LessonLevel& level = *lesson->steps[s].level;
                std::string lines;
                Project before = level.start;
                for (int act = 1; act <= static_cast<int>(level.demonstration.size()); ++act) {
                    const auto after = play(level, level.start, act);
                    QVERIFY(after);
                    const auto made = actLinesBetween(level, before, *after);
                    QVERIFY2(made, made ? "" : made.error().message.c_str());
                    lines += *made;
                    before = *after;
                }
                StepParts parts;
                parts.acts = lines;
                const auto written = withParts(text, s, parts);
                QVERIFY2(written, written ? "" : written.error().message.c_str());
                const auto again = readLesson(*written, "x");
                const LessonLevel& now = *again->steps[s].level;
                const auto played = play(now, now.start);
                QVERIFY2(played, played ? "" : played.error().message.c_str());
                QVERIFY2(standingOf(now, *played).solved(), (shipped.id.data() + lines).c_str());
            }
        }
    }

    /// Places change and passes go: acts that no order alone tells.
    void movesAndRemovalsAreActs()
    {
        const std::string text = shippedText("01-devices-and-passes");
        const auto lesson = readLesson(text, "x");
        const LessonLevel& level = *lesson->steps[1].level;
        const auto whole = play(level, level.start);
        QVERIFY(whole);
        StepParts parts;
        parts.acts = "move 0 3 1\nremove 1 2\nplace 1 F1 at 2\n";
        const auto before = stepParts(text, 1);
        parts.acts = *before->acts + *parts.acts;
        const auto written = withParts(text, 1, parts);
        QVERIFY2(written, written ? "" : written.error().message.c_str());
        const auto again = readLesson(*written, "x");
        const auto end = play(*again->steps[1].level, again->steps[1].level->start);
        QVERIFY2(end, end ? "" : end.error().message.c_str());
        QCOMPARE(actLinesBetween(level, *whole, *end).value(), std::string("move 0 3 1\n"));
        for (const char* wrong : {"jump 0", "move 0", "place 0", "remove 0 x", "clear 3"}) {
            parts.acts = wrong;
            QVERIFY2(!withParts(text, 1, parts), wrong);
        }
    }

    void otherLinesAreTaken()
    {
        const std::string text = shippedText("05-1f1b");
        StepParts parts;
        parts.goals = "complete\nmakespan_ms 20\npeak 2.5\n";
        parts.passes = "F B W";
        parts.questions =
            "How many?\n- two\n+ three\n- four\n= Because of it.\n\nAnd then?\n+ yes\n"
            "- no\n= So it is.";
        const auto made = withParts(text, 0, parts);
        QVERIFY2(made, made ? "" : made.error().message.c_str());
        const auto lesson = readLesson(*made, "x");
        const LessonStep& step = lesson->steps.front();
        QCOMPARE(step.level->goals.size(), std::size_t{3});
        QCOMPARE(step.level->goals[2].limit, 2.5 * static_cast<double>(shareOne));
        QCOMPARE(step.level->kinds.size(), std::size_t{3});
        QCOMPARE(step.questions.size(), std::size_t{2});
        QCOMPARE(step.questions[0].right, 1);
        QCOMPARE(step.questions[0].answers[2].in("en"), std::string("four"));
        QCOMPARE(step.questions[1].right, 0);
    }

    void choicesAreLines()
    {
        const std::string text = shippedText("02-gpipe");
        const std::size_t step = stepWith(text, Freedom::Choice);
        StepParts parts;
        parts.choices = "gpipe 4 8\ninterleaved-1f1b 8 chunks=2\n";
        const auto made = withParts(text, step, parts);
        QVERIFY2(made, made ? "" : made.error().message.c_str());
        const auto lesson = readLesson(*made, "x");
        QCOMPARE(lesson->steps[step].level->choices.size(), std::size_t{3});
        parts.choices = "gpipe many";
        const auto refused = withParts(text, step, parts);
        QVERIFY(!refused);
        QVERIFY(refused.error().message.english().find("gpipe many") != std::string::npos);
    }

    /// What stands after a demonstration becomes the demonstration, or the start.
    void whatStandsIsTaken()
    {
        for (const auto& [id, freedom] :
             {std::pair{"05-1f1b", Freedom::Order}, std::pair{"11-v-shapes", Freedom::Block},
              std::pair{"02-gpipe", Freedom::Choice},
              std::pair{"19-layers-that-move", Freedom::Layers},
              std::pair{"24-activations-in-the-host", Freedom::Offload},
              std::pair{"20-a-slow-replica", Freedom::Repair}}) {
            const std::string text = shippedText(id);
            const std::size_t step = stepWith(text, freedom);
            const auto before = readLesson(text, "x");
            const LessonLevel& level = *before->steps[step].level;
            const auto stands = play(level, level.start);
            QVERIFY(stands);
            StepParts parts;
            parts.demonstration = *stands;
            const auto made = withParts(text, step, parts);
            QVERIFY2(made, made ? "" : made.error().message.c_str());
            const auto after = readLesson(*made, "x");
            const LessonLevel& own = *after->steps[step].level;
            const auto played = play(own, own.start);
            QVERIFY2(played, id);
            QVERIFY2(standingOf(own, *played).solved(), id);
            parts = {};
            parts.start = *stands;
            const auto begun = withParts(text, step, parts);
            const bool takes = freedom != Freedom::Choice && freedom != Freedom::Repair;
            QCOMPARE(begun.has_value(), takes);
            if (takes)
                QVERIFY(standingOf(*readLesson(*begun, "x")->steps[step].level,
                                   readLesson(*begun, "x")->steps[step].level->start)
                            .solved());
        }
    }

    void whatCannotBeSolvedIsSaid()
    {
        const std::string text = shippedText("11-v-shapes");
        StepParts parts;
        parts.goals = "complete\ninterval 5\n";
        const auto made = withParts(text, 0, parts);
        QVERIFY(made);
        const auto check = checkStep(*made, 0);
        QVERIFY(check && !check->par);
        QVERIFY(std::any_of(
            check->problems.begin(), check->problems.end(), [](const std::string& problem) {
                return problem.find("the busiest device has 6 units of work, and "
                                    "an interval of 5 is asked for") != std::string::npos;
            }));
        // A goal that can be met, and a par that is proven anew.
        const std::string orders = shippedText("05-1f1b");
        const auto lesson = readLesson(orders, "x");
        parts.goals = "complete\npeak 2\n";
        const auto other = withParts(orders, 3, parts);
        const auto sound = checkStep(*other, 3);
        QVERIFY(sound && sound->par);
        QVERIFY(sound->problems.empty());
        QVERIFY(!checkStep(orders, 99));
    }
};

PW_TEST(TestStepParts)
#include "tst_step_parts.moc"
