// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/families/family.h"
#include "core/optimise/schedule_bound.h"
#include "core/sim/explanation.h"
#include "tests/support/test_program.h"

#include <QtTest>

using namespace pw;

namespace {

struct BoundCase
{
    Schedule schedule;
    Costs costs;
    SimResult result;
};

BoundCase boundCase(const char* id, int devices, int microBatches, const UniformCosts& uniform = {})
{
    FamilyOptions options;
    options.devices = devices;
    options.microBatches = microBatches;
    Schedule schedule = *buildUniform(**findFamily(id), options, uniform);
    Costs costs = expand(uniform, schedule.spec());
    SimResult result = *simulate(schedule, costs);
    return {std::move(schedule), std::move(costs), std::move(result)};
}

UniformCosts unequalTimes(int which)
{
    UniformCosts costs;
    if (which == 1) {
        costs.forward = 3 * ticksPerMs;
        costs.backward = 2 * ticksPerMs;
        costs.hop = ticksPerMs / 2;
    } else if (which == 2) {
        costs.weight = 4 * ticksPerMs;
        costs.pair = 5 * ticksPerMs;
        costs.hop = ticksPerMs / 10;
    }
    return costs;
}

QString wholeText(const Explanation& explanation)
{
    QString said;
    for (const Sentence& one : explanation.sentences)
        said += QString::fromStdString(one.english()) + QLatin1Char(' ');
    return said;
}

} // namespace

class TestScheduleBound : public QObject
{
    Q_OBJECT

private slots:
    void noFamilyEndsBeforeTheBound()
    {
        int seen = 0;
        for (const Family& family : allFamilies()) {
            if (family.search)
                continue;
            for (const int devices : {2, 4}) {
                for (const int which : {0, 1, 2}) {
                    FamilyOptions options;
                    options.devices = devices;
                    options.microBatches = 2 * devices;
                    const UniformCosts uniform = unequalTimes(which);
                    const auto schedule = buildUniform(family, options, uniform);
                    if (!schedule)
                        continue;
                    const Costs costs = expand(uniform, schedule->spec());
                    const auto result = simulate(*schedule, costs);
                    const std::string name(family.id);
                    QVERIFY2(result, name.c_str());
                    const ProvenBound bound = provenBound(*schedule, costs, *result);
                    QVERIFY2(bound.fits && bound.time <= result->makespan, name.c_str());
                    // No less than the way to the device, its work and the way back.
                    QVERIFY2(bound.work > 0 && bound.first >= 0 && bound.behind >= 0, name.c_str());
                    QVERIFY2(bound.time > 0 && bound.waits() >= -2, name.c_str());
                    ++seen;
                }
            }
        }
        QVERIFY(seen > 60);
    }

    void theBoundIsWhatTheSearchBeginsWithAndProves_data()
    {
        QTest::addColumn<QByteArray>("id");
        QTest::addColumn<int>("devices");
        QTest::addColumn<int>("microBatches");
        QTest::addColumn<double>("hop");
        QTest::newRow("1F1B, unsplit") << QByteArray("1f1b") << 4 << 8 << 0.0;
        QTest::newRow("1F1B with links") << QByteArray("1f1b") << 4 << 8 << 0.3;
        QTest::newRow("1F1B of eight") << QByteArray("1f1b") << 8 << 24 << 0.3;
        QTest::newRow("ZB-V") << QByteArray("zb-v") << 4 << 8 << 0.0;
        QTest::newRow("GPipe") << QByteArray("gpipe") << 4 << 6 << 0.1;
        QTest::newRow("DualPipe, pairs stay") << QByteArray("dualpipe") << 4 << 8 << 0.0;
    }

    void theBoundIsWhatTheSearchBeginsWithAndProves()
    {
        QFETCH(QByteArray, id);
        QFETCH(int, devices);
        QFETCH(int, microBatches);
        QFETCH(double, hop);
        UniformCosts uniform;
        uniform.hop = ticksFromMs(hop);
        const BoundCase c = boundCase(id.constData(), devices, microBatches, uniform);
        const ProvenBound given = provenBound(c.schedule, c.costs, c.result);
        OptimiseOptions options;
        options.seconds = 3;
        Ticks first = 0;
        options.bounded = [&first](Ticks bound) { first = bound; };
        const Costs capped = withOwnPeak(c.schedule, c.costs, c.result);
        const auto outcome = optimiseOrder(c.schedule, capped, options);
        QVERIFY2(outcome, outcome ? "" : outcome.error().message.english().c_str());
        QCOMPARE(given.time, std::min(first, c.result.makespan));
        QVERIFY(given.time <= outcome->bound);
        // What was proven by looking at every order holds for the order that was found, too, whose
        // own memory may be less.
        SearchedBounds known;
        known.add({std::make_shared<const Schedule>(c.schedule), capped, outcome->bound});
        const ProvenBound now = provenBound(outcome->schedule, c.costs, outcome->result, &known);
        QVERIFY(now.time >= outcome->bound);
        QVERIFY(now.time <= outcome->result.makespan);
        if (outcome->proven)
            QCOMPARE(now.time, outcome->result.makespan);
        QCOMPARE(provenBound(c.schedule, c.costs, c.result, &known).time, outcome->bound);
        // And the sentence says the same time.
        const QString said =
            wholeText(explainMakespan(outcome->schedule, c.costs, outcome->result, now));
        if (outcome->proven)
            QVERIFY2(said.contains(QStringLiteral("in as much memory takes less: ")),
                     qPrintable(said));
    }

    /// p = 4, m = 8, one millisecond each: ZB-V's last device starts after three halves and works
    /// for 3 m. BW as one, 1F1B would be as short as can be; apart and in the same memory its
    /// work ends after (p − 1) F + 3 m, as Qi et al. show of ZB-H1.
    void theBoundIsTheFormulaOfTheBestFamily()
    {
        const BoundCase zbV = boundCase("zb-v", 4, 8);
        QCOMPARE(provenBound(zbV.schedule, zbV.costs, zbV.result).time, ticksFromMs(25.5));
        QCOMPARE(zbV.result.makespan, ticksFromMs(25.5));
        const BoundCase plain = boundCase("1f1b", 4, 8);
        const ProvenBound bound = provenBound(plain.schedule, plain.costs, plain.result);
        QCOMPARE(bound.time, ticksFromMs(27));
        QCOMPARE(bound.within, ProvenBound::Within::OwnPeak);
        QCOMPARE(bound.first + bound.work + bound.waits() + bound.behind, bound.time);
        QCOMPARE(bound.work, ticksFromMs(24));
        const QString proof = QString::fromStdString(proofOf(bound).english());
        QVERIFY2(proof.contains(QStringLiteral("works for 24 ms")), qPrintable(proof));
    }

    void aSearchProvesNothingOfOtherWorkOrMoreMemory()
    {
        const BoundCase c = boundCase("1f1b", 4, 8);
        const Costs capped = withOwnPeak(c.schedule, c.costs, c.result);
        SearchedBounds known;
        known.add({std::make_shared<const Schedule>(c.schedule), capped, ticksFromMs(32)});
        QCOMPARE(known.of(c.schedule, capped), ticksFromMs(32));
        Costs tighter = capped;
        tighter.shareCap /= 2;
        QCOMPARE(known.of(c.schedule, tighter), ticksFromMs(32));
        Costs wider = capped;
        wider.shareCap *= 2;
        QCOMPARE(known.of(c.schedule, wider), Ticks{0});
        Costs open = capped;
        open.shareCap = 0;
        QCOMPARE(known.of(c.schedule, open), Ticks{0});
        Costs slower = capped;
        slower.forward[0] += 1;
        QCOMPARE(known.of(c.schedule, slower), Ticks{0});
        const BoundCase more = boundCase("1f1b", 4, 9);
        QCOMPARE(known.of(more.schedule, withOwnPeak(more.schedule, more.costs, more.result)),
                 Ticks{0});
    }

    void capsThatAreBrokenAreSaidSo()
    {
        BoundCase c = boundCase("gpipe", 4, 8);
        c.costs.shareCap = 4 * shareOne;
        const ProvenBound bound = provenBound(c.schedule, c.costs, c.result);
        QVERIFY(!bound.fits);
        QCOMPARE(bound.within, ProvenBound::Within::Caps);
        const QString said = wholeText(explainMakespan(c.schedule, c.costs, c.result, bound));
        QVERIFY2(said.contains(QStringLiteral("It holds more than the memory limits; no order "
                                              "within them takes less than ")),
                 qPrintable(said));
    }

    /// It is found beside a window's work, after each change.
    void manyPassesTakeSeconds()
    {
        const BoundCase c = boundCase("zb-h1", 32, 512);
        const ProvenBound bound = provenBound(c.schedule, c.costs, c.result);
        QVERIFY(bound.time > c.result.devices[0].busy);
        QVERIFY(bound.time <= c.result.makespan);
    }
};

PW_TEST(TestScheduleBound)
#include "tst_schedule_bound.moc"
