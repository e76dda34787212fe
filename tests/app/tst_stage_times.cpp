// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/stage_times.h"
#include "tests/support/seed.h"
#include "tests/support/test_program.h"

#include <QtTest>

#include <random>
#include <string>
#include <vector>

using namespace pw;
using namespace pw::app;

class TstStageTimes : public QObject
{
    Q_OBJECT

private slots:
    void timesOfStagesAreRead_data();
    void timesOfStagesAreRead();
    void aBadLineIsNamed_data();
    void aBadLineIsNamed();
    void timesTakeThePlaceOfTheTables();
    void segmentsTakeTheirPart();
    void anotherNumberOfStagesIsRefused();
    void anyBytesAreReadOrRefused();
};

void TstStageTimes::timesOfStagesAreRead_data()
{
    QTest::addColumn<QByteArray>("csv");
    QTest::newRow("plain") << QByteArray("stage,forward,backward,weight\n0,1,2,3\n1,1.5,2.5,0\n");
    QTest::newRow("no line end, other order")
        << QByteArray("stage,forward,backward,weight\n1,1.5,2.5,0\n0,1,2,3");
    QTest::newRow("blanks, comments, carriage returns")
        << QByteArray("# measured\r\n\r\nstage, forward, backward, weight\r\n 0,\t1,2 ,3\r\n"
                      "# the last\r\n1,1.5,2.5,0\r\n");
    QTest::newRow("byte order mark")
        << QByteArray("\xEF\xBB\xBFstage,forward,backward,weight\n0,1,2,3\n1,1.5,2.5,0\n");
}

void TstStageTimes::timesOfStagesAreRead()
{
    QFETCH(QByteArray, csv);
    const Result<std::vector<StageTimes>> times = readStageTimes(csv.toStdString());
    if (!times)
        QFAIL(times.error().message.c_str());
    const std::vector<StageTimes> expected = {{1'000'000, 2'000'000, 3'000'000},
                                              {1'500'000, 2'500'000, 0}};
    QVERIFY(*times == expected);
}

void TstStageTimes::aBadLineIsNamed_data()
{
    QTest::addColumn<QByteArray>("csv");
    QTest::addColumn<QString>("message");
    const QByteArray heading = "stage,forward,backward,weight\n";
    const auto row = [](const char* name, const QByteArray& csv, const char* message) {
        QTest::newRow(name) << csv << QString::fromUtf8(message);
    };
    row("empty", "", "line 1: there is no stage");
    row("heading only", heading, "line 1: there is no stage");
    row("no heading", "0,1,2,3\n", "line 1: the heading must be stage,forward,backward,weight");
    row("a cell too few", heading + "0,1,2\n",
        "line 2: 3 cells; stage, forward, backward and weight are four");
    row("a word", heading + "0,1,2,3\n1,fast,2,3\n",
        "line 3: forward is a number of milliseconds from 0 to 144000, or a time with a unit, not "
        "'fast'");
    row("negative", heading + "0,1,-2,3\n",
        "line 2: backward is a number of milliseconds from 0 to 144000, or a time with a unit, not "
        "'-2'");
    row("half a stage", heading + "0.5,1,2,3\n",
        "line 2: a stage is a whole number from 0, not '0.5'");
    row("a huge stage", heading + "999999999,1,2,3\n",
        "line 2: a stage is a whole number from 0, not '999999999'");
    row("twice", heading + "0,1,2,3\n0,1,2,3\n",
        "line 3: stage 0 appears here for the second time");
    row("left out", heading + "0,1,2,3\n2,1,2,3\n",
        "line 3: stage 1 is left out; the last one is 2");
}

void TstStageTimes::aBadLineIsNamed()
{
    QFETCH(QByteArray, csv);
    QFETCH(QString, message);
    const Result<std::vector<StageTimes>> times = readStageTimes(csv.toStdString());
    QVERIFY(!times.has_value());
    QCOMPARE(times.error().code, ErrorCode::Syntax);
    QCOMPARE(QString::fromStdString(times.error().message), message);
}

void TstStageTimes::timesTakeThePlaceOfTheTables()
{
    PipelineSpec spec;
    spec.devices = 2;
    spec.routes = {Placement::linear(2)};
    Costs costs = expand(UniformCosts(), spec);
    QVERIFY(applyStageTimes(costs, spec, {{1, 2, 3}, {4, 5, 6}}).has_value());
    QVERIFY(check(costs, spec).has_value());
    QCOMPARE(passTime(costs, spec, {PassKind::F, 0, StageId(1), 0, 0}), Ticks(4));
    QCOMPARE(passTime(costs, spec, {PassKind::B, 0, StageId(0), 0, 0}), Ticks(2));
    QCOMPARE(passTime(costs, spec, {PassKind::W, 0, StageId(1), 0, 0}), Ticks(6));
    QCOMPARE(passTime(costs, spec, {PassKind::BW, 0, StageId(1), 0, 0}), Ticks(11));
}

void TstStageTimes::segmentsTakeTheirPart()
{
    PipelineSpec spec;
    spec.segmentLengths = {3, 1};
    Costs costs = expand(UniformCosts(), spec);
    QVERIFY(applyStageTimes(costs, spec, {{100, 200, 40}}).has_value());
    QCOMPARE(costs.forward, (std::vector<Ticks>{75, 25}));
    QCOMPARE(costs.backward, (std::vector<Ticks>{150, 50}));
    QCOMPARE(costs.weight, (std::vector<Ticks>{30, 10}));
}

void TstStageTimes::anotherNumberOfStagesIsRefused()
{
    PipelineSpec spec;
    Costs costs = expand(UniformCosts(), spec);
    const Result<void> applied = applyStageTimes(costs, spec, {{1, 2, 3}, {4, 5, 6}});
    QVERIFY(!applied.has_value());
    QCOMPARE(applied.error().message, std::string("the file has 2 stages, and the schedule has 1"));
}

void TstStageTimes::anyBytesAreReadOrRefused()
{
    const std::uint32_t seed = test::randomSeed();
    std::mt19937 random(seed);
    const auto below = [&random](std::size_t n) { return static_cast<std::size_t>(random()) % n; };
    const std::string good = "stage,forward,backward,weight\n0,1,2,3\n1,1.5,2.5,0\n";
    const std::string alphabet = "0123456789,.-\n\r#e \"\x80";
    for (int i = 0; i < 20000; ++i) {
        std::string csv = good;
        for (std::size_t changes = 1 + below(6); changes > 0; --changes) {
            const std::size_t at = below(csv.size() + 1);
            if (below(3) == 0)
                csv.erase(at, below(8));
            else
                csv.insert(at, 1, alphabet[below(alphabet.size())]);
        }
        const Result<std::vector<StageTimes>> times = readStageTimes(csv);
        if (!times) {
            QVERIFY(times.error().message.english().rfind("line ", 0) == 0);
            continue;
        }
        for (const StageTimes& stage : *times)
            QVERIFY(stage.forward >= 0 && stage.backward >= 0 && stage.weight >= 0);
    }
}

PW_TEST(TstStageTimes)
#include "tst_stage_times.moc"
