// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/model/stage_replicas.h"
#include "core/sim/metrics.h"
#include "executor/backends/backends.h"
#include "tests/support/test_program.h"
#include "tests/support/trained_runs.h"

#include <QtTest>

#include <algorithm>
#include <numeric>

using namespace pw;
using namespace pw::exec;

using Replicas = std::vector<int>;
Q_DECLARE_METATYPE(Replicas)

namespace {

PipelineSpec straight(int stages, int microBatches, int steps)
{
    FamilyOptions options = test::sized(stages, microBatches);
    options.steps = steps;
    return *specOf(test::familyOf("pipedream"), options);
}

} // namespace

/// PipeDream's replicated stages: micro-batches in turn, weights as everywhere.
class TestStageReplicas : public QObject
{
    Q_OBJECT

private slots:
    void withoutReplicasItIsPipeDream()
    {
        for (const int stages : {1, 2, 4}) {
            const PipelineSpec spec = straight(stages, 4, 2);
            const Result<Schedule> one =
                withStageReplicas(spec, Replicas(static_cast<std::size_t>(stages), 1));
            QVERIFY2(one, one ? "" : one.error().message.c_str());
            FamilyOptions options = test::sized(stages, 4);
            options.steps = 2;
            QVERIFY(*one == *test::scheduleOf(test::familyOf("pipedream"), options));
        }
    }

    void microBatchesTakeReplicasInTurn()
    {
        const Result<Schedule> made = withStageReplicas(straight(3, 8, 1), Replicas{2, 4, 1});
        QVERIFY2(made, made ? "" : made.error().message.c_str());
        const PipelineSpec& spec = made->spec();
        QCOMPARE(spec.devices, 7);
        QCOMPARE(spec.routeCount(), 4);
        for (int j = 0; j < 8; ++j) {
            const Pass pass{PassKind::F, static_cast<std::uint8_t>(spec.route(j)), StageId(0), j,
                            0};
            QCOMPARE(made->device(made->table().id(pass)), j % 2);
            Pass backward = pass;
            backward.kind = PassKind::BW;
            backward.stage = StageId(1);
            QCOMPARE(made->device(made->table().id(backward)), 2 + j % 4);
            backward.stage = StageId(2);
            QCOMPARE(made->device(made->table().id(backward)), 6);
        }
        // Warm-up: devices behind the earlier stages, less one, over the replicas.
        const auto warmUp = [&](DeviceId device) {
            EntryId entry = made->begin(device);
            int count = 0;
            for (; made->entry(entry).pass.kind == PassKind::F; ++entry)
                ++count;
            return count - 1; // the first of the pairs
        };
        QCOMPARE(warmUp(DeviceId(0)), 3);
        QCOMPARE(warmUp(DeviceId(1)), 3);
        QCOMPARE(warmUp(DeviceId(2)), 1);
        QCOMPARE(warmUp(DeviceId(6)), 0);
    }

    void devicesOfStagesAreKnown()
    {
        const Result<Schedule> made = withStageReplicas(straight(3, 12, 1), Replicas{2, 3, 1});
        QVERIFY2(made, made ? "" : made.error().message.c_str());
        QCOMPARE(made->spec().routeCount(), 6);
        QCOMPARE(stageReplicasOf(made->spec()), (Replicas{2, 3, 1}));
        QVERIFY(stageReplicasOf(straight(3, 12, 1)).empty());
    }

    /// All small lists: they can be ordered, and their ranks come to an end.
    void everySmallListEnds()
    {
        for (int code = 0; code < 4 * 4 * 4; ++code) {
            const Replicas replicas = {1 + code % 4, 1 + code / 4 % 4, 1 + code / 16};
            const PipelineSpec spec = straight(3, stageReplicaTurn(replicas), 2);
            const Result<Schedule> made = withStageReplicas(spec, replicas);
            QVERIFY2(made, made ? "" : made.error().message.c_str());
            const Result<Program> program = lower(*made);
            QVERIFY2(program, program ? "" : program.error().message.c_str());
            const Result<void> ends = proveProgress(*made, *program, made->spec().messages);
            QVERIFY2(ends, ends ? "" : ends.error().message.c_str());
            const Costs costs = *stageReplicaCosts(
                expand(test::equalStages(ticksPerMs, ticksPerMs, ticksPerMs), spec), replicas);
            QVERIFY(simulate(*made, costs).has_value());
        }
    }

    /// A stage that takes twice as long holds the others up less where it has two replicas. They
    /// wait for each other in every round, so that the second backward of a round comes a whole
    /// pass of the next stage later, and the warm-up of PipeDream's runtime does not hide that: of
    /// the factor of 2 this much is left.
    void replicasOfASlowStageMakeItFaster()
    {
        const PipelineSpec spec = straight(3, 64, 1);
        const auto makespan = [&](const Replicas& replicas) {
            const Schedule schedule = *withStageReplicas(spec, replicas);
            Costs costs = expand(test::equalStages(ticksPerMs, ticksPerMs, ticksPerMs), spec);
            costs.forward[0] *= 2;
            costs.fused.clear();
            costs.backward[0] *= 2;
            costs.weight[0] *= 2;
            return simulate(schedule, *stageReplicaCosts(costs, replicas))->makespan;
        };
        const auto plain = static_cast<double>(makespan({1, 1, 1}));
        const auto twice = static_cast<double>(makespan({2, 1, 1}));
        QVERIFY2(plain / twice > 1.3, qPrintable(QString::number(plain / twice)));
    }

    /// Each exchange between two copies stands once in the program of either rank, also where a
    /// rank has something to receive between the updates of its copies.
    void gradientsAreExchangedOnce_data()
    {
        QTest::addColumn<Replicas>("replicas");
        QTest::newRow("2,1") << Replicas{2, 1};
        QTest::newRow("3,1") << Replicas{3, 1};
        QTest::newRow("2,4,1") << Replicas{2, 4, 1};
        QTest::newRow("2,3,1") << Replicas{2, 3, 1};
        QTest::newRow("1,6,2") << Replicas{1, 6, 2};
    }
    void gradientsAreExchangedOnce()
    {
        QFETCH(Replicas, replicas);
        const Result<Schedule> made =
            withStageReplicas(straight(static_cast<int>(replicas.size()), 12, 3), replicas);
        QVERIFY2(made, made ? "" : made.error().message.c_str());
        const Result<Program> program = lower(*made);
        QVERIFY2(program, program ? "" : program.error().message.c_str());
        QVERIFY(proveProgress(*made, *program, made->spec().messages));
        for (std::size_t rank = 0; rank < program->ranks.size(); ++rank) {
            std::vector<int> times(program->reductions.size());
            for (const Instruction& instruction : program->ranks[rank]) {
                if (instruction.kind == InstructionKind::Reduce)
                    ++times[static_cast<std::size_t>(instruction.index)];
            }
            for (std::size_t i = 0; i < times.size(); ++i) {
                const Reduction& what = program->reductions[i];
                const int here = static_cast<int>(rank);
                const bool takesPart = what.ranks[0] == here || what.ranks[1] == here;
                QCOMPARE(times[i], takesPart ? 1 : 0);
            }
        }
    }

    void trainsAsOneDevice_data()
    {
        QTest::addColumn<Replicas>("replicas");
        QTest::addColumn<int>("microBatches");
        QTest::newRow("2,1") << Replicas{2, 1} << 4;
        QTest::newRow("1,2") << Replicas{1, 2} << 2;
        QTest::newRow("2") << Replicas{2} << 4;
        QTest::newRow("2,2") << Replicas{2, 2} << 4;
        QTest::newRow("1,2,1") << Replicas{1, 2, 1} << 4;
        QTest::newRow("3,1") << Replicas{3, 1} << 3;
        QTest::newRow("2,4,1") << Replicas{2, 4, 1} << 4;
        QTest::newRow("2,3") << Replicas{2, 3} << 6;
    }

    void trainsAsOneDevice()
    {
        QFETCH(Replicas, replicas);
        QFETCH(int, microBatches);
        const Result<Schedule> made = withStageReplicas(
            straight(static_cast<int>(replicas.size()), microBatches, 2), replicas);
        QVERIFY2(made, made ? "" : made.error().message.c_str());
        const Result<RunPlan> plan = test::trainedPlan(*made, 2);
        QVERIFY2(plan, plan ? "" : plan.error().message.c_str());
        const ReferenceRun truth = test::truthOf(*plan);
        RunPlan sharded = *plan;
        if (made->spec().routeCount() > 1)
            QVERIFY(shardOptimizer(sharded));
        const std::unique_ptr<Backend> cpu = *openBackend("cpu", plan->schedule.devices());
        test::RoomBackend mpi;
        for (Backend* backend : {cpu.get(), static_cast<Backend*>(&mpi)}) {
            for (const RunPlan* one : {&*plan, static_cast<const RunPlan*>(&sharded)}) {
                const Result<Comparison> found =
                    compareWithReference(*backend, *one, truth, Stop());
                QVERIFY2(found, found ? "" : found.error().message.c_str());
                QVERIFY2(found->error() <= test::gradientTolerance,
                         qPrintable(QString("%1 at %2")
                                        .arg(found->error())
                                        .arg(QString::fromStdString(found->parameter.where))));
                QVERIFY(found->updates > 0);
            }
        }
    }

    /// The first stage has a copy on each of two devices, the second has both on one.
    void copiesShareTheOptimizersStates()
    {
        const Result<Schedule> made = withStageReplicas(straight(2, 4, 2), Replicas{2, 1});
        QVERIFY(made);
        RunPlan plan = *test::trainedPlan(*made, 1);
        const std::unique_ptr<Backend> cpu = *openBackend("cpu", 3);
        const auto states = [&] {
            RecordingSink sink;
            std::vector<Bytes> bytes(3);
            if (!cpu->run(plan, sink, Stop()))
                return bytes;
            for (const MemorySample& sample : sink.record().memory)
                bytes[static_cast<std::size_t>(sample.rank)] =
                    sample.bytes[static_cast<std::size_t>(MemoryUse::Optimizer)];
            return bytes;
        };
        const std::vector<Bytes> whole = states();
        QVERIFY(shardOptimizer(plan));
        const std::vector<Bytes> parts = states();
        QVERIFY(whole[0] > 0);
        QCOMPARE(parts[0] + parts[1], whole[0]);
        QCOMPARE(whole[1], whole[0]);
        QCOMPARE(2 * parts[2], whole[2]);
    }

    void otherOptimizersAreRefusedPlainly()
    {
        Result<Schedule> made = withStageReplicas(straight(2, 4, 1), Replicas{2, 1});
        QVERIFY(made);
        Result<RunPlan> plan = test::trainedPlan(*made, 1);
        QVERIFY(plan);
        const Result<void> clipped = checkClipping(*plan);
        QVERIFY(!clipped);
        QVERIFY(clipped.error().message.english().find("asynchronous") != std::string::npos);
        RunPlan narrow = *plan;
        narrow.model.element = Element::BFloat16;
        const Result<void> sharded = shardOptimizer(narrow);
        QVERIFY(!sharded);
        QVERIFY(sharded.error().message.english().find("--bf16") != std::string::npos);
        RunPlan alone = *test::trainedPlan(*withStageReplicas(straight(2, 4, 1), Replicas{1, 1}));
        const Result<void> none = shardOptimizer(alone);
        QVERIFY(!none);
        QVERIFY(none.error().message.english().find("2 replicas or more") != std::string::npos);
        for (const char* backend : {"cpu", "cuda", "emulated"})
            QVERIFY(checkBackend(*plan, backend));
        plan->optimizer.clipNorm = 1;
        const Result<void> modelled = checkBackend(*plan, "emulated");
        QVERIFY(!modelled);
        QVERIFY(modelled.error().message.english().find("--backend cpu") != std::string::npos);
    }

    void whatCannotBeIsNamed_data()
    {
        QTest::addColumn<Replicas>("replicas");
        QTest::addColumn<QByteArray>("why");
        QTest::newRow("too few") << Replicas{2} << QByteArray("of 1 stages, and there are 2");
        QTest::newRow("none") << Replicas{0, 2} << QByteArray("stage 0 has 0 replicas");
        QTest::newRow("too many") << Replicas{1, 65} << QByteArray("1 to 64");
        QTest::newRow("too many routes") << Replicas{11, 13} << QByteArray("more than 64");
        QTest::newRow("micro-batches") << Replicas{1, 3} << QByteArray("6 are");
        QTest::newRow("micro-batches of both") << Replicas{2, 3} << QByteArray("6 are");
    }
    void whatCannotBeIsNamed()
    {
        QFETCH(Replicas, replicas);
        QFETCH(QByteArray, why);
        const Result<Schedule> made = withStageReplicas(straight(2, 4, 1), replicas);
        QVERIFY(!made);
        QVERIFY2(made.error().message.english().find(why.toStdString()) != std::string::npos,
                 made.error().message.c_str());
    }

    void otherFamiliesAreRefused()
    {
        const Schedule flushed = *test::scheduleOf(test::familyOf("1f1b"), test::sized(2, 4));
        const Result<Schedule> made = withStageReplicas(flushed.spec(), Replicas{2, 1});
        QVERIFY(!made);
        QVERIFY(made.error().message.english().find("pipedream") != std::string::npos);
    }

    /// PipeDream's order with every micro-batch cut into segments.
    void segmentsOfPipeDreamTrainAsOneDevice()
    {
        PipelineSpec spec = straight(2, 4, 2);
        spec.segmentLengths = {3, 2, 2};
        const Result<Schedule> made = withStageReplicas(spec, Replicas{2, 1});
        QVERIFY2(made, made ? "" : made.error().message.c_str());
        QCOMPARE(made->spec().segments(), 3);
        const Result<RunPlan> plan = test::trainedPlan(*made, 1);
        QVERIFY2(plan, plan ? "" : plan.error().message.c_str());
        const std::unique_ptr<Backend> cpu = *openBackend("cpu", 3);
        const Result<Comparison> found =
            compareWithReference(*cpu, *plan, test::truthOf(*plan), Stop());
        QVERIFY2(found, found ? "" : found.error().message.c_str());
        QVERIFY2(found->error() <= test::gradientTolerance,
                 qPrintable(QString::number(found->error())));
    }
};

PW_TEST(TestStageReplicas)
#include "tst_stage_replicas.moc"
