// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/analysis/forecast.h"
#include "tests/support/family_runs.h"
#include "tests/support/test_program.h"

#include <QtTest>

#include <cmath>
#include <random>

using namespace pw;

namespace {

using Times = std::vector<Ticks>;

/// Costs in which no two kinds of passes are alike.
Costs unevenCosts(const PipelineSpec& spec, Ticks hop)
{
    UniformCosts uniform = test::equalStages(20'011, 17'003, 13'007, hop);
    uniform.update = 5'003;
    Costs costs = expand(uniform, spec);
    for (std::size_t cell = 0; cell < costs.forward.size(); ++cell) {
        costs.forward[cell] += 1'009 * static_cast<Ticks>(cell);
        costs.backward[cell] += 2'003 * static_cast<Ticks>(cell);
        costs.weight[cell] += 307 * static_cast<Ticks>(cell);
    }
    return costs;
}

/// A round in which everything took exactly what costs say, times a factor.
MeasuredRound asModelled(const Schedule& schedule, const Costs& costs, double factor = 1)
{
    MeasuredRound round;
    const auto scaled = [factor](Ticks time) {
        return static_cast<Ticks>(std::llround(static_cast<double>(time) * factor));
    };
    for (const EntryId e : schedule.entries()) {
        const OrderEntry entry = schedule.entry(e);
        round.entries[kindOf(entry)] = {scaled(entryTime(costs, schedule.spec(), entry))};
    }
    for (const PassKind carries : {PassKind::F, PassKind::B, PassKind::U}) {
        for (int segment = 0; segment < schedule.spec().segments(); ++segment)
            round.messages[{carries, segment}] = {scaled(costs.link.latency)};
    }
    round.gaps = round.updateGaps = {0};
    return round;
}

Forecast forecastOf(const Schedule& schedule, const std::vector<MeasuredRound>& rounds,
                    const ForecastRequest& request = {})
{
    const Result<Forecast> made = forecastMakespan(schedule, rounds, request);
    if (!made)
        qFatal("%s", made.error().message.c_str());
    return *made;
}

Schedule oneFOneB(int devices, int microBatches)
{
    return test::runFamily(test::familyOf("1f1b"), test::sized(devices, microBatches),
                           UniformCosts{})
        .schedule;
}

/// The records of an iteration in which all went as simulated.
void record(const test::FamilyRun& run, int iteration, Ticks base, std::vector<RecordedPass>& out)
{
    for (const DeviceId device : Ids<DeviceId>(run.schedule.devices())) {
        for (const EntryId e : run.schedule.entries(device)) {
            const OrderEntry entry = run.schedule.entry(e);
            const auto at = static_cast<std::size_t>(e);
            out.push_back({iteration, rankOf(device), e, entry.pass, base + run.result.start[at],
                           base + run.result.end[at]});
            if (entry.paired) {
                out.push_back(out.back());
                out.back().pass = entry.partner;
            }
        }
    }
}

/// Times of a machine: as modelled, each a little off, and all of a round by the same part.
class NoisyMachine
{
public:
    NoisyMachine(const Schedule& schedule, const Costs& costs, unsigned seed)
        : m_plain(asModelled(schedule, costs))
        , m_random(seed)
    {
    }

    MeasuredRound round(int times)
    {
        MeasuredRound round = m_plain;
        const double level = std::exp(normal(0.05));
        for (auto& [kind, list] : round.entries) {
            const Ticks plain = list.front();
            list.clear();
            for (int i = 0; i < times; ++i)
                list.push_back(
                    static_cast<Ticks>(static_cast<double>(plain) * level * std::exp(normal(0.1))));
        }
        return round;
    }

private:
    /// By the sum of twelve even numbers, the same on every platform.
    double normal(double deviation)
    {
        double sum = -6;
        for (int i = 0; i < 12; ++i)
            sum += static_cast<double>(m_random()) / 4294967296.0;
        return deviation * sum;
    }

    MeasuredRound m_plain;
    std::mt19937 m_random;
};

} // namespace

class TestForecast : public QObject
{
    Q_OBJECT

private slots:
    void equalTimesGiveTheSimulatedMakespan_data();
    void equalTimesGiveTheSimulatedMakespan();
    void aLaunchGapStandsBetweenTwoPasses();
    void theSeedAloneDecides();
    void aLargerPartIsAWiderInterval();
    void theIntervalHoldsNineOfTenRuns();
    void driftIsTheStepFromRoundToRound();
    void fewRoundsAreWidened_data();
    void fewRoundsAreWidened();
    void aRunBetweenRoundsIsAsFarAsNeighboursAre();
    void aBusyDeviceIsNotWoken();
    void aPairThatWasNeverMeasuredIsItsTwoPasses();
    void whatWasNotMeasuredIsNamed();
    void committedMessagesGetNoInterval();
    void recordedTimesComeBack();
    void anIterationWithAHoleIsLeftOut();
    void eachIterationIsPredictedFromTheOthers();
    void ownTimesExplainEveryFamily_data();
    void ownTimesExplainEveryFamily();
};

void TestForecast::equalTimesGiveTheSimulatedMakespan_data()
{
    QTest::addColumn<QString>("id");
    QTest::addColumn<int>("devices");
    QTest::addColumn<bool>("updates");
    for (const Family& family : allFamilies()) {
        for (const int devices : {2, 4}) {
            for (const bool updates : {false, true}) {
                FamilyOptions options = test::sized(devices, 2 * devices);
                options.updates = updates;
                if (specOf(family, options))
                    QTest::addRow("%s on %d devices%s", std::string(family.id).c_str(), devices,
                                  updates ? " with updates" : "")
                        << QString::fromStdString(std::string(family.id)) << devices << updates;
            }
        }
    }
}
void TestForecast::equalTimesGiveTheSimulatedMakespan()
{
    QFETCH(QString, id);
    QFETCH(int, devices);
    QFETCH(bool, updates);
    const Family& family = test::familyOf(id.toStdString());
    FamilyOptions options = test::sized(devices, 2 * devices);
    options.updates = updates;
    const test::FamilyRun run =
        test::runFamily(family, options, unevenCosts(*specOf(family, options), 3'001));
    ForecastRequest request;
    request.draws = 3;
    request.iterations = 2;
    const Forecast made = forecastOf(run.schedule, {asModelled(run.schedule, run.costs)}, request);
    QCOMPARE(made.low, run.result.makespan);
    QCOMPARE(made.middle, run.result.makespan);
    QCOMPARE(made.high, run.result.makespan);
    QVERIFY(made.holds(run.result.makespan));
    QVERIFY(!made.holds(run.result.makespan + 1) && !made.holds(run.result.makespan - 1));
}

void TestForecast::aLaunchGapStandsBetweenTwoPasses()
{
    // One device: three F and three BW in a row have five gaps between them.
    const Schedule schedule = oneFOneB(1, 3);
    MeasuredRound round = asModelled(schedule, expand(UniformCosts{}, schedule.spec()));
    round.gaps = {7'000};
    QCOMPARE(forecastOf(schedule, {round}).middle, 9 * ticksPerMs + 5 * 7'000);
}

void TestForecast::theSeedAloneDecides()
{
    const Schedule schedule = oneFOneB(3, 6);
    NoisyMachine machine(schedule, expand(UniformCosts{}, schedule.spec()), 5);
    const std::vector<MeasuredRound> rounds = {machine.round(20), machine.round(20)};
    ForecastRequest request;
    const Forecast first = forecastOf(schedule, rounds, request);
    QCOMPARE(forecastOf(schedule, rounds, request), first);
    request.seed = 2;
    QVERIFY(forecastOf(schedule, rounds, request) != first);
}

void TestForecast::aLargerPartIsAWiderInterval()
{
    const Schedule schedule = oneFOneB(3, 6);
    NoisyMachine machine(schedule, expand(UniformCosts{}, schedule.spec()), 6);
    const std::vector<MeasuredRound> rounds = {machine.round(20), machine.round(20)};
    ForecastRequest request;
    Forecast before = forecastOf(schedule, rounds, request);
    QVERIFY(before.low < before.middle && before.middle < before.high);
    for (const double part : {0.95, 0.99}) {
        request.part = part;
        const Forecast wider = forecastOf(schedule, rounds, request);
        QCOMPARE(wider.part, part);
        QVERIFY(wider.low < before.low && wider.high > before.high);
        QCOMPARE(wider.middle, before.middle);
        before = wider;
    }
}

/// Calibrations and runs of a machine whose every round is by 5 % another one.
void TestForecast::theIntervalHoldsNineOfTenRuns()
{
    const Schedule schedule = oneFOneB(2, 4);
    NoisyMachine machine(schedule, expand(UniformCosts{}, schedule.spec()), 7);
    constexpr int runs = 200;
    int held = 0;
    double width = 0;
    for (int i = 0; i < runs; ++i) {
        std::vector<MeasuredRound> rounds;
        for (int r = 0; r < 6; ++r)
            rounds.push_back(machine.round(10));
        ForecastRequest request;
        request.draws = 200;
        request.iterations = 3;
        request.seed = static_cast<std::uint64_t>(i);
        const Forecast made = forecastOf(schedule, rounds, request);
        // The run is a round like the others; its makespan is what one imagined run of it takes.
        ForecastRequest once;
        once.draws = 1;
        once.iterations = 3;
        once.seed = static_cast<std::uint64_t>(1000 + i);
        held += made.holds(forecastOf(schedule, {machine.round(10)}, once).middle) ? 1 : 0;
        width += static_cast<double>(made.high - made.low) / static_cast<double>(made.middle);
    }
    QVERIFY2(held >= 0.9 * runs, qPrintable(QString::number(held)));
    // Nor is it simply wide: a normal deviation of 5 % spans 16 % in nine of ten.
    QVERIFY2(width / runs < 0.35, qPrintable(QString::number(width / runs)));
}

void TestForecast::driftIsTheStepFromRoundToRound()
{
    const test::FamilyRun run =
        test::runFamily(test::familyOf("1f1b"), test::sized(2, 4), UniformCosts{});
    const std::vector<MeasuredRound> rounds = {asModelled(run.schedule, run.costs, 1),
                                               asModelled(run.schedule, run.costs, 1.25)};
    const Forecast drifting = forecastOf(run.schedule, rounds);
    QCOMPARE(drifting.rounds, 2);
    QVERIFY(std::abs(drifting.drift - 0.25) < 1e-9);
    // From the faster round a step down, from the slower one a step up.
    const auto times = [&](double factor) {
        return static_cast<Ticks>(std::llround(factor * static_cast<double>(run.result.makespan)));
    };
    QCOMPARE(drifting.low, times(1 / 1.25));
    QCOMPARE(drifting.high, times(1.25 * 1.25));
    ForecastRequest steady;
    steady.drift = Drift::None;
    QCOMPARE(forecastOf(run.schedule, rounds, steady).low, times(1));
    QCOMPARE(forecastOf(run.schedule, rounds, steady).high, times(1.25));
}

/// The points of Student's and the normal distribution are those of printed tables.
void TestForecast::fewRoundsAreWidened_data()
{
    QTest::addColumn<int>("rounds");
    QTest::addColumn<double>("part");
    QTest::addColumn<double>("student");
    QTest::addColumn<double>("normal");
    QTest::newRow("two") << 2 << 0.9 << 6.314 << 1.645;
    QTest::newRow("three") << 3 << 0.9 << 2.920 << 1.645;
    QTest::newRow("four") << 4 << 0.95 << 3.182 << 1.960;
    QTest::newRow("six") << 6 << 0.9 << 2.015 << 1.645;
    QTest::newRow("seven, nearly all") << 7 << 0.99 << 3.707 << 2.576;
    QTest::newRow("twelve") << 12 << 0.9 << 1.796 << 1.645;
    QTest::newRow("many") << 121 << 0.9 << 1.658 << 1.645;
}

void TestForecast::fewRoundsAreWidened()
{
    QFETCH(int, rounds);
    QFETCH(double, part);
    QFETCH(double, student);
    QFETCH(double, normal);
    Forecast made;
    made.low = 90 * ticksPerMs;
    made.middle = 100 * ticksPerMs;
    made.high = 120 * ticksPerMs;
    made.part = part;
    made.rounds = rounds;
    const Forecast wide = widenedForFewRounds(made);
    QCOMPARE(wide.middle, made.middle);
    const double factor = student / normal * std::sqrt((rounds + 1.0) / (rounds - 1.0));
    const auto power = [](Ticks end, Ticks middle) {
        return std::log(static_cast<double>(end) / static_cast<double>(middle));
    };
    QVERIFY(std::abs(power(wide.low, wide.middle) / power(made.low, made.middle) - factor) <
            0.002 * factor);
    QVERIFY(std::abs(power(wide.high, wide.middle) / power(made.high, made.middle) - factor) <
            0.002 * factor);
    made.rounds = 1;
    QCOMPARE(widenedForFewRounds(made), made);
}

void TestForecast::aRunBetweenRoundsIsAsFarAsNeighboursAre()
{
    const test::FamilyRun run =
        test::runFamily(test::familyOf("1f1b"), test::sized(2, 4), UniformCosts{});
    // The machine became slower, little by little: no step of neighbours is larger than 1.1.
    std::vector<MeasuredRound> rounds;
    double level = 1;
    for (int r = 0; r < 8; ++r, level *= 1.1)
        rounds.push_back(asModelled(run.schedule, run.costs, level));
    ForecastRequest request;
    request.part = 1;
    const Forecast onwards = forecastOf(run.schedule, rounds, request);
    request.drift = Drift::Between;
    const Forecast between = forecastOf(run.schedule, rounds, request);
    const auto makespan = static_cast<double>(run.result.makespan);
    QVERIFY(static_cast<double>(between.low) >= makespan / 1.1 - 100);
    QVERIFY(static_cast<double>(between.high) <= makespan * std::pow(1.1, 8) + 100);
    QVERIFY(between.low > onwards.low && between.high < onwards.high);
}

void TestForecast::aBusyDeviceIsNotWoken()
{
    // Messages that are waited for take 5 ms more than the fastest. Device 1 waits for its first F
    // only: all others come while it is busy.
    const test::FamilyRun run =
        test::runFamily(test::familyOf("gpipe"), test::sized(2, 4),
                        test::equalStages(2 * ticksPerMs, ticksPerMs, ticksPerMs));
    const int stages = run.schedule.spec().stages();
    MeasuredRound round = asModelled(run.schedule, run.costs);
    // The second stage is much slower than the first.
    round.entries[EntryKind{.kind = PassKind::F, .stage = StageId(stages - 1)}] = {9 * ticksPerMs};
    round.messages[{PassKind::F, 0}] = Times(1'000, 5 * ticksPerMs);
    round.messages[{PassKind::F, 0}].front() = 0;
    round.messages[{PassKind::B, 0}] = {0};
    ForecastRequest request;
    request.part = 0.5;
    // 2 for the first F, 5 for its message, four F of 9, four BW of 2 each and the last one's
    // other half: device 0 does its four BW behind those of device 1.
    const Forecast made = forecastOf(run.schedule, {round}, request);
    QCOMPARE(made.middle, (2 + 5 + 4 * 9 + 4 * 2 + 2) * ticksPerMs);
}

void TestForecast::aPairThatWasNeverMeasuredIsItsTwoPasses()
{
    const test::FamilyRun run =
        test::runFamily(test::familyOf("dualpipe"), test::sized(4, 8), UniformCosts{});
    MeasuredRound round = asModelled(run.schedule, run.costs);
    const auto pairs =
        std::erase_if(round.entries, [](const auto& one) { return one.first.paired; });
    QVERIFY(pairs > 0);
    for (const PassKind kind : allPassKinds) {
        for (const StageId stage : Ids<StageId>(run.schedule.spec().stages()))
            round.entries[EntryKind{.kind = kind, .stage = stage}] = {
                passTime(run.costs, run.schedule.spec(), {kind, 0, stage, 0, 0})};
    }
    QCOMPARE(forecastOf(run.schedule, {round}).middle, run.result.makespan);

    // Its work is that of both: F takes a half longer, all else as long.
    MeasuredRound slower = round;
    double before = 0, after = 0;
    for (const DeviceId device : Ids<DeviceId>(run.schedule.devices())) {
        for (const EntryId e : run.schedule.entries(device)) {
            const OrderEntry entry = run.schedule.entry(e);
            std::vector<Pass> passes = {entry.pass};
            if (entry.paired)
                passes.push_back(entry.partner);
            for (const Pass& pass : passes) {
                const EntryKind kind{.kind = pass.kind, .stage = pass.stage};
                const Ticks time = round.entries.at(kind).front();
                const Ticks longer = pass.kind == PassKind::F ? time + time / 2 : time;
                slower.entries.at(kind) = {longer};
                before += static_cast<double>(time);
                after += static_cast<double>(longer);
            }
        }
    }
    QVERIFY(std::abs(forecastOf(run.schedule, {round, slower}).drift - (after / before - 1)) <
            1e-9);
}

void TestForecast::whatWasNotMeasuredIsNamed()
{
    const Schedule schedule = oneFOneB(2, 4);
    MeasuredRound round = asModelled(schedule, expand(UniformCosts{}, schedule.spec()));
    round.entries.erase(EntryKind{.kind = PassKind::BW, .stage = StageId(1)});
    const Result<Forecast> made = forecastMakespan(schedule, {{round}});
    QVERIFY(!made);
    QCOMPARE(made.error().message, std::string("no BW of stage 1 was measured"));
    QVERIFY(!forecastMakespan(schedule, {}));
}

void TestForecast::committedMessagesGetNoInterval()
{
    const Schedule early = oneFOneB(2, 4);
    PipelineSpec spec = early.spec();
    spec.messages = MessageRule::Committed;
    const Result<Schedule> schedule = Schedule::make(spec, early.orders());
    QVERIFY(schedule);
    const Result<Forecast> made =
        forecastMakespan(*schedule, {{asModelled(early, expand(UniformCosts{}, early.spec()))}});
    QVERIFY(!made);
    QCOMPARE(made.error().code, ErrorCode::BadValue);
}

void TestForecast::recordedTimesComeBack()
{
    // Two devices, one micro-batch: F on 0, F and BW on 1, BW on 0.
    const Schedule schedule = oneFOneB(2, 1);
    const auto pass = [](PassKind kind, StageId stage) { return Pass{kind, 0, stage, 0, 0}; };
    const std::vector<RecordedPass> passes = {
        {3, RankId(0), EntryId(0), pass(PassKind::F, StageId(0)), 100, 200},
        {3, RankId(0), EntryId(1), pass(PassKind::BW, StageId(0)), 430, 500},
        {3, RankId(1), EntryId(2), pass(PassKind::F, StageId(1)), 220, 290},
        {3, RankId(1), EntryId(3), pass(PassKind::BW, StageId(1)), 293, 400}};
    const std::vector<RecordedMessage> messages = {
        {3, 0, RankId(0), RankId(1), pass(PassKind::F, StageId(0)), 8, 200, 201, 215},
        {3, 1, RankId(1), RankId(0), pass(PassKind::BW, StageId(1)), 8, 400, 401, 425}};
    const std::vector<RecordedIteration> taken = recordedIterations(schedule, passes, messages);
    QCOMPARE(taken.size(), std::size_t{1});
    QCOMPARE(taken[0].iteration, 3);
    QCOMPARE(taken[0].makespan, Ticks{400});
    const MeasuredRound& times = taken[0].times;
    QCOMPARE(times.entries.at({.kind = PassKind::F, .stage = StageId(0)}), Times{100});
    QCOMPARE(times.entries.at({.kind = PassKind::F, .stage = StageId(1)}), Times{70});
    QCOMPARE(times.entries.at({.kind = PassKind::BW, .stage = StageId(1)}), Times{107});
    QCOMPARE(times.entries.at({.kind = PassKind::BW, .stage = StageId(0)}), Times{70});
    QCOMPARE(times.messages.at({PassKind::F, 0}), Times{20});
    QCOMPARE(times.messages.at({PassKind::B, 0}), Times{30});
    QCOMPARE(times.gaps, Times{3});
    QCOMPARE(times.openings, Times{0});
}

void TestForecast::anIterationWithAHoleIsLeftOut()
{
    const test::FamilyRun run =
        test::runFamily(test::familyOf("dualpipe"), test::sized(4, 8), UniformCosts{});
    std::vector<RecordedPass> passes;
    for (const int iteration : {-1, 0, 1, 2})
        record(run, iteration, iteration * 1'000 * ticksPerMs, passes);
    const auto hole = std::find_if(passes.begin(), passes.end(),
                                   [](const RecordedPass& pass) { return pass.iteration == 1; });
    passes.erase(hole);
    const std::vector<RecordedIteration> taken = recordedIterations(run.schedule, passes, {});
    QCOMPARE(taken.size(), std::size_t{2});
    QCOMPARE(taken[0].iteration, 0);
    QCOMPARE(taken[1].iteration, 2);
    QCOMPARE(taken[0].makespan, run.result.makespan);
    // A pair counts once.
    std::size_t times = 0;
    for (const auto& [kind, list] : taken[0].times.entries)
        times += list.size();
    QCOMPARE(times, static_cast<std::size_t>(run.schedule.entryCount()));
}

void TestForecast::eachIterationIsPredictedFromTheOthers()
{
    // The second iteration took twice as long: each is predicted as the other one.
    std::vector<RecordedPass> passes;
    const Family& family = test::familyOf("1f1b");
    for (const int iteration : {0, 1})
        record(test::runFamily(
                   family, test::sized(2, 4),
                   test::equalStages(1'000 << iteration, 1'000 << iteration, 1'000 << iteration)),
               iteration, iteration * ticksPerMs, passes);
    const Schedule schedule = oneFOneB(2, 4);
    const auto iterations = recordedIterations(schedule, passes, {});
    const Result<std::optional<ModelError>> error = modelError(schedule, iterations);
    QVERIFY(error && error->has_value());
    QCOMPARE((*error)->iterations, 2);
    // 2 / 1 − 1 and 1 / 2 − 1.
    QCOMPARE((*error)->middle, 0.25);
    QCOMPARE((*error)->low, -0.125);
    QCOMPARE((*error)->high, 0.625);
    const Result<std::optional<ModelError>> alone = modelError(schedule, {iterations[0]});
    QVERIFY(alone && !alone->has_value());
}

void TestForecast::ownTimesExplainEveryFamily_data()
{
    QTest::addColumn<QString>("id");
    for (const Family& family : allFamilies()) {
        if (specOf(family, test::sized(4, 8)))
            QTest::newRow(std::string(family.id).c_str())
                << QString::fromStdString(std::string(family.id));
    }
}
void TestForecast::ownTimesExplainEveryFamily()
{
    QFETCH(QString, id);
    const Family& family = test::familyOf(id.toStdString());
    const FamilyOptions options = test::sized(4, 8);
    const test::FamilyRun run =
        test::runFamily(family, options, unevenCosts(*specOf(family, options), 0));
    std::vector<RecordedPass> passes;
    for (const int iteration : {0, 1, 2})
        record(run, iteration, iteration * 1'000 * ticksPerMs, passes);
    const auto error = modelError(run.schedule, recordedIterations(run.schedule, passes, {}));
    QVERIFY(error && error->has_value());
    QCOMPARE((*error)->middle, 0.0);
    QCOMPARE((*error)->predicted, run.result.makespan);
}

PW_TEST(TestForecast)
#include "tst_forecast.moc"
