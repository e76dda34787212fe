// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/sim/metrics.h"
#include "core/store/stored_iteration.h"
#include "executor/api/record_queue.h"
#include "executor/api/run_tally.h"
#include "tests/support/recorded_run.h"
#include "tests/support/run_plans.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <numeric>
#include <random>
#include <thread>

using namespace pw;
using namespace pw::exec;

namespace {

test::FamilyRun familyRun(const char* id)
{
    return test::runFamily(test::familyOf(id), test::sized(4, 8),
                           test::equalStages(7'000, 5'000, 3'000, 500));
}

/// The records of an iteration that went exactly as simulated, times a whole number.
std::vector<RecordedPass> asSimulated(const RunPlan& plan, int iteration, Ticks slower = 1)
{
    const Result<SimResult> result = simulate(plan.schedule, plan.costs);
    std::vector<RecordedPass> records;
    for (const DeviceId device : Ids<DeviceId>(plan.schedule.devices())) {
        for (const EntryId i : plan.schedule.entries(device)) {
            const OrderEntry entry = plan.schedule.entry(i);
            const auto at = static_cast<std::size_t>(i);
            const Ticks base = 1'000'000 * iteration;
            records.push_back({iteration, rankOf(device), i, entry.pass,
                               base + slower * result->start[at], base + slower * result->end[at]});
            if (entry.paired) {
                records.push_back(records.back());
                records.back().pass = entry.partner;
            }
        }
        // An update that does not stand in the order counts for nothing.
        records.push_back({iteration, rankOf(device), EntryId::none(),
                           Pass{PassKind::U, 0, StageId(device.value), 0, 0}, 900'000'000,
                           900'000'001});
    }
    return records;
}

} // namespace

class TestRunTally : public QObject
{
    Q_OBJECT

private slots:
    void aRunAsSimulatedHasTheSimulatedFigures_data()
    {
        QTest::addColumn<QString>("id");
        for (const char* id : {"1f1b", "zb-v", "chimera", "dualpipe", "interleaved-1f1b"})
            QTest::newRow(id) << QString(id);
    }
    void aRunAsSimulatedHasTheSimulatedFigures()
    {
        QFETCH(QString, id);
        const test::FamilyRun run = familyRun(qPrintable(id));
        const RunPlan plan = *test::planOf(run.schedule, run.costs);
        RunTally tally(plan);
        tally.add(asSimulated(plan, 0));
        const RunFigures figures = tally.figures();
        QCOMPARE(figures.iterations, 1);
        QCOMPARE(figures.makespan, run.result.makespan);
        QCOMPARE(figures.predictedMakespan, run.result.makespan);
        QCOMPARE(figures.spanBubble, spanBubble(run.result).rate());
        QCOMPARE(figures.predictedSpanBubble, figures.spanBubble);
    }

    void onlyWholeIterationsCountAndNoWarmUp()
    {
        const test::FamilyRun run = familyRun("1f1b");
        RunPlan plan = *test::planOf(run.schedule, run.costs);
        plan.warmup = 1;
        plan.iterations = 4;
        RunTally tally(plan);
        tally.add(asSimulated(plan, -1, 50));
        QCOMPARE(tally.figures().iterations, 0);
        QCOMPARE(tally.figures().makespan, Ticks{0});
        tally.add(asSimulated(plan, 0, 1));
        tally.add(asSimulated(plan, 1, 3));
        tally.add(asSimulated(plan, 2, 5));
        std::vector<RecordedPass> part = asSimulated(plan, 3, 7);
        part.resize(part.size() / 2);
        tally.add(part);
        const RunFigures figures = tally.figures();
        QCOMPARE(figures.iterations, 3);
        QCOMPARE(figures.makespan, 3 * run.result.makespan);
        QCOMPARE(figures.makespanLow, run.result.makespan);
        QCOMPARE(figures.makespanHigh, 5 * run.result.makespan);
    }

    void theFiguresAreThoseOfTheIterationThatTheRunIsOpenedWith_data()
    {
        QTest::addColumn<int>("iterations");
        QTest::newRow("an odd number") << 5;
        QTest::newRow("an even number") << 4;
    }
    void theFiguresAreThoseOfTheIterationThatTheRunIsOpenedWith()
    {
        QFETCH(int, iterations);
        const test::FamilyRun run = familyRun("zb-h1");
        RunPlan plan = *test::planOf(run.schedule, run.costs);
        plan.iterations = iterations;
        // Passes that take another time in every iteration, and so leave another bubble.
        std::mt19937 random(20261122);
        RunBatch batch =
            test::recordedRun(run.schedule, run.costs, 1, iterations,
                              [&random](std::int32_t, const OrderEntry&, Ticks usual) {
                                  return usual / 2 + static_cast<Ticks>(random() % 6'000);
                              });
        // Updates outside the order, as long as they like.
        for (int iteration = 0; iteration < iterations; ++iteration) {
            const auto last = std::find_if(
                batch.passes.rbegin(), batch.passes.rend(),
                [iteration](const RecordedPass& one) { return one.iteration == iteration; });
            RecordedPass update = *last;
            update.entry = EntryId::none();
            update.pass = Pass{PassKind::U, 0, StageId(update.rank.value), 0, 0};
            update.start = last->end;
            update.end = update.start + static_cast<Ticks>(random() % 90'000);
            batch.passes.insert(last.base(), update);
        }
        RunTally tally(plan);
        tally.add(batch.passes);
        const RunFigures figures = tally.figures();
        QCOMPARE(figures.iterations, iterations);

        const QTemporaryDir folder;
        RunStore store = *RunStore::open(folder.filePath("runs.sqlite").toStdString());
        RunWriter writer = *store.begin(test::newRun(run.schedule, run.costs, "one", "zb-h1"));
        QVERIFY(writer.append(batch));
        QVERIFY(writer.finish(RunStatus::Finished, figures));
        const Result<StoredIteration> opened = loadIteration(store, 1);
        QVERIFY(opened);
        QCOMPARE(figures.makespan, opened->measured.makespan);
        QCOMPARE(figures.spanBubble, spanBubble(opened->measured).rate());
        for (const WholeIteration& one : opened->iterations)
            if (one.iteration == opened->iteration)
                QCOMPARE(one.makespan(), figures.makespan);
    }

    void aProcessWithSomeRanksTalliesThose()
    {
        const test::FamilyRun run = familyRun("1f1b");
        const RunPlan plan = *test::planOf(run.schedule, run.costs);
        const std::vector<RankId> ranks{RankId(2)};
        RunTally tally(plan, ranks);
        std::vector<RecordedPass> own;
        for (const RecordedPass& pass : asSimulated(plan, 0)) {
            if (pass.rank == 2)
                own.push_back(pass);
        }
        tally.add(own);
        QCOMPARE(tally.figures().iterations, 1);
        QCOMPARE(tally.figures().makespan, run.result.devices[2].span());
    }

    void lossesOfTheCountedStepsAreKeptAndPartsAddUp()
    {
        const test::FamilyRun run = familyRun("1f1b");
        RunPlan plan = *test::planOf(run.schedule, run.costs);
        plan.warmup = 2;
        plan.iterations = 3;
        RunTally tally(plan);
        for (const StepLoss& loss : {StepLoss{0, 9}, StepLoss{1, 8}, StepLoss{2, 3}, StepLoss{2, 2},
                                     StepLoss{4, 1}, StepLoss{3, 2}})
            tally.add(loss);
        QCOMPARE(tally.figures().firstLoss, 5.0);
        QCOMPARE(tally.figures().lastLoss, 1.0);
    }

    void theWorstRankIsThePeak()
    {
        const test::FamilyRun run = familyRun("1f1b");
        const RunPlan plan = *test::planOf(run.schedule, run.costs);
        RunTally tally(plan);
        MemorySample sample;
        sample.bytes[static_cast<std::size_t>(MemoryUse::Weights)] = 1000;
        sample.bytes[static_cast<std::size_t>(MemoryUse::Activations)] = 70;
        sample.bytes[static_cast<std::size_t>(MemoryUse::HeldForWeight)] = 7;
        const std::vector<MemorySample> samples{MemorySample{}, sample, MemorySample{}};
        tally.add(samples);
        QCOMPARE(tally.figures().peakActivation, Bytes{77});
    }

    void recordsComeInOrderFromAnotherThread()
    {
        constexpr int count = 100'000;
        RecordQueue<int> queue;
        std::thread writer([&] {
            for (int i = 0; i < count; ++i)
                queue.add(i);
        });
        std::vector<int> got;
        while (got.size() < count)
            queue.fetch(got);
        writer.join();
        queue.fetch(got);
        std::vector<int> expected(count);
        std::iota(expected.begin(), expected.end(), 0);
        QCOMPARE(got, expected);
    }

    void recordsThatNobodyFetchesAreDropped()
    {
        RecordQueue<std::string> queue;
        for (int i = 0; i < 1000; ++i)
            queue.add(std::string(100, 'x'));
        std::vector<std::string> got;
        RecordQueue<std::string>().fetch(got);
        QVERIFY(got.empty());
    }
};

PW_TEST(TestRunTally)
#include "tst_run_tally.moc"
