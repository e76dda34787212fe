// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/families/family.h"
#include "core/io/offload_text.h"
#include "core/model/offload.h"
#include "core/optimise/hosted_times.h"
#include "core/optimise/optimise.h"
#include "core/optimise/order_bound.h"
#include "core/sim/host_copies.h"
#include "core/sim/memory.h"
#include "tests/support/optimise_goal.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <functional>
#include <numeric>
#include <random>

using namespace pw;

namespace {

struct HostedCase
{
    Schedule schedule;
    Costs costs;
};

HostedCase hostedCase(const char* id, int p, int m, const UniformCosts& uniform,
                      std::vector<std::pair<std::string, double>> parameters = {})
{
    const Family& family = **findFamily(id);
    FamilyOptions options;
    options.devices = p;
    options.microBatches = m;
    options.parameters = std::move(parameters);
    const PipelineSpec spec = *specOf(family, options);
    Costs costs = expand(uniform, spec);
    Result<Schedule> schedule = family.build(spec, options, costs);
    if (!schedule)
        qFatal("%s", schedule.error().message.c_str());
    return {std::move(*schedule), std::move(costs)};
}

/// Short times, no two stages alike, a copy of 1 to 12 ms, a cap.
HostedCase unevenHosted(int p, int m, std::mt19937& random)
{
    const auto below = [&random](unsigned most) { return static_cast<int>(random() % most); };
    HostedCase it = hostedCase("zb-h1", p, m, UniformCosts{});
    for (auto* table : {&it.costs.forward, &it.costs.backward, &it.costs.weight})
        for (Ticks& time : *table)
            time = ticksFromMs(1 + below(9));
    it.costs.link.latency = ticksFromMs(below(4));
    it.costs.offload.link.latency = ticksFromMs(1 + below(12));
    for (ActivationCost& cost : it.costs.activation)
        cost.keptForWeightShare = cost.share / (1 + below(3));
    it.costs.shareCap = shareOne * (1 + below(2)) + (below(2) == 1 ? shareOne / 2 : 0);
    return it;
}

/// The least makespan over every order whose kinds keep their micro-batches in order, for any of
/// these choices of what goes; the most where nothing fits.
Ticks bestHosted(const HostedCase& it, const std::vector<std::vector<Pass>>& choices)
{
    const PipelineSpec& spec = it.schedule.spec();
    const int m = spec.microBatches;
    std::vector<std::vector<std::vector<OrderEntry>>> words(at(spec.devices));
    for (const DeviceId device : Ids<DeviceId>(spec.devices)) {
        std::vector<OrderEntry> word;
        const std::function<void(int, int, int)> grow = [&](int f, int b, int w) {
            if (w == m) {
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
            next(b < f, PassKind::B, b, 0, 1, 0);
            next(w < b, PassKind::W, w, 0, 0, 1);
        };
        grow(0, 0, 0);
    }
    Ticks best = std::numeric_limits<Ticks>::max();
    Simulator simulator;
    SimResult result;
    Costs costs = it.costs;
    DeviceOrders orders(at(spec.devices));
    const std::function<void(int)> choose = [&](int device) {
        if (device < spec.devices) {
            for (const auto& word : words[at(device)]) {
                orders[at(device)] = word;
                choose(device + 1);
            }
            return;
        }
        const Result<Schedule> schedule = Schedule::make(spec, orders);
        for (const std::vector<Pass>& cells : choices) {
            costs.offload.cells = cells;
            if (schedule && simulator.run(*schedule, costs, result) && result.makespan < best &&
                !firstOverflow(*schedule, costs, result))
                best = result.makespan;
        }
    };
    choose(0);
    return best;
}

std::vector<Pass> someHosted(const PipelineSpec& spec, const std::function<bool(const Pass&)>& goes)
{
    std::vector<Pass> cells;
    for (const StageId stage : Ids<StageId>(spec.stages()))
        for (int j = 0; j < spec.microBatches; ++j)
            if (const Pass cell{PassKind::F, 0, stage, j, 0}; goes(cell))
                cells.push_back(cell);
    return offloadedCells(std::move(cells), spec);
}

/// The same cells with the micro-batches in any other order: what an order is that turns them
/// round, seen with its micro-batches in order.
std::vector<std::vector<Pass>> turnedRound(const std::vector<Pass>& cells, int microBatches)
{
    std::vector<std::vector<Pass>> all;
    std::vector<int> number(at(microBatches));
    std::iota(number.begin(), number.end(), 0);
    do {
        all.push_back(cells);
        for (Pass& cell : all.back())
            cell.microBatch = number[at(cell.microBatch)];
        std::sort(all.back().begin(), all.back().end());
    } while (std::next_permutation(number.begin(), number.end()));
    return all;
}

OptimiseOptions hostedOptions(double seconds)
{
    OptimiseOptions options;
    options.seconds = seconds;
    return options;
}

} // namespace

class TestOptimiseOffload : public QObject
{
    Q_OBJECT

private slots:
    void theBestOfAllOrdersIsFound_data();
    void theBestOfAllOrdersIsFound();
    void unlikeMicroBatchesAreTurnedRound();
    void equalWorkNeedsNoTurning();
    void theBestChoiceIsFound_data();
    void theBestChoiceIsFound();
    void timesAreThoseOfTheSimulator();
    void neverWorseThanTheOrderGivenOrAFamily_data();
    void neverWorseThanTheOrderGivenOrAFamily();
    void roomOnTheHostMakesShorterOrders();
};

void TestOptimiseOffload::theBestOfAllOrdersIsFound_data()
{
    QTest::addColumn<int>("seed");
    for (int seed = 0; seed < 18; ++seed)
        QTest::newRow(std::to_string(seed).c_str()) << seed;
}

/// Whole stages, or single activations, go over links of any speed.
void TestOptimiseOffload::theBestOfAllOrdersIsFound()
{
    QFETCH(int, seed);
    std::mt19937 random(static_cast<unsigned>(seed));
    const int p = seed % 3 == 2 ? 3 : 2, m = p == 2 ? 3 : 2;
    HostedCase it = unevenHosted(p, m, random);
    const bool single = seed % 2 == 1;
    it.costs.offload.cells = someHosted(it.schedule.spec(), [&](const Pass& cell) {
        return single ? random() % 2 == 0 : cell.stage == seed % p || cell.stage == 0;
    });
    const Ticks best = bestHosted(it, turnedRound(it.costs.offload.cells, m));
    QVERIFY(best < std::numeric_limits<Ticks>::max());
    for (const bool exact : {true, false}) {
        OptimiseOptions options = hostedOptions(20);
        options.exact = exact;
        // Where single activations go, all orders take the exact search long to look through.
        if (!exact || single)
            test::stopAt(best, options);
        options.families = false;
        const auto found = optimiseOrder(it.schedule, it.costs, options);
        QVERIFY2(found, found ? "" : found.error().message.c_str());
        QCOMPARE(found->objective, best);
        QVERIFY(found->bound <= best);
        QVERIFY(!found->proven || found->bound == best);
        QVERIFY(found->offloaded == it.costs.offload.cells);
        QVERIFY(!firstOverflow(found->schedule, it.costs, found->result));
        QCOMPARE(simulate(found->schedule, it.costs)->makespan, best);
    }
}

/// Where some micro-batches go to the host and others do not, it may be better to begin with
/// others: in some cases shorter than any order of their numbers.
void TestOptimiseOffload::unlikeMicroBatchesAreTurnedRound()
{
    int shorter = 0;
    for (unsigned seed = 0; seed < 12; ++seed) {
        std::mt19937 random(1000 + seed);
        HostedCase it = unevenHosted(2, 3, random);
        it.costs.offload.cells = someHosted(it.schedule.spec(), [&](const Pass& cell) {
            return cell.microBatch == static_cast<int>(seed % 3);
        });
        const Ticks inOrder = bestHosted(it, {it.costs.offload.cells});
        const Ticks turned = bestHosted(it, turnedRound(it.costs.offload.cells, 3));
        if (turned == std::numeric_limits<Ticks>::max())
            continue;
        shorter += turned < inOrder ? 1 : 0;
        for (const bool exact : {true, false}) {
            OptimiseOptions options = hostedOptions(20);
            options.exact = exact;
            test::stopAt(turned, options);
            options.families = false;
            const auto found = optimiseOrder(it.schedule, it.costs, options);
            QVERIFY2(found, found ? "" : found.error().message.c_str());
            QCOMPARE(found->objective, turned);
            QVERIFY(found->offloaded == it.costs.offload.cells);
            QCOMPARE(simulate(found->schedule, it.costs)->makespan, turned);
        }
    }
    QVERIFY2(shorter >= 2, qPrintable(QString::number(shorter)));
}

/// Of all orders, those that turn equal work round on single stages among them, none is shorter
/// than those that keep it in order: each start of a kind can be given to the micro-batch whose
/// turn it is.
void TestOptimiseOffload::equalWorkNeedsNoTurning()
{
    for (unsigned seed = 0; seed < 6; ++seed) {
        std::mt19937 random(2000 + seed);
        HostedCase it = unevenHosted(2, 2, random);
        it.costs.offload.cells.clear();
        const PipelineSpec& spec = it.schedule.spec();
        std::vector<std::vector<OrderEntry>> words[2];
        for (int device = 0; device < 2; ++device) {
            std::vector<OrderEntry> passes;
            for (const PassKind kind : {PassKind::F, PassKind::B, PassKind::W})
                for (int j = 0; j < 2; ++j)
                    passes.push_back(single({kind, 0, StageId(device), j, 0}));
            std::vector<std::size_t> order(passes.size());
            std::iota(order.begin(), order.end(), std::size_t{0});
            do {
                std::vector<OrderEntry> word;
                for (const std::size_t i : order)
                    word.push_back(passes[i]);
                // F before B before W of each micro-batch, which are two places apart in the list.
                const auto place = [&](std::size_t i) {
                    return std::find(order.begin(), order.end(), i);
                };
                if (place(0) < place(2) && place(2) < place(4) && place(1) < place(3) &&
                    place(3) < place(5))
                    words[device].push_back(std::move(word));
            } while (std::next_permutation(order.begin(), order.end()));
        }
        Ticks best = std::numeric_limits<Ticks>::max();
        for (const auto& first : words[0]) {
            for (const auto& second : words[1]) {
                const Result<Schedule> schedule = Schedule::make(spec, {first, second});
                QVERIFY(schedule);
                const Result<SimResult> result = simulate(*schedule, it.costs);
                if (result && !firstOverflow(*schedule, it.costs, *result))
                    best = std::min(best, result->makespan);
            }
        }
        QVERIFY(best < std::numeric_limits<Ticks>::max());
        QCOMPARE(bestHosted(it, {{}}), best);
    }
}

void TestOptimiseOffload::theBestChoiceIsFound_data()
{
    QTest::addColumn<int>("seed");
    for (int seed = 0; seed < 8; ++seed)
        QTest::newRow(std::to_string(seed).c_str()) << seed;
}

/// Of every choice of what goes, with every order.
void TestOptimiseOffload::theBestChoiceIsFound()
{
    QFETCH(int, seed);
    std::mt19937 random(static_cast<unsigned>(100 + seed));
    HostedCase it = unevenHosted(2, seed % 4 == 3 ? 3 : 2, random);
    const std::vector<Pass> all = someHosted(it.schedule.spec(), [](const Pass&) { return true; });
    std::vector<std::vector<Pass>> choices;
    for (unsigned chosen = 0; chosen < (1U << all.size()); ++chosen) {
        choices.emplace_back();
        for (std::size_t i = 0; i < all.size(); ++i)
            if ((chosen >> i) % 2 == 1)
                choices.back().push_back(all[i]);
    }
    const Ticks best = bestHosted(it, choices);
    OptimiseOptions options = hostedOptions(20);
    options.chooseOffload = true;
    test::stopAt(best, options);
    const auto found = optimiseOrder(it.schedule, it.costs, options);
    QVERIFY2(found, found ? "" : found.error().message.c_str());
    QCOMPARE(found->objective, best);
    QVERIFY(found->bound <= best);
    it.costs.offload.cells = found->offloaded;
    QVERIFY(check(it.costs, it.schedule.spec()));
    QVERIFY(!firstOverflow(found->schedule, it.costs, found->result));
    QCOMPARE(simulate(found->schedule, it.costs)->makespan, best);
}

/// The search's own reckoning, order by order.
void TestOptimiseOffload::timesAreThoseOfTheSimulator()
{
    std::mt19937 random(7);
    for (const char* id : {"1f1b", "zb-v", "interleaved-1f1b", "gpipe"}) {
        UniformCosts uniform;
        uniform.hop = ticksFromMs(0.3);
        uniform.keptForWeight = 0.5;
        HostedCase it = hostedCase(id, 4, 8, uniform);
        it.costs.offload.link.latency = ticksFromMs(1.7);
        it.costs.offload.cells =
            someHosted(it.schedule.spec(), [&](const Pass&) { return random() % 2 == 0; });
        it.costs.shareCap = shareOne;
        const OrderProblem problem(it.schedule, it.costs, OrderAim::Makespan,
                                   activationLimits(it.schedule.spec(), it.costs));
        const SimResult result = *simulate(it.schedule, it.costs);
        HostedTimes times(problem, it.schedule, it.costs);
        // The order as it is: `given` turns equal work round, and with it what goes.
        NodeOrders orders(at(it.schedule.devices()));
        for (const DeviceId device : Ids<DeviceId>(it.schedule.devices()))
            for (const EntryId i : it.schedule.entries(device))
                orders[at(device)].push_back(i);
        QVERIFY(times.evaluate(orders));
        QCOMPARE(times.objective(), result.makespan);
        QVERIFY(times.copies() == result.copies);
        double excess = 0;
        for (const DeviceResult& device : result.devices)
            excess += std::max(0.0, double(device.peakShare - shareOne) / double(shareOne));
        QVERIFY(std::abs(times.excess() - excess) < 1e-9);
        QCOMPARE(times.excess() > 0, firstOverflow(it.schedule, it.costs, result).has_value());
        // What is proven holds for it.
        QVERIFY(orderBound(problem).objective <= result.makespan);
    }
}

void TestOptimiseOffload::neverWorseThanTheOrderGivenOrAFamily_data()
{
    QTest::addColumn<QString>("family");
    for (const char* family : {"gpipe", "1f1b", "interleaved-1f1b", "zb-h2", "zb-v", "chimera",
                               "dualpipe", "seq1f1b", "gis"})
        QTest::newRow(family) << QString::fromUtf8(family);
}

void TestOptimiseOffload::neverWorseThanTheOrderGivenOrAFamily()
{
    QFETCH(QString, family);
    UniformCosts uniform;
    uniform.hop = ticksFromMs(0.4);
    HostedCase it = hostedCase(family.toUtf8().constData(), 4, 8, uniform);
    it.costs.offload.link.latency = ticksFromMs(0.8);
    it.costs.offload.cells = *parseOffload("0,1:2-4", it.schedule.spec());
    const SimResult before = *simulate(it.schedule, it.costs);
    it.costs = withOwnPeak(it.schedule, it.costs, before);
    for (const bool chooses : {false, true}) {
        OptimiseOptions options = hostedOptions(0.5);
        options.chooseOffload = chooses;
        const auto found = optimiseOrder(it.schedule, it.costs, options);
        QVERIFY2(found, found ? "" : found.error().message.c_str());
        QVERIFY(found->givenFits);
        QCOMPARE(found->given, before.makespan);
        QVERIFY(found->objective <= found->given);
        QVERIFY(found->bestFamily.empty() || found->objective <= found->bestFamilyObjective);
        QVERIFY(found->bound <= found->objective);
        Costs costs = it.costs;
        costs.offload.cells = found->offloaded;
        QVERIFY(!firstOverflow(found->schedule, costs, found->result));
        QCOMPARE(simulate(found->schedule, costs)->makespan, found->objective);
    }
}

/// In the memory of two micro-batches 1F1B of four devices is slow; with activations on the host a
/// quarter of the time goes.
void TestOptimiseOffload::roomOnTheHostMakesShorterOrders()
{
    UniformCosts uniform;
    HostedCase it = hostedCase("1f1b", 4, 12, uniform);
    it.costs.shareCap = 2 * shareOne;
    it.costs.offload.link.latency = ticksFromMs(0.25);
    const auto without = optimiseOrder(it.schedule, it.costs, hostedOptions(2));
    QVERIFY2(without, without ? "" : without.error().message.c_str());
    OptimiseOptions options = hostedOptions(30);
    options.chooseOffload = true;
    test::stopAt(without->objective * 3 / 4, options);
    const auto with = optimiseOrder(it.schedule, it.costs, options);
    QVERIFY2(with, with ? "" : with.error().message.c_str());
    QVERIFY(!with->offloaded.empty());
    QVERIFY2(with->objective < without->objective,
             (std::to_string(with->objective) + " " + std::to_string(without->objective)).c_str());
    QVERIFY2(4 * with->objective <= 3 * without->objective,
             (std::to_string(with->objective) + ", bound " + std::to_string(with->bound)).c_str());
    QVERIFY(without->bound > with->bound);
}

PW_TEST(TestOptimiseOffload)
#include "tst_optimise_offload.moc"
