// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/model/costs.h"
#include "core/sim/simulator.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cmath>
#include <functional>
#include <limits>
#include <random>

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
    void aMessageArrivesWhenTheLinkHasCarriedIt_data();
    void aMessageArrivesWhenTheLinkHasCarriedIt();
    void aTracedLinkCarriesItsPartInEveryInstant();
};

void TestCosts::whatDoesNotFitTheSpecIsRefused_data()
{
    QTest::addColumn<int>("code");
    QTest::addColumn<Change>("change");
    constexpr auto bad = ErrorCode::BadValue;
    constexpr auto large = ErrorCode::TooLarge;
    constexpr std::int64_t huge = std::numeric_limits<std::int64_t>::max() / 8;
    const Pass first{PassKind::F, 0, StageId(0), 0, 0};
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
    refusal("limits of two devices", bad, [](Costs& c) { c.memoryCap = {1, 1}; });
    refusal("a negative limit", bad, [](Costs& c) { c.memoryCap = {1, -1, 1}; });
    refusal("a negative limit of shares", bad, [](Costs& c) { c.shareCap = -1; });
    refusal("links of some pairs", bad, [](Costs& c) { c.links.resize(6); });
    refusal("a negative latency", bad, [](Costs& c) { c.link.latency = -1; });
    refusal("a trace that goes back", bad, [](Costs& c) { c.linkTrace = {{5, 1}, {5, 2}}; });
    refusal("a standing link", bad, [](Costs& c) { c.linkTrace = {{0, 0}}; });
    refusal("more kept than there is", bad, [](Costs& c) { c.activation[0].keptForWeight = 1; });
    refusal("more kept of a part", bad,
            [](Costs& c) { c.activation[0] = {2, 3, 0, shareOne, shareOne / 2, 0}; });
    refusal("activations beyond 64 bits", large,
            [](Costs& c) { c.activation[0].activation = huge; });
    refusal("what is kept beyond 64 bits", large,
            [](Costs& c) { c.activation[0] = {1, huge, 0, shareOne, shareOne, 0}; });
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
            orders[0].push_back(single({kind, 0, StageId(0), j, 0}));
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
    for (const StageId stage : Ids<StageId>(3)) {
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
    const Pass fused{PassKind::BW, 0, StageId(1), 0, 1};
    QCOMPARE(messageBytes(costs, spec, fused, PassKind::U), Bytes{0});
    costs.forwardMessage = {1, 2, 3, 4, 5, 6};
    costs.backwardMessage = {10, 20, 30, 40, 50, 60};
    costs.gradients = {100, 200, 300};
    QCOMPARE(messageBytes(costs, spec, {PassKind::F, 0, StageId(1), 0, 1}, PassKind::F), Bytes{4});
    QCOMPARE(messageBytes(costs, spec, fused, PassKind::BW), Bytes{40});
    QCOMPARE(messageBytes(costs, spec, fused, PassKind::U), Bytes{200});
}

using Trace = std::vector<LinkPhase>;
Q_DECLARE_METATYPE(Trace)

/// By hand, over a link that takes 100 where nothing slows it down.
void TestCosts::aMessageArrivesWhenTheLinkHasCarriedIt_data()
{
    QTest::addColumn<Trace>("trace");
    QTest::addColumn<qint64>("sent");
    QTest::addColumn<qint64>("arrives");
    const auto row = [](const char* name, Trace trace, qint64 sent, qint64 arrives) {
        QTest::newRow(name) << std::move(trace) << sent << arrives;
    };
    row("no trace", {}, 7, 107);
    row("a trace that changes nothing", {{0, 1}}, 7, 107);
    row("slow from the start", {{0, 3}}, 0, 300);
    row("before the trace begins", {{1000, 5}}, 0, 100);
    row("there when the phase begins", {{100, 5}}, 0, 100);
    row("sent when the phase begins", {{50, 2}}, 50, 250);
    row("half of it slow", {{50, 2}}, 0, 150);                 // 50 + 50·2
    row("through a slow phase", {{50, 3}, {110, 1}}, 10, 150); // 40 + 60/3, then 40
    row("through two", {{10, 2}, {30, 4}, {70, 1}}, 0, 140);   // 10 + 20/2 + 40/4, then 70
    row("faster than nominal", {{20, 0.5}}, 0, 60);            // 20, then 80·0.5
    row("in the last phase", {{0, 9}, {10, 4}}, 1'000, 1'400);
    row("longer than the whole trace", {{0, 10}, {200, 2}}, 0, 360); // 200/10, then 80·2
}

void TestCosts::aMessageArrivesWhenTheLinkHasCarriedIt()
{
    QFETCH(Trace, trace);
    QFETCH(qint64, sent);
    QFETCH(qint64, arrives);
    const PipelineSpec spec = threeStages();
    Costs costs = expand({}, spec);
    costs.linkTrace = trace;
    costs.link = {100, 0};
    QCOMPARE(arrival(costs, spec, DeviceId(0), DeviceId(1), 12'345, sent), Ticks{arrives});
    // The same nominal time made of latency and bandwidth: 40 and 60 bytes at one a nanosecond.
    costs.link = {40, 1e9};
    QCOMPARE(arrival(costs, spec, DeviceId(0), DeviceId(1), 60, sent), Ticks{arrives});
    // A link of its own counts in the place of the common one, in its direction alone.
    costs.link = {};
    costs.links.assign(9, Link{});
    costs.links[0 * 3 + 1] = {100, 0};
    QCOMPARE(arrival(costs, spec, DeviceId(0), DeviceId(1), 60, sent), Ticks{arrives});
    QCOMPARE(arrival(costs, spec, DeviceId(1), DeviceId(0), 60, sent), Ticks{sent});
    costs.link = {100, 0};
    costs.links.clear();
    QCOMPARE(arrival(costs, spec, DeviceId(2), DeviceId(2), 60, sent), Ticks{sent});
}

/// Instant by instant, a link that is slowed down by s carries 1/s of what it could.
void TestCosts::aTracedLinkCarriesItsPartInEveryInstant()
{
    const PipelineSpec spec = threeStages();
    Costs costs = expand({}, spec);
    std::mt19937 random(20261122);
    const auto below = [&random](unsigned n) { return static_cast<Ticks>(random() % n); };
    for (int trial = 0; trial < 300; ++trial) {
        costs.linkTrace.clear();
        for (Ticks start = below(40); costs.linkTrace.size() < 1 + random() % 6;
             start += 1 + below(60))
            costs.linkTrace.push_back({start, static_cast<double>(1 + below(16)) / 4});
        costs.link.latency = 1 + below(120);
        const Ticks sent = below(200);
        double carried = 0;
        Ticks now = sent;
        // A part of an instant at the end counts as a part.
        double arrives = 0;
        while (carried < static_cast<double>(costs.link.latency)) {
            double slowdown = 1;
            for (const LinkPhase& phase : costs.linkTrace)
                slowdown = phase.start <= now ? phase.slowdown : slowdown;
            const double left = static_cast<double>(costs.link.latency) - carried;
            arrives = static_cast<double>(now) + std::min(1.0, left * slowdown);
            carried += 1 / slowdown;
            ++now;
        }
        const Ticks found = arrival(costs, spec, DeviceId(0), DeviceId(1), 0, sent);
        QVERIFY2(std::abs(static_cast<double>(found) - arrives) <= 0.5 + 1e-6,
                 qPrintable(QString("trial %1: %2, not %3").arg(trial).arg(found).arg(arrives)));
    }
}

PW_TEST(TestCosts)
#include "tst_costs.moc"
