// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/store/stored_adaptive.h"
#include "executor/adapt/adaptive_run.h"
#include "executor/api/store_sink.h"
#include "executor/backends/backends.h"
#include "tests/support/test_program.h"
#include "tests/support/trained_runs.h"

#include <QTemporaryDir>
#include <QtTest>

#include <cmath>

using namespace pw;
using namespace pw::exec;

namespace {

constexpr Ticks ms = ticksPerMs;

/// Four devices, passes of some milliseconds, a network that is busy for a while.
GroupingProblem busyNetwork()
{
    GroupingProblem problem;
    problem.devices = 4;
    problem.samples = 16;
    problem.forward = 2 * ms;
    problem.backward = 4 * ms;
    problem.fixed = 2 * ms;
    problem.latency = ms / 10;
    problem.message = ms / 5;
    problem.held = 8;
    problem.mostGroup = 4;
    problem.trace = {{0, 1}, {450 * ms, 6}, {1'100 * ms, 1}};
    return problem;
}

double deviation(Ticks run, Ticks simulated)
{
    return static_cast<double>(run) / static_cast<double>(simulated) - 1;
}

/// Hears what a stretch says, and keeps it for the test.
class KeptSink final : public RunSink
{
public:
    explicit KeptSink(std::vector<RecordingSink::Record>& kept)
        : m_kept(kept)
    {
    }
    void started(const RunPlan& plan, const RunEnvironment& environment) override
    {
        m_sink.started(plan, environment);
    }
    void passes(std::span<const RecordedPass> batch) override { m_sink.passes(batch); }
    void messages(std::span<const RecordedMessage> batch) override { m_sink.messages(batch); }
    void memory(std::span<const MemorySample> batch) override { m_sink.memory(batch); }
    void loss(const StepLoss& loss) override { m_sink.loss(loss); }
    void log(const RunLog& log) override { m_sink.log(log); }
    void fault(const RunFault& fault) override { m_sink.fault(fault); }
    void finished(RunStatus status, const RunFigures& figures) override
    {
        m_sink.finished(status, figures);
        m_kept.push_back(m_sink.record());
    }

private:
    std::vector<RecordingSink::Record>& m_kept;
    RecordingSink m_sink;
};

/// k = 1 with micro-batches of two samples, and k = 2 with micro-batches of one.
std::vector<GroupingPlan> trainedPairs(const std::vector<LinkPhase>& trace)
{
    std::vector<GroupingPlan> plans;
    for (const GroupingPair& pair : {GroupingPair{1, 2, 4}, GroupingPair{2, 1, 8}}) {
        const Schedule schedule = *test::scheduleOf(
            test::familyOf("kfkb"), test::sized(2, pair.microBatches, "group", pair.group));
        RunPlan plan = *test::trainedPlan(schedule, 1);
        plan.model.samples = pair.microBatch;
        const auto time = ms * pair.microBatch;
        plan.costs = expand(test::equalStages(time, time, time), schedule.spec());
        plan.costs.link = {ms / 2 * pair.microBatch, 0};
        plan.costs.linkTrace = trace;
        plan.modelledLinks = true;
        plans.push_back({pair, std::move(plan)});
    }
    return plans;
}

} // namespace

/// Training whose k follows the network.
class TestAdaptiveRun : public QObject
{
    Q_OBJECT

private slots:
    void emulatedDevicesAgreeWithTheSimulation()
    {
        const GroupingProblem problem = busyNetwork();
        constexpr int iterations = 12;
        constexpr int every = 2;
        const Result<AdaptComparison> simulated = compareGroupings(problem, iterations, every, 1);
        QVERIFY(simulated);
        QVERIFY(simulated->pairs.size() > 1);
        QVERIFY(simulated->adaptive.switches > 1);
        const auto plans = modelledGroupings(problem, simulated->pairs);
        QVERIFY2(plans, plans ? "" : plans.error().message.c_str());
        const std::unique_ptr<Backend> backend = *openBackend("emulated", problem.devices);
        AdaptiveRequest request;
        request.iterations = iterations;
        request.every = every;
        const auto problemOf = [&](const AdaptedRun& wanted) -> QString {
            const Result<AdaptiveRun> run = runAdaptive(*backend, *plans, request, {}, Stop());
            ++request.training;
            if (!run)
                return QString::fromStdString(run.error().message.english());
            if (run->iterations.size() != wanted.iterations.size() ||
                run->switches != wanted.switches)
                return QString("%1 switches").arg(run->switches);
            for (std::size_t i = 0; i < run->iterations.size(); ++i)
                if (run->iterations[i].pair != wanted.iterations[i].pair)
                    return QString("another pair in iteration %1").arg(i);
            const double off = deviation(run->total, wanted.total);
            return std::abs(off) < 0.02 ? QString() : QString("%1 off").arg(off);
        };
        // The devices sleep for what they are told, so a machine that stalls for some milliseconds
        // makes an iteration longer, or, before its first pass, shorter. It does not always.
        const auto lastProblem = [&](const AdaptedRun& wanted) {
            constexpr int tries = 5;
            QString last = problemOf(wanted);
            for (int i = 1; i < tries && !last.isEmpty(); ++i)
                last = problemOf(wanted);
            return last;
        };
        QCOMPARE(lastProblem(simulated->adaptive), QString());
        request.fixed = true;
        for (const std::size_t pair : {std::size_t{0}, plans->size() - 1}) {
            request.first = static_cast<int>(pair);
            QCOMPARE(lastProblem(simulated->fixed[pair]), QString());
        }
    }

    void aTrainingGoesOnWhateverK_data()
    {
        QTest::addColumn<bool>("processes");
        QTest::newRow("in one process") << false;
        QTest::newRow("over processes") << true;
    }

    void aTrainingGoesOnWhateverK()
    {
        QFETCH(bool, processes);
        const std::vector<GroupingPlan> plans = trainedPairs({{0, 30}, {150 * ms, 1}});
        std::unique_ptr<Backend> backend;
        if (processes)
            backend = std::make_unique<test::RoomBackend>();
        else
            backend = *openBackend("cpu", 2);
        std::vector<RecordingSink::Record> heard;
        std::vector<int> firsts;
        const StretchSink sinks = [&](const GroupingPlan&, const StretchBegin& begin) {
            firsts.push_back(begin.iteration);
            return Result<std::unique_ptr<RunSink>>(std::make_unique<KeptSink>(heard));
        };
        AdaptiveRequest request;
        request.iterations = 8;
        request.every = 2;
        request.training = processes ? 78 : 77;
        const Result<AdaptiveRun> run = runAdaptive(*backend, plans, request, sinks, Stop());
        QVERIFY2(run, run ? "" : run.error().message.c_str());
        QVERIFY2(run->switches > 0, "the slow network did not make it switch");
        QCOMPARE(firsts.size(), run->stretches().size());
        QCOMPARE(heard.size(), firsts.size());

        // One device, the same samples, no pairs.
        RunPlan whole = plans[0].plan;
        whole.iterations = request.iterations;
        const ReferenceRun truth = test::truthOf(whole);
        std::vector<double> losses;
        for (const RecordingSink::Record& record : heard) {
            QCOMPARE(record.starts, 1);
            QCOMPARE(record.ends, 1);
            for (std::size_t i = 0; i < record.losses.size(); ++i) {
                QCOMPARE(record.losses[i].step, static_cast<std::int32_t>(i));
                losses.push_back(record.losses[i].loss);
            }
            for (std::size_t i = 1; i < record.passes.size(); ++i)
                QVERIFY(record.passes[i].iteration >= 0);
        }
        QCOMPARE(losses.size(), truth.losses.size());
        for (std::size_t i = 0; i < losses.size(); ++i)
            QVERIFY2(
                std::abs(losses[i] / truth.losses[i] - 1) < 1e-5,
                qPrintable(
                    QString("step %1: %2, not %3").arg(i).arg(losses[i]).arg(truth.losses[i])));
        QVERIFY(heard.back().logs.size() > 0);
        const auto told = [&](const RunLog& log) {
            return log.text.find("from k 1 ") != std::string::npos;
        };
        QVERIFY(std::any_of(heard[1].logs.begin(), heard[1].logs.end(), told));
    }

    void whatIsKeptTellsKOverTime()
    {
        const GroupingProblem problem = busyNetwork();
        const Result<std::vector<GroupingPair>> pairs = groupingPairs(problem);
        QVERIFY(pairs);
        const auto plans = modelledGroupings(problem, *pairs);
        QVERIFY(plans);
        QTemporaryDir folder;
        const std::string path = folder.filePath("runs.sqlite").toStdString();
        const std::unique_ptr<Backend> backend = *openBackend("emulated", problem.devices);
        AdaptiveRequest request;
        request.iterations = 10;
        request.every = 2;
        request.training = 5;
        std::vector<RunNumber> numbers;
        const StretchSink sinks =
            [&](const GroupingPlan& plan,
                const StretchBegin& begin) -> Result<std::unique_ptr<RunSink>> {
            RunPlan stored = plan.plan;
            stored.training = request.training;
            stored.firstIteration = begin.iteration;
            stored.adapted = AdaptedPart{plan.pair.group, plan.pair.microBatches, request.every,
                                         begin.start, begin.reason};
            Result<std::unique_ptr<StoreSink>> sink = StoreSink::open(path, stored);
            if (!sink)
                return fail(sink.error());
            numbers.push_back((*sink)->number());
            return std::unique_ptr<RunSink>(std::move(*sink));
        };
        const Result<AdaptiveRun> run = runAdaptive(*backend, *plans, request, sinks, Stop());
        QVERIFY2(run, run ? "" : run.error().message.c_str());
        QVERIFY(run->switches > 0);
        Result<RunStore> store = RunStore::openToRead(path);
        QVERIFY(store);
        const auto kept = storedAdaptive(*store, numbers.back());
        QVERIFY2(kept, kept ? "" : kept.error().message.c_str());
        QVERIFY(*kept);
        QCOMPARE((*kept)->switches(), run->switches);
        QCOMPARE((*kept)->stretches.size(), numbers.size());
        QCOMPARE((*kept)->iterations.size(), run->iterations.size());
        for (std::size_t i = 0; i < run->iterations.size(); ++i) {
            const AdaptiveIteration& ran = run->iterations[i];
            const AdaptedPoint& point = (*kept)->iterations[i];
            QCOMPARE(point.iteration, static_cast<int>(i));
            QCOMPARE((*kept)->stretches[point.stretch].group,
                     (*pairs)[static_cast<std::size_t>(ran.pair)].group);
            QCOMPARE(point.start, ran.start);
            QCOMPARE(point.time, ran.time);
            // A training's clock goes on from part to part, which rounds half a nanosecond.
            QVERIFY2(std::abs(point.slowdown / ran.slowdown - 1) < 1e-6,
                     qPrintable(QStringLiteral("iteration %1: %2, not %3")
                                    .arg(i)
                                    .arg(point.slowdown)
                                    .arg(ran.slowdown)));
        }
        for (const AdaptedStretch& stretch : (*kept)->stretches)
            QCOMPARE(stretch.reason.empty(), stretch.firstIteration == 0);
    }

    void wishesThatCannotBeAreRefused()
    {
        const std::unique_ptr<Backend> backend = *openBackend("emulated", 2);
        AdaptiveRequest request;
        QVERIFY(!runAdaptive(*backend, {}, request, {}, Stop()));
        request.every = 0;
        QVERIFY(!runAdaptive(*backend, trainedPairs({}), request, {}, Stop()));
    }
};

PW_TEST(TestAdaptiveRun)
#include "tst_adaptive_run.moc"
