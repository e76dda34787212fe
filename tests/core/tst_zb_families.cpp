// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/block/arrangement.h"
#include "core/families/family.h"
#include "core/sim/metrics.h"
#include "core/sim/simulator.h"
#include "tests/support/family_runs.h"
#include "tests/support/golden.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <cmath>

using namespace pw;
using namespace pw::test;

namespace {

/// Options of zb-auto; the search gets time enough that only its work limit counts.
FamilyOptions searched(int devices, int microBatches, double memoryLimit, double seconds = 600)
{
    FamilyOptions options = sized(devices, microBatches);
    options.parameters = {{"memory-limit", memoryLimit}, {"time-limit", seconds}};
    return options;
}

/// Equal stages with times in milliseconds.
UniformCosts times(double forward, double backward, double weight, double hop = 0)
{
    return equalStages(ticksFromMs(forward), ticksFromMs(backward), ticksFromMs(weight),
                       ticksFromMs(hop));
}

/// "F0 F1 B0 W0 …" of one device.
QString text(const Schedule& schedule, DeviceId device)
{
    QStringList tokens;
    for (const EntryId e : schedule.entries(device)) {
        const Pass pass = schedule.entry(e).pass;
        tokens << QString::fromLatin1(name(pass.kind).data(),
                                      static_cast<qsizetype>(name(pass.kind).size())) +
                      QString::number(pass.microBatch);
    }
    return tokens.join(' ');
}

struct PublishedRow
{
    const char* model;
    int p, m;
    double forward, backward, weight, hop; ///< milliseconds
    double oneF, h1, h2, onep, twop;       ///< span bubble rates
};

/// arXiv:2401.10241, profiled times (Table 6 of the ICLR version) and bubble rates (Table 5).
constexpr std::array<PublishedRow, 12> published = {{
    {"1.5B", 8, 24, 18.522, 18.086, 9.337, .601, .2431, .1585, .1083, .1585, .0433},
    {"1.5B", 8, 32, 18.513, 18.086, 9.331, .626, .1985, .1242, .0837, .1242, .0039},
    {"1.5B", 8, 64, 18.546, 18.097, 9.321, .762, .1240, .0674, .0444, .0674, .0026},
    {"6.2B", 8, 24, 29.718, 29.444, 19.927, .527, .2347, .1323, .0698, .1323, .0029},
    {"6.2B", 8, 32, 29.802, 29.428, 19.530, .577, .1898, .1045, .0559, .1045, .0022},
    {"6.2B", 8, 64, 29.935, 29.621, 19.388, .535, .1091, .0554, .0294, .0554, .0010},
    {"14.6B", 16, 48, 11.347, 11.248, 8.132, .377, .2552, .1397, .0672, .1397, .0066},
    {"14.6B", 16, 64, 11.307, 11.254, 8.101, .379, .2082, .1088, .0516, .1088, .0054},
    {"14.6B", 16, 128, 11.325, 11.308, 8.109, .378, .1251, .0576, .0266, .0576, .0028},
    {"28.3B", 32, 96, 10.419, 10.207, 7.715, .408, .2646, .1421, .0641, .1421, .0038},
    {"28.3B", 32, 128, 10.408, 10.204, 7.703, .408, .2168, .1106, .0490, .1106, .0029},
    {"28.3B", 32, 256, 10.402, 10.248, 7.698, .460, .1352, .0594, .0257, .0594, .0018},
}};

} // namespace

/// ZB-H1, ZB-H2 and the automatic zero-bubble scheduler, as families.
class TestZbFamilies : public QObject
{
    Q_OBJECT

private slots:
    void ordersAreThoseOfThePaper_data();
    void ordersAreThoseOfThePaper();
    void publishedFiguresComeOut_data();
    void publishedFiguresComeOut();
    void publishedBubbleRatesComeOut_data();
    void publishedBubbleRatesComeOut();
    void theSearchIsNeverWorseThanThePublishedRate_data();
    void theSearchIsNeverWorseThanThePublishedRate();
    void closedFormsHoldOverAGrid_data();
    void closedFormsHoldOverAGrid();
    void fewMicroBatchesIdleAsKnown_data();
    void fewMicroBatchesIdleAsKnown();
    void devicesHoldWhatThePaperSays_data();
    void devicesHoldWhatThePaperSays();
    void bubbleFallsWithTheMemoryLimit();
    void repeatedBlocksGiveTheOrder_data();
    void repeatedBlocksGiveTheOrder();
    void fixedOrdersEqualTheReferences_data();
    void fixedOrdersEqualTheReferences();
    void searchedSpansAreNoWorseThanTheReferences_data();
    void searchedSpansAreNoWorseThanTheReferences();
    void theSearchUsesTimesAndLinksOfEveryStage();
    void theSearchKeepsTheMemoryOfTheDevices();
    void aLimitBelowOneMicroBatchIsRefused();
    void stepsRepeatTheOrderAndUpdate();
};

void TestZbFamilies::ordersAreThoseOfThePaper_data()
{
    QTest::addColumn<QString>("id");
    QTest::addColumn<int>("microBatches");
    QTest::addColumn<QStringList>("devices");
    QTest::newRow("ZB-H1 on 4 devices")
        << "zb-h1" << 6
        << QStringList{"F0 F1 F2 F3 B0 W0 F4 B1 W1 F5 B2 W2 B3 W3 B4 W4 B5 W5",
                       "F0 F1 F2 B0 F3 B1 W0 F4 B2 W1 F5 B3 W2 B4 W3 B5 W4 W5",
                       "F0 F1 B0 F2 B1 F3 B2 W0 F4 B3 W1 F5 B4 W2 B5 W3 W4 W5",
                       "F0 B0 F1 B1 F2 B2 F3 B3 W0 F4 B4 W1 F5 B5 W2 W3 W4 W5"};
    QTest::newRow("ZB-H2 on 4 devices")
        << "zb-h2" << 6
        << QStringList{"F0 F1 F2 F3 F4 F5 B0 W0 B1 W1 B2 W2 B3 W3 B4 W4 B5 W5",
                       "F0 F1 F2 F3 F4 B0 F5 B1 B2 W0 B3 W1 B4 W2 B5 W3 W4 W5",
                       "F0 F1 F2 B0 F3 B1 F4 B2 F5 B3 B4 W0 B5 W1 W2 W3 W4 W5",
                       "F0 B0 F1 B1 F2 B2 F3 B3 F4 B4 F5 B5 W0 W1 W2 W3 W4 W5"};
    QTest::newRow("ZB-H1 with fewer micro-batches than devices")
        << "zb-h1" << 2
        << QStringList{"F0 F1 B0 W0 B1 W1", "F0 F1 B0 B1 W0 W1", "F0 F1 B0 B1 W0 W1",
                       "F0 B0 F1 B1 W0 W1"};
    QTest::newRow("ZB-H2 with one micro-batch")
        << "zb-h2" << 1 << QStringList{"F0 B0 W0", "F0 B0 W0", "F0 B0 W0", "F0 B0 W0"};
}

void TestZbFamilies::ordersAreThoseOfThePaper()
{
    QFETCH(QString, id);
    QFETCH(int, microBatches);
    QFETCH(QStringList, devices);
    const FamilyRun made =
        runFamily(familyOf(id.toUtf8().constData()),
                  sized(static_cast<int>(devices.size()), microBatches), times(1, 1, 1));
    for (const DeviceId device : Ids<DeviceId>(devices.size()))
        QCOMPARE(text(made.schedule, device), devices[device]);
}

void TestZbFamilies::publishedFiguresComeOut_data()
{
    QTest::addColumn<QString>("id");
    QTest::addColumn<int>("devices");
    QTest::addColumn<int>("microBatches");
    QTest::addColumn<double>("span");
    QTest::addColumn<double>("wall");
    QTest::addColumn<double>("peak");
    QTest::newRow("ZB-H1 on 4") << "zb-h1" << 4 << 8 << 6.0 << 6.0 << 4.0;
    QTest::newRow("ZB-H1 on 8") << "zb-h1" << 8 << 32 << 14.0 << 14.0 << 8.0;
    QTest::newRow("ZB-H2 on 4") << "zb-h2" << 4 << 8 << 0.0 << 6.0 << 7.0;
    QTest::newRow("ZB-H2 on 8") << "zb-h2" << 8 << 32 << 0.0 << 14.0 << 15.0;
}

void TestZbFamilies::publishedFiguresComeOut()
{
    QFETCH(QString, id);
    QFETCH(int, devices);
    QFETCH(int, microBatches);
    QFETCH(double, span);
    QFETCH(double, wall);
    QFETCH(double, peak);
    const FamilyRun made =
        runFamily(familyOf(id.toUtf8().constData()), sized(devices, microBatches), times(2, 2, 2));
    QCOMPARE(msFromTicks(spanBubble(made.result).idle), span);
    QCOMPARE(msFromTicks(wallBubble(made.result).idle), wall);
    QCOMPARE(peakMicroBatches(made.result), peak);
}

void TestZbFamilies::publishedBubbleRatesComeOut_data()
{
    QTest::addColumn<int>("row");
    QTest::addColumn<QString>("id");
    QTest::addColumn<double>("depths"); ///< memory limit over p; 0: the family takes none
    QTest::addColumn<double>("rate");
    for (std::size_t row = 0; row < published.size(); ++row) {
        const PublishedRow& it = published[row];
        const auto add = [&it, row](const char* title, const char* id, double depths, double rate) {
            QTest::addRow("%s, %s on %d devices, %d micro-batches", title, it.model, it.p, it.m)
                << static_cast<int>(row) << QString(id) << depths << rate;
        };
        add("1F1B", "1f1b", 0, it.oneF);
        add("ZB-H1", "zb-h1", 0, it.h1);
        add("ZB-H2", "zb-h2", 0, it.h2);
        add("ZB-1p", "zb-auto", 1, it.onep);
        add("ZB-2p", "zb-auto", 2, it.twop);
    }
}

void TestZbFamilies::publishedBubbleRatesComeOut()
{
    QFETCH(int, row);
    QFETCH(QString, id);
    QFETCH(double, depths);
    QFETCH(double, rate);
    const PublishedRow& it = published[static_cast<std::size_t>(row)];
    UniformCosts uniform = times(it.forward, it.backward, it.weight, it.hop);
    uniform.keptForWeight = 0.5;
    const FamilyOptions options =
        depths == 0 ? sized(it.p, it.m) : searched(it.p, it.m, depths * it.p, 0);
    const FamilyRun made = runFamily(familyOf(id.toUtf8().constData()), options, uniform);
    const double got = spanBubble(made.result).rate();
    QVERIFY2(std::abs(got - rate) <= 0.00005, std::to_string(got).c_str());
    if (depths > 0)
        QVERIFY(peakMicroBatches(made.result) <= depths * it.p);
}

void TestZbFamilies::theSearchIsNeverWorseThanThePublishedRate_data()
{
    QTest::addColumn<int>("row");
    for (std::size_t row = 0; row < published.size(); ++row)
        QTest::addRow("%s on %d devices, %d micro-batches", published[row].model, published[row].p,
                      published[row].m)
            << static_cast<int>(row);
}

void TestZbFamilies::theSearchIsNeverWorseThanThePublishedRate()
{
    QFETCH(int, row);
    const PublishedRow& it = published[static_cast<std::size_t>(row)];
    UniformCosts uniform = times(it.forward, it.backward, it.weight, it.hop);
    uniform.keptForWeight = 0.5;
    const FamilyRun tight = runFamily(familyOf("zb-auto"), searched(it.p, it.m, it.p), uniform);
    QVERIFY(spanBubble(tight.result).rate() < it.onep + 0.00005);
    QVERIFY(peakMicroBatches(tight.result) <= it.p);
    const FamilyRun wide = runFamily(familyOf("zb-auto"), searched(it.p, it.m, 2 * it.p), uniform);
    QVERIFY(spanBubble(wide.result).rate() < it.twop + 0.00005);
    QVERIFY(peakMicroBatches(wide.result) <= 2 * it.p);
}

void TestZbFamilies::closedFormsHoldOverAGrid_data()
{
    QTest::addColumn<QString>("id");
    QTest::newRow("ZB-H1") << "zb-h1";
    QTest::newRow("ZB-H2") << "zb-h2";
}

void TestZbFamilies::closedFormsHoldOverAGrid()
{
    QFETCH(QString, id);
    const double grid[][3] = {{1, 1, 1}, {3, 4, 2}, {5, 3, 1}, {2, 2, 3}, {2, 4, 3}, {4, 2, 3}};
    int compared = 0;
    for (int p = 2; p <= 32; ++p) {
        for (const int m : {1, p - 1, p, p + 1, 2 * p - 2, 2 * p - 1, 2 * p, 3 * p}) {
            for (const auto& t : grid) {
                const int count = compareClosedForms(familyOf(id.toUtf8().constData()), sized(p, m),
                                                     times(t[0], t[1], t[2]));
                QVERIFY(count >= 0);
                compared += count;
            }
        }
    }
    QVERIFY(compared > 2000);
}

void TestZbFamilies::fewMicroBatchesIdleAsKnown_data()
{
    QTest::addColumn<int>("devices");
    for (const int p : {2, 3, 4, 6, 8, 12})
        QTest::addRow("%d devices", p) << p;
}

void TestZbFamilies::fewMicroBatchesIdleAsKnown()
{
    QFETCH(int, devices);
    const int p = devices;
    for (int m = 1; m <= 2 * p; ++m) {
        const FamilyRun h1 = runFamily(familyOf("zb-h1"), sized(p, m), times(1, 1, 1));
        QCOMPARE(msFromTicks(spanBubble(h1.result).idle), std::max(p - 1., 2. * p - 1 - m));
        const FamilyRun h2 = runFamily(familyOf("zb-h2"), sized(p, m), times(1, 1, 1));
        QCOMPARE(msFromTicks(spanBubble(h2.result).idle), std::max(0., 2. * p - 1 - m));
        // W shorter than B and F: the whole of arXiv:2401.10241 App. H, with m up to p
        if (m > p)
            continue;
        const FamilyRun uneven = runFamily(familyOf("zb-h1"), sized(p, m), times(5, 4, 3));
        QCOMPARE(msFromTicks(uneven.span()), (m + p - 1) * 9. + 3);
        const FamilyRun best = runFamily(familyOf("zb-auto"), searched(p, m, p), times(5, 4, 3));
        QCOMPARE(msFromTicks(best.span()), (m + p - 1) * 9. + 3);
    }
}

void TestZbFamilies::devicesHoldWhatThePaperSays_data()
{
    QTest::addColumn<int>("devices");
    for (const int p : {2, 4, 8, 16})
        QTest::addRow("%d devices", p) << p;
}

void TestZbFamilies::devicesHoldWhatThePaperSays()
{
    QFETCH(int, devices);
    const int p = devices;
    // worker i of 0 … p−1 holds (p−i)M_B + i·M_W, with H2 (2(p−i)−1)M_B + 2i·M_W; with M_W = 0
    // the first part is all there is
    UniformCosts uniform = times(1, 1, 1);
    uniform.keptForWeight = 0;
    const FamilyRun h1 = runFamily(familyOf("zb-h1"), sized(p, 3 * p), uniform);
    const FamilyRun h2 = runFamily(familyOf("zb-h2"), sized(p, 3 * p), uniform);
    for (int i = 0; i < p; ++i) {
        const auto at = static_cast<std::size_t>(i);
        QCOMPARE(h1.result.devices[at].peakShare, (p - i) * shareOne);
        QCOMPARE(h2.result.devices[at].peakShare, (2 * (p - i) - 1) * shareOne);
    }
    uniform.keptForWeight = 1;
    const FamilyRun all1 = runFamily(familyOf("zb-h1"), sized(p, 3 * p), uniform);
    const FamilyRun all2 = runFamily(familyOf("zb-h2"), sized(p, 3 * p), uniform);
    for (int i = 0; i < p; ++i) {
        const auto at = static_cast<std::size_t>(i);
        QCOMPARE(all1.result.devices[at].peakShare, p * shareOne);
        QCOMPARE(all2.result.devices[at].peakShare, (2 * p - 1) * shareOne);
    }
}

void TestZbFamilies::bubbleFallsWithTheMemoryLimit()
{
    int compared = 0;
    for (const double kept : {0.5, 1.0}) {
        UniformCosts uniform = times(1, 1, 1);
        uniform.keptForWeight = kept;
        for (const int p : {2, 3, 4, 8}) {
            for (const int m : {1, p, 2 * p - 1, 3 * p}) {
                for (int limit = p; limit <= 2 * p; ++limit) {
                    const int count =
                        compareClosedForms(familyOf("zb-auto"), searched(p, m, limit), uniform);
                    QVERIFY(count >= 0);
                    compared += count;
                }
            }
        }
    }
    QVERIFY(compared > 100);
}

void TestZbFamilies::repeatedBlocksGiveTheOrder_data()
{
    QTest::addColumn<QString>("id");
    QTest::newRow("ZB-H1") << "zb-h1";
    QTest::newRow("ZB-H2") << "zb-h2";
}

void TestZbFamilies::repeatedBlocksGiveTheOrder()
{
    QFETCH(QString, id);
    const Family& of = familyOf(id.toUtf8().constData());
    for (const int p : {2, 3, 4, 8, 16}) {
        for (const int m : {1, p, 2 * p - 1, 3 * p}) {
            const auto block = of.block(sized(p, m));
            QVERIFY2(block, block ? "" : block.error().message.c_str());
            const auto arrangement = repeat(*block, m);
            QVERIFY2(arrangement, arrangement ? "" : arrangement.error().message.c_str());
            const FamilyRun made = runFamily(of, sized(p, m), times(1, 1, 1));
            const std::string difference =
                firstDifference(made.schedule.orders(), ordersOf(*arrangement));
            QVERIFY2(difference.empty(), difference.c_str());
        }
    }
}

void TestZbFamilies::fixedOrdersEqualTheReferences_data()
{
    QTest::addColumn<QString>("file");
    QTest::newRow("Victarry") << "victarry_zb1p";
    QTest::newRow("Primus") << "primus_zero_bubble";
}

void TestZbFamilies::fixedOrdersEqualTheReferences()
{
    QFETCH(QString, file);
    const auto golden = loadGolden(file.toStdString());
    QVERIFY2(golden, golden ? "" : golden.error().message.c_str());
    int compared = 0;
    for (const auto& [key, order] : golden->orders) {
        if (order.hasProblems)
            continue;
        const FamilyRun made =
            runFamily(familyOf("zb-h1"), sized(order.devices, order.microBatches), times(1, 1, 1));
        const std::string difference = firstDifference(order.orders, made.schedule.orders());
        QVERIFY2(difference.empty(), (key + ": " + difference).c_str());
        ++compared;
    }
    QVERIFY(compared > 3);
}

void TestZbFamilies::searchedSpansAreNoWorseThanTheReferences_data()
{
    QTest::addColumn<QString>("file");
    for (const char* file : {"sail_zb", "sail_ilp", "victarry_zb1p", "primus_zero_bubble",
                             "primus_zero_bubble_heuristic"})
        QTest::newRow(file) << file;
}

void TestZbFamilies::searchedSpansAreNoWorseThanTheReferences()
{
    QFETCH(QString, file);
    const auto golden = loadGolden(file.toStdString());
    QVERIFY2(golden, golden ? "" : golden.error().message.c_str());
    const bool knowsMemory = file.startsWith("sail");
    int compared = 0;
    int better = 0;
    for (const GoldenRun& run : golden->runs) {
        const GoldenOrder& order = golden->order(run);
        if (order.hasProblems || !run.times)
            continue;
        Costs costs = goldenCosts(run, order);
        double limit = 0;
        if (knowsMemory) {
            const std::vector<double>& memory = run.parameters.lists.at("mem");
            for (ActivationCost& cost : costs.activation)
                cost.keptForWeightShare =
                    static_cast<Share>(static_cast<double>(cost.share) * -memory[2] / memory[0]);
            limit = run.parameters.number("limit", 3.0 * order.microBatches);
        } else {
            // these hold an activation until W; what they hold at most is the limit to keep
            limit = *std::max_element(run.times->peakLive.begin(), run.times->peakLive.end());
        }
        const FamilyRun made = runFamily(familyOf("zb-auto"),
                                         searched(order.devices, order.microBatches, limit), costs);
        const Ticks expected = goldenTicks(run.times->maxSpan);
        const Ticks got = made.span();
        QVERIFY2(got <= expected, (run.order + ": " + std::to_string(msFromTicks(got)) +
                                   " against " + std::to_string(msFromTicks(expected)))
                                      .c_str());
        QVERIFY(peakMicroBatches(made.result) <= limit);
        ++compared;
        better += got < expected ? 1 : 0;
    }
    QVERIFY(compared > 5);
    qInfo("%d runs, %d with a shorter span than the reference", compared, better);
}

void TestZbFamilies::theSearchUsesTimesAndLinksOfEveryStage()
{
    const Family& of = familyOf("zb-auto");
    const FamilyOptions options = searched(4, 8, 4);
    const auto spec = specOf(of, options);
    QVERIFY(spec);
    Costs costs = expand(times(5, 6, 4, 1), *spec);
    const Ticks equal = runFamily(of, options, costs).span();
    costs.forward[2] *= 2;
    costs.weight[0] /= 2;
    costs.links.assign(16, costs.link);
    costs.links[1 * 4 + 2].latency = ticksFromMs(3);
    costs.links[2 * 4 + 1].bytesPerSecond = 1e6;
    costs.backwardMessage.assign(4, 2000); // 2 ms on the slow link
    costs.forwardMessage.assign(4, 0);
    const FamilyRun made = runFamily(of, options, costs);
    // the order for equal stages, timed with the unequal costs, is not shorter
    const auto blind = of.build(*spec, options, expand(times(5, 6, 4, 1), *spec));
    QVERIFY(blind);
    const auto timed = simulate(*blind, costs);
    QVERIFY(timed);
    QVERIFY(made.span() < (FamilyRun{*blind, costs, *timed}.span()));
    QVERIFY(made.span() > equal);
}

void TestZbFamilies::theSearchKeepsTheMemoryOfTheDevices()
{
    const Family& of = familyOf("zb-auto");
    const FamilyOptions options = searched(4, 12, 8);
    const auto spec = specOf(of, options);
    QVERIFY(spec);
    UniformCosts uniform = times(5, 6, 4, 1);
    uniform.activation = 1000;
    uniform.keptForWeight = 0.5;
    Costs costs = expand(uniform, *spec);
    costs.weights.assign(4, 500);
    costs.memoryCap = {9000, 9000, 5500, 9000};
    const FamilyRun made = runFamily(of, options, costs);
    QVERIFY(made.result.devices[2].peakActivation <= 5000);
    QVERIFY(made.result.devices[0].peakActivation > 5000);
    QVERIFY(made.result.devices[0].peakActivation <= 8000);
    costs.memoryCap[3] = 1499;
    const auto refused = of.build(*spec, options, costs);
    QVERIFY(!refused);
    QVERIFY(refused.error().code == ErrorCode::MemoryLimit);
    QVERIFY(refused.error().message.english().find("stage 3") != std::string::npos);
}

void TestZbFamilies::aLimitBelowOneMicroBatchIsRefused()
{
    const Family& of = familyOf("zb-auto");
    const auto refused = buildUniform(of, searched(4, 8, 0.5), times(1, 1, 1));
    QVERIFY(!refused);
    QVERIFY(refused.error().code == ErrorCode::MemoryLimit);
    QVERIFY(refused.error().message.english().find("smallest limit that works is 1") !=
            std::string::npos);
    const FamilyRun one = runFamily(of, searched(4, 8, 1), times(1, 1, 1));
    QCOMPARE(peakMicroBatches(one.result), 1.0);
    FamilyOptions negative = searched(4, 8, -1);
    QVERIFY(!specOf(of, negative));
}

void TestZbFamilies::stepsRepeatTheOrderAndUpdate()
{
    for (const char* id : {"zb-h1", "zb-h2", "zb-auto"}) {
        FamilyOptions options = sized(3, 5);
        options.steps = 2;
        const FamilyRun made = runFamily(familyOf(id), options, times(1, 1, 1));
        QCOMPARE(made.schedule.passCount(), std::int64_t{2 * 3 * (3 * 5 + 1)});
        const QStringList tokens = text(made.schedule, DeviceId(0)).split(' ');
        QCOMPARE(tokens[15], QString("U0"));
        QCOMPARE(tokens[16], QString("F5"));
    }
}

PW_TEST(TestZbFamilies)
#include "tst_zb_families.moc"
