// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/search/zero_bubble_beam.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <limits>

using namespace pw;

namespace {

/// Stages of which one takes longer; a hop takes `hop`, memory is counted in halves of a
/// micro-batch.
ZeroBubbleProblem unevenStages(int devices, int microBatches, Ticks hop, std::int64_t limit)
{
    const auto stages = static_cast<std::size_t>(devices);
    ZeroBubbleProblem problem;
    problem.devices = devices;
    problem.microBatches = microBatches;
    problem.forward.assign(stages, 10);
    problem.backward.assign(stages, 11);
    problem.weight.assign(stages, 8);
    problem.forward[1] = 13;
    problem.weight[1] = 9;
    problem.forwardLatency.assign(stages - 1, hop);
    problem.backwardLatency = problem.forwardLatency;
    problem.forwardMemory.assign(stages, 2);
    problem.backwardMemory.assign(stages, -1);
    problem.weightMemory.assign(stages, -1);
    problem.memoryLimit.assign(stages, limit);
    return problem;
}

} // namespace

/// The search beam of zero-bubble orders.
class TestZeroBubbleBeam : public QObject
{
    Q_OBJECT

private slots:
    /// What it leaves out it leaves out early: a proof takes no more partial schedules than it did
    /// when this was written. Bounds that grow weaker, or equal states that are not seen to be
    /// equal, change no order and show here.
    void proofsTakeNoMoreWork_data()
    {
        QTest::addColumn<int>("devices");
        QTest::addColumn<int>("microBatches");
        QTest::addColumn<qint64>("hop");
        QTest::addColumn<qint64>("limit");
        QTest::addColumn<qint64>("span");
        QTest::addColumn<qint64>("work");
        QTest::newRow("3 x 4, all in memory")
            << 3 << 4 << qint64(2) << qint64(8) << qint64(145) << qint64(7700);
        QTest::newRow("3 x 5, tight")
            << 3 << 5 << qint64(1) << qint64(5) << qint64(218) << qint64(1335);
        QTest::newRow("4 x 4, tight")
            << 4 << 4 << qint64(0) << qint64(6) << qint64(190) << qint64(9238);
        QTest::newRow("4 x 5, slow links")
            << 4 << 5 << qint64(6) << qint64(8) << qint64(262) << qint64(30876);
        QTest::newRow("5 x 4") << 5 << 4 << qint64(1) << qint64(8) << qint64(187) << qint64(64431);
    }
    void proofsTakeNoMoreWork()
    {
        QFETCH(int, devices);
        QFETCH(int, microBatches);
        QFETCH(qint64, hop);
        QFETCH(qint64, limit);
        QFETCH(qint64, span);
        QFETCH(qint64, work);
        const ZeroBubbleProblem problem = unevenStages(devices, microBatches, hop, limit);
        const ZeroBubbleBound bound(problem);
        ZeroBubbleBeam beam(problem, bound);
        constexpr std::int64_t plenty = std::numeric_limits<std::int64_t>::max() / 2;
        ZeroBubbleBudget budget{plenty, std::chrono::steady_clock::time_point::max()};
        const auto found = beam.run({beam.widestBeam(), 0}, zeroBubbleNoSpan, budget);
        QVERIFY(found.complete);
        QCOMPARE(qint64(found.best.span), span);
        QVERIFY(bound.span() <= found.best.span);
        QVERIFY2(plenty - budget.work <= work, qPrintable(QString::number(plenty - budget.work)));
    }
};

PW_TEST(TestZeroBubbleBeam)
#include "tst_zero_bubble_beam.moc"
