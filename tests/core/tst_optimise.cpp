// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/families/family.h"
#include "core/optimise/optimise.h"
#include "core/optimise/order_bound.h"
#include "core/optimise/order_exact.h"
#include "core/optimise/window_proof.h"
#include "core/sim/memory.h"
#include "tests/support/golden.h"
#include "tests/support/optimise_goal.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <random>

using namespace pw;
using namespace pw::test;

namespace {

struct Case
{
    Schedule schedule;
    Costs costs;
};

/// A family with times by stage in milliseconds: forward, input gradient, weight gradient.
Case caseOf(const char* id, int p, int m, const std::function<std::array<double, 3>(int)>& times,
            double hop, std::vector<std::pair<std::string, double>> parameters = {})
{
    const Family& family = **findFamily(id);
    FamilyOptions options;
    options.devices = p;
    options.microBatches = m;
    options.parameters = std::move(parameters);
    const PipelineSpec spec = *specOf(family, options);
    UniformCosts uniform;
    uniform.hop = ticksFromMs(hop);
    Costs costs = expand(uniform, spec);
    for (const StageId stage : Ids<StageId>(spec.stages())) {
        for (int segment = 0; segment < spec.segments(); ++segment) {
            const auto cell = cellIndex(spec, stage, segment);
            const std::array<double, 3> ms = times(stage);
            costs.forward[cell] = ticksFromMs(ms[0]);
            costs.backward[cell] = ticksFromMs(ms[1]);
            costs.weight[cell] = ticksFromMs(ms[2]);
        }
    }
    Result<Schedule> schedule = family.build(spec, options, costs);
    if (!schedule)
        qFatal("%s", schedule.error().message.c_str());
    return {std::move(*schedule), std::move(costs)};
}

std::function<std::array<double, 3>(int)> heavyLast(int stages, std::array<double, 3> usual,
                                                    std::array<double, 3> last)
{
    return [=](int stage) { return stage + 1 == stages ? last : usual; };
}

/// The least objective over every order whose kinds keep their micro-batches in order.
Ticks bestOfAll(const Case& it, OrderAim aim)
{
    const PipelineSpec& spec = it.schedule.spec();
    const int m = spec.microBatches;
    std::vector<std::vector<std::vector<OrderEntry>>> words(at(spec.devices));
    for (const DeviceId device : Ids<DeviceId>(spec.devices)) {
        std::vector<OrderEntry> word;
        const bool fused = hasFused(it.schedule);
        const std::function<void(int, int, int)> grow = [&](int f, int b, int w) {
            if ((fused ? b : w) == m) {
                words[at(device)].push_back(word);
                return;
            }
            const auto next = [&](bool open, PassKind kind, int j, int df, int db, int dw) {
                if (!open)
                    return;
                word.push_back(single({kind, 0, StageId(device.value), j, 0}));
                grow(f + df, b + db, w + dw);
                word.pop_back();
            };
            next(f < m, PassKind::F, f, 1, 0, 0);
            next(b < f, fused ? PassKind::BW : PassKind::B, b, 0, 1, 0);
            next(!fused && w < b, PassKind::W, w, 0, 0, 1);
        };
        grow(0, 0, 0);
    }
    Ticks best = std::numeric_limits<Ticks>::max();
    Simulator simulator;
    SimResult result;
    DeviceOrders orders(at(spec.devices));
    const std::function<void(int)> choose = [&](int device) {
        if (device == spec.devices) {
            const Result<Schedule> schedule = Schedule::make(spec, orders);
            if (schedule && simulator.run(*schedule, it.costs, result) &&
                !firstOverflow(*schedule, it.costs, result))
                best = std::min(best, objectiveOf(result, aim));
            return;
        }
        for (const auto& word : words[at(device)]) {
            orders[at(device)] = word;
            choose(device + 1);
        }
    };
    choose(0);
    return best;
}

OptimiseOptions within(double seconds, OrderAim aim = OrderAim::Makespan)
{
    OptimiseOptions options;
    options.seconds = seconds;
    options.aim = aim;
    return options;
}

} // namespace

class TestOptimise : public QObject
{
    Q_OBJECT

private slots:
    void everyProvenOptimumIsReached();
    void theExactSearchFindsTheBestOfAllOrders_data();
    void theExactSearchFindsTheBestOfAllOrders();
    void noTimeIsRefutedThatAnOrderTakes_data();
    void noTimeIsRefutedThatAnOrderTakes();
    void fusedOrdersWithLinksAreProven();
    void largeCasesComeWithinOnePercentOfTheExact();
    void neverWorseThanTheOrderGivenOrAFamily_data();
    void neverWorseThanTheOrderGivenOrAFamily();
    void measuredStagesGainFivePercent();
    void aLargePipelineIsReadyInASecond();
    void capsAreKeptOrRefused();
    void aStopGivesTheBestSoFar();
    void linksThatChangeAreTimedAsTheyAre();
    void movesAreTold();
    void whatIsNotRecomputedStaysSo();
    void anOrderThatNeverEndsIsReplaced();
    void oneMachineWithPreemption();
};

void TestOptimise::everyProvenOptimumIsReached()
{
    const auto golden = loadGolden("sail_ilp");
    QVERIFY2(golden, golden ? "" : golden.error().message.c_str());
    int compared = 0;
    for (const GoldenRun& run : golden->runs) {
        if (run.reference.number("sol_status") != 1)
            continue;
        const GoldenOrder& order = golden->order(run);
        Costs costs = goldenCosts(run, order);
        const std::vector<double>& memory = run.parameters.lists.at("mem");
        for (ActivationCost& cost : costs.activation) {
            cost.share = shareOne;
            cost.keptForWeightShare = std::llround(-memory[2] / memory[0] * double(shareOne));
        }
        const double limit = run.parameters.number("limit", 3.0 * order.microBatches);
        costs.shareCap = std::llround(limit * double(shareOne));
        const Result<Schedule> first = Schedule::make(goldenSpec(order), order.orders);
        QVERIFY(first);
        // From the plainest order that fits, one micro-batch after the other, and no family.
        DeviceOrders plain(at(order.devices));
        for (const DeviceId device : Ids<DeviceId>(order.devices)) {
            for (int j = 0; j < order.microBatches; ++j) {
                for (const PassKind kind : {PassKind::F, PassKind::B, PassKind::W})
                    plain[at(device)].push_back(single({kind, 0, StageId(device.value), j, 0}));
            }
        }
        const Result<Schedule> schedule = Schedule::make(goldenSpec(order), plain);
        QVERIFY(schedule);
        OptimiseOptions options = within(60, OrderAim::Span);
        options.families = false;
        const auto found = optimiseOrder(*schedule, costs, options);
        QVERIFY2(found, found ? "" : found.error().message.c_str());
        const Ticks objective = goldenTicks(run.reference.number("objective"));
        QVERIFY2(found->objective == objective,
                 (run.order + ": " + std::to_string(found->objective)).c_str());
        QVERIFY(found->proven);
        ++compared;
    }
    QVERIFY(compared > 50);
}

void TestOptimise::theExactSearchFindsTheBestOfAllOrders_data()
{
    QTest::addColumn<int>("seed");
    for (int seed = 0; seed < 24; ++seed)
        QTest::newRow(std::to_string(seed).c_str()) << seed;
}

void TestOptimise::theExactSearchFindsTheBestOfAllOrders()
{
    QFETCH(int, seed);
    std::mt19937 random(static_cast<unsigned>(seed));
    const auto below = [&random](unsigned most) { return static_cast<int>(random() % most); };
    const auto time = [&below] { return 1.0 + below(9); };
    const int p = seed % 3 == 2 ? 3 : 2, m = p == 2 ? 3 : 2;
    std::vector<std::array<double, 3>> times;
    for (int stage = 0; stage < p; ++stage)
        times.push_back({time(), time(), time()});
    Case it = caseOf(
        "zb-h1", p, m, [&](int stage) { return times[at(stage)]; }, below(4));
    for (ActivationCost& cost : it.costs.activation)
        cost.keptForWeightShare = cost.share / (1 + below(3));
    it.costs.shareCap = shareOne * (1 + below(3)) + (below(2) == 1 ? shareOne / 2 : 0);
    for (const OrderAim aim : {OrderAim::Makespan, OrderAim::Span}) {
        const Ticks best = bestOfAll(it, aim);
        const auto found = optimiseOrder(it.schedule, it.costs, within(30, aim));
        QVERIFY2(found, found ? "" : found.error().message.c_str());
        QCOMPARE(found->objective, best);
        QCOMPARE(found->bound, best);
        QVERIFY(found->proven);
        const OrderProblem problem(it.schedule, it.costs, aim,
                                   activationLimits(it.schedule.spec(), it.costs));
        QVERIFY(orderBound(problem).objective <= best);
    }
}

void TestOptimise::noTimeIsRefutedThatAnOrderTakes_data()
{
    QTest::addColumn<int>("seed");
    for (int seed = 0; seed < 40; ++seed)
        QTest::newRow(std::to_string(seed).c_str()) << seed;
}

/// Fused orders with links, all of which are looked at: no bound is above the best, no proof
/// refutes it, and the time below it is refuted.
void TestOptimise::noTimeIsRefutedThatAnOrderTakes()
{
    QFETCH(int, seed);
    std::mt19937 random(static_cast<unsigned>(1000 + seed));
    const auto below = [&random](unsigned most) { return static_cast<int>(random() % most); };
    const int p = 2 + seed % 3, m = p == 4 ? 3 : 4;
    std::vector<std::array<double, 3>> times;
    for (int stage = 0; stage < p; ++stage)
        times.push_back({1.0 + below(5), 1.0 + below(4), 1.0 + below(4)});
    Case it = caseOf(
        "1f1b", p, m, [&](int stage) { return times[at(stage)]; }, 0.3 * below(8));
    it.costs.shareCap = shareOne * (1 + below(p + 1));
    const Ticks best = bestOfAll(it, OrderAim::Makespan);
    const OrderProblem problem(it.schedule, it.costs, OrderAim::Makespan,
                               activationLimits(it.schedule.spec(), it.costs));
    const OrderBound bound = orderBound(problem);
    QVERIFY(bound.objective <= best);
    SearchClock clock(std::chrono::steady_clock::now() + std::chrono::minutes(1), {});
    WindowProof proof(problem, bound);
    QVERIFY(!proof.refutesByTrial(best, clock));
    QVERIFY(proof.refutesByTrial(best - 1, clock));
}

/// Messages make the way there and back longer than the micro-batches in flight last: what no order
/// was ever found below is the best.
void TestOptimise::fusedOrdersWithLinksAreProven()
{
    for (const int m : {12, 24}) {
        Case it = caseOf(
            "1f1b", 8, m,
            [](int) {
                return std::array{1.0, 1.0, 1.0};
            },
            0.3);
        it.costs = withOwnPeak(it.schedule, it.costs, *simulate(it.schedule, it.costs));
        OptimiseOptions options = within(60);
        options.backward = BackwardChoice::Fused;
        const auto found = optimiseOrder(it.schedule, it.costs, options);
        QVERIFY(found && found->proven);
        QCOMPARE(found->bound, found->objective);
        QCOMPARE(found->objective, simulate(it.schedule, it.costs)->makespan);
    }
}

void TestOptimise::largeCasesComeWithinOnePercentOfTheExact()
{
    std::mt19937 random(5);
    int proven = 0;
    for (int i = 0; i < 10; ++i) {
        const auto below = [&random](unsigned most) { return static_cast<int>(random() % most); };
        const auto time = [&below] { return 2.0 + below(9); };
        std::vector<std::array<double, 3>> times;
        for (int stage = 0; stage < 8; ++stage)
            times.push_back({time(), time(), time()});
        const char* const ids[] = {"zb-h1", "v-half", "1f1b"};
        Case it = caseOf(
            ids[i % 3], i % 3 == 1 ? 2 : 3, 5, [&](int stage) { return times[at(stage)]; },
            below(4));
        const Result<SimResult> result = simulate(it.schedule, it.costs);
        it.costs = withOwnPeak(it.schedule, it.costs, *result);
        const auto exact = optimiseOrder(it.schedule, it.costs, within(20));
        QVERIFY(exact);
        if (!exact->proven)
            continue;
        ++proven;
        OptimiseOptions rough = within(1.5);
        rough.exact = false;
        test::stopAt(exact->objective + exact->objective / 100, rough);
        const auto found = optimiseOrder(it.schedule, it.costs, rough);
        QVERIFY(found);
        QVERIFY2(double(found->objective) <= 1.01 * double(exact->objective),
                 (std::to_string(i) + ": " + std::to_string(found->objective) + " against " +
                  std::to_string(exact->objective))
                     .c_str());
    }
    QVERIFY(proven >= 6);
}

void TestOptimise::neverWorseThanTheOrderGivenOrAFamily_data()
{
    QTest::addColumn<QString>("family");
    for (const Family& family : allFamilies())
        QTest::newRow(std::string(family.id).c_str())
            << QString::fromUtf8(family.id.data(), static_cast<qsizetype>(family.id.size()));
}

void TestOptimise::neverWorseThanTheOrderGivenOrAFamily()
{
    QFETCH(QString, family);
    const std::string id = family.toStdString();
    Case it = caseOf(
        id.c_str(), 4, 8,
        [](int stage) {
            return std::array{2.0 + stage % 3, 3.0, 2.0};
        },
        0.4);
    const Result<SimResult> before = simulate(it.schedule, it.costs);
    QVERIFY(before);
    it.costs = withOwnPeak(it.schedule, it.costs, *before);
    for (const BackwardChoice backward : {BackwardChoice::Any, BackwardChoice::AsGiven}) {
        OptimiseOptions options = within(0.3);
        options.backward = backward;
        const auto found = optimiseOrder(it.schedule, it.costs, options);
        QVERIFY2(found, found ? "" : found.error().message.c_str());
        QVERIFY(found->givenFits);
        QVERIFY(found->objective <= found->given);
        QVERIFY(found->bestFamily.empty() || found->objective <= found->bestFamilyObjective);
        QVERIFY(found->bound <= found->objective);
        QVERIFY(!firstOverflow(found->schedule, it.costs, found->result));
        const Result<SimResult> again = simulate(found->schedule, it.costs);
        QVERIFY(again);
        QCOMPARE(again->makespan, found->objective);
        if (backward == BackwardChoice::AsGiven)
            QCOMPARE(found->schedule.entryCount(), it.schedule.entryCount());
    }
}

/// Stage times that were measured in two real runs; each gains where its bound leaves room.
void TestOptimise::measuredStagesGainFivePercent()
{
    // 16 stages on 4 devices, the last with vocabulary and loss; messages of 4 ms.
    Case megatron =
        caseOf("interleaved-1f1b", 4, 8, heavyLast(16, {3.20, 3.465, 3.465}, {17.16, 9.60, 9.60}),
               4, {{"chunks", 4}});
    // 8 stages on 8 devices; messages of 2.34 ms.
    Case primus = caseOf("1f1b", 8, 16, heavyLast(8, {60, 35, 35}, {66.8, 37.45, 37.45}), 2.34);
    for (Case* it : {&megatron, &primus}) {
        const Result<SimResult> before = simulate(it->schedule, it->costs);
        QVERIFY(before);
        it->costs = withOwnPeak(it->schedule, it->costs, *before);
        // As long as a busy machine needs, and no longer than it takes.
        const auto first = optimiseOrder(it->schedule, it->costs, within(0.5));
        QVERIFY(first);
        const double family = double(first->bestFamilyObjective);
        OptimiseOptions options = within(90);
        Ticks best = first->given;
        options.improved = [&best](const OptimiseProgress& progress) { best = progress.best; };
        options.stopped = [&] { return double(best) < 0.949 * family; };
        const auto found = optimiseOrder(it->schedule, it->costs, options);
        QVERIFY(found);
        const double room = 1 - double(found->bound) / family;
        const double gain = 1 - double(found->objective) / family;
        QVERIFY2(room < 0.05 ? found->objective == found->bound || gain >= 0 : gain >= 0.05,
                 (std::to_string(gain) + " of " + std::to_string(room)).c_str());
        QVERIFY(double(found->objective) < 0.95 * double(found->given));
    }
}

void TestOptimise::aLargePipelineIsReadyInASecond()
{
    Case it = caseOf(
        "1f1b", 32, 256,
        [](int) {
            return std::array{1.0, 1.0, 1.0};
        },
        0);
    const Result<SimResult> before = simulate(it.schedule, it.costs);
    it.costs = withOwnPeak(it.schedule, it.costs, *before);
    const auto found = optimiseOrder(it.schedule, it.costs, within(1));
    QVERIFY(found);
    // m·3 + (p − 1) for ZB-H1 in the same memory, which nothing beats here.
    QCOMPARE(found->objective, ticksFromMs(256 * 3 + 31));
    QVERIFY(found->proven);
}

void TestOptimise::capsAreKeptOrRefused()
{
    Case it = caseOf(
        "zb-h1", 4, 8,
        [](int) {
            return std::array{1.0, 1.0, 1.0};
        },
        0);
    it.costs.shareCap = 2 * shareOne;
    const auto found = optimiseOrder(it.schedule, it.costs, within(5));
    QVERIFY2(found, found ? "" : found.error().message.c_str());
    QVERIFY(!found->givenFits);
    QVERIFY(!firstOverflow(found->schedule, it.costs, found->result));
    it.costs.shareCap = shareOne / 2;
    const auto none = optimiseOrder(it.schedule, it.costs, within(1));
    QVERIFY(!none);
    QCOMPARE(none.error().code, ErrorCode::MemoryLimit);

    // In bytes, weights and optimizer states beside activations.
    Case sized = caseOf(
        "1f1b", 4, 8,
        [](int) {
            return std::array{1.0, 1.0, 1.0};
        },
        0);
    for (ActivationCost& cost : sized.costs.activation) {
        cost.activation = 100;
        cost.keptForWeight = 60;
    }
    sized.costs.weights.assign(4, 1000);
    sized.costs.memoryCap.assign(4, 1300);
    const auto small = optimiseOrder(sized.schedule, sized.costs, within(5));
    QVERIFY2(small, small ? "" : small.error().message.c_str());
    QVERIFY(!firstOverflow(small->schedule, sized.costs, small->result));
}

void TestOptimise::aStopGivesTheBestSoFar()
{
    Case it = caseOf("v-half", 8, 16, heavyLast(16, {30, 17.5, 17.5}, {36.8, 20, 20}), 2.34);
    const Result<SimResult> before = simulate(it.schedule, it.costs);
    it.costs = withOwnPeak(it.schedule, it.costs, *before);
    OptimiseOptions options = within(600);
    int told = 0;
    options.improved = [&told](const OptimiseProgress& progress) {
        ++told;
        QVERIFY(progress.schedule != nullptr);
    };
    options.stopped = [&told] { return told > 1; };
    const auto found = optimiseOrder(it.schedule, it.costs, options);
    QVERIFY(found);
    QVERIFY(found->seconds < 60);
    QVERIFY(found->objective <= found->given);
}

void TestOptimise::linksThatChangeAreTimedAsTheyAre()
{
    Case it = caseOf(
        "1f1b", 4, 8,
        [](int) {
            return std::array{1.0, 1.0, 1.0};
        },
        0.5);
    it.costs.linkTrace = {{0, 1}, {ticksFromMs(8), 0.2}, {ticksFromMs(16), 4}};
    const auto found = optimiseOrder(it.schedule, it.costs, within(1));
    QVERIFY(found);
    const Result<SimResult> again = simulate(found->schedule, it.costs);
    QCOMPARE(again->makespan, found->objective);
    QVERIFY(found->objective <= found->given);
    QVERIFY(found->bound <= found->objective);
}

void TestOptimise::movesAreTold()
{
    PipelineSpec spec;
    spec.microBatches = 2;
    const auto order = [&](std::vector<std::pair<PassKind, int>> passes) {
        DeviceOrders orders(1);
        for (const auto& [kind, j] : passes)
            orders[0].push_back(single({kind, 0, StageId(0), j, 0}));
        return *Schedule::make(spec, orders);
    };
    using enum PassKind;
    const Schedule before = order({{F, 0}, {B, 0}, {W, 0}, {F, 1}, {B, 1}, {W, 1}});
    const Schedule after = order({{F, 0}, {B, 0}, {F, 1}, {B, 1}, {W, 0}, {W, 1}});
    QCOMPARE(describeMoves(before, after).english(),
             std::string("moves 1 W of device 0 behind B1; 1 of 6 passes in all"));
    QVERIFY(describeMoves(before, before).empty());
    // Said by patterns, so that it can be said in any language.
    QVERIFY(describeMoves(before, after).pattern() != nullptr);
    QVERIFY(orderStory(before, after).pattern() != nullptr);
}

void TestOptimise::whatIsNotRecomputedStaysSo()
{
    // GPipe can recompute every stage, which would need less memory than anything that is asked
    // for.
    Case it = caseOf("1f1b", 2, 3, heavyLast(2, {6, 5, 5}, {5, 6, 1}), 1);
    DeviceOrders orders;
    for (const auto& order : it.schedule.orders()) {
        auto& to = orders.emplace_back();
        for (const OrderEntry& entry : order) {
            if (entry.pass.kind == PassKind::BW && entry.pass.stage == 1) {
                Pass again = entry.pass;
                again.kind = PassKind::R;
                to.push_back(single(again));
            }
            to.push_back(entry);
        }
    }
    it.schedule = *Schedule::make(it.schedule.spec(), orders);
    it.costs.activation = activationShares(it.schedule.spec(), 1, 0);
    it.costs.shareCap = shareLimit(1.5);
    const auto outcome = optimiseOrder(it.schedule, it.costs, within(5));
    QVERIFY(outcome.has_value());
    for (const EntryId i : outcome->schedule.entries()) {
        const Pass pass = outcome->schedule.entry(i).pass;
        QCOMPARE(outcome->schedule.recomputed(pass), pass.stage == 1);
    }
}

void TestOptimise::anOrderThatNeverEndsIsReplaced()
{
    // Device 1 begins with a micro-batch that device 0 sends only behind what it waits for.
    Case it = caseOf("1f1b", 2, 3, heavyLast(2, {1, 1, 1}, {1, 1, 1}), 1);
    using enum PassKind;
    const auto one = [](PassKind kind, int stage, int microBatch) {
        return single({kind, 0, StageId(stage), microBatch, 0});
    };
    DeviceOrders orders(2);
    for (const int j : {0, 1, 2}) {
        orders[0].push_back(one(F, 0, j));
        orders[0].push_back(one(BW, 0, j));
    }
    for (const int j : {1, 0, 2}) {
        orders[1].push_back(one(F, 1, j));
        orders[1].push_back(one(BW, 1, j));
    }
    it.schedule = *Schedule::make(it.schedule.spec(), orders);
    QCOMPARE(simulate(it.schedule, it.costs).error().code, ErrorCode::Deadlock);
    const auto outcome = optimiseOrder(it.schedule, it.costs, within(5));
    QVERIFY(outcome.has_value());
    QCOMPARE(outcome->given, Ticks{0});
    QVERIFY(!outcome->givenFits);
    QVERIFY(outcome->proven);
    QVERIFY(simulate(outcome->schedule, it.costs).has_value());
    it.costs.shareCap = shareLimit(.5);
    const auto refused = optimiseOrder(it.schedule, it.costs, within(1));
    QCOMPARE(refused.error().code, ErrorCode::MemoryLimit);
    QVERIFY(refused.error().message.english().find("never ends: ") != std::string::npos);
}

void TestOptimise::oneMachineWithPreemption()
{
    std::vector<MachineJob> jobs = {{0, 4, 0}, {1, 2, 7}, {2, 1, 3}};
    // 0 runs until 1, the second until 3 (3 + 7), the third until 4, the rest until 7.
    QCOMPARE(onePreemptiveMachine(jobs), Ticks{10});
    jobs = {{0, 5, 0}, {1, 1, 9}};
    QCOMPARE(onePreemptiveMachine(jobs), Ticks{11});
}

PW_TEST(TestOptimise)
#include "tst_optimise.moc"
