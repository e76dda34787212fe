// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/families/family.h"
#include "core/lesson/level_draft.h"
#include "core/lesson/practice.h"
#include "core/sim/simulator.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace pw;

namespace {

struct Origin
{
    Schedule schedule;
    Costs costs;
};

Origin originOf(const char* id, int devices, int microBatches, UniformCosts uniform = {})
{
    FamilyOptions options;
    options.devices = devices;
    options.microBatches = microBatches;
    auto schedule = buildUniform(**findFamily(id), options, uniform);
    Costs costs = expand(uniform, schedule->spec());
    return {std::move(*schedule), std::move(costs)};
}

/// The written lesson checks: its demonstration solves it, and its par is proven.
void checkWritten(const std::string& text)
{
    const auto lesson = readLesson(text, "made");
    QVERIFY2(lesson, lesson ? "" : lesson.error().message.c_str());
    for (int i = 0; i < lesson->levels(); ++i)
        for (const std::string& problem : checkLevel(lesson->level(i)).problems)
            QFAIL(problem.c_str());
}

} // namespace

/// Levels made of schedules, and the files that they are written to.
class TestLevelDraft : public QObject
{
    Q_OBJECT

private slots:
    void everyKindOfDraftChecks_data()
    {
        QTest::addColumn<QString>("family");
        QTest::addColumn<int>("start");
        QTest::addColumn<bool>("locked");
        QTest::addColumn<bool>("cap");
        QTest::addColumn<bool>("same");
        QTest::newRow("to be reached") << "1f1b" << 0 << false << false << false;
        QTest::newRow("with a limit") << "1f1b" << 0 << false << true << false;
        QTest::newRow("begun") << "1f1b" << 1 << false << false << false;
        QTest::newRow("begun, and it stays") << "1f1b" << 1 << true << true << false;
        QTest::newRow("exactly that order") << "gpipe" << 0 << false << false << true;
        QTest::newRow("split backward") << "zb-h1" << 0 << false << true << false;
        QTest::newRow("a whole order to make better") << "gpipe" << 2 << false << true << false;
    }

    void everyKindOfDraftChecks()
    {
        QFETCH(QString, family);
        QFETCH(int, start);
        QFETCH(bool, locked);
        QFETCH(bool, cap);
        QFETCH(bool, same);
        const Origin origin = originOf(family.toUtf8().constData(), 3, 3);
        auto draft = levelDraftOf({origin.schedule, origin.costs, "Made & <b>checked</b>"});
        QVERIFY2(draft, draft ? "" : draft.error().message.c_str());
        for (const auto& order : draft->order)
            if (start > 0)
                draft->firstOnes.push_back(start == 2 ? static_cast<int>(order.size()) : 1);
        draft->locked = locked;
        if (cap)
            draft->cap = 3 * shareOne;
        draft->sameOrder = same;
        if (start == 2) {
            // As it stands it meets its own goal.
            const auto solved = proveDraft(*draft);
            QVERIFY(!solved);
            QVERIFY2(solved.error().message.english().find("meets all goals already") !=
                         std::string::npos,
                     solved.error().message.c_str());
            draft->latest.reset();
            draft->cap = 2 * shareOne;
        }
        const auto proven = proveDraft(*draft);
        QVERIFY2(proven, proven ? "" : proven.error().message.c_str());
        checkWritten(writeLevelLesson(*draft));
    }

    void timesOfStagesAreLocked()
    {
        Origin origin = originOf("1f1b", 2, 3);
        origin.costs.forward = {2 * ticksPerMs, 1'234'567};
        origin.costs.fused = {5 * ticksPerMs + 1, 3 * ticksPerMs};
        origin.costs.link.latency = 700'001;
        const auto simulated = simulate(origin.schedule, origin.costs);
        auto draft = levelDraftOf({origin.schedule, origin.costs, "x"});
        QVERIFY(draft);
        QCOMPARE(draft->makespan, simulated->makespan);
        QVERIFY(proveDraft(*draft));
        const std::string text = writeLevelLesson(*draft);
        checkWritten(text);
        // To the nanosecond, through the file.
        const auto lesson = readLesson(text, "x");
        const Costs costs = costsOf(lesson->level(0).start);
        QCOMPARE(simulate(origin.schedule, costs)->makespan, simulated->makespan);
    }

    void aLargeOrderBecomesSmaller()
    {
        const Origin origin = originOf("1f1b", 4, 32);
        const auto draft = provenDraftOf({origin.schedule, origin.costs, "Large"}, 100);
        QVERIFY2(draft, draft ? "" : draft.error().message.c_str());
        QVERIFY(draft->spec.microBatches < 32 && draft->spec.microBatches >= 2);
        QVERIFY2(draft->text.find("Of the 32 micro-batches these are the first") !=
                     std::string::npos,
                 draft->text.c_str());
        checkWritten(writeLevelLesson(*draft));
        // It is halved no further than it has to be: twice as many are not proven by as little.
        const auto few = provenDraftOf({origin.schedule, origin.costs, "Large"}, 200);
        QVERIFY(few);
        const int count = few->spec.microBatches;
        QVERIFY2(count > 2 && count < 32, qPrintable(QString::number(count)));
        const auto twice = provenDraftOf({origin.schedule, origin.costs, "Large", 2 * count}, 200);
        QVERIFY(twice);
        QCOMPARE(twice->spec.microBatches, count);
    }

    void whatALessonCannotSayIsRefused()
    {
        const Origin pairs = originOf("dualpipe", 4, 8);
        QVERIFY(!levelDraftOf({pairs.schedule, pairs.costs, "x"}));
        Origin single = originOf("1f1b", 2, 2);
        single.costs.single = {{single.schedule.entry(EntryId(0)).pass, 9 * ticksPerMs}};
        QVERIFY(!levelDraftOf({single.schedule, single.costs, "x"}));
        // Of what was measured the usual times are taken.
        QVERIFY(levelDraftOf({single.schedule, single.costs, "x", 0, true}));
        const auto none = provenDraftOf({single.schedule, originOf("1f1b", 2, 2).costs, "x"}, 1);
        QVERIFY(!none);
        QVERIFY2(none.error().message.english().find("not proven") != std::string::npos,
                 none.error().message.c_str());
    }

    void aLevelIsAddedToALesson()
    {
        const Origin origin = originOf("gpipe", 2, 2);
        auto draft = levelDraftOf({origin.schedule, origin.costs, "One more"});
        QVERIFY(proveDraft(*draft));
        for (const ShippedLesson& shipped : shippedLessons()) {
            const auto before = readLesson(shipped.text, "x");
            const auto text = withLevel(shipped.text, *draft);
            QVERIFY2(text, text ? "" : text.error().message.c_str());
            const auto after = readLesson(*text, "x");
            QVERIFY2(after, after ? "" : after.error().message.c_str());
            QCOMPARE(after->steps.size(), before->steps.size() + 1);
            for (std::size_t i = 0; i < before->steps.size(); ++i) {
                QCOMPARE(after->steps[i].text, before->steps[i].text);
                QCOMPARE(after->steps[i].level.has_value(), before->steps[i].level.has_value());
                if (before->steps[i].level)
                    QCOMPARE(after->steps[i].level->par, before->steps[i].level->par);
            }
            QCOMPARE(after->steps.back().title.in(), std::string("One more"));
        }
        QVERIFY(!withLevel("{}", *draft));
    }

    void wordsOfAStepAreChanged()
    {
        const auto shipped = shippedLessons().front();
        StepWords words;
        words.title = "Other \"words\"";
        words.task = "Do & <this>";
        const auto text = withWords(shipped.text, 0, words);
        QVERIFY2(text, text ? "" : text.error().message.c_str());
        const auto after = readLesson(*text, "x");
        const auto before = readLesson(shipped.text, "x");
        QCOMPARE(after->steps[0].title.in(), *words.title);
        QCOMPARE(after->steps[0].level->task.in(), *words.task);
        QCOMPARE(after->steps[0].text, before->steps[0].text);
        // What it is called in another language stays.
        QCOMPARE(after->steps[0].title.in("de"), before->steps[0].title.in("de"));
        StepWords titled;
        titled.title = "Neu";
        const auto german = withWords(*text, 0, titled, "de");
        QCOMPARE(readLesson(*german, "x")->steps[0].title.in("de"), std::string("Neu"));
        QCOMPARE(readLesson(*german, "x")->steps[0].title.in(), *words.title);
        QVERIFY(!withWords(shipped.text, 99, words));
    }
};

PW_TEST(TestLevelDraft)
#include "tst_level_draft.moc"
