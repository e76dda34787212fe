// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/families/family.h"
#include "core/io/schedule_text.h"
#include "core/lower/program.h"
#include "core/model/recompute.h"
#include "core/model/replicas.h"
#include "core/model/routes.h"
#include "core/sim/simulator.h"
#include "tests/support/family_runs.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace pw;

namespace {

Schedule of(std::string_view id, int devices, int microBatches, int steps = 1)
{
    FamilyOptions options = test::sized(devices, microBatches);
    options.steps = steps;
    options.updates = steps > 1;
    return *buildUniform(test::familyOf(id), options, {});
}

QString lineOf(const Schedule& schedule, int device)
{
    const QString text = QString::fromStdString(writeScheduleText(schedule));
    for (const QString& line : text.split('\n')) {
        if (line.startsWith(QString("d%1:").arg(device)))
            return line;
    }
    return {};
}

} // namespace

/// Schedules that recompute, and schedules with replicas.
class TestReshapedSchedules : public QObject
{
    Q_OBJECT

private slots:
    void anRStandsBeforeEveryBackwardOfAStage()
    {
        const Schedule plain = of("1f1b", 2, 2);
        QCOMPARE(lineOf(*withRecompute(plain), 0), QString("d0: F0 F1 R0 BW0 R1 BW1"));
        const StageId stages[] = {StageId(1)};
        const Schedule one = *withRecompute(plain, stages);
        QCOMPARE(lineOf(one, 0), QString("d0: F0 F1 BW0 BW1"));
        QCOMPARE(lineOf(one, 1), QString("d1: F0 R0 BW0 F1 R1 BW1"));
        // And the rest of it, afterwards.
        QVERIFY(*withRecompute(one) == *withRecompute(plain));
    }

    void recomputingIsRefusedWithItsReason()
    {
        const Schedule plain = of("1f1b", 2, 2);
        const StageId beyond[] = {StageId(2)};
        QCOMPARE(withRecompute(plain, beyond).error().message,
                 std::string("recompute: there is no stage 2; stages are 0 to 1"));
        const Schedule all = *withRecompute(plain);
        QCOMPARE(withRecompute(all).error().code, ErrorCode::BadSchedule);
        const StageId first[] = {StageId(0)};
        QCOMPARE(withRecompute(all, first).error().message,
                 std::string("stage 0 is recomputed already"));
    }

    void anRFillsTheWaitForTheGradient()
    {
        const Schedule plain = of("gpipe", 2, 2);
        const Costs costs = expand(test::equalStages(10, 10, 10, 5), plain.spec());
        const Ticks before = simulate(plain, costs)->makespan;
        const Ticks after = simulate(*withRecompute(plain), costs)->makespan;
        // Stage 1 takes two recomputations more; those of stage 0 hide in its wait.
        QCOMPARE(after, before + 20);
    }

    void everyFamilyCanBeRecomputed()
    {
        for (const Family& family : allFamilies()) {
            const Schedule plain = *buildUniform(family, test::sized(4, 8), {});
            const Result<Schedule> made = withRecompute(plain);
            QVERIFY2(made, made ? "" : made.error().message.c_str());
            const Costs costs = expand({}, plain.spec());
            const Result<SimResult> result = simulate(*made, costs);
            QVERIFY2(result, result ? "" : result.error().message.c_str());
            for (int device = 0; device < 4; ++device) {
                const auto at = static_cast<std::size_t>(device);
                QVERIFY(result->devices[at].peakShare <=
                        simulate(plain, costs)->devices[at].peakShare);
            }
        }
    }

    void replicasStandSideBySide()
    {
        const Schedule one = of("1f1b", 2, 2, 2);
        const Schedule two = *withReplicas(one, 2);
        QCOMPARE(two.devices(), 4);
        QCOMPARE(two.spec().microBatches, 4);
        QCOMPARE(two.spec().routeCount(), 2);
        QCOMPARE(replicasOf(two.spec()), 2);
        QCOMPARE(two.entryCount(), 2 * one.entryCount());
        // Of four micro-batches a step the second replica has the last two.
        const OrderEntry first = two.entry(two.begin(DeviceId(2)));
        QVERIFY((first.pass == Pass{PassKind::F, 1, StageId(0), 2, 0}));
        QVERIFY(two.has(two.table().id({PassKind::F, 1, StageId(1), 7, 0})));
        QVERIFY(*withReplicas(one, 1) == one);
    }

    void everyFamilyOfOneUpdateAStepCanHaveReplicas()
    {
        for (const Family& family : allFamilies()) {
            const Schedule one = *buildUniform(family, test::sized(4, 8), {});
            for (const int replicas : {2, 3, 5}) {
                const Result<Schedule> all = withReplicas(one, replicas);
                if (one.spec().updateRule == UpdateRule::Stashed) {
                    QVERIFY(!all);
                    continue;
                }
                QVERIFY2(all, all ? "" : all.error().message.c_str());
                QCOMPARE(replicasOf(all->spec()), replicas);
                const Costs costs = expand({}, one.spec());
                const Costs wide = replicatedCosts(costs, one.spec(), replicas);
                QVERIFY(check(wide, all->spec()));
                QCOMPARE(simulate(*all, wide)->makespan, simulate(one, costs)->makespan);
                // As text and back.
                const Result<Draft> read = readScheduleText(writeScheduleText(*all));
                QVERIFY2(read, read ? "" : read.error().message.c_str());
                QVERIFY(*read == draftOf(*all));
            }
        }
    }

    void gradientsAreSummedOverAllCopies()
    {
        const Schedule one = of("1f1b", 2, 2, 2);
        for (const int replicas : {2, 3, 4}) {
            const Schedule all = *withReplicas(one, replicas);
            const Program program = *lower(all);
            const int pairs = replicas * (replicas - 1) / 2;
            const int kinds = replicas == 2 ? 1 : 2;
            QCOMPARE(static_cast<int>(program.reductions.size()), 2 * 2 * pairs * kinds);
            QVERIFY(proveProgress(all, program, MessageRule::Early));
            Program sharded = program;
            QVERIFY(shardOptimizer(sharded, all));
            QCOMPARE(static_cast<int>(sharded.reductions.size()), 2 * 2 * pairs * (kinds + 1));
            QVERIFY(proveProgress(all, sharded, MessageRule::Early));
        }
        Program alone = *lower(one);
        QVERIFY(!shardOptimizer(alone, one));
    }

    void shardsAreAllOfIt()
    {
        for (const std::int64_t count : {0, 1, 5, 17}) {
            for (const int shards : {1, 2, 3, 7}) {
                QCOMPARE(shardStart(count, 0, shards), std::int64_t{0});
                QCOMPARE(shardStart(count, shards, shards), count);
                for (int shard = 0; shard < shards; ++shard) {
                    const auto size =
                        shardStart(count, shard + 1, shards) - shardStart(count, shard, shards);
                    QVERIFY(size == count / shards || size == count / shards + 1);
                }
            }
        }
    }

    void aPipelineHasSoManyReplicas()
    {
        QCOMPARE(replicasOf(of("chimera", 4, 4).spec()), 1);
        QCOMPARE(replicasOf(of("1f1b", 4, 4).spec()), 1);
        QVERIFY(withReplicas(of("1f1b", 2, 2), maxRoutes));
        const Result<Schedule> many = withReplicas(of("chimera", 2, 2), maxRoutes);
        QVERIFY(!many);
        QCOMPARE(many.error().message, std::string("64 replicas; at most 32 of this pipeline"));
    }

    void linksOfEveryTwoDevicesAreRepeated()
    {
        const PipelineSpec spec = of("1f1b", 2, 2).spec();
        Costs costs = expand({}, spec);
        costs.links = {{0, 0}, {7, 1e9}, {3, 2e9}, {0, 0}};
        const Costs wide = replicatedCosts(costs, spec, 2);
        const auto link = [&](std::size_t from, std::size_t to) {
            return wide.links[from * 4 + to];
        };
        QVERIFY((link(2, 3) == Link{7, 1e9}));
        QVERIFY((link(3, 0) == Link{3, 2e9}));
        QVERIFY((link(0, 2) == Link{7, 1e9}));
    }
};

PW_TEST(TestReshapedSchedules)
#include "tst_reshaped_schedules.moc"
