// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/lesson/facts.h"
#include "core/lesson/formula.h"
#include "core/lesson/number_mark.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace pw;

namespace {

const FormulaNames names = [](const std::string& name) -> std::optional<double> {
    const std::map<std::string, double> known = {{"p", 4}, {"m", 8}, {"v", 2}, {"T_F", 1.5}};
    const auto found = known.find(name);
    return found == known.end() ? std::nullopt : std::optional(found->second);
};

/// A lesson of one step with a level of two devices and two micro-batches, whose best time is 9 ms.
std::string lessonText(const std::string& text, const std::string& more = {})
{
    return R"({"pipewright_lesson": 1, "title": "t", "summary": "s",
 "facts": {"plain": {"schedule": {"family": "1f1b", "devices": 4, "micro_batches": 8}},
  "late": {"schedule": {"family": "1f1b", "devices": 4, "micro_batches": 8},
           "longer": {"device": 0, "pass": "F4", "ms": 1}},
  "seen": {"value": 2.5, "source": "a measurement"}},
 "steps": [{"title": "t", "text": )" +
           text + more + R"(,
  "level": {"task": "t", "start": {"devices": 2, "micro_batches": 2},
   "goals": [{"complete": true}, {"makespan_ms": 10}], "par": {"time_ms": 9},
   "hints": {"say": "", "show": "", "do": 1},
   "demonstration": {"orders": ["F0 F1 BW0 BW1", "F0 BW0 F1 BW1"]}}}]})";
}

std::vector<std::string> wrongIn(const std::string& text, const std::string& more = {})
{
    const auto lesson = readLesson(lessonText(text, more), "x");
    return lesson ? checkNumbers(*lesson)
                  : std::vector<std::string>{std::string(lesson.error().message)};
}

} // namespace

/// Numbers in the texts of lessons, which are computed again.
class TestLessonNumbers : public QObject
{
    Q_OBJECT

private slots:
    void formulasAreComputedAsPeopleWriteThem_data()
    {
        QTest::addColumn<QString>("formula");
        QTest::addColumn<QString>("language");
        QTest::addColumn<double>("value");
        const auto row = [](const char* formula, double value, const char* language = "en") {
            QTest::newRow(formula) << QString::fromUtf8(formula) << QString(language) << value;
        };
        row("9 ms", 9);
        row("1 + 6 + 2", 9);
        row("2·(pv − 1)", 14);
        row("(p − 1) ⁄ (m + p − 1)", 3.0 / 11);
        row("⌊(p + 4) ⁄ 3⌋", 2);
        row("⌈7 ⁄ 3⌉", 3);
        row("min(p, m)", 4);
        row("6·max(1, 2, p) − 1", 23);
        row("43 %", 0.43);
        row("two thirds", 2.0 / 3);
        row("Eight", 8);
        row("2,75", 2.75, "de");
        row("drei Viertel", 0.75, "de");
        row("fünf", 5, "de");
        row("−3 + 4p", 13);
        row("2T_F", 3);
    }

    void formulasAreComputedAsPeopleWriteThem()
    {
        QFETCH(QString, formula);
        QFETCH(QString, language);
        QFETCH(double, value);
        const auto chain = computeFormula(formula.toStdString(), language.toStdString(), names);
        QVERIFY2(chain.has_value(), chain ? "" : std::string(chain.error().message).c_str());
        QVERIFY(std::abs(chain->terms.front().value - value) < 1e-12);
    }

    void whatIsNoFormulaIsRefused()
    {
        for (const char* text :
             {"", "2 +", "(1", "1 ⁄ 0", "q", "⌊2", "2.75.1", "3 apples", "min(1"})
            QVERIFY2(!computeFormula(text, "en", names), text);
        // A comma parts arguments in English, a point nothing in German.
        QVERIFY(!computeFormula("2,75", "en", names));
        QVERIFY(!computeFormula("2.75", "de", names));
    }

    void marksAreNotShown()
    {
        const std::string text = "At least {9 ms|par.time}, {(3 − 1) = 2|}; {as it is}.";
        QCOMPARE(shownText(text), std::string("At least 9 ms, (3 − 1) = 2; {as it is}."));
        QCOMPARE(marksOf(text).size(), std::size_t{2});
        const auto lesson = readLesson(lessonText(R"({"en": "{9 ms|par.time}", "de": "9"})"), "x");
        QVERIFY(lesson.has_value());
        const LessonText& read = lesson->steps[0].text;
        QCOMPARE(read.in("en"), std::string("9 ms"));
        QCOMPARE(read.writtenIn("en"), std::string("{9 ms|par.time}"));
        QCOMPARE(read.writtenIn("de"), std::string("9"));
    }

    void rightNumbersPass_data()
    {
        QTest::addColumn<QString>("mark");
        for (const char* mark :
             {"{9 ms|par.time}", "{1 + 6 + 2 = 9 ms|par.time}", "{6 ms|demo.work.1}",
              "{Two|level.p}", "{10 ms|goal.time}", "{(p − 1)·(T_F + T_BW)|plain.idle}",
              "{(p − 1) ⁄ (m + p − 1) = 3 ⁄ 11|plain.wall}", "{27.3 %|~plain.wall}",
              "{p − i|plain.peak.1; i = 1}", "{p − i − 1|plain.warm.1 − 1; i = 1}",
              "{2·3 ≤ (k − 1)·3|; k = 3}", "{1 ms|late.time − plain.time}", "{2.5|seen}",
              "{4 ms|demo.begins.1.F1}"})
            QTest::newRow(mark) << QString::fromUtf8(mark);
    }

    void rightNumbersPass()
    {
        QFETCH(QString, mark);
        const auto wrong = wrongIn("\"" + mark.toStdString() + "\"");
        QVERIFY2(wrong.empty(), wrong.empty() ? "" : wrong.front().c_str());
    }

    void wrongNumbersAreRefused_data()
    {
        QTest::addColumn<QString>("mark");
        QTest::addColumn<QString>("said");
        const auto row = [](const char* mark, const char* said) {
            QTest::newRow(mark) << QString::fromUtf8(mark) << QString::fromUtf8(said);
        };
        row("{8 ms|par.time}", "the number '8 ms' is wrong: it is 9");
        row("{1 + 6 + 3 = 9 ms|par.time}", "10 and 9 are not as it says");
        row("{(p − 1)·T_F|plain.idle}", "it is 9");
        row("{27 %|plain.wall}", "it is 0.272727273"); // not said to be rounded
        row("{27.4 %|~plain.wall}", "it is");
        row("{2·3 ≤ (k − 1)·3|; k = 2}", "6 and 3");
        row("{5|}", "nothing says what it has to be");
        row("{5|nothing.peak}", "'nothing.peak' cannot be computed");
        row("{5|plain.nothing}", "'plain.nothing' cannot be computed");
        row("{five apples|5}", "cannot be computed");
    }

    void wrongNumbersAreRefused()
    {
        QFETCH(QString, mark);
        QFETCH(QString, said);
        const auto wrong = wrongIn("\"" + mark.toStdString() + "\"");
        QCOMPARE(wrong.size(), std::size_t{1});
        QVERIFY2(QString::fromStdString(wrong.front()).contains(said), wrong.front().c_str());
        QVERIFY(QString::fromStdString(wrong.front()).startsWith("step 1, text (en): "));
    }

    void everyLanguageIsChecked()
    {
        const auto wrong = wrongIn(R"({"en": "{9 ms|par.time}", "de": "{8 ms|par.time}"})");
        QCOMPARE(wrong.size(), std::size_t{1});
        QVERIFY(wrong.front().find("(de)") != std::string::npos);
        // A number that one language checks and the other does not.
        QCOMPARE(wrongIn(R"({"en": "{9 ms|par.time}", "de": "9 ms"})").size(), std::size_t{1});
    }

    void aSecondRightAnswerIsFound()
    {
        const std::string ask =
            R"(, "questions": [{"ask": "?", "answers": ["6 ms", "9 ms", "ANSWER"],
            "right": 1, "why": ""}])";
        const auto with = [&](const char* answer) {
            std::string text = ask;
            return text.replace(text.find("ANSWER"), 6, answer);
        };
        QVERIFY(wrongIn("\"x\"", with("12 ms")).empty());
        const auto wrong = wrongIn("\"x\"", with("18 ⁄ 2 ms"));
        QCOMPARE(wrong.size(), std::size_t{1});
        QVERIFY(wrong.front().find("as right as the right one") != std::string::npos);
    }

    void bareNumbersAreCountedAndNamesAreNot()
    {
        const auto bare = [](const char* text, const char* language = "en") {
            return bareNumbers(text, language).size();
        };
        QCOMPARE(bare("It takes 9 ms, not 12."), std::size_t{2});
        QCOMPARE(bare("(p − 1) ⁄ m"), std::size_t{1});
        QCOMPARE(bare("Three devices and eight micro-batches"), std::size_t{2});
        QCOMPARE(bare("Drei Geräte, zwei Schritte", "de"), std::size_t{2});
        QCOMPARE(bare("1F1B, ZB-H1 and 2BW; F 0 on device 2, `F1 BW 3`, {9|par.time}"),
                 std::size_t{0});
        QCOMPARE(bare("(arXiv:1811.06965, §2.3, Table 6, Fig. 2)"), std::size_t{0});
        QCOMPARE(bare("with one of the devices"), std::size_t{0});
    }

    void everyNumberOfTheCourseIsCheckedAndRight_data()
    {
        QTest::addColumn<QString>("text");
        for (const ShippedLesson& shipped : shippedLessons())
            QTest::newRow(std::string(shipped.id).c_str()) << QString::fromUtf8(
                shipped.text.data(), static_cast<qsizetype>(shipped.text.size()));
    }

    void everyNumberOfTheCourseIsCheckedAndRight()
    {
        QFETCH(QString, text);
        const auto lesson = readLesson(text.toStdString(), "x");
        QVERIFY(lesson.has_value());
        auto wrong = checkNumbers(*lesson);
        for (std::string& unchecked : uncheckedNumbers(*lesson))
            wrong.push_back(std::move(unchecked));
        for (const std::string& problem : wrong)
            qWarning("%s", problem.c_str());
        QVERIFY(wrong.empty());
    }

    void theRightAnswerIsNotAlwaysTheFirst()
    {
        std::array<int, 9> places{};
        int questions = 0;
        for (const ShippedLesson& shipped : shippedLessons()) {
            const auto lesson = readLesson(shipped.text, std::string(shipped.id));
            QVERIFY(lesson.has_value());
            for (const LessonStep& step : lesson->steps)
                for (const LessonQuestion& question : step.questions) {
                    ++places[static_cast<std::size_t>(question.right)];
                    ++questions;
                }
        }
        for (const int place : {0, 1, 2})
            QVERIFY(places[static_cast<std::size_t>(place)] * 5 > questions);
        QVERIFY(*std::max_element(places.begin(), places.end()) * 2 < questions);
    }
};

PW_TEST(TestLessonNumbers)
#include "tst_lesson_numbers.moc"
