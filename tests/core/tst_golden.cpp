// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/sim/metrics.h"
#include "core/sim/simulator.h"
#include "tests/support/golden.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>

using namespace pw;
using namespace pw::test;

/// Orders of other schedulers, timed by an independent simulator: ours agrees to the tick.
class TestGolden : public QObject
{
    Q_OBJECT

private slots:
    void tokensAreReadWithChunkSegmentAndPair();
    void everyOrderGetsTheTimesOfTheIndependentSimulator_data();
    void everyOrderGetsTheTimesOfTheIndependentSimulator();
    void differencesNameDeviceAndPlace();
};

void TestGolden::tokensAreReadWithChunkSegmentAndPair()
{
    auto dualPipeV = loadGolden("deepseek_dualpipev");
    QVERIFY2(dualPipeV, dualPipeV ? "" : dualPipeV.error().message.c_str());
    const GoldenOrder& order = dualPipeV->orders.at("e48893627a");
    QCOMPARE(order.devices, 2);
    QCOMPARE(order.chunks(), 2);
    QCOMPARE(order.stages(), 4);
    // F0 F1 F2 F0.1 B0.1 W0.1 F1.1 (F3+BW1.1) …; device 0 holds stages 0 and 3.
    QCOMPARE(order.orders[0][4], single({PassKind::B, 0, StageId(3), 0, 0}));
    QCOMPARE(order.orders[0][7],
             overlapped({PassKind::F, 0, StageId(0), 3, 0}, {PassKind::BW, 0, StageId(3), 1, 0}));

    auto segments = loadGolden("sail_seq1f1b");
    QVERIFY2(segments, segments ? "" : segments.error().message.c_str());
    const auto cut = std::find_if(segments->orders.begin(), segments->orders.end(),
                                  [](const auto& o) { return o.second.segments == 2; });
    QVERIFY(cut != segments->orders.end());
    QCOMPARE(cut->second.orders[0][1], single({PassKind::F, 0, StageId(0), 0, 1}));

    auto twoWays = loadGolden("deepseek_dualpipe");
    QVERIFY2(twoWays, twoWays ? "" : twoWays.error().message.c_str());
    // F0 F2.1 F1 …: chunk 1 of device 0 is the last stage of the other direction.
    QCOMPARE(twoWays->orders.at("88c9d1b924").orders[0][1],
             single({PassKind::F, 1, StageId(1), 2, 0}));
}

void TestGolden::everyOrderGetsTheTimesOfTheIndependentSimulator_data()
{
    QTest::addColumn<QString>("file");
    for (const std::string& name : goldenFiles())
        QTest::newRow(name.c_str()) << QString::fromStdString(name);
}

void TestGolden::everyOrderGetsTheTimesOfTheIndependentSimulator()
{
    QFETCH(QString, file);
    auto golden = loadGolden(file.toStdString());
    QVERIFY2(golden, golden ? "" : golden.error().message.c_str());

    std::map<std::string, Schedule> schedules;
    for (const auto& [id, order] : golden->orders) {
        if (order.hasProblems)
            continue;
        auto schedule = Schedule::make(goldenSpec(order), order.orders);
        QVERIFY2(schedule, (id + ": " + (schedule ? "" : schedule.error().message)).c_str());
        schedules.emplace(id, std::move(*schedule));
    }

    Simulator simulator;
    SimResult result;
    int compared = 0;
    for (std::size_t index = 0; index < golden->runs.size(); ++index) {
        const GoldenRun& run = golden->runs[index];
        const auto found = schedules.find(run.order);
        if (found == schedules.end())
            continue;
        const std::string where = "run " + std::to_string(index) + ", order " + run.order + ": ";
        const Costs costs = goldenCosts(run, golden->order(run));
        const auto valid = check(costs, found->second.spec());
        QVERIFY2(valid, (where + (valid ? "" : valid.error().message)).c_str());
        const auto done = simulator.run(found->second, costs, result);
        ++compared;
        if (!run.times) {
            QVERIFY2(!done && done.error().code == ErrorCode::Deadlock,
                     (where + "should be a ring").c_str());
            continue;
        }
        QVERIFY2(done, (where + (done ? "" : done.error().message)).c_str());
        const GoldenTimes& times = *run.times;
        QVERIFY2(result.makespan == goldenTicks(times.makespan),
                 (where + "makespan " + std::to_string(result.makespan)).c_str());
        const auto longest = static_cast<std::size_t>(longestSpanDevice(result));
        QVERIFY2(result.devices[longest].span() == goldenTicks(times.maxSpan),
                 (where + "span " + std::to_string(result.devices[longest].span())).c_str());
        const Share live = costs.activation.front().share;
        for (std::size_t device = 0; device < times.firstStart.size(); ++device) {
            const std::string at = where + "device " + std::to_string(device);
            const DeviceResult& got = result.devices[device];
            QVERIFY2(got.firstStart == goldenTicks(times.firstStart[device]), at.c_str());
            QVERIFY2(got.lastEnd == goldenTicks(times.lastEnd[device]), at.c_str());
            QVERIFY2(got.peakShare == live * times.peakLive[device],
                     (at + " peak " + std::to_string(got.peakShare)).c_str());
        }
    }
    QVERIFY(compared > 0);
}

void TestGolden::differencesNameDeviceAndPlace()
{
    const OrderEntry f0 = single({PassKind::F, 0, StageId(2), 0, 0});
    const OrderEntry f1 = single({PassKind::F, 0, StageId(2), 1, 0});
    QCOMPARE(firstDifference({{f0}, {f1}}, {{f0}, {f1}}), std::string());
    QCOMPARE(firstDifference({{f0}, {f1, f0}}, {{f0}, {f1, f1}}),
             std::string("device 1, place 1: expected F0 on stage 2, got F1 on stage 2"));
    QCOMPARE(firstDifference({{f0}}, {{}}),
             std::string("device 0, place 0: expected F0 on stage 2, got the end"));
}

PW_TEST(TestGolden)
#include "tst_golden.moc"
