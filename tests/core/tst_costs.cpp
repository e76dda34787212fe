// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/model/costs.h"
#include "core/sim/simulator.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <functional>
#include <limits>

using namespace pw;

namespace {

PipelineSpec threeStages()
{
    PipelineSpec spec;
    spec.devices = 3;
    spec.microBatches = 4;
    spec.routes = {Placement::linear(3)};
    spec.segmentLengths = {2, 1};
    return spec;
}

using Change = std::function<void(Costs&)>;

void refusal(const char* name, ErrorCode code, Change change)
{
    QTest::newRow(name) << static_cast<int>(code) << change;
}

} // namespace

Q_DECLARE_METATYPE(Change)

class TestCosts : public QObject
{
    Q_OBJECT

private slots:
    void whatDoesNotFitTheSpecIsRefused_data();
    void whatDoesNotFitTheSpecIsRefused();
    void theLargestCostsStayInside64Bits();
    void theShareOfADeviceIsSplitByChunkAndLength();
    void allPassesOfACellTogetherChangeNothing_data();
    void allPassesOfACellTogetherChangeNothing();
    void anUpdateTakesTheGradientsOfTheStage();
};

void TestCosts::whatDoesNotFitTheSpecIsRefused_data()
{
    QTest::addColumn<int>("code");
    QTest::addColumn<Change>("change");
    constexpr auto bad = ErrorCode::BadValue;
    constexpr auto large = ErrorCode::TooLarge;
    constexpr std::int64_t huge = std::numeric_limits<std::int64_t>::max() / 8;
    const Pass first{PassKind::F, 0, 0, 0, 0};
    refusal("too few times", bad, [](Costs& c) { c.forward.pop_back(); });
    refusal("no times", bad, [](Costs& c) { c.weight.clear(); });
    refusal("a negative time", bad, [](Costs& c) { c.backward[2] = -1; });
    refusal("a time beyond the longest", bad, [](Costs& c) { c.forward[1] = longestPass + 1; });
    refusal("a negative single time", bad, [=](Costs& c) { c.single = {{first, -1}}; });
    refusal("a single time beyond the longest", bad, [=](Costs& c) {
        c.single = {{first, longestPass + 1}};
    });
    refusal("a single time twice", bad, [=](Costs& c) { c.single = {{first, 1}, {first, 1}}; });
    refusal("updates by cell", bad, [](Costs& c) { c.update.assign(6, 1); });
    refusal("messages by stage", bad, [](Costs& c) { c.forwardMessage.assign(3, 1); });
    refusal("a negative message", bad, [](Costs& c) { c.backwardMessage.assign(6, -1); });
    refusal("caps of two devices", bad, [](Costs& c) { c.memoryCap = {1, 1}; });
    refusal("a negative cap", bad, [](Costs& c) { c.memoryCap = {1, -1, 1}; });
    refusal("a negative cap of shares", bad, [](Costs& c) { c.shareCap = -1; });
    refusal("links of some pairs", bad, [](Costs& c) { c.links.resize(6); });
    refusal("a negative latency", bad, [](Costs& c) { c.link.latency = -1; });
    refusal("a trace that goes back", bad, [](Costs& c) { c.linkTrace = {{5, 1}, {5, 2}}; });
    refusal("a standing link", bad, [](Costs& c) { c.linkTrace = {{0, 0}}; });
    refusal("more kept than there is", bad, [](Costs& c) { c.activation[0].keptForWeight = 1; });
    refusal("activations beyond 64 bits", large,
            [](Costs& c) { c.activation[0].activation = huge; });
    refusal("shares beyond 64 bits", large, [](Costs& c) { c.activation[0].share = huge; });
    refusal("weights beyond 64 bits", large, [=](Costs& c) { c.weights.assign(3, huge); });
    refusal("latencies beyond 64 bits", large, [](Costs& c) { c.link.latency = huge; });
    refusal("a link slower than 64 bits", large, [](Costs& c) {
        c.link.bytesPerSecond = 1e-300;
        c.forwardMessage.assign(6, 1);
    });
    refusal("a trace slower than 64 bits", large, [](Costs& c) {
        c.link.latency = ticksPerMs;
        c.linkTrace = {{0, 1e300}};
    });
}

void TestCosts::whatDoesNotFitTheSpecIsRefused()
{
    QFETCH(int, code);
    QFETCH(Change, change);
    const PipelineSpec spec = threeStages();
    Costs costs = expand({}, spec);
    QVERIFY(check(costs, spec).has_value());
    change(costs);
    const auto refused = check(costs, spec);
    QVERIFY(!refused.has_value());
    QCOMPARE(static_cast<int>(refused.error().code), code);
}

void TestCosts::theLargestCostsStayInside64Bits()
{
    PipelineSpec spec;
    spec.microBatches = 64;
    Costs costs = expand({}, spec);
    costs.forward = costs.backward = costs.weight = {longestPass};
    costs.activation[0].activation = std::numeric_limits<Bytes>::max() / 4 / 64;
    QVERIFY(check(costs, spec).has_value());
    DeviceOrders orders(1);
    for (const PassKind kind : {PassKind::F, PassKind::BW}) {
        for (int j = 0; j < 64; ++j)
            orders[0].push_back(single({kind, 0, 0, j, 0}));
    }
    const auto result = simulate(*Schedule::make(spec, orders), costs);
    QVERIFY(result.has_value());
    QCOMPARE(result->makespan, 64 * 3 * longestPass);
    QCOMPARE(result->devices[0].peakActivation, 64 * costs.activation[0].activation);
}

void TestCosts::theShareOfADeviceIsSplitByChunkAndLength()
{
    PipelineSpec spec = threeStages();
    spec.devices = 1;
    spec.routes = {Placement::looped(1, 3)};
    UniformCosts uniform;
    uniform.forward = 18 * ticksPerMs;
    uniform.activation = 900;
    uniform.keptForWeight = 0.5;
    const Costs costs = expand(uniform, spec);
    for (int stage = 0; stage < 3; ++stage) {
        QCOMPARE(costs.forward[cellIndex(spec, stage, 0)], 4 * ticksPerMs);
        QCOMPARE(costs.forward[cellIndex(spec, stage, 1)], 2 * ticksPerMs);
        QCOMPARE(costs.activation[cellIndex(spec, stage, 0)].activation, Bytes{200});
        QCOMPARE(costs.activation[cellIndex(spec, stage, 1)].keptForWeight, Bytes{50});
        QCOMPARE(costs.activation[cellIndex(spec, stage, 0)].share, shareOne * 2 / 9);
    }
}

void TestCosts::allPassesOfACellTogetherChangeNothing_data()
{
    QTest::addColumn<QVector<int>>("kinds");
    QTest::addColumn<bool>("recomputed");
    const auto row = [](const char* name, std::initializer_list<PassKind> kinds, bool recomputed) {
        QVector<int> list;
        for (const PassKind kind : kinds)
            list.push_back(static_cast<int>(kind));
        QTest::newRow(name) << list << recomputed;
    };
    row("F and BW", {PassKind::F, PassKind::BW}, false);
    row("F, B and W", {PassKind::F, PassKind::B, PassKind::W}, false);
    row("F, R and BW", {PassKind::F, PassKind::R, PassKind::BW}, true);
    row("F, R, B and W", {PassKind::F, PassKind::R, PassKind::B, PassKind::W}, true);
    row("U", {PassKind::U}, false);
}

void TestCosts::allPassesOfACellTogetherChangeNothing()
{
    QFETCH(QVector<int>, kinds);
    QFETCH(bool, recomputed);
    const ActivationCost cost{1000, 300, 70, 100, 30, 7};
    Bytes bytes = 0;
    Share share = 0;
    for (const int kind : kinds) {
        const auto change = activationChange(cost, static_cast<PassKind>(kind), recomputed);
        bytes += change.bytes;
        share += change.share;
    }
    QCOMPARE(bytes, Bytes{0});
    QCOMPARE(share, Share{0});
}

void TestCosts::anUpdateTakesTheGradientsOfTheStage()
{
    const PipelineSpec spec = threeStages();
    Costs costs = expand({}, spec);
    const Pass fused{PassKind::BW, 0, 1, 0, 1};
    QCOMPARE(messageBytes(costs, spec, fused, PassKind::U), Bytes{0});
    costs.forwardMessage = {1, 2, 3, 4, 5, 6};
    costs.backwardMessage = {10, 20, 30, 40, 50, 60};
    costs.gradients = {100, 200, 300};
    QCOMPARE(messageBytes(costs, spec, {PassKind::F, 0, 1, 0, 1}, PassKind::F), Bytes{4});
    QCOMPARE(messageBytes(costs, spec, fused, PassKind::BW), Bytes{40});
    QCOMPARE(messageBytes(costs, spec, fused, PassKind::U), Bytes{200});
}

PW_TEST(TestCosts)
#include "tst_costs.moc"
