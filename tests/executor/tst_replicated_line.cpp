// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/families/replicated_line.h"
#include "core/model/stage_replicas.h"
#include "core/sim/metrics.h"
#include "executor/backends/backends.h"
#include "tests/support/test_program.h"
#include "tests/support/trained_runs.h"

#include <QtTest>

#include <cmath>
#include <numeric>
#include <vector>

using namespace pw;
using namespace pw::exec;

using StageCounts = std::vector<int>;
Q_DECLARE_METATYPE(StageCounts)

namespace {

constexpr double mostError = 1e-5;

/// A family on stages with replicas, for equal stages.
Result<Schedule> onStages(const char* id, const StageCounts& replicas, int microBatches,
                          int steps = 1)
{
    const Family& family = test::familyOf(id);
    FamilyOptions options = test::sized(static_cast<int>(replicas.size()), microBatches);
    options.steps = steps;
    const Result<PipelineSpec> spec = specOf(family, options);
    if (!spec)
        return fail(spec.error());
    return buildOnStageReplicas(family, options, expand(UniformCosts{}, *spec), replicas);
}

/// Families with a stage a device that update once a step.
const char* const lines[] = {"1f1b",    "gpipe",      "kfkb",         "zb-h1",
                             "seq1f1b", "seq1f1b-zb", "pipedream-2bw"};

/// Losses of a run on the CPU, by step.
std::vector<double> lossesOf(const RunPlan& plan)
{
    const std::unique_ptr<Backend> cpu = *openBackend("cpu", plan.schedule.devices());
    RecordingSink sink;
    if (!cpu->run(plan, sink, Stop()))
        return {};
    std::vector<double> losses(sink.record().losses.size());
    for (const StepLoss& loss : sink.record().losses)
        losses[static_cast<std::size_t>(loss.step)] = loss.loss;
    return losses;
}

} // namespace

/// Replicated stages of families that update once a step.
class TestReplicatedLine : public QObject
{
    Q_OBJECT

private slots:
    void stagesWithoutADeviceOfTheirOwnAreRefused()
    {
        for (const char* id : {"interleaved-1f1b", "chimera", "zb-v"}) {
            const Result<Schedule> placed = onStages(id, {2, 1}, 4);
            QVERIFY(!placed);
            QVERIFY(placed.error().message.english().find("a device of its own") !=
                    std::string::npos);
        }
    }

    void oneReplicaOfEveryStageIsTheFamily()
    {
        for (const char* id : lines) {
            const Result<Schedule> made = onStages(id, {1, 1, 1}, 6, 2);
            QVERIFY2(made, made ? "" : made.error().message.c_str());
            FamilyOptions options = test::sized(3, 6);
            options.steps = 2;
            QVERIFY2(*made == *test::scheduleOf(test::familyOf(id), options), id);
            QVERIFY(stageReplicasOf(made->spec()).empty());
        }
    }

    /// Each micro-batch goes through all of its segments on one replica, and nothing is left out.
    void segmentsStayTogether()
    {
        const Result<Schedule> made = onStages("seq1f1b", {2, 1, 3}, 6);
        QVERIFY2(made, made ? "" : made.error().message.c_str());
        const PipelineSpec& spec = made->spec();
        QCOMPARE(spec.devices, 6);
        QCOMPARE(spec.segments(), 4);
        QCOMPARE(stageReplicasOf(spec), (StageCounts{2, 1, 3}));
        for (int j = 0; j < 6; ++j) {
            for (int q = 0; q < 4; ++q) {
                const auto route = static_cast<std::uint8_t>(spec.route(j));
                const auto device = [&](int stage) {
                    return made->device(
                        made->table().id({PassKind::F, route, StageId(stage), j, q}));
                };
                QCOMPARE(device(0), j % 2);
                QCOMPARE(device(1), 2);
                QCOMPARE(device(2), 3 + j % 3);
            }
        }
        // Other specs of several routes have none.
        QVERIFY(stageReplicasOf(onStages("1f1b", {1, 1}, 4)->spec()).empty());
        for (const char* id : {"chimera", "dualpipe"})
            QVERIFY(stageReplicasOf(test::scheduleOf(test::familyOf(id), test::sized(2, 4))->spec())
                        .empty());
        const Schedule plain = *test::scheduleOf(test::familyOf("1f1b"), test::sized(2, 4));
        QVERIFY(stageReplicasOf(withReplicas(plain, 2)->spec()).empty());
    }

    void everySmallListOfOtherFamiliesEnds()
    {
        for (const char* id : lines) {
            for (int code = 0; code < 4 * 4 * 4; ++code) {
                const StageCounts replicas = {1 + code % 4, 1 + code / 4 % 4, 1 + code / 16};
                // As many as the line has devices, which some families want.
                const int turn = 2 * stageReplicaTurn(replicas);
                const int line = std::accumulate(replicas.begin(), replicas.end(), 0);
                const Result<Schedule> made =
                    onStages(id, replicas, (line + turn - 1) / turn * turn, 2);
                QVERIFY2(made, made ? "" : made.error().message.c_str());
                const Result<Program> program = lower(*made);
                QVERIFY2(program, program ? "" : program.error().message.c_str());
                const Result<void> ends = proveProgress(*made, *program, made->spec().messages);
                QVERIFY2(ends, ends ? "" : ends.error().message.c_str());
                QVERIFY(simulate(*made, expand(UniformCosts{}, made->spec())).has_value());
            }
        }
    }

    /// A first stage that takes twice as long: with two replicas it holds nobody up.
    void replicasOfASlowStageMakeSegmentsFaster()
    {
        const auto makespan = [](const StageCounts& replicas) {
            const Schedule schedule = *onStages("seq1f1b", replicas, 64);
            Costs costs =
                expand(test::equalStages(ticksPerMs, ticksPerMs, ticksPerMs), schedule.spec());
            const auto segments = static_cast<std::size_t>(schedule.spec().segments());
            for (std::size_t cell = 0; cell < segments; ++cell) {
                costs.forward[cell] *= 2;
                costs.backward[cell] *= 2;
                costs.weight[cell] *= 2;
            }
            costs.fused.clear();
            return simulate(schedule, costs)->makespan;
        };
        const auto plain = static_cast<double>(makespan({1, 1, 1}));
        const auto twice = static_cast<double>(makespan({2, 1, 1}));
        QVERIFY2(plain / twice > 1.8, qPrintable(QString::number(plain / twice)));
    }

    void otherFamiliesTrainAsOneDevice_data()
    {
        QTest::addColumn<QString>("id");
        QTest::addColumn<StageCounts>("replicas");
        QTest::addColumn<int>("microBatches");
        QTest::newRow("seq1f1b 2,1") << "seq1f1b" << StageCounts{2, 1} << 4;
        QTest::newRow("seq1f1b 1,2,1") << "seq1f1b" << StageCounts{1, 2, 1} << 4;
        QTest::newRow("seq1f1b 2,3") << "seq1f1b" << StageCounts{2, 3} << 6;
        QTest::newRow("seq1f1b-zb 1,3") << "seq1f1b-zb" << StageCounts{1, 3} << 3;
        QTest::newRow("zb-h1 2,2") << "zb-h1" << StageCounts{2, 2} << 4;
        QTest::newRow("pipedream-2bw 2,1") << "pipedream-2bw" << StageCounts{2, 1} << 4;
    }

    /// Also with unequal segments, the optimizer shared by the copies, and the norm clipped while
    /// updates do not wait for it; without replicas the losses are the same.
    void otherFamiliesTrainAsOneDevice()
    {
        QFETCH(QString, id);
        QFETCH(StageCounts, replicas);
        QFETCH(int, microBatches);
        const std::string name = id.toStdString();
        const Result<Schedule> made = onStages(name.c_str(), replicas, microBatches, 2);
        QVERIFY2(made, made ? "" : made.error().message.c_str());
        Result<RunPlan> plan = test::trainedPlan(*made, 1);
        QVERIFY2(plan, plan ? "" : plan.error().message.c_str());
        std::vector<RunPlan> plans = {*plan, *plan};
        QVERIFY(shardOptimizer(plans[1]));
        if (checkClipping(*plan)) {
            plans.push_back(*plan);
            plans.back().optimizer.clipNorm = 0.3;
            plans.back().postValidation = true;
            plans.push_back(plans.back());
            QVERIFY(shardOptimizer(plans.back()));
        }
        const std::unique_ptr<Backend> cpu = *openBackend("cpu", plan->schedule.devices());
        test::RoomBackend mpi;
        for (const RunPlan& one : plans) {
            const ReferenceRun truth = test::truthOf(one);
            for (Backend* backend : {cpu.get(), static_cast<Backend*>(&mpi)}) {
                const Result<Comparison> found = compareWithReference(*backend, one, truth, Stop());
                QVERIFY2(found, found ? "" : found.error().message.c_str());
                QVERIFY2(found->error() <= mostError,
                         qPrintable(QString("%1 at %2")
                                        .arg(found->error())
                                        .arg(QString::fromStdString(found->parameter.where))));
                QVERIFY(found->updates > 0);
            }
        }
        FamilyOptions options = test::sized(static_cast<int>(replicas.size()), microBatches);
        options.steps = 2;
        const std::vector<double> alone =
            lossesOf(*test::trainedPlan(*test::scheduleOf(test::familyOf(name), options), 1));
        const std::vector<double> several = lossesOf(*plan);
        QCOMPARE(several.size(), alone.size());
        QVERIFY(!alone.empty());
        for (std::size_t step = 0; step < alone.size(); ++step)
            QVERIFY(std::abs(several[step] - alone[step]) <= 1e-6 * alone[step]);
    }
};

PW_TEST(TestReplicatedLine)
#include "tst_replicated_line.moc"
