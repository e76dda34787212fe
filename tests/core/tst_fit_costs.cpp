// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/cost/origin_costs.h"
#include "core/edit/edit.h"
#include "core/edit/fit_costs.h"
#include "tests/support/test_program.h"

#include <QtTest>

#include <random>

using namespace pw;

namespace {

constexpr unsigned seed = 4711;

UniformCosts someCosts(std::mt19937& random)
{
    std::uniform_int_distribution<Ticks> time(0, 20 * ticksPerMs);
    std::uniform_int_distribution<Bytes> bytes(0, Bytes{1} << 36);
    UniformCosts costs;
    costs.forward = time(random);
    costs.backward = time(random);
    costs.weight = time(random);
    costs.hop = time(random);
    costs.update = time(random);
    costs.activation = bytes(random);
    costs.memoryCap = bytes(random);
    costs.keptForWeight = 0.5;
    costs.stash = 0.25;
    if (random() % 2 == 0)
        costs.pair = time(random);
    return costs;
}

Project projectOf(std::string_view id, int devices, int microBatches)
{
    Project project;
    FamilyOptions options;
    options.devices = devices;
    options.microBatches = microBatches;
    project.family = FamilyChoice{std::string(id), options};
    project.draft.spec = *specOf(**findFamily(id), options);
    return project;
}

/// Another number of devices, and what follows from it but for the costs.
Project withDevices(Project project, int devices)
{
    project.family->options.devices = devices;
    project.draft.spec = *specOf(**findFamily(project.family->id), project.family->options);
    return project;
}

} // namespace

class TestFitCosts : public QObject
{
    Q_OBJECT

private slots:
    void tablesOfEqualStagesAreKnownAsThat_data()
    {
        QTest::addColumn<QString>("id");
        for (const char* id : {"1f1b", "zb-v", "interleaved-1f1b", "seq1f1b", "chimera", "hanayo"})
            QTest::newRow(id) << QString::fromLatin1(id);
    }

    void tablesOfEqualStagesAreKnownAsThat()
    {
        QFETCH(QString, id);
        std::mt19937 random(seed);
        for (int round = 0; round < 50; ++round) {
            const PipelineSpec spec = projectOf(id.toStdString(), 4, 8).draft.spec;
            const UniformCosts given = someCosts(random);
            const Costs tables = expand(given, spec);
            const auto uniform = uniformOf(tables, spec);
            QVERIFY2(uniform, uniform ? "" : uniform.error().message.c_str());
            // Cells are rounded, so the whole is known to a tick a cell.
            const auto cells = static_cast<Ticks>(tables.forward.size());
            QVERIFY(std::abs(uniform->forward - given.forward) <= cells);
            QVERIFY(std::abs(uniform->activation - given.activation) <= cells);
            QCOMPARE(uniform->hop, given.hop);
            QCOMPARE(uniform->memoryCap, given.memoryCap);
            QCOMPARE(uniform->pair.has_value(), given.pair.has_value());
        }
    }

    void whatKeepsTablesFromBeingEqualIsSaid_data()
    {
        QTest::addColumn<int>("which");
        QTest::addColumn<QString>("expected");
        QTest::newRow("a stage") << 0 << "F of stage 2 is 3 ms; equal stages would have 1 ms";
        QTest::newRow("BW") << 1 << "BW of stage 1 is 9 ms; of equal stages it is B + W, 2 ms";
        QTest::newRow("activation")
            << 2 << "the activation of stage 3 is 8 KiB; equal stages would have 4 KiB";
        QTest::newRow("weights") << 3
                                 << "equal stages have no bytes of weights, gradients or optimizer";
        QTest::newRow("caps") << 4 << "the devices have memory limits of their own";
        QTest::newRow("links") << 5 << "the links have latencies of their own";
        QTest::newRow("trace") << 6 << "a link trace slows messages down";
        QTest::newRow("single") << 7 << "single passes have times of their own";
    }

    void whatKeepsTablesFromBeingEqualIsSaid()
    {
        QFETCH(int, which);
        QFETCH(QString, expected);
        const PipelineSpec spec = projectOf("1f1b", 4, 8).draft.spec;
        UniformCosts uniform;
        uniform.activation = 4096;
        Costs costs = expand(uniform, spec);
        switch (which) {
        case 0:
            costs.forward[2] = 3 * ticksPerMs;
            break;
        case 1:
            costs.fused.assign(4, 2 * ticksPerMs);
            costs.fused[1] = 9 * ticksPerMs;
            break;
        case 2:
            costs.activation[3].activation = costs.activation[3].keptForWeight = 8192;
            break;
        case 3:
            costs.weights = {1, 1, 1, 1};
            break;
        case 4:
            costs.memoryCap = {5, 5, 5, 6};
            break;
        case 5:
            costs.links.assign(16, Link{7, 0});
            costs.links[6].latency = 8;
            break;
        case 6:
            costs.linkTrace = {{0, 2}};
            break;
        default:
            costs.single = {{{PassKind::F, 0, StageId(0), 0, 0}, 5}};
        }
        const auto result = uniformOf(costs, spec);
        QVERIFY(!result);
        QCOMPARE(QString::fromStdString(result.error().message), expected);
    }

    void theMeanOfEqualStagesIsThem_data() { tablesOfEqualStagesAreKnownAsThat_data(); }

    void theMeanOfEqualStagesIsThem()
    {
        QFETCH(QString, id);
        std::mt19937 random(seed);
        const PipelineSpec spec = projectOf(id.toStdString(), 4, 8).draft.spec;
        for (int round = 0; round < 50; ++round) {
            const UniformCosts given = someCosts(random);
            const Costs tables = expand(given, spec);
            const UniformCosts mean = meanOf(tables, spec);
            const auto cells = static_cast<Ticks>(tables.forward.size());
            QVERIFY(std::abs(mean.forward - given.forward) <= cells);
            QVERIFY(std::abs(mean.backward - given.backward) <= cells);
            QVERIFY(std::abs(mean.weight - given.weight) <= cells);
            QVERIFY(std::abs(mean.activation - given.activation) <= cells);
            QCOMPARE(mean.hop, given.hop);
            QCOMPARE(mean.memoryCap, given.memoryCap);
            QVERIFY(std::abs(mean.keptForWeight - 0.5) < 1e-6);
            QVERIFY(std::abs(mean.stash - 0.25) < 1e-6);
        }
    }

    void aTableOfEqualStagesTakesOnMoreOfThem()
    {
        Project project = projectOf("1f1b", 4, 8);
        UniformCosts uniform;
        uniform.activation = 4096;
        uniform.memoryCap = 1 << 20;
        Costs costs = expand(uniform, project.draft.spec);
        costs.weights.assign(4, 100);
        project.costs = costs;
        const PipelineSpec before = project.draft.spec;
        Project next = withDevices(project, 8);
        QVERIFY(fitCosts(next, before));
        const auto& fitted = std::get<Costs>(next.costs);
        Costs wanted = expand(uniform, next.draft.spec);
        wanted.weights.assign(8, 100);
        QVERIFY(fitted == wanted);
    }

    void aTableOfUnequalStagesIsForItsStages()
    {
        Project project = projectOf("1f1b", 4, 8);
        Costs costs = expand({}, project.draft.spec);
        costs.backward[1] = 5;
        project.costs = costs;
        const PipelineSpec before = project.draft.spec;
        Project next = withDevices(project, 8);
        const Project untouched = next;
        const auto fitted = fitCosts(next, before);
        QVERIFY(!fitted);
        QCOMPARE(QString::fromStdString(fitted.error().message),
                 QStringLiteral("the tables of costs are for 4 stages on 4 devices, and times of B "
                                "differ between the stages; take uniform costs or another table "
                                "first"));
        QVERIFY(next == untouched);
        // More micro-batches need no other table.
        next = project;
        next.family->options.microBatches = 12;
        next.draft.spec.microBatches = 12;
        QVERIFY(fitCosts(next, before));
        QVERIFY(std::get<Costs>(next.costs) == costs);
    }

    void aModelMakesItsTablesAgain()
    {
        Project project = projectOf("gpipe", 4, 8);
        CostOrigin origin;
        origin.model = *findModel("gpt-1.7b");
        project.origin = origin;
        project.costs = *costsOf(origin, project.draft.spec);
        std::get<Costs>(project.costs).memoryCap.assign(4, 1000);
        const PipelineSpec before = project.draft.spec;
        Project next = withDevices(project, 8);
        next.family->options.parameters = {{"recompute", 1}};
        QVERIFY(fitCosts(next, before));
        origin.recomputeIn = RecomputeIn::Passes;
        QVERIFY(next.origin == origin);
        Costs wanted = *costsOf(origin, next.draft.spec);
        wanted.memoryCap.assign(8, 1000);
        QVERIFY(std::get<Costs>(next.costs) == wanted);
        // 24 layers do not fill 32 stages.
        const auto refused = withDevices(project, 32);
        Project tooMany = refused;
        QVERIFY(!fitCosts(tooMany, before));
        QVERIFY(tooMany == refused);
    }

    void anOriginComesAndGoesWithItsTables()
    {
        Project project = projectOf("1f1b", 4, 8);
        const Project before = project;
        CostOrigin origin;
        origin.model = *findModel("gpt-1.7b");
        const auto back =
            apply(project, Edit{{SetCosts{*costsOf(origin, project.draft.spec), origin}}});
        QVERIFY(back);
        QVERIFY(project.origin == origin);
        const auto again = apply(project, *back);
        QVERIFY(again);
        QVERIFY(project == before);
        const auto refused = apply(project, Edit{{SetCosts{UniformCosts{}, origin}}});
        QVERIFY(!refused);
        QVERIFY(project == before);
    }
};

PW_TEST(TestFitCosts)
#include "tst_fit_costs.moc"
