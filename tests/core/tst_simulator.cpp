// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/edit/drag.h"
#include "core/families/family.h"
#include "core/sim/metrics.h"
#include "core/sim/simulator.h"
#include "tests/support/random_drafts.h"
#include "tests/support/reference_simulator.h"
#include "tests/support/test_program.h"

#include <QtTest>

#include <algorithm>
#include <limits>
#include <random>
#include <utility>
#include <vector>

using namespace pw;

namespace {

constexpr Ticks ms = ticksPerMs;

UniformCosts unit(double forward, double backward, double weight)
{
    UniformCosts costs;
    costs.forward = ticksFromMs(forward);
    costs.backward = ticksFromMs(backward);
    costs.weight = ticksFromMs(weight);
    return costs;
}

} // namespace

class tst_simulator : public QObject
{
    Q_OBJECT

private slots:
    void gpipeAnd1f1bHaveTheClosedBubble_data();
    void gpipeAnd1f1bHaveTheClosedBubble();
    void randomSchedulesAgreeWithTheSlowSimulator_data();
    void randomSchedulesAgreeWithTheSlowSimulator();
    void aDeadlockNamesTheRing();
    void aRepeatGivesTheSameResult();
    void aRunGoesOnFromWhatWasKept_data();
    void aRunGoesOnFromWhatWasKept();
    void aLongRunIsLikeItWasAgain_data();
    void aLongRunIsLikeItWasAgain();
};

void tst_simulator::gpipeAnd1f1bHaveTheClosedBubble_data()
{
    QTest::addColumn<QString>("family");
    QTest::addColumn<int>("p");
    QTest::addColumn<int>("m");
    QTest::addColumn<double>("bubble");
    QTest::addColumn<double>("peak");
    QTest::newRow("GPipe, 4 devices") << "gpipe" << 4 << 8 << 18.0 << 8.0;
    QTest::newRow("GPipe, 8 devices") << "gpipe" << 8 << 32 << 42.0 << 32.0;
    QTest::newRow("1F1B, 4 devices") << "1f1b" << 4 << 8 << 18.0 << 4.0;
    QTest::newRow("1F1B, 8 devices") << "1f1b" << 8 << 32 << 42.0 << 8.0;
    QTest::newRow("1F1B, one device") << "1f1b" << 1 << 3 << 0.0 << 1.0;
    QTest::newRow("1F1B, fewer micro-batches than devices") << "1f1b" << 8 << 3 << 42.0 << 3.0;
}

void tst_simulator::gpipeAnd1f1bHaveTheClosedBubble()
{
    QFETCH(QString, family);
    QFETCH(int, p);
    QFETCH(int, m);
    FamilyOptions options;
    options.devices = p;
    options.microBatches = m;
    const UniformCosts uniform = unit(2, 2, 2);
    const auto found = findFamily(family.toStdString());
    QVERIFY(found.has_value());
    const auto schedule = buildUniform(**found, options, uniform);
    QVERIFY2(schedule.has_value(), schedule ? "" : schedule.error().message.c_str());
    const auto result = simulate(*schedule, expand(uniform, schedule->spec()));
    QVERIFY(result.has_value());
    QTEST(msFromTicks(spanBubble(*result).idle), "bubble");
    QTEST(msFromTicks(wallBubble(*result).idle), "bubble");
    QTEST(peakMicroBatches(*result), "peak");
}

namespace {

/// Passes of every cell in an order that respects the cell, shuffled over cells: some deadlock,
/// most do not.
DeviceOrders randomOrders(const PipelineSpec& spec, std::mt19937& random)
{
    DeviceOrders orders(static_cast<std::size_t>(spec.devices));
    struct Strand
    {
        std::vector<Pass> passes;
        std::size_t next = 0;
    };
    std::vector<std::vector<Strand>> strands(orders.size());
    for (int j = 0; j < spec.totalMicroBatches(); ++j) {
        const auto route = static_cast<std::uint8_t>(spec.route(j));
        for (const StageId s : Ids<StageId>(spec.stages())) {
            for (int q = 0; q < spec.segments(); ++q) {
                Strand strand;
                strand.passes.push_back({PassKind::F, route, s, j, q});
                if (random() % 4 == 0)
                    strand.passes.push_back({PassKind::R, route, s, j, q});
                if (random() % 2 == 0) {
                    strand.passes.push_back({PassKind::BW, route, s, j, q});
                } else {
                    strand.passes.push_back({PassKind::B, route, s, j, q});
                    strand.passes.push_back({PassKind::W, route, s, j, q});
                }
                strands[static_cast<std::size_t>(spec.device(route, s))].push_back(strand);
            }
        }
    }
    for (std::size_t device = 0; device < orders.size(); ++device) {
        auto& mine = strands[device];
        std::size_t left = 0;
        for (const Strand& strand : mine)
            left += strand.passes.size();
        while (left > 0) {
            // Near the front more often than not, so that many orders can run to their end.
            const std::size_t window = 1 + random() % 3;
            std::size_t seen = 0;
            for (Strand& strand : mine) {
                if (strand.next == strand.passes.size())
                    continue;
                if (++seen < window)
                    continue;
                orders[device].push_back(single(strand.passes[strand.next++]));
                --left;
                break;
            }
            if (seen < window && left > 0)
                continue;
        }
    }
    return orders;
}

/// Joins some neighbouring F and backward into overlapped pairs.
void pairUp(DeviceOrders& orders, std::mt19937& random)
{
    for (auto& order : orders) {
        std::vector<OrderEntry> joined;
        for (std::size_t i = 0; i < order.size(); ++i) {
            const bool fits =
                i + 1 < order.size() && random() % 2 == 0 &&
                ((order[i].pass.kind == PassKind::F && isBackward(order[i + 1].pass.kind)) ||
                 (isBackward(order[i].pass.kind) && order[i + 1].pass.kind == PassKind::F)) &&
                (order[i].pass.stage != order[i + 1].pass.stage ||
                 order[i].pass.microBatch != order[i + 1].pass.microBatch ||
                 order[i].pass.segment != order[i + 1].pass.segment);
            if (fits) {
                joined.push_back(overlapped(order[i].pass, order[i + 1].pass));
                ++i;
            } else {
                joined.push_back(order[i]);
            }
        }
        order = joined;
    }
}

Costs messageCosts(const PipelineSpec& spec, std::mt19937& random)
{
    UniformCosts uniform;
    uniform.keptForWeight = 0.5;
    uniform.stash = 0.25;
    Costs costs = expand(uniform, spec);
    auto scatter = [&](std::vector<Ticks>& table) {
        for (Ticks& time : table)
            time = static_cast<Ticks>(random() % 20) * ms / 4;
    };
    scatter(costs.forward);
    scatter(costs.backward);
    scatter(costs.weight);
    costs.recompute = costs.forward;
    costs.pair = costs.forward;
    scatter(costs.pair);
    for (Ticks& time : costs.pair)
        time += 2 * ms;
    costs.update.assign(static_cast<std::size_t>(spec.stages()), ms);
    costs.link.latency = static_cast<Ticks>(random() % 4) * ms / 2;
    if (random() % 2 == 0)
        costs.link.bytesPerSecond = 1e6;
    costs.forwardMessage.assign(costs.forward.size(), 1000);
    costs.backwardMessage.assign(costs.forward.size(), 3000);
    if (random() % 2 == 0)
        costs.linkTrace = {{0, 1.0}, {10 * ms, 3.0}, {30 * ms, 0.5}};
    if (random() % 3 == 0)
        costs.single = {
            {{PassKind::F, static_cast<std::uint8_t>(spec.route(0)), StageId(0), 0, 0}, 7 * ms}};
    return costs;
}

} // namespace

void tst_simulator::randomSchedulesAgreeWithTheSlowSimulator_data()
{
    QTest::addColumn<unsigned>("seed");
    for (unsigned seed = 1; seed <= 400; ++seed)
        QTest::addRow("seed %u", seed) << seed;
}

void tst_simulator::randomSchedulesAgreeWithTheSlowSimulator()
{
    QFETCH(unsigned, seed);
    std::mt19937 random(seed);
    PipelineSpec spec;
    spec.devices = 1 + static_cast<int>(random() % 4);
    spec.microBatches = 1 + static_cast<int>(random() % 4);
    switch (random() % 4) {
    case 0:
        spec.routes = {Placement::linear(spec.devices)};
        break;
    case 1:
        spec.routes = {Placement::looped(spec.devices, 2)};
        break;
    case 2:
        spec.routes = {Placement::vShape(spec.devices)};
        break;
    default:
        spec.routes = {Placement::linear(spec.devices), Placement::reversed(spec.devices)};
        for (int j = 0; j < spec.microBatches; ++j)
            spec.routeOfMicroBatch.push_back(static_cast<std::uint8_t>(random() % 2));
    }
    if (random() % 3 == 0)
        spec.segmentLengths = {2, 1};
    DeviceOrders orders = randomOrders(spec, random);
    if (random() % 2 == 0)
        pairUp(orders, random);
    if (random() % 2 == 0) {
        spec.updates = true;
        const auto chunks = chunksOfDevices(spec);
        for (std::size_t d = 0; d < orders.size(); ++d) {
            for (const HostedStage& hosted : chunks[d]) {
                orders[d].push_back(single(
                    {PassKind::U, static_cast<std::uint8_t>(hosted.route), hosted.stage, 0, 0}));
            }
        }
    }
    const Costs costs = messageCosts(spec, random);
    const auto schedule = Schedule::make(spec, orders);
    QVERIFY2(schedule.has_value(), schedule ? "" : schedule.error().message.c_str());
    QVERIFY(schedule->orders() == orders);
    const auto expected = test::referenceSimulate(spec, orders, costs);
    const auto actual = simulate(*schedule, costs);
    QCOMPARE(actual.has_value(), expected.has_value());
    if (!expected) {
        QCOMPARE(actual.error().code, ErrorCode::Deadlock);
        QVERIFY(QString::fromStdString(actual.error().message).contains("waits in"));
        return;
    }
    for (const DeviceId d : Ids<DeviceId>(spec.devices)) {
        const auto& start = expected->start[static_cast<std::size_t>(d)];
        for (std::size_t i = 0; i < start.size(); ++i) {
            const std::size_t at = static_cast<std::size_t>(schedule->begin(d)) + i;
            QCOMPARE(actual->start[at], start[i]);
            QCOMPARE(actual->end[at], expected->end[static_cast<std::size_t>(d)][i]);
        }
        QCOMPARE(actual->devices[static_cast<std::size_t>(d)].peakShare,
                 expected->peakShare[static_cast<std::size_t>(d)]);
    }
}

void tst_simulator::aDeadlockNamesTheRing()
{
    PipelineSpec spec;
    spec.devices = 2;
    spec.microBatches = 2;
    spec.routes = {Placement::linear(2)};
    auto pass = [](PassKind kind, int stage, int j) {
        return single({kind, 0, StageId(stage), j, 0});
    };
    // Device 0 wants the gradient of micro-batch 0 before it sends micro-batch 1; device 1 wants
    // them the other way.
    const DeviceOrders orders = {{pass(PassKind::F, 0, 0), pass(PassKind::BW, 0, 0),
                                  pass(PassKind::F, 0, 1), pass(PassKind::BW, 0, 1)},
                                 {pass(PassKind::F, 1, 0), pass(PassKind::F, 1, 1),
                                  pass(PassKind::BW, 1, 0), pass(PassKind::BW, 1, 1)}};
    const auto schedule = Schedule::make(spec, orders);
    QVERIFY(schedule.has_value());
    const auto result = simulate(*schedule, expand(UniformCosts{}, spec));
    QVERIFY(!result.has_value());
    QCOMPARE(result.error().code, ErrorCode::Deadlock);
    QCOMPARE(QString::fromStdString(result.error().message),
             QString("deadlock: device 0 waits in BW of micro-batch 0 on stage 0 for BW of "
                     "micro-batch 0 on stage 1; device 1 waits in F of micro-batch 1 on stage 1 "
                     "for F of micro-batch 1 on stage 0"));
}

void tst_simulator::aRepeatGivesTheSameResult()
{
    FamilyOptions options;
    options.devices = 8;
    options.microBatches = 16;
    const auto schedule = buildUniform(**findFamily("1f1b"), options, UniformCosts{});
    const Costs costs = expand(UniformCosts{}, schedule->spec());
    Simulator simulator;
    SimResult first, second;
    QVERIFY(simulator.run(*schedule, costs, first).has_value());
    second = first;
    QVERIFY(simulator.run(*schedule, costs, second).has_value());
    QCOMPARE(first, second);
}

void tst_simulator::aRunGoesOnFromWhatWasKept_data()
{
    QTest::addColumn<QString>("id");
    for (const Family& family : allFamilies())
        QTest::newRow(std::string(family.id).c_str())
            << QString::fromUtf8(family.id.data(), static_cast<qsizetype>(family.id.size()));
}

namespace {

/// Where another order differs: when the first device has come to an entry that is elsewhere, and
/// when the last one is behind all of these.
Simulator::Part changed(const Schedule& one, const Schedule& other, const SimResult& result)
{
    constexpr Ticks none = std::numeric_limits<Ticks>::min();
    Simulator::Part part{.kept = result, .from = Simulator::never, .again = none};
    for (const DeviceId device : Ids<DeviceId>(one.devices())) {
        bool first = true;
        for (EntryId entry = one.begin(device); entry < one.end(device); ++entry) {
            if (one.entry(entry) == other.entry(entry))
                continue;
            part.again = std::max(part.again, result.start[entry.index()]);
            if (std::exchange(first, false))
                part.from = std::min(
                    part.from, entry == one.begin(device) ? none : result.end[(entry - 1).index()]);
        }
    }
    return part;
}

/// A few entries that start where orders differ or later, up to some time, held for a while.
std::vector<Hold> someHolds(Simulator::Part& part, std::mt19937& random)
{
    std::vector<Hold> holds;
    const std::vector<Ticks>& start = part.kept.start;
    const Ticks last = part.kept.makespan * test::below(random, 1200) / 1000;
    for (std::size_t i = 0; i < start.size(); ++i) {
        if (start[i] < part.from || start[i] > last || test::below(random, 40) != 0)
            continue;
        holds.push_back({EntryId(static_cast<std::int32_t>(i)),
                         start[i] + test::below(random, 60) * ticksPerMs / 4});
        part.again = std::max(part.again, start[i]);
    }
    return holds;
}

} // namespace

/// From whichever time the orders are alike until, with entries that are held behind it or not, and
/// where nothing is kept: messages that change over time, single times, forwards that run again.
void tst_simulator::aRunGoesOnFromWhatWasKept()
{
    QFETCH(QString, id);
    constexpr unsigned seed = 20261129;
    qInfo("seed %u", seed);
    std::mt19937 random(seed);
    int moved = 0;
    for (int round = 0; round < 12; ++round) {
        const Schedule whole = test::familySchedule(**findFamily(id.toStdString()), random);
        Costs costs = test::randomCosts(whole.spec(), random);
        if (round % 3 != 0) {
            costs.single.clear();
            costs.linkTrace.clear();
        }
        Simulator simulator, plain;
        SimResult kept, got, wanted;
        QVERIFY(plain.run(whole, costs, kept));
        simulator.keep(whole, costs, kept);
        for (int attempt = 0; attempt < 20; ++attempt) {
            const DeviceId device(test::below(random, whole.devices()));
            const auto entries = static_cast<int>(whole.end(device) - whole.begin(device));
            auto drag = Drag::begin(draftOf(whole), costs, {{device, test::below(random, entries)}},
                                    DragMode::Strict);
            QVERIFY(drag);
            drag->trial((test::below(random, 2001) - 1000) * kept.makespan / 1000);
            QVERIFY(drag->schedule() != nullptr);
            const Schedule& other = *drag->schedule();
            const Simulator::Part differs = changed(whole, other, kept);
            moved += other == whole ? 0 : 1;
            QVERIFY(plain.run(other, costs, wanted));
            for (const Ticks from : {differs.from, differs.from / 2}) {
                Simulator::Part part = differs;
                part.from = std::min(from, differs.from);
                QVERIFY(simulator.runPart(part, other, costs, got));
                QVERIFY(got == wanted);
                if (other.spec().messages == MessageRule::Committed)
                    continue;
                const std::vector<Hold> holds = someHolds(part, random);
                SimResult held;
                QVERIFY(plain.run(other, costs, held, holds));
                QVERIFY(simulator.runPart(part, other, costs, got, holds));
                QVERIFY(got == held);
            }
        }
    }
    QVERIFY(moved > 20);
}

void tst_simulator::aLongRunIsLikeItWasAgain_data()
{
    QTest::addColumn<QString>("id");
    QTest::addColumn<int>("work");
    for (const char* id :
         {"1f1b", "v-half", "v-zb", "zb-h1", "interleaved-1f1b", "chimera", "dualpipe"})
        for (const int work : {0, 1, 2})
            QTest::addRow("%s %d", id, work) << QString::fromUtf8(id) << work;
}

/// Long enough for its middle to repeat, where each device may be later by another time: moved
/// single passes, whole micro-batches and holds.
void tst_simulator::aLongRunIsLikeItWasAgain()
{
    QFETCH(QString, id);
    QFETCH(int, work);
    FamilyOptions options;
    options.devices = 8;
    options.microBatches = 96;
    const UniformCosts uniform = work == 0   ? unit(2, 2, 2)
                                 : work == 1 ? unit(3, 4, 2)
                                             : unit(2, 3, 1);
    const auto whole = buildUniform(**findFamily(id.toStdString()), options, uniform);
    QVERIFY(whole);
    Costs costs = expand(uniform, whole->spec());
    if (work == 2)
        costs.link.latency = ticksPerMs / 3;
    std::mt19937 random(static_cast<unsigned>(20261130 + work));
    Simulator simulator, plain;
    SimResult kept, got, wanted;
    QVERIFY(plain.run(*whole, costs, kept));
    simulator.keep(*whole, costs, kept);
    for (int attempt = 0; attempt < 60; ++attempt) {
        const DeviceId device(test::below(random, whole->devices()));
        const auto entries = static_cast<int>(whole->end(device) - whole->begin(device));
        auto drag = Drag::begin(draftOf(*whole), costs, {{device, test::below(random, entries)}},
                                DragMode::Strict);
        QVERIFY(drag);
        drag->trial((test::below(random, 41) - 20) * ticksPerMs / 2);
        const Schedule* other = drag->schedule();
        if (other == nullptr)
            continue;
        const Simulator::Part part = changed(*whole, *other, kept);
        QVERIFY(plain.run(*other, costs, wanted));
        QVERIFY(simulator.runPart(part, *other, costs, got));
        QVERIFY(got == wanted);
        Simulator::Part heldPart = part;
        const EntryId entry(test::below(random, static_cast<int>(kept.start.size())));
        const std::vector<Hold> holds{
            {entry, kept.start[entry.index()] + test::below(random, 8) * ticksPerMs / 2}};
        heldPart.from = std::min(heldPart.from, kept.start[entry.index()]);
        heldPart.again = std::max(heldPart.again, kept.start[entry.index()]);
        QVERIFY(plain.run(*other, costs, wanted, holds));
        QVERIFY(simulator.runPart(heldPart, *other, costs, got, holds));
        QVERIFY(got == wanted);
    }
}

PW_TEST(tst_simulator)
#include "tst_simulator.moc"
