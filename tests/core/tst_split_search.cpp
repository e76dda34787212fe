// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/advise/split_search.h"
#include "core/io/project_file.h"
#include "tests/support/family_runs.h"
#include "tests/support/test_program.h"

#include <QElapsedTimer>
#include <QTest>

#include <algorithm>
#include <array>

using namespace pw;

namespace {

constexpr Ticks layerForward = 5'000'000, layerBackward = 10'000'000;

/// Costs of layers that are alike, with an embedding and a head, by segments in equal parts.
Costs costsOf(const PipelineSpec& spec, const std::vector<int>& layers, Ticks embedding, Ticks head)
{
    Costs costs = expand(test::equalStages(1, 1, 1, 400'000), spec);
    costs.fused.resize(costs.forward.size());
    for (const StageId stage : Ids<StageId>(spec.stages()))
        for (int segment = 0; segment < spec.segments(); ++segment) {
            const auto cell = cellIndex(spec, stage, segment);
            const int count = layers[stage.index()];
            const Ticks ends =
                (stage == StageId(0) ? embedding : 0) + (stage + 1 == spec.stages() ? head : 0);
            costs.forward[cell] = (count * layerForward + ends) / spec.segments();
            costs.fused[cell] = (count * layerBackward + 2 * ends) / spec.segments();
            costs.weight[cell] = costs.fused[cell] / 2;
            costs.backward[cell] = costs.fused[cell] - costs.weight[cell];
        }
    return costs;
}

struct Case
{
    const char* family;
    int devices;
    int microBatches;
    Ticks embedding = 2'000'000;
    Ticks head = 15'000'000;
};

/// A project of a family on stages with these layers; pairs take `pairPart` of their passes, if
/// that is not 0.
AdviceSource sourceOf(const Case& of, std::vector<int> layers, double pairPart = 0)
{
    const FamilyOptions options = test::sized(of.devices, of.microBatches);
    const Family& family = test::familyOf(of.family);
    const PipelineSpec spec = *specOf(family, options);
    Costs costs = costsOf(spec, layers, of.embedding, of.head);
    for (std::size_t cell = 0; pairPart > 0 && cell < costs.forward.size(); ++cell)
        costs.pair.push_back(static_cast<Ticks>(
            static_cast<double>(costs.forward[cell] + costs.fused[cell]) * pairPart));
    Project project;
    project.family = FamilyChoice{of.family, options};
    project.draft = draftOf(*family.build(spec, options, costs));
    setTables(project, costs);
    Result<AdviceSource> source = adviceSource(project, "a project");
    if (!source)
        qFatal("%s", source.error().message.c_str());
    if (const Result<void> set = setLayers(*source, std::move(layers)); !set)
        qFatal("%s", set.error().message.c_str());
    return std::move(*source);
}

Ticks timeOf(const AdviceSource& source, std::vector<int> split)
{
    PlannedChange change;
    change.split = std::move(split);
    return predictChange(source, change)->result.makespan;
}

/// The shortest of all splits over four stages, one by one.
Ticks leastOfAll(const AdviceSource& source, int layers)
{
    Ticks least = timeOf(source, source.layers);
    for (int a = 1; a <= layers - 3; ++a)
        for (int b = 1; a + b <= layers - 2; ++b)
            for (int c = 1; a + b + c <= layers - 1; ++c)
                least = std::min(least, timeOf(source, {a, b, c, layers - a - b - c}));
    return least;
}

} // namespace

/// The best split of a model's layers, against all splits, and within its limits.
class TestSplitSearch : public QObject
{
    Q_OBJECT

private slots:
    void theBestIsTheBestOfAll_data();
    void theBestIsTheBestOfAll();
    void overlappedPairsTakeTheirLayersAlong();
    void ofPairsOfSeveralStagesNothingIsProven();
    void manyLayersEndWithTheLimits();
    void aModelOfTooManyLayersIsRefused();
};

void TestSplitSearch::theBestIsTheBestOfAll_data()
{
    QTest::addColumn<QString>("family");
    QTest::addColumn<int>("devices");
    QTest::addColumn<int>("microBatches");
    QTest::addColumn<qint64>("head");
    QTest::addColumn<int>("looked");
    constexpr std::array<qint64, 3> heads = {0, 15'000'000, 40'000'000};
    // How many are looked at depends on the machine in nothing.
    const auto rows = [&heads](const char* family, int devices, int microBatches,
                               const std::array<int, 3>& looked) {
        for (std::size_t i = 0; i < heads.size(); ++i)
            QTest::addRow("%s, %d, head %lld", family, microBatches,
                          static_cast<long long>(heads[i] / 1'000'000))
                << QString(family) << devices << microBatches << heads[i] << looked[i];
    };
    rows("1f1b", 4, 8, {15, 13, 60});
    rows("seq1f1b", 4, 1, {140, 134, 164});
    rows("seq1f1b", 4, 8, {16, 12, 57});
    rows("zb-h1", 4, 2, {66, 67, 60});
    rows("zb-v", 2, 6, {38, 12, 44});
    rows("v-half", 2, 6, {38, 36, 44});
}

void TestSplitSearch::theBestIsTheBestOfAll()
{
    QFETCH(QString, family);
    QFETCH(int, devices);
    QFETCH(int, microBatches);
    QFETCH(qint64, head);
    const QByteArray id = family.toUtf8();
    const AdviceSource source =
        sourceOf({id.constData(), devices, microBatches, 2'000'000, head}, {3, 4, 3, 3});
    SplitLimits limits;
    limits.seconds = 600; // ends of itself
    const Result<BestSplit> best = bestSplit(source, {}, limits);
    QVERIFY(best);
    QVERIFY(best->proven);
    const Ticks least = leastOfAll(source, 13);
    // Of 220 splits few are simulated: the bounds cut off the others.
    QFETCH(int, looked);
    QVERIFY2(best->looked <= looked, qPrintable(QString::number(best->looked)));
    // Of splits that are alike the one that moves less is taken.
    QVERIFY2(static_cast<double>(best->makespan) <= static_cast<double>(least) * 1.002,
             qPrintable(QString("%1 over %2").arg(best->makespan).arg(least)));
}

void TestSplitSearch::overlappedPairsTakeTheirLayersAlong()
{
    constexpr double part = 0.8;
    const Case plain{"dualpipe-v", 2, 8, 0, 0};
    const AdviceSource source = sourceOf(plain, {4, 4, 4, 4}, part);
    PlannedChange change;
    change.split = {6, 4, 4, 2};
    const Result<Prediction> made = predictChange(source, change);
    QVERIFY(made);
    QCOMPARE(made->costs.pair.size(), std::size_t{4});
    for (std::size_t stage = 0; stage < 4; ++stage)
        QCOMPARE(made->costs.pair[stage],
                 static_cast<Ticks>(change.split[stage] * part * (layerForward + layerBackward)));
    QCOMPARE(timeOf(source, {6, 4, 4, 2}), sourceOf(plain, {6, 4, 4, 2}, part).step);
}

void TestSplitSearch::ofPairsOfSeveralStagesNothingIsProven()
{
    SplitLimits limits;
    limits.seconds = 600;
    const Case plain{"dualpipe-v", 2, 6};
    const Result<BestSplit> paired = bestSplit(sourceOf(plain, {3, 4, 3, 3}, 0.7), {}, limits);
    QVERIFY(paired);
    QVERIFY(!paired->proven);
    const Result<BestSplit> sums = bestSplit(sourceOf(plain, {3, 4, 3, 3}), {}, limits);
    QVERIFY(sums);
    QVERIFY(sums->proven);
}

void TestSplitSearch::manyLayersEndWithTheLimits()
{
    for (const int layers : {500, mostModelLayers}) {
        const int each = layers / 4;
        const AdviceSource source = sourceOf({"1f1b", 4, 8}, {each, each, each, each});
        SplitLimits limits;
        limits.seconds = 0.2;
        QElapsedTimer timer;
        timer.start();
        const Result<BestSplit> best = bestSplit(source, {}, limits);
        QVERIFY(best);
        QVERIFY2(timer.elapsed() < 5'000, qPrintable(QString::number(timer.elapsed())));
        QVERIFY(best->makespan <= source.step);
        limits.seconds = 600;
        limits.stopped = [] { return true; };
        const Result<BestSplit> stopped = bestSplit(source, {}, limits);
        QVERIFY(stopped);
        QVERIFY(!stopped->proven);
        QVERIFY(stopped->looked <= 3);
        limits.stopped = {};
        limits.most = 20;
        const Result<BestSplit> counted = bestSplit(source, {}, limits);
        QVERIFY(counted);
        QVERIFY(counted->looked <= limits.most + 1);
    }
}

void TestSplitSearch::aModelOfTooManyLayersIsRefused()
{
    AdviceSource source = sourceOf({"1f1b", 4, 8}, {4, 4, 4, 4});
    const Result<void> set = setLayers(source, {500, 500, 500, 501});
    QVERIFY(!set);
    QCOMPARE(set.error().code, ErrorCode::BadValue);
    QVERIFY2(set.error().message.english().find("2001") != std::string::npos,
             set.error().message.c_str());
}

PW_TEST(TestSplitSearch)
#include "tst_split_search.moc"
