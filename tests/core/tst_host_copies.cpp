// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/families/family.h"
#include "core/model/offload.h"
#include "core/model/recompute.h"
#include "core/sim/draft_times.h"
#include "core/sim/explain.h"
#include "core/sim/host_copies.h"
#include "core/sim/memory.h"
#include "core/sim/metrics.h"
#include "tests/support/random_drafts.h"
#include "tests/support/seed.h"
#include "tests/support/slow_copies.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <random>

using namespace pw;

namespace {

constexpr Ticks copyMs = ticksPerMs;

/// Short times, no two stages alike; a copy takes 0 to a dozen ticks.
Costs shortCopyCosts(const PipelineSpec& spec, std::mt19937& random)
{
    UniformCosts uniform;
    uniform.keptForWeight = 0.5;
    uniform.stash = 0.25;
    Costs costs = expand(uniform, spec);
    for (auto* table : {&costs.forward, &costs.backward, &costs.weight})
        for (Ticks& time : *table)
            time = 1 + test::below(random, 9);
    costs.link.latency = test::below(random, 3);
    for (ActivationCost& cost : costs.activation) {
        cost.activation = 4 * test::below(random, 4);
        cost.keptForWeight = cost.activation / 2;
        cost.stash = cost.activation / 4;
    }
    costs.offload.link.latency = test::below(random, 3);
    costs.offload.link.bytesPerSecond = test::below(random, 2) == 0 ? 1e9 : 2e9;
    const int share = 1 + test::below(random, 4);
    for (const StageId stage : Ids<StageId>(spec.stages()))
        for (int j = 0; j < spec.totalMicroBatches(); ++j)
            for (int q = 0; q < spec.segments(); ++q)
                if (test::below(random, share) == 0)
                    costs.offload.cells.push_back({PassKind::F, 0, stage, j, q});
    costs.offload.cells = offloadedCells(std::move(costs.offload.cells), spec);
    return costs;
}

Schedule copySchedule(const char* id, int devices, int microBatches, const UniformCosts& costs,
                      std::vector<std::pair<std::string, double>> parameters = {})
{
    const Family* family = *findFamily(id);
    FamilyOptions options;
    options.devices = devices;
    options.microBatches = microBatches;
    for (auto& [name, value] : parameters)
        options.parameters.emplace_back(name, value);
    auto schedule = buildUniform(*family, options, costs);
    if (!schedule)
        qFatal("%s", schedule.error().message.c_str());
    return *std::move(schedule);
}

std::vector<Pass> everyCopyCell(const PipelineSpec& spec)
{
    std::vector<Pass> cells;
    for (const StageId stage : Ids<StageId>(spec.stages()))
        for (int j = 0; j < spec.totalMicroBatches(); ++j)
            for (int q = 0; q < spec.segments(); ++q)
                cells.push_back({PassKind::F, 0, stage, j, q});
    return offloadedCells(std::move(cells), spec);
}

/// Device activations of a curve, the most and the last.
std::pair<Bytes, Bytes> copyMostAndLast(const std::vector<MemoryPoint>& curve)
{
    const auto activations = [](const MemoryPoint& point) {
        return point.bytes[static_cast<std::size_t>(MemoryKind::Activations)] +
               point.bytes[static_cast<std::size_t>(MemoryKind::HeldForWeight)];
    };
    Bytes most = 0;
    for (const MemoryPoint& point : curve)
        most = std::max(most, activations(point));
    return {most, activations(curve.back())};
}

} // namespace

/// Activations that go to the host and come back.
class TestHostCopies : public QObject
{
    Q_OBJECT

private slots:
    void randomOrdersAgreeWithASimulationFromTickToTick()
    {
        std::mt19937 random(test::randomSeed());
        int compared = 0;
        for (int round = 0; round < 400; ++round) {
            const auto families = allFamilies();
            const Family& family = families[static_cast<std::size_t>(
                test::below(random, static_cast<int>(families.size())))];
            Schedule schedule = test::familySchedule(family, random);
            if (schedule.spec().messages == MessageRule::Committed || schedule.entryCount() > 400)
                continue;
            if (test::below(random, 3) == 0 && !schedule.anyRecompute())
                schedule = *withRecompute(schedule);
            const Costs costs = shortCopyCosts(schedule.spec(), random);
            const auto result = simulate(schedule, costs);
            QVERIFY2(result.has_value(), result ? "" : result.error().message.c_str());
            test::SlowRun slow(schedule, costs);
            slow.run();
            QCOMPARE(result->start, slow.start);
            QCOMPARE(result->end, slow.end);
            QCOMPARE(result->copies.size(), slow.copies.size());
            for (std::size_t i = 0; i < slow.copies.size(); ++i) {
                const HostCopy& fast = result->copies[i];
                const test::SlowCopy& own = slow.copies[i];
                QCOMPARE(fast.cell, own.cell);
                QCOMPARE(fast.bytes, own.bytes);
                QCOMPARE(fast.needed, own.needed);
                QCOMPARE(std::tuple(fast.outStart, fast.outEnd, fast.backStart, fast.backEnd),
                         std::tuple(own.outStart, own.outEnd, own.backStart, own.backEnd));
            }
            for (const DeviceId device : Ids<DeviceId>(schedule.devices())) {
                const auto [bytes, share] = slow.peaks(device);
                const DeviceResult& own = result->devices[static_cast<std::size_t>(device)];
                QCOMPARE(own.peakActivation, bytes);
                QCOMPARE(own.peakShare, share);
                const auto [most, last] =
                    copyMostAndLast(memoryCurve(schedule, costs, *result, device));
                QCOMPARE(most, bytes);
                QCOMPARE(last, 0);
            }
            ++compared;
        }
        QVERIFY2(compared > 100, "too few orders were compared");
    }

    void aDraftThatIsCompleteHasTheTimesOfItsSchedule()
    {
        std::mt19937 random(test::randomSeed());
        for (const Family& family : allFamilies()) {
            const Schedule schedule = test::familySchedule(family, random);
            Costs costs = test::randomCosts(schedule.spec(), random);
            costs.offload.cells = everyCopyCell(schedule.spec());
            std::erase_if(costs.offload.cells,
                          [&](const Pass&) { return test::below(random, 3) == 0; });
            costs.offload.link = {5, 1e9};
            const auto result = simulate(schedule, costs);
            QVERIFY(result.has_value());
            const Draft draft = draftOf(schedule);
            const auto times = draftTimes(draft, costs);
            QVERIFY(times.has_value());
            QCOMPARE(times->times.copies.size(), result->copies.size());
            QVERIFY2(times->times == *result, std::string(family.id).c_str());
            for (const DeviceId device : Ids<DeviceId>(schedule.devices())) {
                const auto curve = memoryCurve(schedule, costs, *result, device);
                const auto ofDraft = draftMemory(draft, costs, *times, device);
                QCOMPARE(copyMostAndLast(ofDraft), copyMostAndLast(curve));
            }
        }
    }

    void anUnfinishedDraftHasTimesForWhatIsThere()
    {
        std::mt19937 random(test::randomSeed());
        for (int round = 0; round < 200; ++round) {
            const auto families = allFamilies();
            Draft draft = draftOf(test::familySchedule(
                families[static_cast<std::size_t>(round) % families.size()], random));
            test::removeSome(draft, random);
            test::disturb(draft, random);
            Costs costs = test::randomCosts(draft.spec, random);
            costs.offload.cells = everyCopyCell(draft.spec);
            costs.offload.link = {7, 1e9};
            const auto times = draftTimes(draft, costs);
            QVERIFY(times.has_value());
            for (const HostCopy& copy : times->times.copies) {
                QVERIFY(copy.outStart >= times->times.end[static_cast<std::size_t>(copy.forward)]);
                if (copy.needed < 0)
                    continue;
                QVERIFY(copy.needed > copy.forward);
                QVERIFY(copy.backStart >= copy.outEnd);
                QVERIFY(copy.backEnd <= times->times.start[static_cast<std::size_t>(copy.needed)]);
            }
            for (const auto& curve : draftMemory(draft, costs, *times))
                for (const MemoryPoint& point : curve)
                    QVERIFY(point.total() >= 0);
        }
    }

    void theTimesOfAShortOrderAreThoseByHand()
    {
        // One device, F 1, BW 2 copyMs; a copy takes 1 copyMs.
        UniformCosts uniform;
        uniform.activation = 1000;
        const PipelineSpec spec = copySchedule("1f1b", 1, 3, uniform).spec();
        DeviceOrders orders(1);
        for (const PassKind kind : {PassKind::F, PassKind::BW})
            for (int j = 0; j < 3; ++j)
                orders[0].push_back(single({kind, 0, StageId(0), j, 0}));
        const Schedule schedule = *Schedule::make(spec, orders);
        Costs costs = expand(uniform, spec);
        costs.offload.link = {0, 1e6};
        costs.offload.cells = {{PassKind::F, 0, StageId(0), 0, 0},
                               {PassKind::F, 0, StageId(0), 2, 0}};
        const auto result = simulate(schedule, costs);
        QCOMPARE(result->makespan, 9 * copyMs);
        QCOMPARE(result->copies.size(), std::size_t(2));
        const auto times = [](const HostCopy& copy) {
            return std::vector<Ticks>{copy.outStart, copy.outEnd, copy.backStart, copy.backEnd,
                                      copy.wait};
        };
        // Back in the last millisecond before BW0 at 3; BW2 begins at 7, and BW1 before it at 5.
        QCOMPARE(times(result->copies[0]),
                 (std::vector<Ticks>{copyMs, 2 * copyMs, 2 * copyMs, 3 * copyMs, 0}));
        QCOMPARE(times(result->copies[1]),
                 (std::vector<Ticks>{3 * copyMs, 4 * copyMs, 5 * copyMs, 6 * copyMs, 0}));
        // F0 has left when F2 begins, and comes back at that moment; F2 leaves during BW0.
        QCOMPARE(result->devices[0].peakActivation, 3000);
        const HostTraffic traffic = hostTraffic(*result, DeviceId(0));
        QCOMPARE(traffic.bytes, 2000);
        QCOMPARE(traffic.copying, 4 * copyMs);
        QCOMPARE(traffic.peakOnHost, 1000);
        QCOMPARE(traffic.hidden(), 1.0);
    }

    void whatComesBackTooLateIsWaitedForAndSaid()
    {
        // The backward follows its F at once: both copies are waited for.
        UniformCosts uniform;
        uniform.activation = 1000;
        const Schedule schedule = copySchedule("1f1b", 1, 2, uniform);
        Costs costs = expand(uniform, schedule.spec());
        const Ticks without = simulate(schedule, costs)->makespan;
        costs.offload.link = {0, 1e6};
        costs.offload.cells = everyCopyCell(schedule.spec());
        const auto result = simulate(schedule, costs);
        QCOMPARE(result->makespan, without + 4 * copyMs);
        QCOMPARE(hostTraffic(*result, DeviceId(0)).waiting, 4 * copyMs);
        QCOMPARE(hostTraffic(*result, DeviceId(0)).hidden(), 0.0);
        const auto found = gaps(schedule, costs, *result, DeviceId(0));
        QCOMPARE(found.size(), std::size_t(2));
        QCOMPARE(found.front().reason, WaitReason::Reload);
        QVERIFY(found.front().text.english().find("from the host") != std::string::npos);
        const auto path = criticalPath(schedule, costs, *result);
        QVERIFY(std::any_of(path.begin(), path.end(), [](const CriticalEntry& entry) {
            return entry.reason == WaitReason::Reload;
        }));
        // Nothing of it is hidden, so that nothing is proposed.
        QVERIFY(hiddenOffload(schedule, costs).empty());
    }

    void withoutACellNothingChanges()
    {
        std::mt19937 random(test::randomSeed());
        for (const Family& family : allFamilies()) {
            const Schedule schedule = test::familySchedule(family, random);
            Costs costs = test::randomCosts(schedule.spec(), random);
            const auto before = simulate(schedule, costs);
            costs.offload.link = {1'000'000, 3};
            const auto after = simulate(schedule, costs);
            QVERIFY(*before == *after);
            QVERIFY(after->copies.empty());
        }
    }

    void whatIsHiddenNeverLengthensAnOrder()
    {
        std::mt19937 random(test::randomSeed());
        std::size_t marked = 0;
        for (int round = 0; round < 120; ++round) {
            const auto families = allFamilies();
            const Schedule schedule = test::familySchedule(
                families[static_cast<std::size_t>(round) % families.size()], random);
            Costs costs = test::randomCosts(schedule.spec(), random);
            // An activation takes a millisecond or three.
            costs.offload.link = {test::below(random, 100'000), 1e9 / (1 + test::below(random, 3))};
            const auto before = simulate(schedule, costs);
            QVERIFY(before.has_value());
            costs.offload.cells = hiddenOffload(schedule, costs);
            marked += costs.offload.cells.size();
            const auto after = simulate(schedule, costs);
            QVERIFY(after.has_value());
            QVERIFY(after->makespan <= before->makespan);
            for (const HostCopy& copy : after->copies)
                QCOMPARE(copy.wait, Ticks(0));
        }
        QVERIFY2(marked > 0, "nothing was ever hidden");
    }

    void whatIsHiddenIsNotWaitedForWhereTheMakespanHasRoomEither()
    {
        // Here some copies back come late for passes that are not on the critical path.
        UniformCosts uniform{2 * ticksPerMs, 3 * ticksPerMs, 3 * ticksPerMs};
        uniform.hop = ticksPerMs / 2;
        uniform.activation = 100'000'000;
        const Schedule schedule = copySchedule("hanayo", 8, 12, uniform);
        Costs costs = expand(uniform, schedule.spec());
        costs.offload.link.bytesPerSecond = 30e9;
        const Ticks without = simulate(schedule, costs)->makespan;
        costs.offload.cells = hiddenOffload(schedule, costs);
        QVERIFY(!costs.offload.cells.empty());
        const auto result = simulate(schedule, costs);
        QCOMPARE(result->makespan, without);
        for (const HostCopy& copy : result->copies)
            QCOMPARE(copy.wait, Ticks(0));
    }

    void asMuchGoesAsTheCapNeeds()
    {
        UniformCosts uniform;
        uniform.activation = 1'000'000;
        const Schedule schedule = copySchedule("1f1b", 8, 32, uniform);
        Costs costs = expand(uniform, schedule.spec());
        costs.offload.link.bytesPerSecond = 2e9;
        QCOMPARE(fittingOffload(schedule, costs).error().code, ErrorCode::BadValue);
        costs.shareCap = shareLimit(8);
        QVERIFY(fittingOffload(schedule, costs)->empty());
        // Stage s keeps 8 − s micro-batches: the first three are above 5.
        costs.shareCap = shareLimit(5);
        const auto cells = fittingOffload(schedule, costs);
        QVERIFY(cells.has_value());
        QVERIFY(!cells->empty());
        QVERIFY(std::all_of(cells->begin(), cells->end(),
                            [](const Pass& cell) { return cell.stage < 3; }));
        const Ticks without = simulate(schedule, costs)->makespan;
        costs.offload.cells = *cells;
        const auto result = simulate(schedule, costs);
        QCOMPARE(result->makespan, without);
        QVERIFY(!firstOverflow(schedule, costs, *result));
        // One running, one leaving: less than two cannot be.
        costs.shareCap = shareLimit(1);
        const auto none = fittingOffload(schedule, costs);
        QCOMPARE(none.error().code, ErrorCode::MemoryLimit);
        QVERIFY(none.error().message.english().find("the limit is 1") != std::string::npos);
    }

    /// The claim of arXiv:2503.01328: where a copy there and back takes no longer than the passes
    /// of its micro-batch, all of it can wait on the host for nothing.
    void copiesThatFitBesideThePassesCostNoTimeAndSaveMemory_data()
    {
        QTest::addColumn<QString>("family");
        QTest::addColumn<int>("devices");
        QTest::addColumn<int>("chunks");
        QTest::addColumn<double>("ratio");
        QTest::addColumn<double>("most"); // chunk units on the worst device
        QTest::newRow("1F1B, 4 devices, half") << "1f1b" << 4 << 1 << 0.5 << 3.0;
        QTest::newRow("1F1B, 8 devices, half") << "1f1b" << 8 << 1 << 0.5 << 3.0;
        QTest::newRow("1F1B, 16 devices, half") << "1f1b" << 16 << 1 << 0.5 << 3.0;
        QTest::newRow("GIS, 4 devices, half") << "gis" << 4 << 2 << 0.5 << 3.0;
        QTest::newRow("GIS, 8 devices, half") << "gis" << 8 << 2 << 0.5 << 3.0;
        QTest::newRow("GIS, 8 devices, 4 chunks, half") << "gis" << 8 << 4 << 0.5 << 3.0;
        // While only forwards run they are quicker than such copies, so that some wait.
        QTest::newRow("1F1B, 8 devices") << "1f1b" << 8 << 1 << 1.0 << 5.0;
        QTest::newRow("1F1B, 16 devices") << "1f1b" << 16 << 1 << 1.0 << 8.0;
        QTest::newRow("GIS, 4 devices") << "gis" << 4 << 2 << 1.0 << 4.0;
        QTest::newRow("GIS, 8 devices") << "gis" << 8 << 2 << 1.0 << 8.0;
        QTest::newRow("GIS, 8 devices, 4 chunks") << "gis" << 8 << 4 << 1.0 << 12.0;
    }

    void copiesThatFitBesideThePassesCostNoTimeAndSaveMemory()
    {
        QFETCH(QString, family);
        QFETCH(int, devices);
        QFETCH(int, chunks);
        QFETCH(double, ratio);
        QFETCH(double, most);
        UniformCosts uniform;
        uniform.forward = uniform.backward = uniform.weight = chunks * copyMs;
        uniform.activation = 1'000'000 * chunks;
        const auto parameters =
            chunks > 1 ? std::vector<std::pair<std::string, double>>{{"chunks", chunks}}
                       : std::vector<std::pair<std::string, double>>{};
        const Schedule schedule =
            copySchedule(family.toUtf8().constData(), devices, 4 * devices, uniform, parameters);
        Costs costs = expand(uniform, schedule.spec());
        const auto before = simulate(schedule, costs);
        // There and back in `ratio` of the 3 copyMs that a chunk's passes take.
        costs.offload.link.bytesPerSecond = 1e6 / (ratio * 1.5e-3);
        costs.offload.cells = hiddenOffload(schedule, costs);
        const auto after = simulate(schedule, costs);
        QCOMPARE(after->makespan, before->makespan);
        const auto worst = [&](const SimResult& result) {
            Share peak = 0;
            for (const DeviceResult& device : result.devices)
                peak = std::max(peak, device.peakShare);
            return microBatchesFromShare(peak) * chunks;
        };
        qInfo("%s p=%d v=%d ratio %.1f: %.2f before, %.2f after, %zu of %d cells",
              qPrintable(family), devices, chunks, ratio, worst(*before), worst(*after),
              costs.offload.cells.size(),
              schedule.spec().stages() * schedule.spec().totalMicroBatches());
        QVERIFY(worst(*after) <= most);
        QVERIFY(worst(*after) < worst(*before));
    }

    /// The selective rule of arXiv:2503.01328 §2: the stages whose activations live longest, half
    /// of them, save half of the peak for nothing; the other half would save nothing and cost time.
    void theHalfThatLivesLongestSavesHalf_data()
    {
        QTest::addColumn<int>("devices");
        QTest::addColumn<int>("chunks");
        QTest::addColumn<double>("ratio");
        for (const int devices : {4, 6, 8})
            for (const int chunks : {2, 4})
                for (const double ratio : {0.5, 1.0})
                    QTest::addRow("%d devices, %d chunks, ratio %.1f", devices, chunks, ratio)
                        << devices << chunks << ratio;
    }

    void theHalfThatLivesLongestSavesHalf()
    {
        QFETCH(int, devices);
        QFETCH(int, chunks);
        QFETCH(double, ratio);
        UniformCosts uniform;
        uniform.forward = uniform.backward = uniform.weight = chunks * copyMs;
        uniform.activation = 1'000'000 * chunks;
        const Schedule schedule = copySchedule("gis", devices, 4 * devices, uniform,
                                               {{"chunks", static_cast<double>(chunks)}});
        Costs costs = expand(uniform, schedule.spec());
        costs.offload.link.bytesPerSecond = 1e6 / (ratio * 1.5e-3);
        const auto before = simulate(schedule, costs);
        QCOMPARE(before->devices[0].peakActivation, Bytes{1'000'000} * devices * chunks);
        const auto offloaded = [&](bool first) {
            Costs tried = costs;
            tried.offload.cells = everyCopyCell(schedule.spec());
            std::erase_if(tried.offload.cells, [&](const Pass& cell) {
                return (cell.stage < devices * chunks / 2) != first;
            });
            return *simulate(schedule, tried);
        };
        const SimResult longest = offloaded(true), shortest = offloaded(false);
        QCOMPARE(longest.makespan, before->makespan);
        QCOMPARE(longest.devices[0].peakActivation, before->devices[0].peakActivation / 2);
        QVERIFY(shortest.makespan > before->makespan);
        QCOMPARE(shortest.devices[0].peakActivation, before->devices[0].peakActivation);
    }
};

PW_TEST(TestHostCopies)
#include "tst_host_copies.moc"
