// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/block/check.h"
#include "core/block/collisions.h"
#include "core/block/draw.h"
#include "core/search/v_auto.h"
#include "core/search/v_model.h"
#include "tests/support/family_runs.h"
#include "tests/support/golden.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace pw;
using namespace pw::test;

namespace {

constexpr Ticks unit = 2 * ticksPerMs; // of a full device share; half a unit is one pass of a chunk

/// What a golden run took and held.
struct Reference
{
    Ticks span = 0;
    Ticks makespan = 0;
    int peak = 0; // chunk activations
};

Reference referenceOf(const GoldenRun& run)
{
    Reference reference;
    reference.span = goldenTicks(run.times->maxSpan);
    reference.makespan = goldenTicks(run.times->makespan);
    reference.peak = *std::max_element(run.times->peakLive.begin(), run.times->peakLive.end());
    return reference;
}

QByteArray named(const GoldenRun& run, const GoldenOrder& order)
{
    return QByteArray::number(order.devices) + " devices, " +
           QByteArray::number(order.microBatches) + " micro-batches, F " +
           QByteArray::number(run.forward[0]) + " B " + QByteArray::number(run.backward[0]) +
           " W " + QByteArray::number(run.weight[0]) + " hop " + QByteArray::number(run.hop) +
           " limit " + QByteArray::number(run.parameters.number("limit"));
}

} // namespace

/// ZB-V, V-Min, V-Half, V-ZB and V-Auto as families.
class TestVFamilies : public QObject
{
    Q_OBJECT

private slots:
    void tooManyDevicesForABlockAreRefused();
    void publishedFiguresComeOut_data();
    void publishedFiguresComeOut();
    void closedFormsHoldOverAGrid_data();
    void closedFormsHoldOverAGrid();
    void ordersEqualTheReferences_data();
    void ordersEqualTheReferences();
    void spansAreNeverWorseThanTheReferences_data();
    void spansAreNeverWorseThanTheReferences();
    void idleTimePerMicroBatchIsThePapers_data();
    void idleTimePerMicroBatchIsThePapers();
    void fewMicroBatchesFollowTheTable();
    void stagesOfUnequalTimesAreUsed();
    void aimingAtTheMakespanIsNeverWorse();
    void zbVIsWorseThanNeitherOfItsOrders_data();
    void zbVIsWorseThanNeitherOfItsOrders();
    void stepsAreRepeated();
    void blocksAreWhole_data();
    void blocksAreWhole();
    void aLimitTooSmallIsRefused();
};

void TestVFamilies::publishedFiguresComeOut_data()
{
    QTest::addColumn<QString>("id");
    QTest::addColumn<int>("devices");
    QTest::addColumn<int>("microBatches");
    QTest::addColumn<double>("span");
    QTest::addColumn<double>("wall");
    QTest::addColumn<double>("peak");
    QTest::newRow("ZB-V on 4") << "zb-v" << 4 << 8 << 0.0 << 3.0 << 4.0;
    QTest::newRow("ZB-V on 8") << "zb-v" << 8 << 32 << 0.0 << 7.0 << 8.0;
    QTest::newRow("V-ZB on 4") << "v-zb" << 4 << 8 << 0.0 << 3.0 << 4.0;
    QTest::newRow("V-ZB on 8") << "v-zb" << 8 << 32 << 0.0 << 7.0 << 8.0;
    QTest::newRow("V-Half on 4") << "v-half" << 4 << 8 << 5.0 << 5.0 << 3.0;
    QTest::newRow("V-Half on 8") << "v-half" << 8 << 32 << 17.0 << 17.0 << 5.0;
    QTest::newRow("V-Min on 4") << "v-min" << 4 << 8 << 11.0 << 11.0 << 2.0;
    QTest::newRow("V-Min on 8") << "v-min" << 8 << 32 << 27.0 << 27.0 << 4.0;
}

void TestVFamilies::publishedFiguresComeOut()
{
    QFETCH(QString, id);
    QFETCH(int, devices);
    QFETCH(int, microBatches);
    QFETCH(double, span);
    QFETCH(double, wall);
    QFETCH(double, peak);
    const auto made = runFamily(familyOf(id.toStdString()), sized(devices, microBatches),
                                equalStages(unit, unit, unit));
    QCOMPARE(msFromTicks(spanBubble(made.result).idle), span);
    QCOMPARE(msFromTicks(wallBubble(made.result).idle), wall);
    QCOMPARE(made.peak(), peak);
}

void TestVFamilies::closedFormsHoldOverAGrid_data()
{
    QTest::addColumn<QString>("id");
    QTest::addColumn<QString>("parameter");
    QTest::addColumn<double>("value");
    QTest::addColumn<int>("mostDevices");
    QTest::newRow("V-Min") << "v-min" << QString() << 0.0 << 32;
    QTest::newRow("V-Half") << "v-half" << QString() << 0.0 << 32;
    QTest::newRow("V-ZB") << "v-zb" << QString() << 0.0 << 32;
    QTest::newRow("ZB-V, the best") << "zb-v"
                                    << "order" << 0.0 << 32;
    QTest::newRow("ZB-V, fixed") << "zb-v"
                                 << "order" << 1.0 << 32;
    QTest::newRow("ZB-V, greedy") << "zb-v"
                                  << "order" << 2.0 << 32;
    QTest::newRow("V-Auto") << "v-auto" << QString() << 0.0 << 12;
}

void TestVFamilies::closedFormsHoldOverAGrid()
{
    QFETCH(QString, id);
    QFETCH(QString, parameter);
    QFETCH(double, value);
    QFETCH(int, mostDevices);
    const Family& family = familyOf(id.toStdString());
    int held = 0;
    for (int p = 2; p <= mostDevices; ++p) {
        for (const int m :
             {p / 3, (p + 1) / 2, p, p + 2, 3 * p / 2, 2 * p - 1, 2 * p, 2 * p + 3, 3 * p}) {
            if (m < 1)
                continue;
            const auto options =
                parameter.isEmpty() ? sized(p, m) : sized(p, m, parameter.toStdString(), value);
            const int count = compareClosedForms(family, options, equalStages(12, 12, 12));
            QVERIFY(count >= 0);
            held += count;
        }
    }
    QVERIFY(held >= 2 * mostDevices);
}

void TestVFamilies::ordersEqualTheReferences_data()
{
    QTest::addColumn<QString>("file");
    QTest::newRow("the authors' V-Min and V-Half") << "sail_zbv_greedy";
    QTest::newRow("PyTorch's ZB-V") << "torch_zbvzerobubble";
    QTest::newRow("Primus' ZB-V") << "primus_zbv_formatted";
}

void TestVFamilies::ordersEqualTheReferences()
{
    QFETCH(QString, file);
    const auto golden = loadGolden(file.toStdString());
    QVERIFY2(golden, golden ? "" : golden.error().message.c_str());
    int compared = 0;
    for (const GoldenRun& run : golden->runs) {
        const GoldenOrder& order = golden->order(run);
        // Primus writes micro-batches that do not exist where there are fewer than 2p−1.
        if (order.hasProblems)
            continue;
        const auto setup = run.parameters.texts.find("setup");
        const bool zbV = setup == run.parameters.texts.end();
        const char* id = zbV ? "zb-v" : setup->second == "min" ? "v-min" : "v-half";
        auto options = sized(order.devices, order.microBatches);
        if (zbV)
            options.parameters.emplace_back("order", 1);
        const auto made = runFamily(familyOf(id), options, goldenCosts(run, order));
        QCOMPARE(firstDifference(order.orders, made.schedule.orders()), std::string());
        QCOMPARE(made.span(), referenceOf(run).span);
        QCOMPARE(made.result.makespan, referenceOf(run).makespan);
        ++compared;
    }
    QVERIFY(compared >= 3);
}

void TestVFamilies::tooManyDevicesForABlockAreRefused()
{
    for (const char* id : {"v-min", "v-half", "v-zb", "v-auto"}) {
        QVERIFY(specOf(familyOf(id), sized(1000, 1000)).has_value());
        const auto refused = specOf(familyOf(id), sized(65'536, 1));
        QVERIFY2(!refused, id);
        QCOMPARE(refused.error().code, ErrorCode::TooLarge);
    }
}

void TestVFamilies::spansAreNeverWorseThanTheReferences_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("id");
    QTest::newRow("the authors' ZB-V") << "sail_zbv"
                                       << "zb-v";
    QTest::newRow("the authors' adaptive search") << "sail_v_auto"
                                                  << "v-auto";
    QTest::newRow("the authors' ZB-V against the search") << "sail_zbv"
                                                          << "v-auto";
    QTest::newRow("the authors' V-Min and V-Half against the search") << "sail_zbv_greedy"
                                                                      << "v-auto";
    QTest::newRow("Primus' V-Min") << "primus_v_min"
                                   << "v-auto";
    QTest::newRow("Primus' V-Half") << "primus_v_half"
                                    << "v-auto";
}

void TestVFamilies::spansAreNeverWorseThanTheReferences()
{
    QFETCH(QString, file);
    QFETCH(QString, id);
    const auto golden = loadGolden(file.toStdString());
    QVERIFY2(golden, golden ? "" : golden.error().message.c_str());
    const Family& family = familyOf(id.toStdString());
    for (const GoldenRun& run : golden->runs) {
        const GoldenOrder& order = golden->order(run);
        const Reference reference = referenceOf(run);
        const auto options =
            sized(order.devices, order.microBatches, "memory-limit", reference.peak / 2.0);
        const auto made = runFamily(family, options, goldenCosts(run, order));
        QVERIFY2(made.span() <= reference.span, named(run, order));
        QVERIFY2(2 * made.peak() <= reference.peak + 1e-9, named(run, order));
    }
    QVERIFY(golden->runs.size() >= 10);
}

void TestVFamilies::idleTimePerMicroBatchIsThePapers_data()
{
    QTest::addColumn<Ticks>("forward");
    QTest::addColumn<Ticks>("backward");
    QTest::addColumn<Ticks>("weight");
    const Ticks grid[][3] = {{1, 1, 1}, {2, 2, 2}, {3, 2, 2}, {2, 3, 2}, {2, 2, 3},
                             {1, 2, 1}, {4, 2, 1}, {2, 5, 1}, {5, 6, 4}, {10, 12, 8},
                             {7, 5, 9}, {1, 3, 2}, {9, 4, 3}, {3, 3, 0}};
    for (const auto& t : grid) {
        const QByteArray name = QByteArray("F ") + QByteArray::number(t[0]) + " B " +
                                QByteArray::number(t[1]) + " W " + QByteArray::number(t[2]);
        QTest::newRow(name) << t[0] << t[1] << t[2];
    }
}

void TestVFamilies::idleTimePerMicroBatchIsThePapers()
{
    QFETCH(Ticks, forward);
    QFETCH(Ticks, backward);
    QFETCH(Ticks, weight);
    const auto growth = [&](const char* id, int p) {
        const auto uniform = equalStages(2 * forward, 2 * backward, 2 * weight);
        // Far enough into the steady state for the slowest ring of devices to set the pace.
        const int m = 8 * p + 8;
        const Ticks work = 2 * (forward + backward + weight);
        return (runFamily(familyOf(id), sized(p, m + 12), uniform).span() -
                runFamily(familyOf(id), sized(p, m), uniform).span()) -
               12 * work;
    };
    // No message waits for a W, so a long W alone makes no ring of devices.
    const Ticks most = std::max(forward, backward);
    const Ticks vMin = std::max(Ticks{0}, 6 * most - 2 * (forward + backward + weight));
    const Ticks vHalf = std::max(
        {Ticks{0}, 2 * forward - weight - 2 * backward, 2 * backward - weight - 2 * forward});
    for (const int p : {4, 6, 8}) {
        QCOMPARE(growth("v-min", p), 12 * vMin);
        QCOMPARE(growth("v-half", p), 12 * vHalf);
        QCOMPARE(growth("zb-v", p), Ticks{0});
    }
}

void TestVFamilies::fewMicroBatchesFollowTheTable()
{
    const auto bubble = [](const char* id, int p, int m, double order = 0) {
        auto options = sized(p, m);
        if (std::string_view(id) == "zb-v")
            options.parameters.emplace_back("order", order);
        const auto made = runFamily(familyOf(id), options, equalStages(2, 2, 2));
        return spanBubble(made.result).idle;
    };
    for (const int p : {3, 4, 8, 12}) {
        for (int m = 1; m < 2 * p; ++m) {
            QCOMPARE(bubble("zb-v", p, m, 1), Ticks{2} * (2 * p - 1 - m));
            QVERIFY(bubble("zb-v", p, m, 0) <= bubble("zb-v", p, m, 1));
            QVERIFY(bubble("zb-v", p, m, 0) <= bubble("zb-v", p, m, 2));
            if (m >= p)
                QCOMPARE(bubble("zb-v", p, m, 2), Ticks{2 * p - 1 - m});
        }
    }
    QCOMPARE(bubble("v-half", 8, 5), Ticks{23});
    QCOMPARE(bubble("v-half", 8, 6), Ticks{24});
    QCOMPARE(bubble("v-half", 8, 7), Ticks{17});
    QVERIFY(bubble("v-half", 4, 5) != 5);
    QCOMPARE(bubble("v-half", 4, 6), Ticks{5});
    for (int m = 1; m <= 32; ++m)
        QVERIFY(bubble("v-min", 8, m) == 26 || bubble("v-min", 8, m) == 27);
}

void TestVFamilies::stagesOfUnequalTimesAreUsed()
{
    // An embedding on the first stage and a head on the last, which share a device, and slow links.
    const auto options = sized(6, 18);
    const Family& zbV = familyOf("zb-v");
    const auto spec = specOf(zbV, options);
    QVERIFY(spec);
    Costs costs = expand(equalStages(2000, 2100, 1700, 150), *spec);
    costs.forward.front() += 300;
    costs.forward.back() += 700;
    costs.backward.back() += 600;
    costs.weight.back() += 500;
    Ticks best = 0;
    for (const double order : {0.0, 1.0, 2.0}) {
        const auto made = runFamily(zbV, sized(6, 18, "order", order), costs);
        if (order == 0)
            best = made.span();
        QVERIFY(best <= made.span());
    }
    const auto searched = runFamily(familyOf("v-auto"), options, costs);
    QVERIFY(searched.span() <= best);
    QVERIFY(searched.peak() <= 6);
    // Device 0 holds both, and nobody can be faster than it.
    QVERIFY(searched.span() >= 18 * (2000 + 2100 + 1700 + 2100));
}

void TestVFamilies::aimingAtTheMakespanIsNeverWorse()
{
    for (const double limit : {2.0, 3.0, 4.0}) {
        auto options = sized(4, 10, "memory-limit", limit);
        const auto costs = equalStages(2000, 2400, 1600, 130);
        const auto span = runFamily(familyOf("v-auto"), options, costs);
        options.parameters.emplace_back("aim", 1);
        const auto makespan = runFamily(familyOf("v-auto"), options, costs);
        QVERIFY(makespan.result.makespan <= span.result.makespan);
        QVERIFY(span.span() <= makespan.span());
        QVERIFY(makespan.peak() <= limit);
    }
}

void TestVFamilies::zbVIsWorseThanNeitherOfItsOrders_data()
{
    QTest::addColumn<int>("devices");
    QTest::addColumn<int>("microBatches");
    for (const auto& [p, m] : {std::pair(4, 8), {4, 16}, {8, 16}, {8, 32}, {16, 32}, {16, 64}})
        QTest::addRow("%d devices, %d micro-batches", p, m) << p << m;
}

/// In the memory of the fixed order it ends no later than that, and no device takes longer than in
/// the greedy one.
void TestVFamilies::zbVIsWorseThanNeitherOfItsOrders()
{
    QFETCH(int, devices);
    QFETCH(int, microBatches);
    const Family& family = familyOf("zb-v");
    const auto made = [&](const UniformCosts& costs, std::string name, double value) {
        return runFamily(family, sized(devices, microBatches, std::move(name), value), costs);
    };
    for (const UniformCosts& costs :
         {equalStages(20, 24, 16), equalStages(14, 10, 18), equalStages(200, 260, 140)}) {
        const FamilyRun fixed = made(costs, "order", 1), greedy = made(costs, "order", 2);
        const FamilyRun best = made(costs, "order", 0);
        QVERIFY(best.result.makespan <= fixed.result.makespan);
        QVERIFY(best.span() <= fixed.span());
        QVERIFY(best.span() <= greedy.span());
        QVERIFY(best.peak() <= fixed.peak());
    }
    // With messages no order need have both; each aim has its own.
    for (const UniformCosts& costs : {equalStages(20, 24, 16, 2), equalStages(14, 10, 18, 3)}) {
        const FamilyRun fixed = made(costs, "order", 1), greedy = made(costs, "order", 2);
        const FamilyRun sooner = made(costs, "aim", 1);
        QVERIFY(made(costs, "aim", 0).span() <= std::min(fixed.span(), greedy.span()));
        QVERIFY(sooner.result.makespan <= std::min(fixed.result.makespan, greedy.result.makespan));
    }
}

void TestVFamilies::stepsAreRepeated()
{
    for (const char* id : {"zb-v", "v-min", "v-half", "v-zb", "v-auto"}) {
        auto options = sized(4, 6);
        options.steps = 3;
        const auto schedule = buildUniform(familyOf(id), options, {});
        QVERIFY2(schedule, schedule ? "" : schedule.error().message.c_str());
        QCOMPARE(schedule->spec().totalMicroBatches(), 18);
        QVERIFY(schedule->spec().updates);
    }
}

void TestVFamilies::blocksAreWhole_data()
{
    QTest::addColumn<QString>("id");
    QTest::newRow("V-Min") << "v-min";
    QTest::newRow("V-Half") << "v-half";
    QTest::newRow("V-ZB") << "v-zb";
}

void TestVFamilies::blocksAreWhole()
{
    QFETCH(QString, id);
    const Family& family = familyOf(id.toStdString());
    for (int p = 1; p <= 32; ++p) {
        const auto block = family.block(sized(p, 2 * p));
        QVERIFY2(block, block ? "" : block.error().message.c_str());
        QCOMPARE(block->interval, Ticks{6});
        const auto whole = check(*block);
        QVERIFY2(whole, whole ? "" : whole.error().message.c_str());
        QVERIFY(collisions(*block).empty());
    }
}

void TestVFamilies::aLimitTooSmallIsRefused()
{
    auto options = sized(4, 8, "memory-limit", 3);
    QVERIFY(runFamily(familyOf("zb-v"), options, equalStages(2, 2, 2)).peak() <= 3);
    options.parameters.emplace_back("order", 1);
    const auto fixed = buildUniform(familyOf("zb-v"), options, {});
    QVERIFY(!fixed);
    QCOMPARE(fixed.error().code, ErrorCode::MemoryLimit);
    QVERIFY(fixed.error().message.english().find("needs a memory-limit of 4") != std::string::npos);
    const auto none = buildUniform(familyOf("v-auto"), sized(4, 8, "memory-limit", 0.5), {});
    QVERIFY(!none);
    QVERIFY(none.error().message.english().find("memory-limit") != std::string::npos);
    const auto least = buildUniform(familyOf("v-auto"), sized(4, 8, "memory-limit", 1), {});
    QVERIFY(least);
}

PW_TEST(TestVFamilies)
#include "tst_v_families.moc"
