// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/families/family.h"
#include "core/noise/adaptive_k.h"
#include "core/noise/hinted_runs.h"
#include "core/noise/noise.h"
#include "core/sim/simulator.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <chrono>
#include <cmath>
#include <numeric>

using namespace pw;

namespace {

struct Noisy
{
    Schedule schedule;
    Costs costs;
};

Noisy familyOf(const char* id, int p, int m, double hop)
{
    const Family& family = **findFamily(id);
    FamilyOptions options;
    options.devices = p;
    options.microBatches = m;
    const PipelineSpec spec = *specOf(family, options);
    UniformCosts uniform;
    uniform.hop = ticksFromMs(hop);
    const Costs costs = expand(uniform, spec);
    Result<Schedule> schedule = family.build(spec, options, costs);
    if (!schedule)
        qFatal("%s", schedule.error().message.c_str());
    return {std::move(*schedule), costs};
}

/// Passes of a size that counts: a sample alone takes as long again as its own part.
GroupingProblem usualGrouping()
{
    GroupingProblem problem;
    problem.forward = ticksFromMs(1);
    problem.backward = ticksFromMs(2);
    problem.fixed = ticksFromMs(1);
    problem.latency = ticksFromMs(0.05);
    problem.message = ticksFromMs(0.1);
    return problem;
}

NoiseModel passesSpread(double spread)
{
    NoiseModel model;
    model.passSpread.fill(spread);
    return model;
}

} // namespace

class TestNoise : public QObject
{
    Q_OBJECT

private slots:
    void withoutNoiseEveryRunIsTheSimulation_data();
    void withoutNoiseEveryRunIsTheSimulation();
    void factorsAreThoseOfASlowerSimulation();
    void linksHaveTracesOfTheirOwn();
    void oneDeviceSpreadsAsASumDoes();
    void theSameSeedIsTheSameOnAnyNumberOfThreads();
    void noiseMakesPipelinesLonger();
    void theSlowRankIsFound();
    void committedMessagesAreRefused();
    void tenThousandRunsAreQuick();
    void anOrderAsAHintIsNeverStuck_data();
    void anOrderAsAHintIsNeverStuck();
    void aHintHelpsUnderNoise();
    void pairsStayWithinMemory();
    void theTunerFollowsTheNetwork();
    void theTunerLosesToNoFixedPair();
    void aSteadyNetworkNeedsNoSwitch();
};

void TestNoise::withoutNoiseEveryRunIsTheSimulation_data()
{
    QTest::addColumn<QString>("family");
    for (const Family& family : allFamilies())
        QTest::newRow(std::string(family.id).c_str())
            << QString::fromUtf8(family.id.data(), static_cast<qsizetype>(family.id.size()));
}

void TestNoise::withoutNoiseEveryRunIsTheSimulation()
{
    QFETCH(QString, family);
    Noisy it = familyOf(family.toStdString().c_str(), 4, 8, 0.3);
    for (const bool traced : {false, true}) {
        if (traced)
            it.costs.linkTrace = {{0, 1}, {ticksFromMs(5), 4}, {ticksFromMs(12), 0.5}};
        const Result<SimResult> expected = simulate(it.schedule, it.costs);
        QVERIFY(expected);
        const Result<NoisyRuns> runs = NoisyRuns::make(it.schedule, it.costs);
        QVERIFY2(runs, runs ? "" : runs.error().message.c_str());
        const NoiseSamples samples = runs->run({}, 20, 1, 1);
        QCOMPARE(samples.makespans.size(), std::size_t{20});
        // The simulator rounds each arrival over a trace to a tick.
        const double off = traced ? 200 : 0.5;
        QVERIFY(std::abs(double(samples.nominal - expected->makespan)) <= off);
        QVERIFY(std::abs(samples.quantile(0) - double(expected->makespan)) <= off);
        QVERIFY(std::abs(samples.quantile(1) - double(expected->makespan)) <= off);
    }
}

void TestNoise::factorsAreThoseOfASlowerSimulation()
{
    Noisy it = familyOf("1f1b", 4, 8, 0.4);
    const NoisyRuns runs = *NoisyRuns::make(it.schedule, it.costs);
    NoiseModel model;
    model.rankFactor = {1, 1, 1.5, 1};
    model.linkFactor.assign(16, 1);
    model.linkFactor[1 * 4 + 2] = 3;
    Costs slower = it.costs;
    for (std::vector<Ticks>* table : {&slower.forward, &slower.backward, &slower.weight})
        (*table)[2] = (*table)[2] * 3 / 2;
    slower.links.assign(16, slower.link);
    slower.links[1 * 4 + 2].latency *= 3;
    const Result<SimResult> expected = simulate(it.schedule, slower);
    QVERIFY(std::abs(double(runs.run(model, 1, 1).nominal - expected->makespan)) <= 1);
}

void TestNoise::linksHaveTracesOfTheirOwn()
{
    Noisy it = familyOf("1f1b", 2, 4, 1);
    const NoisyRuns runs = *NoisyRuns::make(it.schedule, it.costs);
    NoiseModel model;
    model.linkTraces.resize(4);
    model.linkTraces[0 * 2 + 1] = {{0, 3}};
    Costs slower = it.costs;
    slower.links.assign(4, slower.link);
    slower.links[1].latency *= 3;
    QCOMPARE(runs.run(model, 1, 1).nominal, simulate(it.schedule, slower)->makespan);
}

/// On one device the makespan is a sum of independent times.
void TestNoise::oneDeviceSpreadsAsASumDoes()
{
    const Noisy it = familyOf("gpipe", 1, 16, 0);
    const NoisyRuns runs = *NoisyRuns::make(it.schedule, it.costs);
    const NoiseSamples samples = runs.run(passesSpread(0.2), 40'000, 3);
    // 16 F of 1 ms and 16 BW of 2 ms.
    const double mean = 48, deviation = 0.2 * std::sqrt(16 * 1.0 + 16 * 4.0);
    double squares = 0;
    for (const double makespan : samples.makespans)
        squares += std::pow(makespan / ticksPerMs - mean, 2);
    QVERIFY(std::abs(samples.mean / ticksPerMs - mean) < 0.05);
    const double got = std::sqrt(squares / double(samples.makespans.size()));
    QVERIFY2(std::abs(got / deviation - 1) < 0.03, std::to_string(got).c_str());
    // Nearly normal: 95 % stay below the mean and 1.645 deviations.
    QVERIFY(std::abs(samples.quantile(0.95) / ticksPerMs - (mean + 1.68 * deviation)) < 0.15);
}

void TestNoise::theSameSeedIsTheSameOnAnyNumberOfThreads()
{
    const Noisy it = familyOf("zb-h1", 4, 8, 0.2);
    const NoisyRuns runs = *NoisyRuns::make(it.schedule, it.costs);
    const NoiseSamples one = runs.run(passesSpread(0.1), 500, 7, 1);
    QCOMPARE(runs.run(passesSpread(0.1), 500, 7, 3).makespans, one.makespans);
    QVERIFY(runs.run(passesSpread(0.1), 500, 8, 1).makespans != one.makespans);
}

/// The mean of a maximum is above the maximum of the means.
void TestNoise::noiseMakesPipelinesLonger()
{
    const Noisy it = familyOf("1f1b", 8, 16, 0);
    const NoisyRuns runs = *NoisyRuns::make(it.schedule, it.costs);
    double before = 0;
    for (const double spread : {0.0, 0.05, 0.2, 0.5}) {
        const double mean = runs.run(passesSpread(spread), 2000, 1).mean;
        QVERIFY(mean > before);
        before = mean;
    }
}

void TestNoise::theSlowRankIsFound()
{
    const Noisy it = familyOf("1f1b", 4, 32, 0.1);
    const NoisyRuns runs = *NoisyRuns::make(it.schedule, it.costs);
    NoiseModel model = passesSpread(0.05);
    model.rankFactor = {1, 1, 1.4, 1};
    const Sensitivity found = sensitivityOf(runs, model, 200, 1);
    QCOMPARE(found.ranks.size(), std::size_t{4});
    QCOMPARE(found.ranks.front().device, 2);
    QVERIFY(found.ranks.front().longer > 0.08 && found.ranks.front().longer < 0.1);
    QCOMPARE(found.links.size(), std::size_t{6});
    for (const Sensitivity::Link& link : found.links)
        QVERIFY(link.longer >= 0 && std::abs(link.from - link.to) == 1);
}

void TestNoise::committedMessagesAreRefused()
{
    const Noisy it = familyOf("1f1b", 2, 4, 0);
    PipelineSpec spec = it.schedule.spec();
    spec.messages = MessageRule::Committed;
    const Result<Schedule> committed = Schedule::make(spec, it.schedule.orders());
    QVERIFY(committed);
    const Result<NoisyRuns> runs = NoisyRuns::make(*committed, it.costs);
    QVERIFY(!runs);
    QCOMPARE(runs.error().code, ErrorCode::BadValue);
}

void TestNoise::tenThousandRunsAreQuick()
{
    const Noisy it = familyOf("1f1b", 8, 32, 0.1);
    const NoisyRuns runs = *NoisyRuns::make(it.schedule, it.costs);
    NoiseModel model = passesSpread(0.1);
    model.messageSpread = 0.3;
    const auto begin = std::chrono::steady_clock::now();
    const NoiseSamples samples = runs.run(model, 10'000, 1);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    QCOMPARE(samples.makespans.size(), std::size_t{10'000});
    qInfo("10,000 runs of 1F1B 8 × 32 in %.3f s", took.count());
    // Far above what it takes, for a machine that does other things, and sanitizers.
    QVERIFY(took.count() < 20);
}

void TestNoise::anOrderAsAHintIsNeverStuck_data()
{
    withoutNoiseEveryRunIsTheSimulation_data();
}

void TestNoise::anOrderAsAHintIsNeverStuck()
{
    QFETCH(QString, family);
    const Noisy it = familyOf(family.toStdString().c_str(), 4, 8, 0.3);
    const Result<HintedRuns> runs = HintedRuns::make(it.schedule, it.costs, 6);
    QVERIFY2(runs, runs ? "" : runs.error().message.c_str());
    const NoiseSamples samples = runs->run(passesSpread(0.3), 200, 1);
    QCOMPARE(samples.makespans.size(), std::size_t{200});
    // Every device runs all of its passes: no run is shorter than its share of the work.
    const Result<SimResult> result = simulate(it.schedule, it.costs);
    Ticks busy = 0;
    for (const DeviceResult& device : result->devices)
        busy = std::max(busy, device.busy);
    QVERIFY(samples.nominal >= busy);
    QVERIFY(samples.nominal <= 2 * result->makespan);
    QVERIFY(samples.quantile(0) > 0.5 * double(busy));
}

/// Where times are far from what the order was made for, what is ready should not wait.
void TestNoise::aHintHelpsUnderNoise()
{
    const Noisy it = familyOf("zb-h1", 8, 32, 0.1);
    NoiseModel model = passesSpread(0.4);
    model.messageSpread = 1;
    const double strict = NoisyRuns::make(it.schedule, it.costs)->run(model, 2000, 1).mean;
    const double hinted = HintedRuns::make(it.schedule, it.costs, 8)->run(model, 2000, 1).mean;
    QVERIFY2(hinted < strict, (std::to_string(hinted) + " " + std::to_string(strict)).c_str());
}

void TestNoise::pairsStayWithinMemory()
{
    GroupingProblem problem = usualGrouping();
    const auto pairs = groupingPairs(problem);
    QVERIFY(pairs);
    QVERIFY(pairs->size() >= 2);
    int before = problem.samples;
    for (const GroupingPair& pair : *pairs) {
        QCOMPARE(pair.microBatch * pair.microBatches, problem.samples);
        QCOMPARE(pair.microBatches % pair.group, 0);
        QVERIFY(std::min(pair.group * problem.devices, pair.microBatches) * pair.microBatch <=
                problem.held);
        QVERIFY(pair.microBatch <= before);
        before = pair.microBatch;
    }
    // Twice as large would not fit.
    QCOMPARE(pairs->front(), (GroupingPair{1, 2, 64}));
    problem.held = 7;
    QCOMPARE(groupingPairs(problem).error().code, ErrorCode::MemoryLimit);
}

/// Slow links want a large k, fast ones 1F1B with large micro-batches; the tuner is near the best
/// of both, and gains over 1F1B what the paper's range says.
void TestNoise::theTunerFollowsTheNetwork()
{
    GroupingProblem problem = usualGrouping();
    problem.trace = {{0, 1},
                     {ticksFromMs(4000), 4},
                     {ticksFromMs(9000), 1},
                     {ticksFromMs(12000), 10},
                     {ticksFromMs(18000), 2},
                     {ticksFromMs(24000), 1},
                     {ticksFromMs(27000), 6}};
    const auto found = compareGroupings(problem, 100, 5, 1);
    QVERIFY2(found, found ? "" : found.error().message.c_str());
    const double reference = double(found->fixed[0].total);
    const double gain = reference / double(found->adaptive.total) - 1;
    QVERIFY2(gain >= 0.04 && gain <= 0.3, std::to_string(gain).c_str());
    QVERIFY(found->adaptive.switches >= 2);
    for (const AdaptedRun& run : found->fixed) {
        QCOMPARE(run.iterations.size(), std::size_t{100});
        QVERIFY(double(found->adaptive.total) < 1.02 * double(run.total));
    }
}

/// Whatever the network does, the tuner loses next to nothing to the pair that is best in
/// hindsight.
void TestNoise::theTunerLosesToNoFixedPair()
{
    const std::vector<LinkPhase> slow = {{0, 2},
                                         {ticksFromMs(4000), 10},
                                         {ticksFromMs(9000), 2},
                                         {ticksFromMs(12000), 25},
                                         {ticksFromMs(18000), 4},
                                         {ticksFromMs(24000), 2},
                                         {ticksFromMs(27000), 15}};
    struct Setting
    {
        int held;
        double message;
        int every;
        bool slow;
        int iterations;
    };
    for (const Setting& setting : {Setting{16, 0.1, 5, false, 60}, Setting{32, 0.1, 5, false, 60},
                                   Setting{32, 0.1, 1, false, 60}, Setting{64, 0.2, 5, false, 60},
                                   Setting{16, 0.1, 5, true, 100}}) {
        GroupingProblem problem = usualGrouping();
        problem.held = setting.held;
        problem.message = ticksFromMs(setting.message);
        problem.trace = setting.slow ? slow
                                     : std::vector<LinkPhase>{{0, 1},
                                                              {ticksFromMs(4000), 4},
                                                              {ticksFromMs(9000), 1},
                                                              {ticksFromMs(12000), 10},
                                                              {ticksFromMs(18000), 2},
                                                              {ticksFromMs(24000), 1},
                                                              {ticksFromMs(27000), 6}};
        const auto found = compareGroupings(problem, setting.iterations, setting.every, 1);
        QVERIFY(found);
        for (const AdaptedRun& run : found->fixed)
            QVERIFY2(double(found->adaptive.total) < 1.005 * double(run.total),
                     std::to_string(double(found->adaptive.total) / double(run.total)).c_str());
    }
}

void TestNoise::aSteadyNetworkNeedsNoSwitch()
{
    GroupingProblem problem = usualGrouping();
    problem.latency = 0;
    problem.message = ticksFromMs(0.01);
    const auto found = compareGroupings(problem, 20, 2, 1);
    QVERIFY(found);
    QCOMPARE(found->adaptive.switches, 0);
    QCOMPARE(found->adaptive.total, found->fixed[0].total);
}

PW_TEST(TestNoise)
#include "tst_noise.moc"
