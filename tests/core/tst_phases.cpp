// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/edit/phases.h"
#include "core/sim/explain.h"
#include "tests/support/family_runs.h"
#include "tests/support/random_drafts.h"
#include "tests/support/test_program.h"

#include <QtTest>

#include <algorithm>
#include <numeric>

using namespace pw;
using namespace pw::test;

namespace {

constexpr Ticks ms = ticksPerMs;

/// A schedule of a family with random costs, or without value where those costs give a ring.
std::optional<FamilyRun> randomRun(const Family& family, std::mt19937& random, bool committed)
{
    Draft draft = draftOf(familySchedule(family, random));
    if (committed)
        draft.spec.messages = MessageRule::Committed;
    const Costs costs = randomCosts(draft.spec, random);
    auto schedule = Schedule::make(draft.spec, draft.orders);
    auto result = simulate(*schedule, costs);
    if (!result)
        return std::nullopt;
    return FamilyRun{*std::move(schedule), costs, *std::move(result)};
}

void addFamilies()
{
    QTest::addColumn<QString>("id");
    for (const Family& family : allFamilies()) {
        const std::string id(family.id);
        QTest::newRow(id.c_str()) << QString::fromStdString(id);
    }
}

Ticks lastEnd(const SimResult& result)
{
    return *std::max_element(result.end.begin(), result.end.end());
}

/// The last end when one pass takes longer.
Ticks endWith(const FamilyRun& run, const Pass& pass, Ticks more)
{
    Costs costs = run.costs;
    const Ticks time = passTime(costs, run.schedule.spec(), pass) + more;
    const auto at =
        std::lower_bound(costs.single.begin(), costs.single.end(), pass,
                         [](const PassTime& one, const Pass& wanted) { return one.pass < wanted; });
    if (at != costs.single.end() && at->pass == pass)
        at->time = time;
    else
        costs.single.insert(at, {pass, time});
    const auto result = simulate(run.schedule, costs);
    return result ? lastEnd(*result) : -1;
}

/// Ticks that rounding hides on links that change their speed.
Ticks hidden(const Costs& costs)
{
    return costs.linkTrace.empty() ? 0 : 100;
}

std::int32_t most(const std::vector<CountPoint>& points)
{
    std::int32_t most = 0;
    for (const CountPoint& point : points)
        most = std::max(most, point.count);
    return most;
}

} // namespace

class TestPhases : public QObject
{
    Q_OBJECT

private slots:
    void phasesOf1F1BAreThoseOfTheClosedForm()
    {
        for (const int p : {2, 4, 7}) {
            for (const int m : {p, 2 * p, 3 * p + 1}) {
                const FamilyRun run =
                    runFamily(familyOf("1f1b"), sized(p, m), equalStages(ms, ms, ms));
                const PhasesOf phases = phasesOf(run.schedule, run.result);
                for (int r = 0; r < p; ++r) {
                    const Phases& own = phases.devices[static_cast<std::size_t>(r)];
                    QCOMPARE(own.start, r * ms);
                    // The first gradient comes back over the devices behind.
                    QCOMPARE(own.steady, p * ms + (p - 1 - r) * 2 * ms);
                    QVERIFY(own.steady <= own.coolDown);
                    QCOMPARE(own.end, run.result.devices[static_cast<std::size_t>(r)].lastEnd);
                }
                QCOMPARE(phases.all.start, Ticks{0});
                QCOMPARE(phases.all.steady, p * ms + (p - 1) * 2 * ms);
                QCOMPARE(phases.all.end, run.result.makespan);
            }
        }
    }

    void gPipeHasNoSteadyPhase()
    {
        const FamilyRun run = runFamily(familyOf("gpipe"), sized(4, 6), equalStages(ms, ms, ms));
        const PhasesOf phases = phasesOf(run.schedule, run.result);
        for (const Phases& own : phases.devices)
            QCOMPARE(own.steady, own.coolDown);
        QCOMPARE(phases.all.steady, phases.all.coolDown);
    }

    void inFlightOf1F1BIsTheDistanceToTheEnd()
    {
        const int p = 5;
        const FamilyRun run = runFamily(familyOf("1f1b"), sized(p, 12), equalStages(ms, ms, ms));
        for (const DeviceId r : Ids<DeviceId>(p)) {
            const auto points = inFlight(run.schedule, run.result, r);
            QCOMPARE(most(points), p - r);
            QCOMPARE(points.front().time, Ticks{0});
            QCOMPARE(points.back().count, 0);
        }
    }

    void phasesAndFlightsOfADraftAreThoseOfItsSchedule_data() { addFamilies(); }

    void phasesAndFlightsOfADraftAreThoseOfItsSchedule()
    {
        QFETCH(QString, id);
        std::mt19937 random(7);
        const auto run = randomRun(familyOf(id.toStdString()), random, false);
        QVERIFY(run.has_value());
        const Draft draft = draftOf(run->schedule);
        const auto times = draftTimes(draft, run->costs);
        QVERIFY(times.has_value());
        const PhasesOf a = phasesOf(run->schedule, run->result);
        const PhasesOf b = phasesOf(draft, *times);
        QVERIFY(a.devices == b.devices && a.all == b.all);
        for (const DeviceId device : Ids<DeviceId>(run->schedule.devices()))
            QVERIFY(inFlight(run->schedule, run->result, device) ==
                    inFlight(draft, *times, device));
    }

    void passesOutsideTheSpecAreNotInFlight()
    {
        Draft draft;
        draft.orders = {{single({PassKind::F}), single({PassKind::F, 0, StageId(0), 7})}};
        const Costs costs = expand(UniformCosts{}, draft.spec);
        const auto times = draftTimes(draft, costs);
        QVERIFY(times.has_value());
        const auto points = inFlight(draft, *times, DeviceId(0));
        QCOMPARE(points.size(), std::size_t{2});
        QCOMPARE(points[0].count, 1);
        QCOMPARE(points[1].count, 0);
        QCOMPARE(phasesOf(draft, *times).all.steady, times->times.end.back());
    }

    void everyHopIsOneFlightEachWay()
    {
        const int p = 4, m = 6;
        const FamilyRun run =
            runFamily(familyOf("1f1b"), sized(p, m), equalStages(ms, ms, ms, ms / 2));
        const auto uses = linkUse(run.schedule, run.costs, run.result);
        QCOMPARE(uses.size(), static_cast<std::size_t>(2 * (p - 1)));
        for (const LinkUse& use : uses) {
            QCOMPARE(std::abs(use.from - use.to), 1);
            QCOMPARE(use.flights.size(), static_cast<std::size_t>(m));
            for (const Flight& flight : use.flights)
                QCOMPARE(flight.there - flight.sent, ms / 2);
            QCOMPARE(most(use.onTheWay), 1);
            QCOMPARE(use.onTheWay.back().count, 0);
        }
        const FamilyRun still = runFamily(familyOf("1f1b"), sized(p, m), equalStages(ms, ms, ms));
        for (const LinkUse& use : linkUse(still.schedule, still.costs, still.result))
            QVERIFY(use.onTheWay.empty());
    }

    void slackOfACriticalEntryIsZero_data() { addFamilies(); }

    void slackOfACriticalEntryIsZero()
    {
        QFETCH(QString, id);
        constexpr unsigned seed = 12;
        qInfo("seed %u", seed);
        std::mt19937 random(seed);
        for (int round = 0; round < 6; ++round) {
            const auto run = randomRun(**findFamily(id.toStdString()), random, round % 3 == 2);
            if (!run)
                continue;
            const auto slack = slackOf(run->schedule, run->costs, run->result);
            QVERIFY(std::all_of(slack.begin(), slack.end(), [](Ticks one) { return one >= 0; }));
            if (run->schedule.spec().messages == MessageRule::Committed)
                continue;
            for (const CriticalEntry& one : criticalPath(run->schedule, run->costs, run->result))
                QVERIFY(slack[static_cast<std::size_t>(one.entry)] <= hidden(run->costs));
        }
    }

    /// A pass that takes longer by its slack leaves the end where it is, by more than that moves
    /// it.
    void slackIsExact_data() { addFamilies(); }

    void slackIsExact()
    {
        QFETCH(QString, id);
        constexpr unsigned seed = 4;
        qInfo("seed %u", seed);
        std::mt19937 random(seed);
        int checked = 0, loose = 0;
        for (int round = 0; round < 9; ++round) {
            const auto run = randomRun(**findFamily(id.toStdString()), random, round % 3 == 2);
            if (!run)
                continue;
            const auto slack = slackOf(run->schedule, run->costs, run->result);
            const Ticks end = lastEnd(run->result);
            for (int i = 0; i < 25; ++i) {
                const EntryId entry(below(random, run->schedule.entryCount()));
                const OrderEntry passes = run->schedule.entry(entry);
                // A single time of its own would take the pair apart.
                if (passes.paired)
                    continue;
                const Ticks free = slack[static_cast<std::size_t>(entry)];
                QCOMPARE(endWith(*run, passes.pass, free), end);
                QVERIFY(endWith(*run, passes.pass, free + hidden(run->costs) + 1) > end);
                ++checked;
                loose += free > 0 ? 1 : 0;
            }
        }
        QVERIFY(checked > 20);
        QVERIFY(loose > 5);
    }

    /// The strands of all micro-batches are all passes but the updates.
    void strandsCoverTheSchedule_data() { addFamilies(); }

    void strandsCoverTheSchedule()
    {
        QFETCH(QString, id);
        std::mt19937 random(8);
        const auto run = randomRun(**findFamily(id.toStdString()), random, false);
        QVERIFY(run);
        const Schedule& schedule = run->schedule;
        std::int64_t passes = 0;
        for (int j = 0; j < schedule.spec().totalMicroBatches(); ++j) {
            const auto strand = strandOf(schedule, run->result, j);
            QVERIFY(
                std::is_sorted(strand.begin(), strand.end(), [&](std::int32_t a, std::int32_t b) {
                    return run->result.start[static_cast<std::size_t>(a)] <
                           run->result.start[static_cast<std::size_t>(b)];
                }));
            for (const EntryId entry : strand) {
                const OrderEntry there = schedule.entry(entry);
                passes += there.pass.microBatch == j ? 1 : 0;
                passes += there.paired && there.partner.microBatch == j ? 1 : 0;
            }
        }
        std::int64_t updates = 0;
        for (const EntryId i : schedule.entries())
            updates += schedule.entry(i).pass.kind == PassKind::U ? 1 : 0;
        QCOMPARE(passes, schedule.passCount() - updates);
        QVERIFY(strandOf(schedule, run->result, -1).empty());
    }
};

PW_TEST(TestPhases)
#include "tst_phases.moc"
