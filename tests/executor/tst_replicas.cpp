// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/api/plan_text.h"
#include "executor/backends/backends.h"
#include "tests/support/planned_run.h"
#include "tests/support/test_program.h"
#include "tests/support/trained_runs.h"

#include <QtTest>

using namespace pw;
using namespace pw::exec;

namespace {

QString problemOf(Backend& backend, const RunPlan& plan, const ReferenceRun& truth)
{
    const Result<Comparison> found = compareWithReference(backend, plan, truth, Stop());
    if (!found)
        return QString::fromStdString(found.error().message);
    if (found->error() > test::gradientTolerance)
        return QString("%1 at %2")
            .arg(found->error())
            .arg(QString::fromStdString(found->gradient.where));
    const int copies = plan.schedule.spec().routeCount();
    if (found->updates != static_cast<int>(truth.snapshots.size()) * copies)
        return "not every copy was compared";
    return {};
}

/// The truth with the whole batch on one device knows nothing of routes.
Result<RunPlan> replicated(std::string_view id, int devices, int replicas, int iterations = 2)
{
    const Family& family = test::familyOf(id);
    const Result<Schedule> one = test::scheduleOf(family, test::trainedOptions(family, devices));
    if (!one)
        return fail(one.error());
    const Result<Schedule> all = withReplicas(*one, replicas);
    if (!all)
        return fail(all.error());
    return test::trainedPlan(*all, iterations);
}

} // namespace

/// Data-parallel replicas train what one replica with all micro-batches trains.
class TestReplicas : public QObject
{
    Q_OBJECT

private slots:
    void everyFamilyThatSynchronisesTrainsTheSame_data()
    {
        QTest::addColumn<QString>("id");
        for (const Family& family : allFamilies()) {
            if (specOf(family, test::trainedOptions(family, 2)))
                QTest::newRow(std::string(family.id).c_str())
                    << QString::fromStdString(std::string(family.id));
        }
    }

    void everyFamilyThatSynchronisesTrainsTheSame()
    {
        QFETCH(QString, id);
        const Result<RunPlan> plan = replicated(id.toStdString(), 2, 2);
        if (id == "pipedream") {
            QVERIFY(!plan);
            QVERIFY(QString::fromStdString(plan.error().message).contains("pipedream-2bw"));
            return;
        }
        QVERIFY2(plan, plan ? "" : plan.error().message.c_str());
        QCOMPARE(plan->schedule.devices(), 4);
        const ReferenceRun truth = test::truthOf(*plan);
        const std::unique_ptr<Backend> cpu = *openBackend("cpu", 4);
        QCOMPARE(problemOf(*cpu, *plan, truth), QString());

        RunPlan sharded = *plan;
        QVERIFY(shardOptimizer(sharded));
        QCOMPARE(problemOf(*cpu, sharded, truth), QString());
    }

    void anyNumberOfReplicasOverProcessesToo_data()
    {
        QTest::addColumn<QString>("id");
        QTest::addColumn<int>("replicas");
        for (const std::string id : {"1f1b", "zb-h1", "chimera", "pipedream-2bw"}) {
            for (const int replicas : {2, 3, 4})
                QTest::addRow("%d of %s", replicas, id.c_str())
                    << QString::fromStdString(id) << replicas;
        }
    }

    void anyNumberOfReplicasOverProcessesToo()
    {
        QFETCH(QString, id);
        QFETCH(int, replicas);
        const Result<RunPlan> plan = replicated(id.toStdString(), 2, replicas);
        QVERIFY2(plan, plan ? "" : plan.error().message.c_str());
        const ReferenceRun truth = test::truthOf(*plan);
        RunPlan sharded = *plan;
        QVERIFY(shardOptimizer(sharded));
        const std::unique_ptr<Backend> cpu = *openBackend("cpu", 2 * replicas);
        test::RoomBackend mpi;
        for (Backend* backend : {cpu.get(), static_cast<Backend*>(&mpi)}) {
            QCOMPARE(problemOf(*backend, *plan, truth), QString());
            QCOMPARE(problemOf(*backend, sharded, truth), QString());
        }
    }

    /// A step after the other in one order, its updates in between.
    void stepsInTheOrderHaveReplicasToo()
    {
        FamilyOptions options = test::sized(2, 4);
        options.steps = 3;
        options.updates = true;
        for (const char* id : {"1f1b", "zb-h2", "dualpipe"}) {
            const Schedule one = *test::scheduleOf(test::familyOf(id), options);
            RunPlan plan = *test::trainedPlan(*withReplicas(one, 3), 1);
            const ReferenceRun truth = test::truthOf(plan);
            const std::unique_ptr<Backend> cpu = *openBackend("cpu", 6);
            QCOMPARE(problemOf(*cpu, plan, truth), QString());
            QVERIFY(shardOptimizer(plan));
            QCOMPARE(problemOf(*cpu, plan, truth), QString());
        }
    }

    void aReplicaHoldsItsPartOfTheOptimizer()
    {
        RunPlan plan = *replicated("1f1b", 2, 2, 1);
        const std::unique_ptr<Backend> cpu = *openBackend("cpu", 4);
        const auto states = [&] {
            RecordingSink sink;
            if (!cpu->run(plan, sink, Stop()))
                return std::vector<Bytes>();
            std::vector<Bytes> bytes(4);
            for (const MemorySample& sample : sink.record().memory)
                bytes[static_cast<std::size_t>(sample.rank)] =
                    sample.bytes[static_cast<std::size_t>(MemoryUse::Optimizer)];
            return bytes;
        };
        const std::vector<Bytes> whole = states();
        QVERIFY(shardOptimizer(plan));
        const std::vector<Bytes> parts = states();
        QCOMPARE(parts.size(), whole.size());
        for (const std::size_t rank : {std::size_t{0}, std::size_t{1}})
            QCOMPARE(parts[rank] + parts[rank + 2], whole[rank]);
    }

    /// What a backend cannot is named with one that can, whatever else the plan asks for.
    void whatABackendCannotIsNamed_data()
    {
        QTest::addColumn<QByteArray>("backend");
        QTest::addColumn<bool>("sharded");
        QTest::addColumn<double>("clipNorm");
        QTest::addColumn<bool>("goesOn");
        QTest::addColumn<QByteArray>("why");
        const auto row = [](const char* name, const char* backend, bool sharded, double clipNorm,
                            bool goesOn, const char* why) {
            QTest::newRow(name) << QByteArray(backend) << sharded << clipNorm << goesOn
                                << QByteArray(why);
        };
        row("all on the CPU", "cpu", true, 1, true, "");
        row("copies on a GPU", "cuda", false, 0, false, "");
        row("a sharded optimizer on a GPU", "cuda", true, 0, false, "");
        row("another order on a GPU", "cuda", true, 0, true, "");
        row("a norm on a GPU", "cuda", true, 1, true, "");
        row("copies with modelled times", "emulated", false, 0, true, "");
        row("a sharded optimizer with modelled times", "emulated", true, 0, false,
            "the backend emulated does not shard the optimizer over replicas; --backend cpu does");
        row("a norm with modelled times", "emulated", false, 1, false,
            "the backend emulated does not clip gradients by their norm; --backend cpu does");
    }

    void whatABackendCannotIsNamed()
    {
        QFETCH(QByteArray, backend);
        QFETCH(bool, sharded);
        QFETCH(double, clipNorm);
        QFETCH(bool, goesOn);
        QFETCH(QByteArray, why);
        for (const int replicas : {2, 3, 4}) {
            RunPlan plan = *replicated("1f1b", 2, replicas);
            if (sharded)
                QVERIFY(shardOptimizer(plan));
            plan.optimizer.clipNorm = clipNorm;
            plan.training = goesOn ? 7 : 0;
            const Result<void> can = checkBackend(plan, backend.toStdString());
            QCOMPARE(QByteArray::fromStdString(can ? "" : can.error().message.english()), why);
        }
    }

    void thePlanOfReplicasTravels()
    {
        RunPlan plan = *replicated("chimera", 2, 2, 1);
        QVERIFY(shardOptimizer(plan));
        plan.optimizer.clipNorm = 0.5;
        plan.postValidation = true;
        const Result<RunPlan> read = readPlan(*writePlan(plan));
        QVERIFY2(read, read ? "" : read.error().message.c_str());
        QVERIFY(read->program == plan.program);
        QVERIFY(read->schedule == plan.schedule);
        QVERIFY(read->shardedOptimizer && read->postValidation);
        QCOMPARE(read->optimizer.clipNorm, 0.5);
    }

    void theEmulatedRunKeepsToTheSimulation()
    {
        const Family& family = test::familyOf("1f1b");
        FamilyOptions options = test::sized(2, 4);
        options.updates = true;
        const Schedule one = *test::scheduleOf(family, options);
        Costs costs = expand(
            test::equalStages(20 * ticksPerMs, 20 * ticksPerMs, 20 * ticksPerMs, 5 * ticksPerMs),
            one.spec());
        costs.gradients.assign(2, 50'000'000);
        costs.link.bytesPerSecond = 1e9;
        for (const int replicas : {2, 3}) {
            const Schedule all = *withReplicas(one, replicas);
            RunPlan plan = *test::trainedPlan(all, 1);
            plan.costs = replicatedCosts(costs, one.spec(), replicas);
            const Result<SimResult> times = simulate(all, plan.costs);
            // Five passes a device and the messages, and 55 ms for the gradients.
            QVERIFY(times->makespan > simulate(one, costs)->makespan + 50 * ticksPerMs);
            const test::PlannedRun ran(plan);
            QCOMPARE(test::differenceFrom(*times, ran, all), QString());
        }
    }
};

PW_TEST(TestReplicas)
#include "tst_replicas.moc"
