// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/sim/memory.h"
#include "tests/support/family_runs.h"
#include "tests/support/test_program.h"
#include "tests/support/trained_runs.h"
#include "tests/support/turns.h"

#include <QTest>

#include <algorithm>
#include <numeric>

using namespace pw;
using namespace pw::exec;

namespace {

/// Small, of odd sizes, with so many layers that a stage has one or two.
GptModel modelFor(const PipelineSpec& spec, int extraLayers)
{
    GptModel model;
    model.layers = spec.stages() + extraLayers;
    model.hidden = 12;
    model.heads = 3;
    model.ffn = 10;
    model.sequence = 7;
    model.vocabulary = 11;
    model.samples = 2;
    return model;
}

struct Case
{
    RunPlan plan;
    SimResult predicted;
};

/// A plan with bytes as the executor allocates them, and its simulation.
Case caseOf(Schedule schedule, const GptModel& model, const Optimizer& optimizer,
            const LayerSplit& split)
{
    const PipelineSpec spec = schedule.spec();
    Costs costs = expand(UniformCosts{}, spec);
    const Result<void> set = setBytes(costs, spec, model, split, optimizer);
    if (!set)
        qFatal("%s", set.error().message.c_str());
    SimResult predicted = *simulate(schedule, costs);
    Result<RunPlan> plan = makePlan(std::move(schedule), costs, model, split);
    if (!plan)
        qFatal("%s", plan.error().message.c_str());
    plan->optimizer = optimizer;
    return {*std::move(plan), std::move(predicted)};
}

Case caseOf(Schedule schedule, const GptModel& model, const Optimizer& optimizer)
{
    const LayerSplit split = *evenSplit(model.layers, schedule.spec().stages());
    return caseOf(std::move(schedule), model, optimizer, split);
}

/// The schedule with every device's order rewritten.
template<typename Rewrite>
Schedule rewritten(const Schedule& schedule, Rewrite rewrite)
{
    DeviceOrders orders = schedule.orders();
    for (auto& order : orders)
        order = rewrite(order);
    Result<Schedule> made = Schedule::make(schedule.spec(), orders);
    if (!made)
        qFatal("%s", made.error().message.c_str());
    return *std::move(made);
}

Pass as(PassKind kind, Pass pass)
{
    pass.kind = kind;
    return pass;
}

/// Every cell is recomputed right before its backward.
std::vector<OrderEntry> recomputing(const std::vector<OrderEntry>& order)
{
    std::vector<OrderEntry> longer;
    for (const OrderEntry& entry : order) {
        if (isBackward(entry.pass.kind))
            longer.push_back(single(as(PassKind::R, entry.pass)));
        if (entry.paired && isBackward(entry.partner.kind))
            longer.push_back(single(as(PassKind::R, entry.partner)));
        longer.push_back(entry);
    }
    return longer;
}

/// Every BW in two.
std::vector<OrderEntry> splitting(const std::vector<OrderEntry>& order)
{
    std::vector<OrderEntry> longer;
    for (const OrderEntry& entry : order) {
        if (entry.pass.kind != PassKind::BW) {
            longer.push_back(entry);
            continue;
        }
        longer.push_back(single(as(PassKind::B, entry.pass)));
        longer.push_back(single(as(PassKind::W, entry.pass)));
    }
    return longer;
}

/// Updates wait for each other and come two at a time, so that the gradients of both are there.
std::vector<OrderEntry> delaying(const std::vector<OrderEntry>& order)
{
    std::vector<OrderEntry> later;
    std::vector<OrderEntry> held;
    for (const OrderEntry& entry : order) {
        if (entry.pass.kind == PassKind::U) {
            held.push_back(entry);
            continue;
        }
        if (held.size() >= 2) {
            later.insert(later.end(), held.begin(), held.end());
            held.clear();
        }
        later.push_back(entry);
    }
    later.insert(later.end(), held.begin(), held.end());
    return later;
}

/// Empty, or what is not as predicted.
std::string memoryProblem(const test::TurnsRun& run, const Case& made)
{
    const PipelineSpec& spec = made.plan.schedule.spec();
    const auto chunks = chunksOfDevices(spec);
    auto standing = [&](const std::vector<Bytes>& table, std::size_t rank) {
        Bytes bytes = 0;
        for (const HostedStage& hosted : chunks[rank])
            bytes += table[static_cast<std::size_t>(hosted.stage)];
        return bytes;
    };
    std::string problem;
    auto compare = [&](const char* what, std::size_t rank, Bytes got, Bytes predicted) {
        if (got != predicted)
            problem += std::string(what) + " of rank " + std::to_string(rank) + ": " +
                       std::to_string(got) + ", predicted " + std::to_string(predicted) + "; ";
    };
    for (std::size_t rank = 0; rank < chunks.size(); ++rank) {
        auto at = [&](const std::vector<MemoryNow>& memory, MemoryUse use) {
            return memory[rank][static_cast<std::size_t>(use)];
        };
        const Costs& costs = made.plan.costs;
        compare("peak activation", rank, run.peakActivation[rank],
                made.predicted.devices[rank].peakActivation);
        Bytes versions = 0;
        for (const MemoryPoint& point :
             memoryCurve(made.plan.schedule, costs, made.predicted, DeviceId(rank)))
            versions =
                std::max(versions, point.bytes[static_cast<std::size_t>(MemoryKind::Versions)]);
        compare("weight versions", rank, run.peakVersions[rank], versions);
        for (const auto* memory : {&run.begun, &run.ended}) {
            compare("weights", rank, at(*memory, MemoryUse::Weights),
                    standing(costs.weights, rank));
            compare("gradients", rank, at(*memory, MemoryUse::Gradients),
                    standing(costs.gradients, rank));
            compare("optimizer", rank, at(*memory, MemoryUse::Optimizer),
                    standing(costs.optimizer, rank));
        }
        for (const MemoryUse use : {MemoryUse::Activations, MemoryUse::HeldForWeight,
                                    MemoryUse::Messages, MemoryUse::Versions})
            compare("left over", rank, at(run.ended, use), 0);
        compare("workspace", rank, at(run.ended, MemoryUse::Workspace),
                at(run.begun, MemoryUse::Workspace));
    }
    return problem;
}

/// Empty, or what differs from the reference or the prediction.
std::string problemOf(const Case& made, double* worst = nullptr)
{
    const test::TurnsRun run = test::trainInTurns(made.plan);
    return test::compareWithReference(run, made.plan, test::gradientTolerance, worst) +
           memoryProblem(run, made);
}

bool asynchronous(const Family& family)
{
    FamilyOptions options = test::sized(2, 4);
    options.steps = 2;
    options.updates = true;
    const Result<PipelineSpec> spec = specOf(family, options);
    return spec && spec->updateRule != UpdateRule::Flush;
}

} // namespace

class TestTrainingWorker : public QObject
{
    Q_OBJECT

private slots:
    void everyFamilyTrainsAsOneDeviceDoes_data()
    {
        QTest::addColumn<QString>("id");
        QTest::addColumn<int>("devices");
        for (const Family& family : allFamilies())
            for (const int devices : {2, 4})
                QTest::addRow("%s on %d", std::string(family.id).c_str(), devices)
                    << QString::fromUtf8(family.id.data(), static_cast<qsizetype>(family.id.size()))
                    << devices;
    }
    void everyFamilyTrainsAsOneDeviceDoes()
    {
        QFETCH(QString, id);
        QFETCH(int, devices);
        const Family& family = test::familyOf(id.toStdString());
        int trained = 0;
        for (const int microBatches : {1, 2, devices + 1, 2 * devices, 4 * devices}) {
            FamilyOptions options = test::sized(devices, microBatches);
            if (asynchronous(family)) {
                options.steps = family.id == "pipedream" ? std::max(3 / microBatches, 1) : 3;
                options.updates = true;
            }
            const Result<PipelineSpec> spec = specOf(family, options);
            if (!spec)
                continue;
            const Costs costs = expand(UniformCosts{}, *spec);
            Result<Schedule> schedule = family.build(*spec, options, costs);
            QVERIFY2(schedule, schedule ? "" : schedule.error().message.c_str());
            Case made = caseOf(*std::move(schedule), modelFor(*spec, microBatches % 2),
                               comparableOptimizer());
            made.plan.iterations = 2;
            made.plan.warmup = microBatches == 2 ? 1 : 0;
            const std::string problem = problemOf(made);
            QVERIFY2(problem.empty(),
                     (std::to_string(microBatches) + " micro-batches: " + problem).c_str());
            ++trained;
        }
        QVERIFY(trained > 0);
    }

    void severalStepsInOneScheduleTrainAlike_data()
    {
        rowsOf({"1f1b", "zb-h1", "zb-v", "chimera"});
    }
    void severalStepsInOneScheduleTrainAlike()
    {
        QFETCH(QString, id);
        FamilyOptions options = test::sized(2, 4);
        options.steps = 3;
        options.updates = true;
        const test::FamilyRun run =
            test::runFamily(test::familyOf(id.toStdString()), options, UniformCosts{});
        Optimizer sgd;
        sgd.kind = OptimizerKind::Sgd;
        sgd.learningRate = 0.1;
        Case made = caseOf(run.schedule, modelFor(run.schedule.spec(), 0), sgd);
        made.plan.iterations = 2;
        const std::string problem = problemOf(made);
        QVERIFY2(problem.empty(), problem.c_str());
    }

    void recomputedCellsTrainAlike_data()
    {
        rowsOf({"1f1b", "zb-h1", "zb-v", "dualpipe", "pipedream", "pipedream-2bw", "seq1f1b",
                "seq1f1b-zb"});
    }
    void recomputedCellsTrainAlike()
    {
        QFETCH(QString, id);
        const Family& family = test::familyOf(id.toStdString());
        FamilyOptions options = test::sized(2, 4);
        if (asynchronous(family)) {
            options.steps = 3;
            options.updates = true;
        }
        const test::FamilyRun run = test::runFamily(family, options, UniformCosts{});
        Case made = caseOf(rewritten(run.schedule, recomputing), modelFor(run.schedule.spec(), 1),
                           comparableOptimizer());
        const std::string problem = problemOf(made);
        QVERIFY2(problem.empty(), problem.c_str());
    }

    void segmentsOfAnyLengthTrainAlike()
    {
        for (const std::vector<int>& lengths :
             {std::vector<int>{1, 1}, std::vector<int>{5, 2}, std::vector<int>{1, 1, 1, 4}}) {
            FamilyOptions options =
                test::sized(2, 3, "segments", static_cast<double>(lengths.size()));
            options.segmentLengths = lengths;
            const test::FamilyRun run =
                test::runFamily(test::familyOf("seq1f1b"), options, UniformCosts{});
            const Case made =
                caseOf(run.schedule, modelFor(run.schedule.spec(), 0), comparableOptimizer());
            const std::string problem = problemOf(made);
            QVERIFY2(problem.empty(), problem.c_str());
        }
    }

    void parametersOfFamiliesTrainAlike_data()
    {
        QTest::addColumn<QString>("id");
        QTest::addColumn<int>("devices");
        QTest::addColumn<int>("microBatches");
        QTest::addColumn<QString>("parameter");
        QTest::addColumn<double>("value");
        QTest::newRow("three chunks") << "interleaved-1f1b" << 2 << 6 << "chunks" << 3.0;
        QTest::newRow("three chunks, breadth first")
            << "breadth-first" << 2 << 5 << "chunks" << 3.0;
        QTest::newRow("groups of three") << "kfkb" << 4 << 7 << "group" << 3.0;
        QTest::newRow("two waves") << "hanayo" << 2 << 4 << "waves" << 2.0;
        QTest::newRow("three segments") << "seq1f1b-zb" << 2 << 3 << "segments" << 3.0;
        QTest::newRow("eight devices") << "zb-h1" << 8 << 11 << "" << 0.0;
        QTest::newRow("eight devices, two routes") << "chimera" << 8 << 8 << "" << 0.0;
    }
    void parametersOfFamiliesTrainAlike()
    {
        QFETCH(QString, id);
        QFETCH(int, devices);
        QFETCH(int, microBatches);
        QFETCH(QString, parameter);
        QFETCH(double, value);
        FamilyOptions options = test::sized(devices, microBatches);
        if (!parameter.isEmpty())
            options.parameters.emplace_back(parameter.toStdString(), value);
        const test::FamilyRun run =
            test::runFamily(test::familyOf(id.toStdString()), options, UniformCosts{});
        Case made = caseOf(run.schedule, modelFor(run.schedule.spec(), 0), comparableOptimizer());
        made.plan.iterations = 2;
        const std::string problem = problemOf(made);
        QVERIFY2(problem.empty(), problem.c_str());
    }

    void weightPassesReadTheVersionOfTheirForward()
    {
        FamilyOptions options = test::sized(4, 8);
        options.updates = true;
        const test::FamilyRun run =
            test::runFamily(test::familyOf("pipedream"), options, UniformCosts{});
        const Schedule split = rewritten(run.schedule, splitting);
        const Case made = caseOf(split, modelFor(split.spec(), 0), comparableOptimizer());
        const std::string problem = test::compareWithReference(test::trainInTurns(made.plan),
                                                               made.plan, test::gradientTolerance);
        QVERIFY2(problem.empty(), problem.c_str());
    }

    void gradientsOfSeveralUpdatesAreKeptApart()
    {
        FamilyOptions options = test::sized(2, 7);
        options.updates = true;
        const test::FamilyRun run =
            test::runFamily(test::familyOf("pipedream"), options, UniformCosts{});
        const Schedule late = rewritten(run.schedule, delaying);
        QVERIFY(!(late == run.schedule));
        Case made = caseOf(late, modelFor(late.spec(), 0), comparableOptimizer());
        made.plan.iterations = 2;
        const std::string problem = problemOf(made);
        QVERIFY2(problem.empty(), problem.c_str());
    }

    void stagesWithoutLayersPassOn()
    {
        for (const std::vector<int>& layers :
             {std::vector<int>{0, 1, 0, 2}, std::vector<int>{3, 0, 0, 0}}) {
            const test::FamilyRun run =
                test::runFamily(test::familyOf("zb-h1"), test::sized(4, 5), UniformCosts{});
            Case made = caseOf(run.schedule, modelFor(run.schedule.spec(), -1),
                               comparableOptimizer(), *givenSplit(layers));
            made.plan.iterations = 2;
            const std::string problem = problemOf(made);
            QVERIFY2(problem.empty(), problem.c_str());
        }
    }

    void replicasStayEqualBitForBit()
    {
        const test::FamilyRun run =
            test::runFamily(test::familyOf("chimera"), test::sized(4, 8), UniformCosts{});
        Case made = caseOf(run.schedule, modelFor(run.schedule.spec(), 0), comparableOptimizer());
        made.plan.iterations = 3;
        const test::TurnsRun trained = test::trainInTurns(made.plan);
        int pairs = 0;
        for (const StageSnapshot& a : trained.snapshots) {
            for (const StageSnapshot& b : trained.snapshots) {
                if (a.update != b.update || a.stage.stage != b.stage.stage || a.stage.route != 0 ||
                    b.stage.route != 1)
                    continue;
                QVERIFY(a.parameters == b.parameters);
                QVERIFY(a.gradients == b.gradients);
                ++pairs;
            }
        }
        QCOMPARE(pairs, 3 * run.schedule.spec().stages());
    }

    void pairsThatDoNotOverlapAreTold()
    {
        const test::FamilyRun pairs =
            test::runFamily(test::familyOf("dualpipe"), test::sized(2, 6), UniformCosts{});
        const Case made = caseOf(pairs.schedule, modelFor(pairs.schedule.spec(), 0), {});
        const test::TurnsRun trained = test::trainInTurns(made.plan);
        QCOMPARE(trained.notes.size(), std::size_t{2});
        QCOMPARE(trained.notes.front(), std::string("overlapped pairs ran one pass after the "
                                                    "other: the device does one thing at a time"));
    }

    void aSkippedWeightPassShows_data()
    {
        QTest::addColumn<QString>("id");
        QTest::addColumn<QString>("fault");
        QTest::newRow("BW") << "1f1b"
                            << "skip-weight:BW1.1";
        QTest::newRow("W") << "zb-h1"
                           << "skip-weight:W2.0";
        QTest::newRow("the second iteration") << "zb-h1"
                                              << "skip-weight:W3.1@1";
    }
    void aSkippedWeightPassShows()
    {
        QFETCH(QString, id);
        QFETCH(QString, fault);
        const test::FamilyRun run =
            test::runFamily(test::familyOf(id.toStdString()), test::sized(2, 4), UniformCosts{});
        Case made = caseOf(run.schedule, modelFor(run.schedule.spec(), 0), comparableOptimizer());
        made.plan.iterations = 2;
        made.plan.faults = {*parseFault(fault.toStdString())};
        double worst = 0;
        const std::string problem = problemOf(made, &worst);
        QVERIFY(problem.find("gradient of ") != std::string::npos);
        QVERIFY(worst > 1e-2);
    }

    void theLossFalls()
    {
        const test::FamilyRun run =
            test::runFamily(test::familyOf("1f1b"), test::sized(2, 4), UniformCosts{});
        GptModel model;
        model.layers = 2;
        model.hidden = 32;
        model.heads = 2;
        model.sequence = 32;
        model.samples = 2;
        Case made = caseOf(run.schedule, model, {});
        made.plan.iterations = 60;
        const test::TurnsRun trained = test::trainInTurns(made.plan);
        const double first = trained.losses.front();
        const double last =
            std::accumulate(trained.losses.end() - 5, trained.losses.end(), 0.0) / 5;
        QVERIFY2(last < 0.7 * first, qPrintable(QString("from %1 to %2").arg(first).arg(last)));
    }

private:
    static void rowsOf(const std::vector<const char*>& ids)
    {
        QTest::addColumn<QString>("id");
        for (const char* id : ids)
            QTest::newRow(id) << id;
    }
};

PW_TEST(TestTrainingWorker)
#include "tst_training_worker.moc"
