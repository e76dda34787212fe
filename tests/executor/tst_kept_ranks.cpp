// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/backends/backends.h"
#include "executor/calibrate/calibration.h"
#include "executor/cpu/cpu_backend.h"
#include "tests/support/run_plans.h"
#include "tests/support/test_program.h"

#include <QtTest>

#include <array>
#include <map>

using namespace pw;
using namespace pw::exec;

namespace {

RunPlan planFor(const char* family, int layers)
{
    const test::FamilyRun run =
        test::runFamily(**findFamily(family), test::sized(2, 4), UniformCosts{});
    RunPlan plan = *test::planOf(run.schedule, run.costs);
    plan.model.layers = layers;
    plan.split = *evenSplit(layers, plan.schedule.spec().stages());
    plan.iterations = 2;
    return plan;
}

using Bytes8 = std::array<Bytes, memoryUseCount>;

/// What each rank had in use, one after the other.
std::map<RankId, std::vector<Bytes8>> memoryOf(const RecordingSink::Record& record)
{
    std::map<RankId, std::vector<Bytes8>> all;
    for (const MemorySample& sample : record.memory)
        all[sample.rank].push_back(sample.bytes);
    return all;
}

/// Counts the runs and iterations of a calibration, and says how long each takes.
class Counter final : public Backend
{
public:
    Counter(Ticks makespan, bool keeps)
        : m_makespan(makespan)
        , m_keeps(keeps)
    {
    }
    BackendInfo info() const override { return {"counter", {}, true, {}, {}, {}}; }
    bool keepsMemory() const override { return m_keeps; }
    Result<RunFigures> run(const RunPlan& plan, RunSink&, const Stop&) override
    {
        iterations += plan.warmup + plan.iterations;
        counted += plan.iterations;
        RunFigures figures;
        figures.makespan = m_makespan;
        return figures;
    }
    int iterations = 0;
    int counted = 0;

private:
    Ticks m_makespan;
    bool m_keeps;
};

/// Iterations that are run for one form, counted or not.
Counter calibrated(Ticks makespan, bool keeps)
{
    Counter counter(makespan, keeps);
    CalibrationRequest request;
    request.spec.devices = 1;
    request.spec.routes = {Placement::linear(1)};
    request.spec.microBatches = 4;
    request.split = *evenSplit(request.model.layers, 1);
    request.forms = {BackwardForm::Fused};
    request.messageSizes = false;
    if (!calibrate(counter, request, Stop()))
        qFatal("the calibration fails");
    return counter;
}

} // namespace

class TestKeptRanks : public QObject
{
    Q_OBJECT

private slots:
    /// Memory that comes from the run before must show in nothing that a run says.
    void aRunIsTheSameBehindAnother()
    {
        const std::unique_ptr<Backend> backend = makeCpuBackend();
        const RunPlan plan = planFor("zb-h1", 2);
        std::vector<RecordingSink::Record> records;
        for (int run = 0; run < 4; ++run) {
            if (run == 2) { // of another size, so that nothing fits
                RecordingSink other;
                QVERIFY(backend->run(planFor("1f1b", 4), other, Stop()));
            }
            if (run == 3) { // of the same ranks, but other memory
                RecordingSink other;
                QVERIFY(backend->run(planFor("gpipe", 2), other, Stop()));
            }
            RecordingSink sink;
            QVERIFY(backend->run(plan, sink, Stop()));
            records.push_back(sink.record());
        }
        for (const RecordingSink::Record& record : records) {
            QCOMPARE(record.losses, records[0].losses);
            QVERIFY(memoryOf(record) == memoryOf(records[0]));
            QVERIFY(record.passes.front().start < 60'000 * ticksPerMs); // its own time base
        }
    }

    void aRunThatFailsLeavesNothing()
    {
        const std::unique_ptr<Backend> backend = makeCpuBackend();
        RunPlan broken = planFor("1f1b", 2);
        broken.faults = {{FaultKind::Throw, {PassKind::F, 0, StageId(1), 1, 0}, 0}};
        const RunPlan plan = planFor("1f1b", 2);
        RecordingSink first;
        QVERIFY(backend->run(plan, first, Stop()));
        RecordingSink failed;
        QVERIFY(!backend->run(broken, failed, Stop()));
        RecordingSink second;
        QVERIFY(backend->run(plan, second, Stop()));
        QCOMPARE(second.record().losses, first.record().losses);
        QVERIFY(memoryOf(second.record()) == memoryOf(first.record()));
    }

    /// An iteration that is long needs no warm-up in memory that is kept: a third less is run for
    /// the same ten that count.
    void longIterationsAreWarmedUpOnce()
    {
        constexpr Ticks second = 1000 * ticksPerMs;
        const Counter keeps = calibrated(second, true);
        const Counter anew = calibrated(second, false);
        QCOMPARE(keeps.counted, 11);
        QCOMPARE(anew.counted, 11);
        QCOMPARE(keeps.iterations, 13);
        QCOMPARE(anew.iterations, 19);
        // Short ones cost nothing, and a processor takes a while to its full speed.
        QCOMPARE(calibrated(ticksPerMs, true).iterations, calibrated(ticksPerMs, false).iterations);
    }
};

PW_TEST(TestKeptRanks)
#include "tst_kept_ranks.moc"
