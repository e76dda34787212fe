// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/families/family.h"
#include "core/optimise/schedule_bound.h"
#include "core/sim/explain.h"
#include "core/sim/explanation.h"
#include "core/sim/metrics.h"
#include "tests/support/test_program.h"

#include <QRegularExpression>
#include <QTest>

using namespace pw;

namespace {

struct Case
{
    Schedule schedule;
    Costs costs;
    SimResult result;
};

Case caseOf(const char* id, int devices, int microBatches, UniformCosts uniform = {})
{
    const auto family = findFamily(id);
    FamilyOptions options;
    options.devices = devices;
    options.microBatches = microBatches;
    auto schedule = buildUniform(**family, options, uniform);
    if (!schedule)
        qFatal("%s", schedule.error().message.c_str());
    Costs costs = expand(uniform, schedule->spec());
    auto result = simulate(*schedule, costs);
    return {std::move(*schedule), std::move(costs), std::move(*result)};
}

std::int32_t entryOf(const Case& c, PassKind kind, StageId stage, int micro)
{
    return c.schedule.entryOf(c.schedule.table().id(Pass{kind, 0, stage, micro, 0}));
}

QString said(const Explanation& explanation, std::size_t sentence)
{
    return QString::fromStdString(explanation.sentences[sentence].english());
}

/// All sentences end, none is empty, and nothing is said twice.
void checkForm(const Explanation& explanation)
{
    QVERIFY(!explanation.title.empty());
    for (const Sentence& said : explanation.sentences) {
        const std::string& sentence = said.english();
        QVERIFY2(sentence.size() > 10 && sentence.back() == '.', sentence.c_str());
        QVERIFY2(sentence.find("..") == std::string::npos, sentence.c_str());
        QVERIFY2(sentence.find("  ") == std::string::npos, sentence.c_str());
        QVERIFY2(!(sentence.front() >= 'a' && sentence.front() <= 'z'), sentence.c_str());
    }
    QVERIFY(explanation.sentences[0] != explanation.sentences[1]);
}

} // namespace

/// Three sentences with the numbers of a schedule.
class TestExplanation : public QObject
{
    Q_OBJECT

private slots:
    void aPassThatWaitsForAnother()
    {
        // 1F1B, 3 devices, F 1 ms, BW 2 ms: the first gradient is at device 1 at 5 ms.
        const Case c = caseOf("1f1b", 3, 4);
        const Explanation e = explainEntry(c.schedule, c.costs, c.result,
                                           EntryId(entryOf(c, PassKind::BW, StageId(1), 0)));
        checkForm(e);
        QCOMPARE(said(e, 0),
                 QStringLiteral("BW of micro-batch 0 on stage 1 runs on device 1 from 5 "
                                "ms to 7 ms: 2 ms, 11.1 % of the makespan of 18 ms."));
        QCOMPARE(said(e, 1), QStringLiteral("It waits for BW of micro-batch 0 on stage 2 on device "
                                            "2, which ends at 5 ms; the device idles 2 ms before "
                                            "it."));
        QCOMPARE(said(e, 2), QStringLiteral("Were it 1 ms longer, the whole would end 1 ms later: "
                                            "it is on the critical path."));
    }

    void aPassWithRoomMovesNothing()
    {
        const Case c = caseOf("1f1b", 3, 4);
        const Explanation e = explainEntry(c.schedule, c.costs, c.result,
                                           EntryId(entryOf(c, PassKind::F, StageId(0), 2)));
        checkForm(e);
        QVERIFY2(said(e, 1).startsWith(QStringLiteral("It starts as soon as device 0 is free: F of "
                                                      "micro-batch 1 on stage 0 ends at 2 ms")),
                 qPrintable(said(e, 1)));
        QVERIFY2(said(e, 2).contains(QStringLiteral("the end would not move")),
                 qPrintable(said(e, 2)));
    }

    void theFirstPassNeedsNothing()
    {
        const Case c = caseOf("1f1b", 2, 2);
        const Explanation e = explainEntry(c.schedule, c.costs, c.result,
                                           EntryId(entryOf(c, PassKind::F, StageId(0), 0)));
        QVERIFY(said(e, 1).contains(QStringLiteral("the first on its device")));
    }

    void aGapSaysWhyAndWhatWouldHelp()
    {
        const Case c = caseOf("1f1b", 3, 4);
        const auto e = explainAt(c.schedule, c.costs, c.result, DeviceId(0), 4 * ticksPerMs);
        QVERIFY(e);
        checkForm(*e);
        QCOMPARE(said(*e, 0), QStringLiteral("Device 0 idles from 3 ms to 7 ms: 4 ms of the 6 ms "
                                             "that it idles in all, and 22.2 % of the makespan of "
                                             "18 ms."));
        QVERIFY2(said(*e, 1).startsWith(QStringLiteral("BW of micro-batch 0 on stage 0 comes next: "
                                                       "it waits for BW of micro-batch 0 on stage "
                                                       "1")),
                 qPrintable(said(*e, 1)));
        QVERIFY2(said(*e, 2).contains(QStringLiteral("sooner")), qPrintable(said(*e, 2)));
    }

    /// What is said of the end is what a simulation of the change gives, for every pass.
    void whatIsSaidOfTheEndIsSo()
    {
        UniformCosts uniform;
        uniform.hop = ticksPerMs / 2;
        const Case c = caseOf("zb-h1", 3, 5, uniform);
        int moved = 0, stayed = 0;
        for (const EntryId i : c.schedule.entries()) {
            const auto at = static_cast<std::size_t>(i);
            Costs changed = c.costs;
            const Ticks time = c.result.end[at] - c.result.start[at];
            changed.single = {{c.schedule.entry(i).pass, time + time / 2}};
            const Ticks later = simulate(c.schedule, changed)->makespan - c.result.makespan;
            const Explanation e = explainEntry(c.schedule, c.costs, c.result, i);
            checkForm(e);
            const bool says = !said(e, 2).contains(QStringLiteral("the end would not move"));
            QCOMPARE(says, later > 0);
            (later > 0 ? moved : stayed) += 1;
        }
        QVERIFY(moved > 0 && stayed > 0);
    }

    /// Every moment of every device is a pass or a gap, in schedules of all kinds.
    void everyMomentIsExplained_data()
    {
        QTest::addColumn<QString>("family");
        for (const Family& family : allFamilies())
            if (!family.search)
                QTest::newRow(std::string(family.id).c_str())
                    << QString::fromUtf8(family.id.data(), qsizetype(family.id.size()));
    }

    void everyMomentIsExplained()
    {
        QFETCH(QString, family);
        UniformCosts uniform;
        uniform.hop = ticksPerMs / 4;
        const Case c = caseOf(family.toUtf8().constData(), 4, 8, uniform);
        const Ticks step = c.result.makespan / 41;
        for (const DeviceId d : Ids<DeviceId>(c.schedule.devices())) {
            for (Ticks t = 0; t < c.result.makespan; t += step) {
                const auto e = explainAt(c.schedule, c.costs, c.result, d, t);
                QVERIFY2(e, e ? "" : e.error().message.c_str());
                checkForm(*e);
            }
            checkForm(*explainBubble(c.schedule, c.costs, c.result, d));
            checkForm(*explainMemory(c.schedule, c.costs, c.result, d));
        }
        checkForm(explainMakespan(c.schedule, c.costs, c.result,
                                  provenBound(c.schedule, c.costs, c.result)));
        checkForm(*explainBubble(c.schedule, c.costs, c.result));
        checkForm(*explainMemory(c.schedule, c.costs, c.result));
    }

    void theBubbleHasTheNumbersOfTheMetrics()
    {
        // (p − 1)(T_F + T_BW) = 6 ms of (m + p − 1)(T_F + T_BW) = 18 ms.
        const Case c = caseOf("gpipe", 3, 4);
        const auto all = explainBubble(c.schedule, c.costs, c.result);
        QCOMPARE(said(*all, 0), QStringLiteral("In 18 ms the 3 devices work 36 ms together and "
                                               "idle 18 ms: 33.3 %; device 0 idles most, 6 ms."));
        const auto last = explainBubble(c.schedule, c.costs, c.result, DeviceId(2));
        QCOMPARE(said(*last, 1), QStringLiteral("Of the idle time of device 2, 2 ms lie before its "
                                                "first pass, 0 ms between its passes and 4 ms "
                                                "behind its last one; the first and the last do "
                                                "not grow with the number of micro-batches."));
    }

    void memorySaysWhatIsHeldAndWhy()
    {
        const Case c = caseOf("1f1b", 4, 8);
        const auto e = explainMemory(c.schedule, c.costs, c.result);
        checkForm(*e);
        QCOMPARE(said(*e, 0), QStringLiteral("Device 0 holds the most at 3 ms, when F of "
                                             "micro-batch 3 on stage 0 starts: 4 micro-batches."));
        QVERIFY2(said(*e, 1).startsWith(QStringLiteral("Then it keeps activations of 4 "
                                                       "micro-batches, 0 to 3:")),
                 qPrintable(said(*e, 1)));
        QVERIFY2(said(*e, 2).startsWith(QStringLiteral("Device 3 holds 1 micro-batch at most, "
                                                       "since it keeps a micro-batch for 3 ms")),
                 qPrintable(said(*e, 2)));
    }

    void theMakespanIsItsChain()
    {
        const Case c = caseOf("gpipe", 2, 2);
        const Explanation e = explainMakespan(c.schedule, c.costs, c.result,
                                              provenBound(c.schedule, c.costs, c.result));
        // F0 F1 | F1 BW0.. : 3·(1 + 2) ms, without waits on the chain.
        QVERIFY2(said(e, 0).startsWith(QStringLiteral("The whole takes 9 ms: a chain of ")) &&
                     said(e, 0).contains(QStringLiteral("that take 9 ms, and 0 ms of messages")),
                 qPrintable(said(e, 0)));
        // Split backwards of GPipe: F0 and both F, B, W of device 1, 1 + 6 ms.
        QVERIFY2(said(e, 1).startsWith(
                     QStringLiteral("No order of this work in as much memory takes less than 7 ms; "
                                    "this one takes 28.6 % longer: device ")),
                 qPrintable(said(e, 1)));
    }

    void whatIsNotThereIsToldSo()
    {
        const Case c = caseOf("gpipe", 2, 2);
        QVERIFY(!explainAt(c.schedule, c.costs, c.result, DeviceId(2), 0));
        QVERIFY(!explainAt(c.schedule, c.costs, c.result, DeviceId::none(), 0));
        const auto late = explainAt(c.schedule, c.costs, c.result, DeviceId(0), 9 * ticksPerMs);
        QVERIFY(!late);
        QCOMPARE(late.error().message, std::string("9 ms is not within the makespan of 9 ms"));
        QVERIFY(!explainBubble(c.schedule, c.costs, c.result, DeviceId(7)));
        QVERIFY(!explainMemory(c.schedule, c.costs, c.result, DeviceId(7)));
    }
};

PW_TEST(TestExplanation)
#include "tst_explanation.moc"
