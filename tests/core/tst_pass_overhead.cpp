// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/cost/pass_overhead.h"
#include "core/sim/simulator.h"
#include "tests/support/family_runs.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cmath>

using namespace pw;

namespace {

Ticks makespanOf(const char* id, int microBatches, Ticks work, Ticks overhead)
{
    const Family& family = test::familyOf(id);
    const FamilyOptions options = test::sized(8, microBatches);
    UniformCosts uniform;
    uniform.forward = uniform.backward = uniform.weight = work / microBatches;
    Costs costs = expand(uniform, *specOf(family, options));
    addPassOverhead(costs, overhead);
    return test::runFamily(family, options, costs).result.makespan;
}

} // namespace

class TestPassOverhead : public QObject
{
    Q_OBJECT

private slots:
    /// A batch whose F and BW take 363 ms on each of 8 devices, and 21.3 ms a micro-batch:
    /// (m + 7)(363 ∕ m + 21.3).
    void aBatchIsBestCutIntoSome_data()
    {
        QTest::addColumn<int>("microBatches");
        QTest::addColumn<double>("ms");
        QTest::newRow("8") << 8 << 1000.1;
        QTest::newRow("11") << 11 << 977.4;
        QTest::newRow("16") << 16 << 1011.7;
        QTest::newRow("32") << 32 << 1273.1;
    }
    void aBatchIsBestCutIntoSome()
    {
        QFETCH(int, microBatches);
        QFETCH(double, ms);
        const Ticks makespan =
            makespanOf("gpipe", microBatches, 121 * ticksPerMs, 10'650 * (ticksPerMs / 1000));
        QVERIFY2(std::abs(static_cast<double>(makespan) / ticksPerMs - ms) < 0.1,
                 qPrintable(QString::number(makespan)));
    }

    /// Where a pass costs much besides, a schedule of more passes loses what it wins in idle time.
    void splittingTheBackwardHasItsPrice()
    {
        constexpr Ticks work = 1600 * ticksPerMs;
        QVERIFY(makespanOf("zb-h1", 16, work, 0) < makespanOf("1f1b", 16, work, 0));
        QVERIFY(makespanOf("interleaved-1f1b", 16, work, 0) < makespanOf("1f1b", 16, work, 0));
        constexpr Ticks much = 200 * ticksPerMs;
        QVERIFY(makespanOf("zb-h1", 16, work, much) > makespanOf("1f1b", 16, work, much));
        QVERIFY(makespanOf("interleaved-1f1b", 16, work, much) >
                makespanOf("1f1b", 16, work, much));
    }

    void everyPassTakesItOnce()
    {
        PipelineSpec spec;
        spec.devices = 2;
        spec.microBatches = 2;
        spec.routes = {Placement::linear(2)};
        UniformCosts uniform;
        uniform.forward = 100;
        uniform.backward = 200;
        uniform.weight = 300;
        uniform.pair = 500;
        uniform.update = 50;
        const Pass first{PassKind::F, 0, StageId(0), 0, 0};
        const Pass backward{PassKind::BW, 0, StageId(0), 1, 0};
        Costs costs = expand(uniform, spec);
        costs.single = {{first, 1000}};
        addPassOverhead(costs, 7);
        QCOMPARE(passTime(costs, spec, first), Ticks{1007});
        QCOMPARE(tableTime(costs, spec, first), Ticks{107});
        QCOMPARE(tableTime(costs, spec, {PassKind::R, 0, StageId(0), 0, 0}), Ticks{107});
        QCOMPARE(tableTime(costs, spec, {PassKind::B, 0, StageId(0), 0, 0}), Ticks{207});
        QCOMPARE(tableTime(costs, spec, {PassKind::W, 0, StageId(0), 0, 0}), Ticks{307});
        QCOMPARE(tableTime(costs, spec, backward), Ticks{507});
        QCOMPARE(tableTime(costs, spec, {PassKind::U, 0, StageId(0), 0, 0}), Ticks{50});
        QCOMPARE(costs.pair.front(), Ticks{514});
    }
};

PW_TEST(TestPassOverhead)
#include "tst_pass_overhead.moc"
