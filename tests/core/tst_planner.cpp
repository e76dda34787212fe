// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/cost/planner.h"
#include "tests/support/seed.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

using namespace pw;

namespace {

/// Time between micro-batches of a stage with k replicas: max(Σ compute, 2(k−1)·Σ weights ⁄
/// bandwidth) ⁄ k, rounded.
Ticks stagePeriod(const std::vector<LayerProfile>& layers, const ReplicatedStage& stage,
                  double bytesPerSecond)
{
    double compute = 0, weights = 0;
    for (int i = stage.firstLayer; i < stage.firstLayer + stage.layers; ++i) {
        compute += static_cast<double>(layers[static_cast<std::size_t>(i)].compute);
        weights += static_cast<double>(layers[static_cast<std::size_t>(i)].weights);
    }
    const double sum = 2 * (stage.replicas - 1) * (weights / bytesPerSecond * ticksPerSecond);
    return std::llround(std::max(compute, sum) / stage.replicas);
}

/// Of a boundary behind a layer: its output there and the gradient back.
Ticks boundaryPeriod(const LayerProfile& last, double bytesPerSecond)
{
    return std::llround(2 * (static_cast<double>(last.output) / bytesPerSecond * ticksPerSecond));
}

/// Period of a split by the definition: the slowest of its stages and of the boundaries between
/// them.
Ticks periodOf(const std::vector<LayerProfile>& layers, const std::vector<ReplicatedStage>& stages,
               double bytesPerSecond)
{
    Ticks slowest = 0;
    for (std::size_t i = 0; i < stages.size(); ++i) {
        slowest = std::max(slowest, stagePeriod(layers, stages[i], bytesPerSecond));
        if (i + 1 < stages.size()) {
            const auto last = static_cast<std::size_t>(stages[i + 1].firstLayer - 1);
            slowest = std::max(slowest, boundaryPeriod(layers[last], bytesPerSecond));
        }
    }
    return slowest;
}

/// The best period over every cut and every number of replicas.
Ticks bestOfAll(const std::vector<LayerProfile>& layers, int firstLayer, int machines,
                double bytesPerSecond, std::vector<ReplicatedStage>& stages)
{
    const int total = static_cast<int>(layers.size());
    Ticks best = std::numeric_limits<Ticks>::max();
    for (int count = 1; firstLayer + count <= total; ++count) {
        for (int replicas = 1; replicas <= machines; ++replicas) {
            const bool all = firstLayer + count == total;
            if (all != (replicas == machines))
                continue;
            stages.push_back({firstLayer, count, replicas});
            best = std::min(best, all ? periodOf(layers, stages, bytesPerSecond)
                                      : bestOfAll(layers, firstLayer + count, machines - replicas,
                                                  bytesPerSecond, stages));
            stages.pop_back();
        }
    }
    return best;
}

BlockModel smallModel()
{
    BlockModel model;
    model.blocks = 12;
    model.weights = 24'000;
    model.gradients = 6'000;
    for (const int b : {1, 2, 4}) {
        MicroBatchProfile profile;
        profile.samples = b;
        profile.compute = 1'000 + 2'000 * b; // larger micro-batches use a device better
        profile.activation = 12'000 * b;
        profile.boundary = 100 * b;
        model.profiles.push_back(profile);
    }
    return model;
}

Servers smallServers()
{
    Servers servers;
    servers.devices = 8;
    servers.devicesPerServer = 4;
    servers.insideBytesPerSecond = 1e9;
    servers.betweenBytesPerSecond = 1e8;
    servers.memory = 20'000;
    return servers;
}

} // namespace

/// The planners of PipeDream and PipeDream-2BW.
class TestPlanner : public QObject
{
    Q_OBJECT

private slots:
    void noSplitIsFasterThanTheOneFound();
    void equalLayersAreCutEvenly();
    void aCheapSumMakesOneReplicatedStage();
    void manyMicroBatchesEnterANarrowFirstStage();
    void badLayersAreRefused_data();
    void badLayersAreRefused();
    void whatCannotBeSearchedIsRefused();

    void memoryFollowsTheFormulas_data();
    void memoryFollowsTheFormulas();
    void periodFollowsTheFormulas();
    void noPlanThatFitsIsFaster();
    void lessMemoryAsksForMoreStagesOrRecomputation();
    void aPlanThatCannotFitSaysWhatItNeeds();
    void aBatchThatDoesNotDivideIsRefused();
};

void TestPlanner::noSplitIsFasterThanTheOneFound()
{
    const std::uint32_t seed = test::randomSeed();
    std::mt19937 random(seed);
    for (int round = 0; round < 200; ++round) {
        std::vector<LayerProfile> layers(1 + random() % 6);
        for (LayerProfile& layer : layers) {
            layer.compute = random() % 1000;
            layer.weights = random() % 1000;
            layer.output = random() % 300;
        }
        const int machines = 1 + static_cast<int>(random() % 5);
        const double bandwidth = random() % 2 == 0 ? 1e9 : 4e9;
        const auto split = splitForMachines(layers, machines, bandwidth);
        QVERIFY(split);
        std::vector<ReplicatedStage> stages;
        QCOMPARE(split->period, bestOfAll(layers, 0, machines, bandwidth, stages));
        QCOMPARE(split->period, periodOf(layers, split->stages, bandwidth));
        int next = 0;
        int used = 0;
        for (const ReplicatedStage& stage : split->stages) {
            QCOMPARE(stage.firstLayer, next);
            next += stage.layers;
            used += stage.replicas;
        }
        QCOMPARE(next, static_cast<int>(layers.size()));
        QCOMPARE(used, machines);
    }
}

void TestPlanner::equalLayersAreCutEvenly()
{
    // Sums of gradients are dear, so replicas do not pay.
    const std::vector<LayerProfile> layers(12, {100, 1'000'000, 1});
    const auto split = splitForMachines(layers, 4, 1e9);
    QVERIFY(split);
    QCOMPARE(split->period, Ticks{300});
    QCOMPARE(split->stages.size(), std::size_t{4});
    QCOMPARE(split->inFlight, 4);
}

void TestPlanner::aCheapSumMakesOneReplicatedStage()
{
    const std::vector<LayerProfile> layers(5, {100, 1, 1'000'000});
    const auto split = splitForMachines(layers, 4, 1e9);
    QVERIFY(split);
    QCOMPARE(split->stages, (std::vector<ReplicatedStage>{{0, 5, 4}}));
    QCOMPARE(split->period, Ticks{125});
    QCOMPARE(split->inFlight, 1);
}

void TestPlanner::manyMicroBatchesEnterANarrowFirstStage()
{
    // A first stage of one machine before three replicas: four machines, so four micro-batches in
    // flight.
    const std::vector<LayerProfile> layers = {{100, 1'000'000, 1}, {300, 1, 1}};
    const auto split = splitForMachines(layers, 4, 1e9);
    QVERIFY(split);
    QCOMPARE(split->stages, (std::vector<ReplicatedStage>{{0, 1, 1}, {1, 1, 3}}));
    QCOMPARE(split->period, Ticks{100});
    QCOMPARE(split->inFlight, 4);
}

void TestPlanner::badLayersAreRefused_data()
{
    QTest::addColumn<int>("count");
    QTest::addColumn<int>("machines");
    QTest::addColumn<double>("bandwidth");
    QTest::addColumn<int>("compute");
    QTest::newRow("no layer") << 0 << 1 << 1e9 << 1;
    QTest::newRow("no machine") << 1 << 0 << 1e9 << 1;
    QTest::newRow("no bandwidth") << 1 << 1 << 0.0 << 1;
    QTest::newRow("a negative time") << 1 << 1 << 1e9 << -1;
}

void TestPlanner::badLayersAreRefused()
{
    QFETCH(int, count);
    QFETCH(int, machines);
    QFETCH(double, bandwidth);
    QFETCH(int, compute);
    const std::vector<LayerProfile> layers(static_cast<std::size_t>(count), {compute, 1, 1});
    const auto split = splitForMachines(layers, machines, bandwidth);
    QVERIFY(!split);
    QCOMPARE(split.error().code, ErrorCode::BadValue);
}

void TestPlanner::whatCannotBeSearchedIsRefused()
{
    const std::vector<LayerProfile> layers(1000, {1, 1, 1});
    const auto split = splitForMachines(layers, 1'000'000, 1e9);
    QVERIFY(!split);
    QCOMPARE(split.error().code, ErrorCode::TooLarge);
    Servers servers = smallServers();
    servers.devices = std::numeric_limits<int>::max();
    const auto plan = planPipelines(smallModel(), servers, 96);
    QVERIFY(!plan);
    QCOMPARE(plan.error().code, ErrorCode::TooLarge);
}

void TestPlanner::memoryFollowsTheFormulas_data()
{
    QTest::addColumn<int>("kind");
    QTest::addColumn<bool>("recompute");
    QTest::addColumn<qint64>("bytes");
    // W = 24000, A_total = 48000, A_input = 400, d = 4, m = 12.
    const auto row = [](const char* name, PipelineMemory kind, bool recompute, qint64 bytes) {
        QTest::newRow(name) << static_cast<int>(kind) << recompute << bytes;
    };
    row("2BW", PipelineMemory::DoubleBuffered, false, 12'000 + 48'000 + 1'600);
    row("2BW, recomputed", PipelineMemory::DoubleBuffered, true, 12'000 + 12'000 + 1'600);
    row("flush", PipelineMemory::Flush, false, 6'000 + 48'000 + 1'600);
    row("flush, recomputed", PipelineMemory::Flush, true, 6'000 + 12'000 + 1'600);
    row("GPipe, recomputed", PipelineMemory::AllForwards, true, 6'000 + 12'000 + 4'800);
}

void TestPlanner::memoryFollowsTheFormulas()
{
    QFETCH(int, kind);
    QFETCH(bool, recompute);
    QFETCH(qint64, bytes);
    const BlockModel model = smallModel();
    PipelinePlan plan;
    plan.depth = 4;
    plan.accumulation = 3;
    plan.recompute = recompute;
    QCOMPARE(qint64{planMemory(static_cast<PipelineMemory>(kind), model, model.profiles[2], plan)},
             bytes);
}

void TestPlanner::periodFollowsTheFormulas()
{
    const BlockModel model = smallModel();
    const Servers servers = smallServers();
    PipelinePlan plan;
    plan.samples = 2;
    // One device: 12 blocks of 5000 ns; recomputed 4/3 of it.
    QCOMPARE(planPeriod(model, servers, model.profiles[1], plan), Ticks{60'000});
    plan.recompute = true;
    QCOMPARE(planPeriod(model, servers, model.profiles[1], plan), Ticks{80'000});
    // Three stages inside a server: 4 blocks, and four tensors of 200 bytes at 1 byte/ns.
    plan.recompute = false;
    plan.depth = 3;
    QCOMPARE(planPeriod(model, servers, model.profiles[1], plan), Ticks{20'800});
    // Six stages span servers: 2 blocks, and the tensors at 0.1 byte/ns.
    plan.depth = 6;
    QCOMPARE(planPeriod(model, servers, model.profiles[1], plan), Ticks{18'000});
    // Eight replicas of the whole model: 2·7/8 of 6000 bytes at 0.1 byte/ns against one block
    // stage.
    BlockModel small = model;
    small.blocks = 1;
    plan.depth = 1;
    plan.width = 8;
    QCOMPARE(planPeriod(small, servers, model.profiles[1], plan), Ticks{105'000});
    plan.accumulation = 10;
    QCOMPARE(planPeriod(small, servers, model.profiles[1], plan), Ticks{10'500});
}

void TestPlanner::noPlanThatFitsIsFaster()
{
    const BlockModel model = smallModel();
    for (const Bytes memory : {Bytes{9'000}, Bytes{20'000}, Bytes{60'000}, Bytes{10'000'000}}) {
        for (const int batch : {8, 24, 32, 96}) {
            Servers servers = smallServers();
            servers.memory = memory;
            double best = 0;
            for (int pick = 0; pick < 8 * 8 * 2 * 3; ++pick) {
                PipelinePlan plan;
                plan.width = 1 + pick % 8;
                plan.depth = 1 + pick / 8 % 8;
                plan.recompute = pick / 64 % 2 == 1;
                const MicroBatchProfile& profile =
                    model.profiles[static_cast<std::size_t>(pick / 128)];
                const int unit = plan.width * plan.depth * profile.samples;
                if (plan.width * plan.depth > 8 || 12 % plan.depth != 0 || batch % unit != 0)
                    continue;
                plan.accumulation = batch / unit;
                if (planMemory(PipelineMemory::DoubleBuffered, model, profile, plan) > memory)
                    continue;
                const auto period = static_cast<double>(planPeriod(model, servers, profile, plan));
                best = std::max(best, plan.width * profile.samples * 1e9 / period);
            }
            const auto plan = planPipelines(model, servers, batch);
            QCOMPARE(plan.has_value(), best > 0);
            if (!plan)
                continue;
            QCOMPARE(plan->samplesPerSecond, best);
            QVERIFY(plan->memory <= memory);
            QCOMPARE(plan->width * plan->samples * plan->microBatches(), batch);
            // Two versions are enough: no pipeline has fewer micro-batches a step than stages.
            QVERIFY(plan->microBatches() >= plan->depth);
        }
    }
}

void TestPlanner::lessMemoryAsksForMoreStagesOrRecomputation()
{
    Servers servers = smallServers();
    servers.memory = 1'000'000;
    const auto roomy = planPipelines(smallModel(), servers, 96);
    servers.memory = 13'000;
    const auto tight = planPipelines(smallModel(), servers, 96);
    QVERIFY(roomy && tight);
    QVERIFY(tight->recompute || tight->depth > roomy->depth);
    QVERIFY(tight->samplesPerSecond < roomy->samplesPerSecond);
}

void TestPlanner::aPlanThatCannotFitSaysWhatItNeeds()
{
    Servers servers = smallServers();
    servers.memory = 100;
    const auto plan = planPipelines(smallModel(), servers, 96);
    QVERIFY(!plan);
    QCOMPARE(plan.error().code, ErrorCode::MemoryLimit);
    // Six stages with recomputation: (48000 + 12000)/6 + 6·100.
    QVERIFY2(QString::fromStdString(plan.error().message).contains("10600"),
             plan.error().message.c_str());
}

void TestPlanner::aBatchThatDoesNotDivideIsRefused()
{
    BlockModel model = smallModel();
    model.profiles = {model.profiles[2]};
    const auto plan = planPipelines(model, smallServers(), 6);
    QVERIFY(!plan);
    QCOMPARE(plan.error().code, ErrorCode::BadValue);
    QVERIFY(QString::fromStdString(plan.error().message).contains("6 samples"));
}

PW_TEST(TestPlanner)
#include "tst_planner.moc"
