// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/model/draft.h"
#include "core/model/schedule.h"
#include "core/sim/simulator.h"
#include "tests/support/random_drafts.h"
#include "tests/support/test_program.h"

#include <QtTest>

#include <algorithm>
#include <functional>
#include <numeric>
#include <set>

using namespace pw;

namespace {

PipelineSpec twoDevices(int microBatches)
{
    PipelineSpec spec;
    spec.devices = 2;
    spec.microBatches = microBatches;
    spec.routes = {Placement::linear(2)};
    return spec;
}

OrderEntry at(PassKind kind, StageId stage, int microBatch)
{
    return single({kind, 0, stage, microBatch, 0});
}

DeviceOrders good()
{
    return {{at(PassKind::F, StageId(0), 0), at(PassKind::BW, StageId(0), 0)},
            {at(PassKind::F, StageId(1), 0), at(PassKind::B, StageId(1), 0),
             at(PassKind::W, StageId(1), 0)}};
}

} // namespace

class tst_schedule : public QObject
{
    Q_OBJECT

private slots:
    void placesAreDistinct();
    void aRefusalSaysWhichPassAndWhere_data();
    void aRefusalSaysWhichPassAndWhere();
    void aSpecThatCannotBeSaysWhy_data();
    void aSpecThatCannotBeSaysWhy();
    void deadlocksAreFoundExactlyWhenNoOrderOfStartsExists();
    void reorderingAgreesWithMakingANewSchedule_data();
    void reorderingAgreesWithMakingANewSchedule();
};

void tst_schedule::placesAreDistinct()
{
    PipelineSpec spec;
    spec.devices = 2;
    spec.microBatches = 3;
    spec.steps = 2;
    spec.updates = true;
    spec.routes = {Placement::linear(2), Placement::reversed(2)};
    spec.routeOfMicroBatch = {0, 1, 0};
    spec.segmentLengths = {1, 1};
    const PassTable table(spec);
    std::set<std::int32_t> seen;
    for (const StageId s : Ids<StageId>(2)) {
        for (int j = 0; j < 6; ++j) {
            for (int q = 0; q < 2; ++q) {
                for (const PassKind kind : {PassKind::F, PassKind::B, PassKind::W, PassKind::R}) {
                    const auto route = static_cast<std::uint8_t>(spec.route(j));
                    seen.insert(table.id({kind, route, s, j, q}).value);
                }
            }
        }
        for (int step = 0; step < 2; ++step) {
            seen.insert(table.id({PassKind::U, 0, s, step, 0}).value);
            seen.insert(table.id({PassKind::U, 1, s, step, 0}).value);
        }
    }
    // Two stages of six micro-batches in two segments, four kinds; two updates on two routes.
    QCOMPARE(seen.size(), std::size_t{2 * 6 * 2 * 4 + 2 * 2 * 2});
    QVERIFY(*seen.begin() >= 0);
    QVERIFY(*seen.rbegin() < table.size());
}

void tst_schedule::aRefusalSaysWhichPassAndWhere_data()
{
    QTest::addColumn<int>("change");
    QTest::addColumn<QString>("message");
    QTest::newRow("a missing backward") << 0 << "device 0 misses BW of micro-batch 0 on stage 0";
    QTest::newRow("a missing W") << 1 << "device 1 misses W of micro-batch 0 on stage 1";
    QTest::newRow("a doubled forward")
        << 2 << "device 0, entry 2: F of micro-batch 0 on stage 0 appears twice";
    QTest::newRow("a pass on the wrong device")
        << 3 << "device 0, entry 2: F of micro-batch 0 on stage 1 belongs to device 1";
    QTest::newRow("a backward before its forward")
        << 4 << "device 0, entry 0: micro-batch 0 of stage 0 has BW before F";
    QTest::newRow("a micro-batch too many")
        << 5 << "device 0, entry 2: micro-batch 1; micro-batches are 0 to 0";
    QTest::newRow("a W beside a BW") << 6
                                     << "device 0, entry 2: W of micro-batch 0 on stage 0 appears "
                                        "beside a BW, which contains it";
    QTest::newRow("an update nobody asked for")
        << 7 << "device 0, entry 2: a U appears in an order without updates";
    QTest::newRow("a missing device") << 8 << "orders are given for 1 of 2 devices";
    QTest::newRow("a pair of one micro-batch")
        << 9
        << "device 0, entry 0: a pair cannot overlap F and backward of one micro-batch and stage";
}

void tst_schedule::aRefusalSaysWhichPassAndWhere()
{
    QFETCH(int, change);
    DeviceOrders orders = good();
    switch (change) {
    case 0:
        orders[0].pop_back();
        break;
    case 1:
        orders[1].pop_back();
        break;
    case 2:
        orders[0].push_back(at(PassKind::F, StageId(0), 0));
        break;
    case 3:
        orders[0].push_back(at(PassKind::F, StageId(1), 0));
        break;
    case 4:
        std::swap(orders[0][0], orders[0][1]);
        break;
    case 5:
        orders[0].push_back(at(PassKind::F, StageId(0), 1));
        break;
    case 6:
        orders[0].push_back(at(PassKind::W, StageId(0), 0));
        break;
    case 7:
        orders[0].push_back(at(PassKind::U, StageId(0), 0));
        break;
    case 8:
        orders.pop_back();
        break;
    case 9:
        orders[0] = {
            overlapped({PassKind::F, 0, StageId(0), 0, 0}, {PassKind::BW, 0, StageId(0), 0, 0})};
        break;
    default:
        QFAIL("unknown change");
    }
    const auto schedule = Schedule::make(twoDevices(1), orders);
    QVERIFY(!schedule.has_value());
    QCOMPARE(schedule.error().code, ErrorCode::BadSchedule);
    QTEST(QString::fromStdString(schedule.error().message), "message");
}

void tst_schedule::aSpecThatCannotBeSaysWhy_data()
{
    QTest::addColumn<int>("change");
    QTest::addColumn<QString>("message");
    QTest::newRow("no device") << 0 << "devices is 0; at least 1";
    QTest::newRow("no micro-batch") << 1 << "micro-batches is 0; at least 1";
    QTest::newRow("a stage nowhere") << 2 << "stage 1 is placed on device 7; devices are 0 to 1";
    QTest::newRow("routes of unequal length") << 3 << "route 0 has 2 stages and route 1 has 4";
    QTest::newRow("an empty segment") << 4 << "segment 1 has length 0; at least 1";
    QTest::newRow("steps without updates")
        << 5 << "several steps and asynchronous updates need U passes in the order";
    QTest::newRow("too large")
        << 6
        << "2 stages, 1000000000 micro-batches, 1 segments and 1 steps make more than 16000000 "
           "passes, the most that a schedule may have";
}

void tst_schedule::aSpecThatCannotBeSaysWhy()
{
    QFETCH(int, change);
    PipelineSpec spec = twoDevices(1);
    switch (change) {
    case 0:
        spec.devices = 0;
        break;
    case 1:
        spec.microBatches = 0;
        break;
    case 2:
        spec.routes[0].deviceOfStage[1] = DeviceId(7);
        break;
    case 3:
        spec.routes.push_back(Placement::looped(2, 2));
        break;
    case 4:
        spec.segmentLengths = {1, 0};
        break;
    case 5:
        spec.steps = 2;
        break;
    case 6:
        spec.microBatches = 1'000'000'000;
        break;
    default:
        QFAIL("unknown change");
    }
    const auto result = check(spec);
    QVERIFY(!result.has_value());
    QTEST(QString::fromStdString(result.error().message), "message");
}

namespace {

/// Whether some interleaving of the devices' orders runs to the end, tried one start at a time.
bool canRun(const PipelineSpec& spec, const DeviceOrders& orders)
{
    std::set<std::pair<char, std::pair<int, int>>> done; // letter, stage, micro-batch
    auto has = [&](char letter, int s, int j) { return done.count({letter, {s, j}}) > 0; };
    auto ready = [&](const Pass& pass) {
        const int s = pass.stage, j = pass.microBatch;
        if (pass.kind == PassKind::F)
            return s == 0 || has('f', s - 1, j);
        return has('f', s, j) && (s + 1 == spec.stages() || has('b', s + 1, j));
    };
    std::vector<std::size_t> next(orders.size(), 0);
    // Starting a pass never takes away what another one needs, so any choice is as good: tried
    // depth first.
    std::function<bool()> run = [&] {
        bool ended = true;
        for (std::size_t d = 0; d < orders.size(); ++d) {
            if (next[d] == orders[d].size())
                continue;
            ended = false;
            const Pass pass = orders[d][next[d]].pass;
            if (!ready(pass))
                continue;
            const std::pair<char, std::pair<int, int>> key{pass.kind == PassKind::F ? 'f' : 'b',
                                                           {pass.stage, pass.microBatch}};
            done.insert(key);
            ++next[d];
            const bool good = run();
            --next[d];
            done.erase(key);
            return good;
        }
        return ended;
    };
    return run();
}

/// Every order of one device's passes in which F stands before BW of the same micro-batch.
std::vector<std::vector<OrderEntry>> allOrders(StageId stage, int microBatches)
{
    std::vector<Pass> passes;
    for (int j = 0; j < microBatches; ++j) {
        passes.push_back({PassKind::F, 0, stage, j, 0});
        passes.push_back({PassKind::BW, 0, stage, j, 0});
    }
    std::sort(passes.begin(), passes.end());
    std::vector<std::vector<OrderEntry>> orders;
    do {
        bool valid = true;
        for (std::size_t i = 0; i < passes.size() && valid; ++i) {
            if (passes[i].kind != PassKind::BW)
                continue;
            Pass forward = passes[i];
            forward.kind = PassKind::F;
            const auto end = passes.begin() + static_cast<std::ptrdiff_t>(i);
            valid = std::find(passes.begin(), end, forward) != end;
        }
        if (!valid)
            continue;
        auto& order = orders.emplace_back();
        for (const Pass& pass : passes)
            order.push_back(single(pass));
    } while (std::next_permutation(passes.begin(), passes.end()));
    return orders;
}

} // namespace

void tst_schedule::deadlocksAreFoundExactlyWhenNoOrderOfStartsExists()
{
    const PipelineSpec spec = twoDevices(3);
    const Costs costs = expand(UniformCosts{}, spec);
    int deadlocks = 0, runs = 0;
    const auto first = allOrders(StageId(0), 3);
    const auto second = allOrders(StageId(1), 3);
    QCOMPARE(first.size(), std::size_t{90});
    for (const auto& a : first) {
        for (const auto& b : second) {
            const auto schedule = Schedule::make(spec, {a, b});
            QVERIFY(schedule.has_value());
            const bool good = simulate(*schedule, costs).has_value();
            QCOMPARE(good, canRun(spec, {a, b}));
            ++(good ? runs : deadlocks);
        }
    }
    QVERIFY(deadlocks > 100);
    QVERIFY(runs > 100);
}

void tst_schedule::reorderingAgreesWithMakingANewSchedule_data()
{
    QTest::addColumn<QString>("id");
    for (const Family& family : allFamilies()) {
        const std::string id(family.id);
        QTest::newRow(id.c_str()) << QString::fromStdString(id);
    }
}

void tst_schedule::reorderingAgreesWithMakingANewSchedule()
{
    QFETCH(QString, id);
    constexpr unsigned seed = 61;
    qInfo("seed %u", seed);
    std::mt19937 random(seed);
    Schedule schedule = test::familySchedule(**findFamily(id.toStdString()), random);
    int refused = 0, done = 0;
    for (int round = 0; round < 300; ++round) {
        const DeviceId device(test::below(random, schedule.devices()));
        const EntryId begin = schedule.begin(device);
        const std::int32_t length = schedule.end(device) - begin;
        const EntryId first(begin + test::below(random, length));
        const std::int32_t count =
            std::min<int>(1 + test::below(random, 5), schedule.end(device) - first);
        std::vector<EntryId> order(static_cast<std::size_t>(count));
        std::iota(order.begin(), order.end(), first);
        std::shuffle(order.begin(), order.end(), random);

        Draft wanted = draftOf(schedule);
        for (std::size_t i = 0; i < order.size(); ++i) {
            wanted.orders[static_cast<std::size_t>(device)]
                         [static_cast<std::size_t>(first - begin) + i] = schedule.entry(order[i]);
        }
        const Schedule before = schedule;
        const auto expected = problems(wanted);
        const Problems found = schedule.reorder(first, order);
        QCOMPARE(found.count, expected->count);
        QVERIFY(found.list == expected->list);
        if (found.none()) {
            const auto made = Schedule::make(wanted.spec, wanted.orders);
            QVERIFY(schedule == *made);
            for (const EntryId i : schedule.entries())
                QCOMPARE(schedule.entryOf(schedule.places()[static_cast<std::size_t>(i)].first), i);
            for (int j = 0; j < schedule.spec().totalMicroBatches(); ++j)
                QCOMPARE(schedule.weightVersion(StageId(0), j), made->weightVersion(StageId(0), j));
            ++done;
        } else {
            QVERIFY(schedule == before);
            ++refused;
        }
    }
    QVERIFY(done > 20);
    QVERIFY(refused > 0);
}

PW_TEST(tst_schedule)
#include "tst_schedule.moc"
