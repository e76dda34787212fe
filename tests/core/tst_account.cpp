// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/analysis/account.h"
#include "core/analysis/end_shift.h"
#include "core/reading/import_trace.h"
#include "core/sim/explain.h"
#include "core/trace/match.h"
#include "tests/support/chrome_traces.h"
#include "tests/support/family_runs.h"
#include "tests/support/recorded_run.h"
#include "tests/support/seed.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <numeric>
#include <random>

using namespace pw;

namespace {

constexpr Ticks forward = 1'000'000, backward = 900'000, weight = 800'000, hop = 100'000,
                update = 60'000;

test::FamilyRun runOf(const char* family, Ticks message, int steps = 1)
{
    FamilyOptions options = test::sized(4, 8);
    options.steps = steps;
    options.updates = steps > 1;
    UniformCosts costs = test::equalStages(forward, backward, weight, message);
    costs.update = update;
    return test::runFamily(test::familyOf(family), options, costs);
}

Account accountOf(const Schedule& schedule, const SimResult& times,
                  const RecordedArrivals& arrivals = {})
{
    return account(schedule, times, arrivals, usualTimes(schedule, {&times, 1}));
}

/// One recorded iteration with its messages.
struct Recorded
{
    SimResult times;
    RecordedArrivals arrivals;

    Recorded(const Schedule& schedule, const RunBatch& batch)
        : times(*measuredResult(schedule, batch.passes, {}))
    {
        Ticks base = batch.passes.front().start;
        for (const RecordedPass& record : batch.passes)
            base = std::min(base, record.start);
        arrivals = RecordedArrivals(schedule, batch.messages, base);
    }
};

/// What is wrong with the form of an account, or nothing.
QString faultOf(const Account& account, const SimResult& times)
{
    if (account.wall != times.makespan)
        return "the wall time is not the makespan";
    for (const RankAccount& rank : account.ranks) {
        Ticks until = 0;
        std::array<Ticks, lossCauseCount> parts{};
        for (const LossStretch& stretch : rank.stretches) {
            if (stretch.start != until || stretch.end <= stretch.start)
                return "stretches leave a gap";
            until = stretch.end;
            parts[static_cast<std::size_t>(stretch.cause)] += stretch.end - stretch.start;
        }
        if (until != account.wall)
            return "stretches do not reach the end";
        if (parts != rank.parts)
            return "parts are not the sums of stretches";
        if (std::accumulate(parts.begin(), parts.end(), Ticks{0}) != account.wall)
            return "parts are not the wall time";
    }
    return {};
}

/// Time of a rank that runs a pass, by its account.
Ticks busyOf(const RankAccount& rank)
{
    return rank.of(LossCause::Computing) + rank.of(LossCause::Recompute) +
           rank.of(LossCause::Jitter);
}

void addFamilies()
{
    QTest::addColumn<QByteArray>("family");
    QTest::addColumn<int>("steps");
    for (const Family& family : allFamilies()) {
        const QByteArray id(family.id.data(), static_cast<qsizetype>(family.id.size()));
        const int fewest = family.id == "pipedream-2bw" ? 2 : 1;
        for (int steps = fewest; steps <= 2; ++steps)
            if (!family.search || steps == 1)
                QTest::addRow("%s, %d steps", id.constData(), steps) << id << steps;
    }
}

} // namespace

class TestAccount : public QObject
{
    Q_OBJECT

private slots:
    void aSimulationLosesTimeToItsOrderAlone_data() { addFamilies(); }
    /// With equal stages, and free messages, only the order keeps a rank from working.
    void aSimulationLosesTimeToItsOrderAlone()
    {
        QFETCH(QByteArray, family);
        QFETCH(int, steps);
        for (const Ticks message : {Ticks{0}, hop}) {
            const test::FamilyRun run = runOf(family.constData(), message, steps);
            const Account split = accountOf(run.schedule, run.result);
            QVERIFY2(faultOf(split, run.result).isEmpty(), qPrintable(faultOf(split, run.result)));
            Ticks transfers = 0;
            for (std::size_t device = 0; device < split.ranks.size(); ++device) {
                const RankAccount& rank = split.ranks[device];
                QCOMPARE(rank.of(LossCause::Computing) + rank.of(LossCause::Recompute),
                         run.result.devices[device].busy);
                for (const LossCause none :
                     {LossCause::PeerLate, LossCause::Imbalance, LossCause::LaunchGap,
                      LossCause::Jitter, LossCause::Unexplained})
                    QVERIFY2(rank.of(none) == 0, name(none).data());
                transfers += rank.of(LossCause::Transfer);
            }
            QCOMPARE(transfers > 0, message > 0);
        }
    }

    void recordedMessagesSayTheSame_data() { addFamilies(); }
    void recordedMessagesSayTheSame()
    {
        QFETCH(QByteArray, family);
        QFETCH(int, steps);
        const test::FamilyRun run = runOf(family.constData(), hop, steps);
        const Recorded recorded(run.schedule, test::recordedRun(run.schedule, run.costs, 0, 1));
        const Account with = accountOf(run.schedule, recorded.times, recorded.arrivals);
        const Account without = accountOf(run.schedule, recorded.times);
        QVERIFY(faultOf(with, recorded.times).isEmpty());
        for (std::size_t device = 0; device < with.ranks.size(); ++device)
            QVERIFY(with.ranks[device].parts == without.ranks[device].parts);
    }

    void whateverTheTimesThePartsAreTheWall_data() { addFamilies(); }
    /// Noise on every pass, then moved, lost, and overlapping ones: the sums stay exact.
    void whateverTheTimesThePartsAreTheWall()
    {
        QFETCH(QByteArray, family);
        QFETCH(int, steps);
        const std::uint32_t seed = test::randomSeed();
        std::mt19937 random(seed);
        const test::FamilyRun run = runOf(family.constData(), hop, steps);
        std::uniform_int_distribution<Ticks> noise(-300'000, 500'000);
        const auto noisy = [&](std::int32_t, const OrderEntry&, Ticks costs) {
            return std::max<Ticks>(1000, costs + noise(random));
        };
        for (int round = 0; round < 6; ++round) {
            RunBatch batch = test::recordedRun(run.schedule, run.costs, 0, 1, noisy);
            for (RecordedPass& record : batch.passes) {
                const bool moved = round >= 2 && random() % 8 == 0;
                const Ticks by = moved ? std::abs(noise(random)) : 0;
                record.start += by;
                record.end += 2 * by;
            }
            if (round >= 4)
                for (int lost = 0; lost < 5; ++lost)
                    batch.passes.erase(batch.passes.begin() +
                                       static_cast<std::ptrdiff_t>(random() % batch.passes.size()));
            const Recorded recorded(run.schedule, batch);
            for (const bool messages : {true, false}) {
                const Account split = accountOf(run.schedule, recorded.times,
                                                messages ? recorded.arrivals : RecordedArrivals());
                const QString fault = faultOf(split, recorded.times);
                QVERIFY2(fault.isEmpty(), qPrintable(fault));
                const auto parts = split.parts();
                QCOMPARE(std::accumulate(parts.begin(), parts.end(), Ticks{0}),
                         split.wall * static_cast<Ticks>(split.ranks.size()));
                for (std::size_t device = 0; round < 2 && device < split.ranks.size(); ++device)
                    QCOMPARE(busyOf(split.ranks[device]), recorded.times.devices[device].busy);
            }
        }
    }

    void aLongerPassOnTheCriticalPathIsNamed_data() { addFamilies(); }
    /// x longer on the critical path: x of end shift, x of jitter on that rank, and the others
    /// wait for it.
    void aLongerPassOnTheCriticalPathIsNamed()
    {
        QFETCH(QByteArray, family);
        QFETCH(int, steps);
        constexpr Ticks longer = 70'000;
        int checked = 0, others = 0, exact = 0;
        for (const Ticks message : {Ticks{0}, hop}) {
            const test::FamilyRun run = runOf(family.constData(), message, steps);
            const Account plain = accountOf(run.schedule, run.result);
            const std::vector<Ticks> usual = usualTimes(run.schedule, {&run.result, 1});
            const std::vector<CriticalEntry> path =
                criticalPath(run.schedule, run.costs, run.result);
            for (std::size_t i = 0; i < path.size(); i += 1 + path.size() / 7) {
                const EntryId slow = path[i].entry;
                const auto at = static_cast<std::size_t>(slow);
                const Pass pass = run.schedule.entry(slow).pass;
                const auto length = [&](std::int32_t, const OrderEntry& entry, Ticks costs) {
                    return costs + (entry.pass == pass ? longer : 0);
                };
                const RunBatch batch = test::recordedRun(run.schedule, run.costs, 0, 1, length);
                const SimResult times = *measuredResult(run.schedule, batch.passes, {});
                const EndShifts shifts = endShifts(run.schedule, run.result, run.schedule, times);
                QCOMPARE(shifts.total, longer);
                Ticks named = 0;
                for (const EndShift& link : shifts.links)
                    named += link.entry == slow ? link.grown : 0;
                QCOMPARE(named, longer);
                const Account split = account(run.schedule, times, {}, usual);
                QVERIFY(faultOf(split, times).isEmpty());
                QCOMPARE(split.wall, plain.wall + longer);
                const DeviceId device = run.schedule.device(run.schedule.places()[at].first);
                for (std::size_t d = 0; d < split.ranks.size(); ++d) {
                    const RankAccount& rank = split.ranks[d];
                    const bool own = static_cast<int>(d) == device;
                    QCOMPARE(rank.of(LossCause::Jitter), own ? longer : Ticks{0});
                    QCOMPARE(rank.of(LossCause::Computing),
                             plain.ranks[d].of(LossCause::Computing));
                    const Ticks late = rank.of(LossCause::PeerLate);
                    QVERIFY(own ? late == 0 : late > 0 && late <= longer);
                    others += own ? 0 : 1;
                    exact += !own && late == longer ? 1 : 0;
                    for (const LossStretch& stretch : rank.stretches)
                        if (stretch.cause == LossCause::Jitter ||
                            stretch.cause == LossCause::PeerLate)
                            QCOMPARE(stretch.entry, slow);
                }
                ++checked;
            }
        }
        QVERIFY(checked > 0);
        // Where two ways lead to the end, a rank may have waited for the other one before.
        QVERIFY2(exact * 10 >= others * 9, qPrintable(QString("%1 of %2").arg(exact).arg(others)));
    }

    void aSlowStageIsAnImbalance()
    {
        const test::FamilyRun equal = runOf("1f1b", hop);
        Costs costs = equal.costs;
        costs.forward[3] += 400'000;
        const Result<SimResult> times = simulate(equal.schedule, costs);
        QVERIFY(times);
        const Account split = accountOf(equal.schedule, *times);
        QVERIFY(faultOf(split, *times).isEmpty());
        for (std::size_t device = 0; device < 3; ++device) {
            // Eight F, each 300 µs beyond the mean, and the others 100 µs below it.
            QVERIFY(split.ranks[device].of(LossCause::Imbalance) > 5 * 300'000);
            QVERIFY(split.ranks[device].of(LossCause::Imbalance) >
                    2 * split.ranks[device].of(LossCause::Dependency));
            QVERIFY(split.ranks[device].of(LossCause::Imbalance) <= 8 * 400'000);
            QCOMPARE(split.ranks[device].of(LossCause::Jitter), Ticks{0});
        }
        QCOMPARE(split.ranks[3].of(LossCause::Imbalance), Ticks{0});
    }

    void recomputationIsItsOwnPart()
    {
        FamilyOptions options = test::sized(4, 8, "recompute", 1);
        const test::FamilyRun run = test::runFamily(
            test::familyOf("gpipe"), options, test::equalStages(forward, backward, weight, hop));
        QVERIFY(run.schedule.anyRecompute());
        const Account split = accountOf(run.schedule, run.result);
        QCOMPARE(split.ranks[0].of(LossCause::Recompute), 8 * forward);
        QCOMPARE(split.ranks[0].of(LossCause::Computing), 8 * (forward + backward + weight));
    }

    /// Every pass begins 10 µs after all is there.
    void launchingIsALaunchGap()
    {
        constexpr Ticks launch = 10'000;
        const test::FamilyRun run = runOf("zb-h1", hop);
        RunBatch batch = test::recordedRun(run.schedule, run.costs, 0, 1);
        for (RecordedPass& record : batch.passes)
            record.start += launch;
        const Recorded recorded(run.schedule, batch);
        const Account split = accountOf(run.schedule, recorded.times, recorded.arrivals);
        QVERIFY(faultOf(split, recorded.times).isEmpty());
        for (const DeviceId device : Ids<DeviceId>(4)) {
            const RankAccount& rank = split.ranks[static_cast<std::size_t>(device)];
            const std::int32_t entries = run.schedule.end(device) - run.schedule.begin(device);
            // The very first pass begins the iteration.
            QCOMPARE(rank.of(LossCause::LaunchGap), launch * (entries - (device == 0 ? 1 : 0)));
            QCOMPARE(rank.of(LossCause::Unexplained), Ticks{0});
            QVERIFY(rank.of(LossCause::PeerLate) > 0 || device == 0);
        }
    }

    void whatIsFarBeyondLaunchingStaysUnexplained()
    {
        const test::FamilyRun run = runOf("gpipe", hop);
        RunBatch batch = test::recordedRun(run.schedule, run.costs, 0, 1);
        const std::int32_t second = run.schedule.begin(DeviceId(0)) + 1;
        for (RecordedPass& record : batch.passes) {
            if (record.entry < second)
                continue;
            record.start += 500'000;
            record.end += 500'000;
        }
        const SimResult times = *measuredResult(run.schedule, batch.passes, {});
        const Account split = accountOf(run.schedule, times);
        QCOMPARE(split.ranks[0].of(LossCause::LaunchGap), Ticks{0});
        QCOMPARE(split.ranks[0].of(LossCause::Unexplained), Ticks{500'000});
        QCOMPARE(split.ranks[0].stretches[1].cause, LossCause::Unexplained);
        QCOMPARE(split.ranks[0].stretches[1].entry, second);
    }

    void aRecoveredPipelineHasAnAccount()
    {
        const test::FamilyRun run = runOf("interleaved-1f1b", hop);
        const std::vector<test::TraceText> files =
            test::chromeTraces(run.schedule, run.result, test::TraceForm::Megatron, 3);
        const Result<Trace> trace = importTraceText(files.front().text, "aggregated.json");
        QVERIFY(trace);
        const RecoveredPipeline pipeline = recover(*trace);
        QVERIFY(pipeline.schedule);
        const Account split = account(pipeline);
        const Account simulated = accountOf(run.schedule, run.result);
        QCOMPARE(split.wall, simulated.wall);
        for (std::size_t device = 0; device < 4; ++device)
            QVERIFY(split.ranks[device].parts == simulated.ranks[device].parts);
    }

    void everyCauseHasAName()
    {
        for (const LossCause cause : allLossCauses)
            QVERIFY(!name(cause).empty());
        QCOMPARE(name(LossCause::Unexplained), std::string_view("unexplained"));
    }
};

PW_TEST(TestAccount)
#include "tst_account.moc"
