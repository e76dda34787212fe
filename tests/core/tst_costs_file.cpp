// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/costs_file.h"
#include "tests/support/family_runs.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>
#include <QtTest>

using namespace pw;
using namespace pw::test;

namespace {

Spread spread(Ticks time)
{
    return {7, time - 1, time, time + 2, time};
}

/// Two stages of two segments, every kind measured.
CostsFile sampleCosts()
{
    CostsFile file;
    file.title = "a \"title\" of two\nlines";
    file.backend = "cpu";
    file.host = "here";
    file.hardware = "2 cores";
    file.model = "4 layers";
    file.devices = 2;
    file.stages = 2;
    file.segmentLengths = {2, 1};
    for (const PassKind kind : allPassKinds) {
        for (const StageId stage : Ids<StageId>(2)) {
            for (int segment = 0; segment < (kind == PassKind::U ? 1 : 2); ++segment) {
                const Ticks time = 1000 * (static_cast<int>(kind) + 1) + 100 * stage + 10 * segment;
                file.passes.push_back({kind, false, stage, segment, spread(time)});
            }
        }
    }
    file.launchGap = spread(5);
    file.link = {250, 1e9};
    file.messages = {{4096, spread(300)}, {65536, spread(900)}};
    MeasuredRound round;
    round.entries[EntryKind{.kind = PassKind::F, .stage = StageId(1), .segment = 1}] = {1002, 999,
                                                                                        1010};
    round.entries[EntryKind{PassKind::F, StageId(0), 1, true, PassKind::BW, StageId(1), 0}] = {
        2000};
    round.messages[{PassKind::B, 1}] = {300, 0};
    round.gaps = {5, 6};
    round.updateGaps = {7};
    round.openings = {0, 12};
    file.rounds = {round, MeasuredRound{}};
    file.activation = {{40, 30, 4}, {20, 15, 2}, {40, 30, 4}, {20, 15, 2}};
    file.forwardMessage = {8, 4, 8, 4};
    file.backwardMessage = {8, 4, 8, 4};
    file.weights = {100, 200};
    file.gradients = {100, 200};
    file.optimizer = {300, 600};
    return file;
}

PipelineSpec specOfSample()
{
    PipelineSpec spec;
    spec.devices = 2;
    spec.microBatches = 2;
    spec.routes = {Placement::linear(2)};
    spec.segmentLengths = {200, 100};
    return spec;
}

std::string changed(const std::string& from, const std::string& to)
{
    std::string text = writeCosts(sampleCosts());
    const std::size_t at = text.find(from);
    if (at != std::string::npos)
        text.replace(at, from.size(), to);
    return text;
}

} // namespace

class TstCostsFile : public QObject
{
    Q_OBJECT

private slots:
    void whatIsWrittenReadsBackTheSame();
    void aFileIsSavedAndLoaded();
    void damageIsRefusedByName_data();
    void damageIsRefusedByName();
    void theLaunchGapIsPartOfEveryPass();
    void sharesFollowTheBytes();
    void anotherShapeIsRefused_data();
    void anotherShapeIsRefused();
    void halvesStandInForAKindThatWasNotMeasured();
    void aScheduleWithAnUnmeasuredKindIsRefused();
    void spreadsAreQuartiles_data();
    void spreadsAreQuartiles();
    void manySingleTimesAreThinned();
};

void TstCostsFile::whatIsWrittenReadsBackTheSame()
{
    const auto back = readCosts(writeCosts(sampleCosts()));
    QVERIFY2(back, back ? "" : back.error().message.c_str());
    QVERIFY(*back == sampleCosts());
    CostsFile bare = sampleCosts();
    bare.activation.clear();
    bare.forwardMessage.clear();
    bare.backwardMessage.clear();
    bare.weights.clear();
    bare.gradients.clear();
    bare.optimizer.clear();
    bare.messages.clear();
    bare.rounds.clear();
    bare.passes.push_back({PassKind::F, true, StageId(0), 0, spread(9)});
    // A pair stands behind the single passes of its kind.
    std::rotate(bare.passes.begin() + 4, bare.passes.end() - 1, bare.passes.end());
    const auto again = readCosts(writeCosts(bare));
    QVERIFY2(again, again ? "" : again.error().message.c_str());
    QVERIFY(*again == bare);
}

void TstCostsFile::aFileIsSavedAndLoaded()
{
    QTemporaryDir folder;
    const std::string path = folder.filePath("costs.json").toStdString();
    QVERIFY(saveCosts(sampleCosts(), path));
    const auto back = loadCosts(path);
    QVERIFY(back);
    QVERIFY(*back == sampleCosts());
    const auto none = loadCosts(folder.filePath("none.json").toStdString());
    QVERIFY(!none);
    QCOMPARE(none.error().code, ErrorCode::Io);
}

void TstCostsFile::damageIsRefusedByName_data()
{
    QTest::addColumn<QString>("from");
    QTest::addColumn<QString>("to");
    QTest::addColumn<QString>("message");
    QTest::newRow("no costs file") << "pipewright_costs"
                                   << "pipewright"
                                   << "not a costs file";
    QTest::newRow("another version") << "\"pipewright_costs\": 1"
                                     << "\"pipewright_costs\": 2"
                                     << "of version 2";
    QTest::newRow("an unknown field") << "\"host\""
                                      << "\"hots\""
                                      << "hots";
    QTest::newRow("a kind that is none") << "\"kind\": \"F\""
                                         << "\"kind\": \"G\""
                                         << "passes[0].kind";
    QTest::newRow("a stage that is none") << "\"stage\": 1"
                                          << "\"stage\": 2"
                                          << "passes[2].stage";
    QTest::newRow("a pass twice") << "\"stage\": 1"
                                  << "\"stage\": 0"
                                  << "twice";
    QTest::newRow("a negative time") << "\"low_ns\": 4,"
                                     << "\"low_ns\": -4,"
                                     << "launch_gap.low_ns";
    QTest::newRow("quartiles upside down") << "\"high_ns\": 7"
                                           << "\"high_ns\": 3"
                                           << "launch_gap.high_ns";
    QTest::newRow("a message that carries nothing") << "\"carries\": \"B\""
                                                    << "\"carries\": \"X\""
                                                    << "rounds[0].messages[0].carries";
    QTest::newRow("a negative gap") << "\"gaps_ns\": [5, 6]"
                                    << "\"gaps_ns\": [-5, 6]"
                                    << "rounds[0].gaps_ns";
    QTest::newRow("no segment") << "[2, 1]"
                                << "[]"
                                << "segment_lengths";
    QTest::newRow("bytes of too few stages") << "[100, 200]"
                                             << "[100]"
                                             << "weights_bytes";
    QTest::newRow("text for a number") << "\"stages\": 2"
                                       << "\"stages\": \"2\""
                                       << "stages";
    QTest::newRow("no JSON") << "{"
                             << "["
                             << "line";
}

void TstCostsFile::damageIsRefusedByName()
{
    QFETCH(QString, from);
    QFETCH(QString, to);
    QFETCH(QString, message);
    const auto file = readCosts(changed(from.toStdString(), to.toStdString()));
    QVERIFY(!file);
    QVERIFY2(QString::fromStdString(file.error().message).contains(message),
             file.error().message.c_str());
}

void TstCostsFile::theLaunchGapIsPartOfEveryPass()
{
    const auto costs = costsOf(sampleCosts(), specOfSample());
    QVERIFY2(costs, costs ? "" : costs.error().message.c_str());
    const PipelineSpec spec = specOfSample();
    for (const MeasuredPass& pass : sampleCosts().passes) {
        const Pass timed{pass.kind, 0, pass.stage, 0, pass.segment};
        QCOMPARE(passTime(*costs, spec, timed), pass.time.mean + 5);
    }
    QVERIFY(costs->link == (Link{250, 1e9}));
    QCOMPARE(costs->weights[1], Bytes{200});
}

void TstCostsFile::sharesFollowTheBytes()
{
    const auto costs = costsOf(sampleCosts(), specOfSample());
    QVERIFY(costs);
    const std::vector<ActivationCost> whole = activationShares(specOfSample(), 0.75, 0.1);
    for (std::size_t cell = 0; cell < whole.size(); ++cell) {
        QCOMPARE(costs->activation[cell].share, whole[cell].share);
        QCOMPARE(costs->activation[cell].keptForWeightShare, whole[cell].keptForWeightShare);
        QCOMPARE(costs->activation[cell].stashShare, whole[cell].stashShare);
    }
    QCOMPARE(costs->activation[1].activation, Bytes{20});
}

void TstCostsFile::anotherShapeIsRefused_data()
{
    QTest::addColumn<int>("stages");
    QTest::addColumn<QVector<int>>("lengths");
    QTest::addColumn<QString>("message");
    QTest::newRow("stages") << 3 << QVector<int>{2, 1} << "has 2 stages, and the schedule has 3";
    QTest::newRow("segments") << 2 << QVector<int>{1} << "has 2 segments, and the schedule has 1";
    QTest::newRow("lengths") << 2 << QVector<int>{1, 1} << "lengths 2,1, and the schedule of 1,1";
}

void TstCostsFile::anotherShapeIsRefused()
{
    QFETCH(int, stages);
    QFETCH(QVector<int>, lengths);
    QFETCH(QString, message);
    PipelineSpec spec = specOfSample();
    spec.devices = stages;
    spec.routes = {Placement::linear(stages)};
    spec.segmentLengths.assign(lengths.cbegin(), lengths.cend());
    const auto costs = costsOf(sampleCosts(), spec);
    QVERIFY(!costs);
    QVERIFY2(QString::fromStdString(costs.error().message).contains(message),
             costs.error().message.c_str());
}

void TstCostsFile::halvesStandInForAKindThatWasNotMeasured()
{
    CostsFile file = sampleCosts();
    std::erase_if(file.passes, [](const MeasuredPass& pass) {
        return pass.kind == PassKind::B || pass.kind == PassKind::W;
    });
    const auto costs = costsOf(file, specOfSample());
    QVERIFY(costs);
    for (std::size_t cell = 0; cell < 4; ++cell)
        QCOMPARE(costs->backward[cell] + costs->weight[cell], costs->fused[cell]);
    std::erase_if(file.passes, [](const MeasuredPass& pass) { return pass.kind == PassKind::BW; });
    QVERIFY(!costsOf(file, specOfSample()));
}

void TstCostsFile::aScheduleWithAnUnmeasuredKindIsRefused()
{
    CostsFile file = sampleCosts();
    file.segmentLengths = {1};
    const auto built = buildUniform(familyOf("zb-h1"), sized(2, 4), equalStages(1, 1, 1));
    QVERIFY(built);
    QVERIFY(check(file, *built));
    std::erase_if(file.passes, [](const MeasuredPass& pass) { return pass.kind == PassKind::W; });
    const auto fused = buildUniform(familyOf("1f1b"), sized(2, 4), equalStages(1, 1, 1));
    QVERIFY(check(file, *fused));
    // B and W follow from BW, and it is said so.
    QVERIFY(check(file, *built));
    QVERIFY(assumedOf(file, *built).find("50 % of BW is W") != std::string::npos);
    QVERIFY(assumedOf(file, *fused).empty());
    std::erase_if(file.passes, [](const MeasuredPass& pass) { return pass.kind == PassKind::BW; });
    const auto refused = check(file, *built);
    QVERIFY(!refused);
    QVERIFY2(QString::fromStdString(refused.error().message).contains("has no W"),
             refused.error().message.c_str());
}

void TstCostsFile::spreadsAreQuartiles_data()
{
    QTest::addColumn<QVector<qint64>>("times");
    QTest::addColumn<QVector<qint64>>("expected"); // low, median, high, mean
    QTest::newRow("none") << QVector<qint64>{} << QVector<qint64>{0, 0, 0, 0};
    QTest::newRow("one") << QVector<qint64>{8} << QVector<qint64>{8, 8, 8, 8};
    QTest::newRow("two") << QVector<qint64>{8, 4} << QVector<qint64>{5, 6, 7, 6};
    QTest::newRow("five in disorder")
        << QVector<qint64>{5, 1, 4, 2, 3} << QVector<qint64>{2, 3, 4, 3};
    QTest::newRow("an outlier among ten is not in the mean")
        << QVector<qint64>{1000, 4, 4, 4, 4, 4, 4, 4, 4, 4} << QVector<qint64>{4, 4, 4, 4};
}

void TstCostsFile::spreadsAreQuartiles()
{
    QFETCH(QVector<qint64>, times);
    QFETCH(QVector<qint64>, expected);
    const Spread spread = spreadOf({times.cbegin(), times.cend()});
    QCOMPARE(spread.count, times.size());
    QCOMPARE((QVector<qint64>{spread.low, spread.median, spread.high, spread.mean}), expected);
}

void TstCostsFile::manySingleTimesAreThinned()
{
    MeasuredRound round;
    for (int i = 0; i < 1000; ++i) {
        round.entries[EntryKind{.kind = PassKind::F}].push_back(i);
        round.gaps.push_back(2 * i);
    }
    round.entries[EntryKind{.kind = PassKind::U}] = {1, 2, 3};
    std::vector<MeasuredRound> rounds = {round};
    thin(rounds, 5000);
    QVERIFY(rounds.front() == round);
    thin(rounds, 200);
    const std::vector<Ticks>& times = rounds.front().entries[EntryKind{.kind = PassKind::F}];
    QVERIFY2(times.size() >= 80 && times.size() <= 120, qPrintable(QString::number(times.size())));
    // From all of them, in their order; few are left alone.
    QVERIFY(std::is_sorted(times.begin(), times.end()));
    QVERIFY(times.front() < 20 && times.back() > 950);
    QCOMPARE(rounds.front().entries[EntryKind{.kind = PassKind::U}], (std::vector<Ticks>{1, 2, 3}));
}

PW_TEST(TstCostsFile)
#include "tst_costs_file.moc"
