// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/families/family.h"
#include "core/noise/noise_bands.h"
#include "core/sim/memory.h"
#include "core/sim/metrics.h"
#include "tests/support/test_program.h"

#include <QtTest>

#include <algorithm>
#include <cmath>

using namespace pw;

namespace {

struct Case
{
    Schedule schedule;
    Costs costs;
};

Case caseOf(const char* id, int devices, int microBatches, UniformCosts costs = {})
{
    const Family* family = *findFamily(id);
    FamilyOptions options;
    options.devices = devices;
    options.microBatches = microBatches;
    const PipelineSpec spec = *specOf(*family, options);
    Costs expanded = expand(costs, spec);
    Schedule schedule = *family->build(spec, options, expanded);
    return {std::move(schedule), std::move(expanded)};
}

NoiseModel jitter(double spread)
{
    NoiseModel model;
    model.passSpread.fill(spread);
    model.messageSpread = spread;
    return model;
}

} // namespace

/// Quantiles of what charts show.
class TestNoiseBands : public QObject
{
    Q_OBJECT

private slots:
    void withoutNoiseABandIsTheCurve();
    void aRunHasTheTimesOfItsMakespan();
    void bandsHoldTheRunsTheyAreMadeOf();
    void theAxisGoesAsFarAsNearlyEveryRun();
    void moreNoiseMakesAWiderBand();
    void aStopEndsIt();
    void committedMessagesAreRefused();
};

void TestNoiseBands::withoutNoiseABandIsTheCurve()
{
    for (const bool bytes : {false, true}) {
        UniformCosts costs;
        costs.hop = ticksFromMs(0.25);
        Case one = caseOf("1f1b", 4, 8, costs);
        if (bytes)
            for (auto& activation : one.costs.activation)
                activation.activation = 1'000'000;
        const SimResult nominal = *simulate(one.schedule, one.costs);
        NoiseBandsAsked asked;
        asked.samples = 8;
        asked.makespans = 16;
        asked.points = 100;
        const auto bands = noiseBands(one.schedule, one.costs, NoiseModel{}, asked);
        QVERIFY2(bands, bands ? "" : bands.error().message.c_str());
        QCOMPARE(bands->makespans.quantile(0.95), static_cast<double>(nominal.makespan));
        QCOMPARE(bands->bytes, bytes);
        QCOMPARE(bands->times.size(), std::size_t{100});
        for (const DeviceId device : Ids<DeviceId>(4)) {
            const auto at = static_cast<std::size_t>(device);
            const NoiseBand& wall = bands->wall[at];
            QCOMPARE(wall.low, wall.high);
            QVERIFY(std::abs(wall.middle - wallBubble(nominal, device).rate()) < 1e-6);
            QVERIFY(std::abs(bands->span[at].middle - spanBubble(nominal, device).rate()) < 1e-6);
            double most = 0;
            for (const NoiseBand& band : bands->memory[at]) {
                QCOMPARE(band.low, band.high);
                most = std::max(most, band.high);
            }
            const DeviceResult& result = nominal.devices[at];
            const double peak = bytes ? static_cast<double>(result.peakActivation)
                                      : microBatchesFromShare(result.peakShare);
            QVERIFY(peak > 0);
            QVERIFY2(std::abs(most - peak) < 1e-6 * peak, qPrintable(QString::number(most)));
        }
    }
}

void TestNoiseBands::aRunHasTheTimesOfItsMakespan()
{
    UniformCosts costs;
    costs.hop = ticksFromMs(0.3);
    const Case one = caseOf("zb-h1", 4, 8, costs);
    const auto runs = NoisyRuns::make(one.schedule, one.costs);
    QVERIFY(runs);
    constexpr int samples = 40;
    std::vector<Ticks> makespans;
    runs->each(jitter(0.1), samples, 7,
               [&](std::span<const Ticks> start, std::span<const Ticks> end) {
                   QCOMPARE(start.size(), static_cast<std::size_t>(one.schedule.entryCount()));
                   for (const DeviceId device : Ids<DeviceId>(4))
                       for (const EntryId i : one.schedule.entries(device)) {
                           const auto entry = static_cast<std::size_t>(i);
                           QVERIFY(end[entry] >= start[entry]);
                           if (i > one.schedule.begin(device))
                               QVERIFY(start[entry] >= end[entry - 1]);
                       }
                   makespans.push_back(*std::max_element(end.begin(), end.end()));
               });
    QCOMPARE(makespans.size(), std::size_t{samples});
    std::sort(makespans.begin(), makespans.end());
    const NoiseSamples all = runs->run(jitter(0.1), samples, 7, 1);
    for (std::size_t i = 0; i < makespans.size(); ++i)
        QVERIFY(std::abs(static_cast<double>(makespans[i]) - all.makespans[i]) <= 1);
}

void TestNoiseBands::bandsHoldTheRunsTheyAreMadeOf()
{
    const Case one = caseOf("zb-v", 4, 12);
    NoiseBandsAsked asked;
    asked.samples = 200;
    asked.makespans = 2000;
    const auto bands = noiseBands(one.schedule, one.costs, jitter(0.1), asked);
    QVERIFY(bands);
    std::vector<int> below(4, 0), above(4, 0);
    const auto runs = NoisyRuns::make(one.schedule, one.costs);
    runs->each(
        jitter(0.1), asked.samples, asked.seed,
        [&](std::span<const Ticks> start, std::span<const Ticks> end) {
            const auto last = *std::max_element(end.begin(), end.end());
            for (const DeviceId device : Ids<DeviceId>(4)) {
                Ticks busy = 0;
                for (const EntryId i : one.schedule.entries(device))
                    busy += end[static_cast<std::size_t>(i)] - start[static_cast<std::size_t>(i)];
                const double rate = 1 - static_cast<double>(busy) / static_cast<double>(last);
                const auto at = static_cast<std::size_t>(device);
                below[at] += rate < bands->wall[at].low - 1e-6 ? 1 : 0;
                above[at] += rate > bands->wall[at].high + 1e-6 ? 1 : 0;
            }
        });
    for (std::size_t device = 0; device < 4; ++device) {
        QVERIFY(bands->wall[device].low < bands->wall[device].middle);
        QVERIFY(bands->wall[device].middle < bands->wall[device].high);
        QVERIFY2(below[device] >= 8 && below[device] <= 11,
                 qPrintable(QString::number(below[device])));
        QVERIFY2(above[device] >= 8 && above[device] <= 11,
                 qPrintable(QString::number(above[device])));
        for (const NoiseBand& band : bands->memory[device])
            QVERIFY(band.low <= band.middle && band.middle <= band.high);
    }
}

void TestNoiseBands::theAxisGoesAsFarAsNearlyEveryRun()
{
    const Case one = caseOf("1f1b", 4, 8);
    NoiseBandsAsked asked;
    asked.samples = 4;
    asked.makespans = 1'000;
    asked.points = 11;
    const auto bands = noiseBands(one.schedule, one.costs, jitter(0.3), asked);
    QVERIFY(bands);
    const double most = bands->makespans.quantile(0.99);
    QVERIFY(most > 1.05 * bands->makespans.quantile(0.5));
    for (std::size_t i = 0; i < bands->times.size(); ++i)
        QCOMPARE(bands->times[i], Ticks{std::llround(most * static_cast<double>(i) / 10)});
    QCOMPARE(bands->times.size(), std::size_t{11});
}

void TestNoiseBands::moreNoiseMakesAWiderBand()
{
    const Case one = caseOf("1f1b", 4, 8);
    const auto width = [&](double spread) {
        const auto bands = noiseBands(one.schedule, one.costs, jitter(spread), {});
        return bands->wall[0].high - bands->wall[0].low;
    };
    const double little = width(0.02), much = width(0.2);
    QVERIFY(little > 0);
    QVERIFY(much > 4 * little);
}

void TestNoiseBands::aStopEndsIt()
{
    const Case one = caseOf("1f1b", 4, 8);
    const auto bands = noiseBands(one.schedule, one.costs, jitter(0.1), {}, [] { return true; });
    QVERIFY(!bands);
    QCOMPARE(bands.error().code, ErrorCode::Cancelled);
}

void TestNoiseBands::committedMessagesAreRefused()
{
    const Family* family = *findFamily("1f1b");
    FamilyOptions options;
    options.devices = 2;
    options.microBatches = 2;
    PipelineSpec spec = *specOf(*family, options);
    spec.messages = MessageRule::Committed;
    const Costs costs = expand(UniformCosts{}, spec);
    const auto schedule = family->build(spec, options, costs);
    QVERIFY(schedule);
    const auto bands = noiseBands(*schedule, costs, jitter(0.1), {});
    QVERIFY(!bands);
    QVERIFY(bands.error().message.english().find("committed") != std::string::npos);
}

PW_TEST(TestNoiseBands)
#include "tst_noise_bands.moc"
