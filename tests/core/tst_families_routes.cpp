// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/families/family.h"
#include "core/sim/metrics.h"
#include "core/sim/simulator.h"
#include "tests/support/family_runs.h"
#include "tests/support/golden.h"
#include "tests/support/seed.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <set>
#include <sstream>

using namespace pw;
using namespace pw::test;

/// Families whose micro-batches go both ways through the devices: Chimera, Hanayo, DualPipe and
/// DualPipeV.
class TestFamiliesRoutes : public QObject
{
    Q_OBJECT

private slots:
    void publishedFiguresComeOut_data();
    void publishedFiguresComeOut();
    void closedFormsHoldOverAGrid_data();
    void closedFormsHoldOverAGrid();
    void ordersEqualTheReferences_data();
    void ordersEqualTheReferences();
    void refusalsNameTheLimit_data();
    void refusalsNameTheLimit();
    void blocksRepeatWithoutCollision_data();
    void blocksRepeatWithoutCollision();

    void severalStepsFollowEachOther_data();
    void severalStepsFollowEachOther();

    void chimeraOrdersAreThePapers();
    void chimeraPeaksAreHighestInTheMiddle();
    void chimeraRatiosAreTheTables_data();
    void chimeraRatiosAreTheTables();
    void chimeraTakesAnyNumberOfMicroBatches();

    void dualPipeIdlesAsItsReplay_data();
    void dualPipeIdlesAsItsReplay();
    void aCheaperPairShortensDualPipe();

    void hanayoRatiosComeOut_data();
    void hanayoRatiosComeOut();
    void hanayoNeverHoldsMoreThanPMicroBatches();
    void hanayoStartsEveryBackwardAsSoonAsItCan();
    void hanayoGainsFromTrueCosts();
};

void TestFamiliesRoutes::publishedFiguresComeOut_data()
{
    QTest::addColumn<QString>("id");
    QTest::addColumn<int>("devices");
    QTest::addColumn<int>("microBatches");
    QTest::addColumn<double>("span");
    QTest::addColumn<double>("wall");
    QTest::addColumn<double>("peak");
    QTest::newRow("DualPipe on 4") << "dualpipe" << 4 << 8 << 4.0 << 4.0 << 5.0;
    QTest::newRow("DualPipe on 8") << "dualpipe" << 8 << 32 << 12.0 << 12.0 << 9.0;
    QTest::newRow("DualPipeV on 4") << "dualpipe-v" << 4 << 8 << 6.0 << 6.0 << 4.5;
    QTest::newRow("DualPipeV on 8") << "dualpipe-v" << 8 << 32 << 14.0 << 14.0 << 8.5;
}

void TestFamiliesRoutes::publishedFiguresComeOut()
{
    QFETCH(QString, id);
    QFETCH(int, devices);
    QFETCH(int, microBatches);
    QFETCH(double, span);
    QFETCH(double, wall);
    QFETCH(double, peak);
    const Ticks share = 2 * ticksPerMs;
    const FamilyRun made =
        runFamily(familyOf(id.toStdString().c_str()), sized(devices, microBatches),
                  equalStages(share, share, share));
    QCOMPARE(msFromTicks(spanBubble(made.result).idle), span);
    QCOMPARE(msFromTicks(wallBubble(made.result).idle), wall);
    QCOMPARE(peakMicroBatches(made.result), peak);
}

void TestFamiliesRoutes::closedFormsHoldOverAGrid_data()
{
    QTest::addColumn<QString>("id");
    QTest::addColumn<int>("deviceStride");
    QTest::addColumn<QVector<int>>("counts"); ///< micro-batches: percent of p, then what is added
    QTest::newRow("Chimera") << "chimera" << 2
                             << QVector<int>{0, 1, 50, 0, 100, 0, 100, 1, 200, 0, 300, 0};
    QTest::newRow("Hanayo") << "hanayo" << 3 << QVector<int>{0, 1, 100, 0, 200, 0};
    QTest::newRow("DualPipe") << "dualpipe" << 2 << QVector<int>{200, -2, 200, 0, 200, 2, 300, 0};
    QTest::newRow("DualPipeV") << "dualpipe-v" << 3
                               << QVector<int>{200, -1, 200, 0, 200, 1, 300, 0};
}

void TestFamiliesRoutes::closedFormsHoldOverAGrid()
{
    QFETCH(QString, id);
    QFETCH(int, deviceStride);
    QFETCH(QVector<int>, counts);
    const Family& of = familyOf(id.toStdString().c_str());
    // Even times, so that half of a device share is a whole number of ticks.
    const Ticks grid[][3] = {{12, 12, 12}, {12, 12, 0},  {24, 12, 12}, {24, 48, 12},
                             {12, 36, 24}, {36, 12, 24}, {12, 0, 24}};
    int compared = 0;
    for (int p = deviceStride == 2 ? 2 : 1; p <= 32; p += deviceStride) {
        for (int i = 0; i < counts.size(); i += 2) {
            const int m = counts[i] * p / 100 + counts[i + 1];
            if (m < 1)
                continue;
            for (const auto& t : grid) {
                const int count =
                    compareClosedForms(of, sized(p, m), equalStages(t[0], t[1], t[2]));
                QVERIFY(count >= 0);
                compared += count;
            }
        }
    }
    QVERIFY(compared > 200);
}

void TestFamiliesRoutes::ordersEqualTheReferences_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("id");
    for (const char* file : {"deepseek_dualpipe", "victarry_dualpipe"})
        QTest::newRow(file) << file << "dualpipe";
    for (const char* file : {"deepseek_dualpipev", "victarry_dualpipe_v", "torch_dualpipev"})
        QTest::newRow(file) << file << "dualpipe-v";
}

void TestFamiliesRoutes::ordersEqualTheReferences()
{
    QFETCH(QString, file);
    QFETCH(QString, id);
    const auto golden = loadGolden(file.toStdString());
    QVERIFY2(golden, golden ? "" : golden.error().message.c_str());
    const Family& of = familyOf(id.toStdString().c_str());
    int compared = 0;
    for (const auto& [key, order] : golden->orders) {
        const FamilyOptions options = sized(order.devices, order.microBatches);
        if (order.hasProblems) {
            // The reference writes micro-batches that do not exist; here that is refused.
            QVERIFY(!specOf(of, options));
            continue;
        }
        const auto schedule = buildUniform(of, options, {});
        QVERIFY2(schedule, schedule ? "" : schedule.error().message.c_str());
        QCOMPARE(firstDifference(order.orders, schedule->orders()), std::string());
        QVERIFY(schedule->spec() == goldenSpec(order));
        ++compared;
    }
    QVERIFY(compared >= 3);
}

void TestFamiliesRoutes::refusalsNameTheLimit_data()
{
    QTest::addColumn<QString>("id");
    QTest::addColumn<int>("devices");
    QTest::addColumn<int>("microBatches");
    QTest::addColumn<QString>("part");
    QTest::newRow("Chimera on 5 devices") << "chimera" << 5 << 5 << "devices is 5";
    QTest::newRow("DualPipe on 3 devices") << "dualpipe" << 3 << 8 << "devices is 3";
    QTest::newRow("DualPipe with 9") << "dualpipe" << 4 << 9 << "micro-batches is 9";
    QTest::newRow("DualPipe with too few") << "dualpipe" << 4 << 4 << "at least 2(p-1) = 6";
    QTest::newRow("DualPipeV with too few") << "dualpipe-v" << 4 << 6 << "at least 2p-1 = 7";
}

void TestFamiliesRoutes::refusalsNameTheLimit()
{
    QFETCH(QString, id);
    QFETCH(int, devices);
    QFETCH(int, microBatches);
    QFETCH(QString, part);
    const auto spec = specOf(familyOf(id.toStdString().c_str()), sized(devices, microBatches));
    QVERIFY(!spec);
    QCOMPARE(spec.error().code, ErrorCode::BadValue);
    QVERIFY2(QString::fromStdString(spec.error().message).contains(part),
             spec.error().message.c_str());
}

void TestFamiliesRoutes::blocksRepeatWithoutCollision_data()
{
    QTest::addColumn<QString>("id");
    QTest::addColumn<int>(
        "lifespan"); ///< of a device's chunks together, in intervals; p times, plus
    QTest::addColumn<int>("more");
    QTest::newRow("Chimera") << "chimera" << 0 << 0;
    QTest::newRow("DualPipe") << "dualpipe" << 1 << 1;
    QTest::newRow("DualPipeV") << "dualpipe-v" << 2 << 1;
}

void TestFamiliesRoutes::blocksRepeatWithoutCollision()
{
    QFETCH(QString, id);
    QFETCH(int, lifespan);
    QFETCH(int, more);
    const Family& of = familyOf(id.toStdString().c_str());
    for (int p = 2; p <= 16; p += 2) {
        const auto block = of.block(sized(p, 2 * p));
        QVERIFY2(block, block ? "" : block.error().message.c_str());
        std::vector<std::set<Ticks>> used(static_cast<std::size_t>(p));
        std::map<Pass, Ticks> end;
        std::vector<Ticks> lifespans(static_cast<std::size_t>(p));
        for (const BlockPass& placed : block->passes) {
            end[placed.pass] = placed.start + placed.duration;
            const auto device = static_cast<std::size_t>(block->device(placed.pass));
            for (Ticks t = placed.start; t < placed.start + placed.duration; ++t)
                QVERIFY(used[device].insert(t % block->interval).second);
            const bool backward = isBackward(placed.pass.kind);
            lifespans[device] += backward ? end[placed.pass] : -placed.start;
        }
        const int stages = block->routes.front().stages();
        for (const BlockPass& placed : block->passes) {
            Pass before = placed.pass;
            const bool turn = isBackward(before.kind) && before.stage + 1 == stages;
            if (turn)
                before.kind = PassKind::F;
            else
                before.stage += isBackward(before.kind) ? 1 : -1;
            QVERIFY(before.stage < 0 || end.at(before) <= placed.start);
        }
        for (std::size_t device = 0; device < used.size(); ++device) {
            QCOMPARE(static_cast<Ticks>(used[device].size()), block->interval);
            if (lifespan > 0)
                QCOMPARE(lifespans[device], (lifespan * p + more) * block->interval);
        }
    }
}

void TestFamiliesRoutes::severalStepsFollowEachOther_data()
{
    QTest::addColumn<QString>("id");
    for (const char* id : {"chimera", "hanayo", "dualpipe", "dualpipe-v"})
        QTest::newRow(id) << id;
}

void TestFamiliesRoutes::severalStepsFollowEachOther()
{
    QFETCH(QString, id);
    FamilyOptions options = sized(4, 8);
    const Family& of = familyOf(id.toStdString().c_str());
    const UniformCosts costs = equalStages(12, 12, 12, 1);
    const FamilyRun one = runFamily(of, options, costs);
    options.steps = 3;
    const FamilyRun three = runFamily(of, options, costs);
    // Updates take no time here, and a stage of two routes waits for the gradients of both.
    QVERIFY(three.result.makespan <= 3 * one.result.makespan + 6);
    QVERIFY(three.result.makespan > 2 * one.result.makespan);
    QCOMPARE(peakMicroBatches(three.result), peakMicroBatches(one.result));
    const int stages = three.schedule.spec().stages() * three.schedule.spec().routeCount();
    QCOMPARE(three.schedule.passCount(), 3 * (one.schedule.passCount() + stages));
}

void TestFamiliesRoutes::chimeraOrdersAreThePapers()
{
    // Stages are the same for all entries of a device and direction, so a token names kind, number
    // and direction.
    const char* rows[] = {"F0d F1d F0u B0u F1u B1u B0d B1d", "F0d F0u F1d F1u B0u B0d B1u B1d",
                          "F0u F0d F1u F1d B0d B0u B1d B1u", "F0u F1u F0d B0d F1d B1d B0u B1u"};
    DeviceOrders expected(4);
    for (int device = 0; device < 4; ++device) {
        std::istringstream tokens(rows[device]);
        for (std::string token; tokens >> token;) {
            const bool up = token[2] == 'u';
            expected[static_cast<std::size_t>(device)].push_back(
                single({token[0] == 'F' ? PassKind::F : PassKind::BW, static_cast<std::uint8_t>(up),
                        StageId(up ? 3 - device : device), token[1] - '0' + (up ? 2 : 0), 0}));
        }
    }
    const auto schedule = buildUniform(familyOf("chimera"), sized(4, 4), {});
    QVERIFY(schedule);
    QCOMPARE(firstDifference(expected, schedule->orders()), std::string());
}

void TestFamiliesRoutes::chimeraPeaksAreHighestInTheMiddle()
{
    const FamilyRun made = runFamily(familyOf("chimera"), sized(8, 8), equalStages(1, 1, 0));
    const std::vector<int> expected = {5, 6, 7, 8, 8, 7, 6, 5};
    for (std::size_t device = 0; device < expected.size(); ++device)
        QCOMPARE(made.result.devices[device].peakShare, expected[device] * shareOne);
}

void TestFamiliesRoutes::chimeraRatiosAreTheTables_data()
{
    QTest::addColumn<int>("devices");
    QTest::addColumn<double>("equal");
    QTest::addColumn<double>("twice");
    QTest::newRow("4 devices") << 4 << 0.2000 << 0.2500;
    QTest::newRow("8 devices") << 8 << 0.2727 << 0.3333;
    QTest::newRow("16 devices") << 16 << 0.3043 << 0.3684;
}

void TestFamiliesRoutes::chimeraRatiosAreTheTables()
{
    QFETCH(int, devices);
    QFETCH(double, equal);
    QFETCH(double, twice);
    const Family& of = familyOf("chimera");
    const double D = devices;
    for (const int units : {1, 2, 5}) {
        const double N = units * D;
        const FamilyRun made = runFamily(of, sized(devices, units * devices), equalStages(2, 1, 1));
        QVERIFY(std::abs(wallBubble(made.result).rate() - (D - 2) / (2 * N + D - 2)) < 1e-12);
    }
    const FamilyRun first = runFamily(of, sized(devices, devices), equalStages(2, 1, 1));
    QVERIFY(std::abs(wallBubble(first.result).rate() - equal) < 5e-5);
    const FamilyRun second = runFamily(of, sized(devices, devices), equalStages(1, 1, 1));
    QVERIFY(std::abs(wallBubble(second.result).rate() - twice) < 5e-5);
    QVERIFY(std::abs(wallBubble(second.result).rate() - (D - 2) / (1.5 * D + D - 2)) < 1e-12);
}

void TestFamiliesRoutes::chimeraTakesAnyNumberOfMicroBatches()
{
    const Family& of = familyOf("chimera");
    for (const int p : {2, 4, 6, 8, 16}) {
        for (int m = 1; m <= 3 * p + 1; ++m) {
            const FamilyRun made = runFamily(of, sized(p, m), equalStages(2, 1, 1));
            QVERIFY(peakMicroBatches(made.result) <= p);
            // With F as long as BW it is never behind 1F1B, whatever is left over after whole
            // units.
            const FamilyRun plain = runFamily(familyOf("1f1b"), sized(p, m), equalStages(2, 1, 1));
            QVERIFY(made.result.makespan <= plain.result.makespan);
        }
    }
}

void TestFamiliesRoutes::dualPipeIdlesAsItsReplay_data()
{
    QTest::addColumn<QString>("id");
    QTest::addColumn<int>("devices");
    QTest::addColumn<int>("microBatches");
    QTest::addColumn<int>("forward");
    QTest::addColumn<int>("backward");
    QTest::addColumn<int>("weight");
    QTest::addColumn<int>("idle");
    // Times of one chunk; idle on every device.
    QTest::newRow("unit times") << "dualpipe" << 8 << 20 << 1 << 1 << 1 << 6;
    QTest::newRow("3, 4, 2") << "dualpipe" << 8 << 20 << 3 << 4 << 2 << 24;
    QTest::newRow("2, 3, 2") << "dualpipe" << 8 << 20 << 2 << 3 << 2 << 16;
    QTest::newRow("10, 12, 8 on 4") << "dualpipe" << 4 << 8 << 10 << 12 << 8 << 24;
    QTest::newRow("7, 5, 9 on 4") << "dualpipe" << 4 << 8 << 7 << 5 << 9 << 14;
    QTest::newRow("DualPipeV, unit times") << "dualpipe-v" << 4 << 10 << 1 << 1 << 1 << 6;
    QTest::newRow("DualPipeV, 2, 3, 2") << "dualpipe-v" << 4 << 10 << 2 << 3 << 2 << 16;
}

void TestFamiliesRoutes::dualPipeIdlesAsItsReplay()
{
    QFETCH(QString, id);
    QFETCH(int, devices);
    QFETCH(int, microBatches);
    QFETCH(int, forward);
    QFETCH(int, backward);
    QFETCH(int, weight);
    QFETCH(int, idle);
    const int chunks = id == "dualpipe" ? 1 : 2; // of one route
    const FamilyRun made =
        runFamily(familyOf(id.toStdString().c_str()), sized(devices, microBatches),
                  equalStages(chunks * forward, chunks * backward, chunks * weight));
    const Ticks work = Ticks{microBatches} * chunks * (forward + backward + weight);
    for (const DeviceId device : Ids<DeviceId>(devices))
        QCOMPARE(wallBubble(made.result, device).idle, Ticks{idle});
    QCOMPARE(made.result.makespan, work + idle);
    QCOMPARE(peakMicroBatches(made.result), id == "dualpipe" ? devices + 1.0 : devices + 0.5);
}

void TestFamiliesRoutes::aCheaperPairShortensDualPipe()
{
    // For F = B = W the formula of the authors holds for any pair from 2F to 3F.
    for (const int p : {2, 4, 8, 12}) {
        for (const int pair : {20, 24, 27, 30}) {
            UniformCosts costs = equalStages(10, 10, 10);
            costs.pair = pair;
            const FamilyRun made = runFamily(familyOf("dualpipe"), sized(p, 2 * p + 4), costs);
            Ticks most = 0;
            for (const DeviceId device : Ids<DeviceId>(p))
                most = std::max(most, wallBubble(made.result, device).idle);
            QCOMPARE(most, Ticks{(p / 2 - 1) * (pair + 20 - 30)});
        }
    }
}

void TestFamiliesRoutes::hanayoRatiosComeOut_data()
{
    QTest::addColumn<int>("devices");
    QTest::addColumn<int>("waves");
    QTest::addColumn<double>("ratio");
    QTest::newRow("4 devices, 1 wave") << 4 << 1 << 0.333;
    QTest::newRow("4 devices, 2 waves") << 4 << 2 << 0.213;
    QTest::newRow("4 devices, 4 waves") << 4 << 4 << 0.119;
    QTest::newRow("8 devices, 1 wave") << 8 << 1 << 0.368;
    QTest::newRow("8 devices, 2 waves") << 8 << 2 << 0.238;
    QTest::newRow("8 devices, 4 waves") << 8 << 4 << 0.135;
}

void TestFamiliesRoutes::hanayoRatiosComeOut()
{
    QFETCH(int, devices);
    QFETCH(int, waves);
    QFETCH(double, ratio);
    FamilyOptions options = sized(devices, devices);
    options.parameters = {{"waves", waves}};
    const FamilyRun made = runFamily(familyOf("hanayo"), options, equalStages(48, 48, 48));
    QVERIFY(std::abs(wallBubble(made.result).rate() - ratio) < 5e-4);
}

void TestFamiliesRoutes::hanayoNeverHoldsMoreThanPMicroBatches()
{
    for (const int p : {1, 2, 3, 4, 5, 8}) {
        for (const int waves : {1, 2, 3}) {
            for (const int m : {1, 2, p, p + 1, 2 * p, 3 * p + 2}) {
                FamilyOptions options = sized(p, m);
                options.parameters = {{"waves", waves}};
                const FamilyRun made =
                    runFamily(familyOf("hanayo"), options, equalStages(60, 60, 60, 7));
                QVERIFY(peakMicroBatches(made.result) <= p);
            }
        }
    }
}

void TestFamiliesRoutes::hanayoStartsEveryBackwardAsSoonAsItCan()
{
    const std::uint32_t seed = test::randomSeed();
    std::mt19937 random(seed);
    for (int round = 0; round < 20; ++round) {
        const int p = 2 + static_cast<int>(random() % 4);
        FamilyOptions options = sized(p, 1 + static_cast<int>(random() % 12));
        options.parameters = {{"waves", 1 + static_cast<double>(random() % 3)}};
        const Family& of = familyOf("hanayo");
        const auto spec = specOf(of, options);
        Costs costs = expand(equalStages(60, 60, 60, static_cast<Ticks>(random() % 30)), *spec);
        for (auto* table : {&costs.forward, &costs.backward, &costs.weight}) {
            for (Ticks& time : *table)
                time = static_cast<Ticks>(random() % 50);
        }
        const FamilyRun made = runFamily(of, options, costs);
        for (const DeviceId device : Ids<DeviceId>(p)) {
            Ticks idleUntil = 0; // end of the last gap before the entry
            Ticks free = 0;
            for (const EntryId e : made.schedule.entries(device)) {
                const Pass pass = made.schedule.entry(e).pass;
                const auto at = static_cast<std::size_t>(e);
                if (made.result.start[at] > free)
                    idleUntil = made.result.start[at];
                free = made.result.end[at];
                if (pass.kind != PassKind::BW)
                    continue;
                const auto end = [&](Pass other) {
                    const auto entry = made.schedule.entryOf(made.schedule.table().id(other));
                    return made.result.end[static_cast<std::size_t>(entry)];
                };
                Pass own = pass;
                own.kind = PassKind::F;
                Ticks ready = end(own);
                if (pass.stage + 1 < spec->stages()) {
                    Pass next = pass;
                    ++next.stage;
                    const DeviceId from = spec->device(0, next.stage);
                    ready = std::max(ready, arrival(costs, *spec, from, device, 0, end(next)));
                }
                QVERIFY2(idleUntil <= ready, "the device was idle while a backward was ready");
            }
        }
    }
}

void TestFamiliesRoutes::hanayoGainsFromTrueCosts()
{
    // The last stage is three times as slow: an order made for it beats the order for equal stages.
    const FamilyOptions options = sized(4, 12);
    const Family& of = familyOf("hanayo");
    const auto spec = specOf(of, options);
    const Costs equal = expand(equalStages(40, 40, 40), *spec);
    Costs slow = equal;
    for (auto* table : {&slow.forward, &slow.backward, &slow.weight})
        table->back() *= 3;
    const FamilyRun fitted = runFamily(of, options, slow);
    const FamilyRun plain = runFamily(of, options, equal);
    const auto misfit = simulate(plain.schedule, slow);
    QVERIFY(misfit);
    QVERIFY(fitted.result.makespan < misfit->makespan);
}

PW_TEST(TestFamiliesRoutes)
#include "tst_families_routes.moc"
