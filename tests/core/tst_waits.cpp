// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/trace/match.h"
#include "core/trace/waits.h"
#include "tests/support/family_runs.h"
#include "tests/support/recorded_run.h"
#include "tests/support/seed.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <random>

using namespace pw;

namespace {

std::size_t at(std::int32_t index)
{
    return static_cast<std::size_t>(index);
}

test::FamilyRun runOf(const char* family)
{
    return test::runFamily(test::familyOf(family), test::sized(4, 8),
                           test::equalStages(1'000'000, 900'000, 800'000));
}

void addFamilies()
{
    QTest::addColumn<QByteArray>("family");
    for (const Family& family : allFamilies())
        if (family.id != "pipedream-2bw")
            QTest::newRow(family.id.data())
                << QByteArray(family.id.data(), static_cast<qsizetype>(family.id.size()));
}

} // namespace

class TestWaits : public QObject
{
    Q_OBJECT

private slots:
    void theChainHasNoSlack_data() { addFamilies(); }
    /// Passes and links take any time: between two entries of the chain there is their message, and
    /// nothing else.
    void theChainHasNoSlack()
    {
        QFETCH(QByteArray, family);
        const std::uint32_t seed = test::randomSeed();
        std::mt19937 random(seed);
        const test::FamilyRun run = runOf(family.constData());
        std::uniform_int_distribution<Ticks> time(100'000, 2'000'000), flight(0, 1'500'000);
        const auto any = [&](std::int32_t, const OrderEntry&, Ticks) { return time(random); };
        int messages = 0;
        for (int round = 0; round < 10; ++round) {
            Costs costs = run.costs;
            costs.links.resize(16);
            for (Link& link : costs.links)
                link.latency = flight(random);
            const RunBatch batch = test::recordedRun(run.schedule, costs, 0, 1, any);
            const SimResult times = *measuredResult(run.schedule, batch.passes, {});
            const RecordedArrivals arrivals(run.schedule, batch.messages,
                                            batch.passes.front().start);
            const std::vector<ChainLink> chain = decidingChain(run.schedule, times, arrivals);
            QCOMPARE(times.end[at(chain.back().entry)], times.makespan);
            QCOMPARE(times.start[at(chain.front().entry)], Ticks{0});
            for (std::size_t i = 1; i < chain.size(); ++i) {
                const auto deviceOf = [&](const ChainLink& link) {
                    return run.schedule.device(run.schedule.places()[at(link.entry)].first);
                };
                const int from = deviceOf(chain[i - 1]), to = deviceOf(chain[i]);
                QCOMPARE(chain[i].message, from != to);
                QCOMPARE(chain[i].waited, from == to ? 0 : costs.links[at(from * 4 + to)].latency);
                messages += from == to ? 0 : 1;
            }
        }
        QVERIFY(messages > 0);
    }

    void aMessageThatWasNotRecordedTakesWhatIsUsualOnItsLink()
    {
        constexpr Ticks hop = 150'000;
        test::FamilyRun run = runOf("1f1b");
        run.costs.link.latency = hop;
        const RunBatch batch = test::recordedRun(run.schedule, run.costs, 0, 1);
        const SimResult times = *measuredResult(run.schedule, batch.passes, {});
        for (const Wait& wait : waitsOf(run.schedule, times, {}))
            QCOMPARE(wait.there - wait.produced, wait.known ? 0 : hop);
    }

    /// Two devices, four micro-batches, all forwards first; times in ticks.
    void whatIsUsualIsTheLowerMedianElseTheLeast()
    {
        const test::FamilyRun run =
            test::runFamily(test::familyOf("gpipe"), test::sized(2, 4), UniformCosts{});
        const Schedule& schedule = run.schedule;
        const EntryId first = schedule.begin(DeviceId(0)), second = schedule.begin(DeviceId(1));
        SimResult times = run.result;
        const auto set = [&](EntryId entry, Ticks start, Ticks end) {
            times.start[at(entry)] = start;
            times.end[at(entry)] = end;
        };
        // Device 1 waits for every forward: 7, 3, 5 and 9 long.
        const Ticks hops[] = {7, 3, 5, 9};
        for (std::int32_t i = 0; i < 4; ++i) {
            set(first + i, 10 * i, 10 * i + 10);
            set(second + i, 10 * i + 10 + hops[i], 10 * i + 11 + hops[i]);
        }
        const auto backward = [&](EntryId begin, std::int32_t i) { return begin + 4 + i; };
        for (std::int32_t i = 0; i < 4; ++i) {
            set(backward(second, i), 60 + 10 * i, 70 + 10 * i);
            set(backward(first, i), 400 + 20 * i, 420 + 20 * i);
        }
        std::vector<Wait> waits = waitsOf(schedule, times, {});
        for (const std::int32_t i : {0, 2, 3}) {
            QVERIFY(!waits[at(second + i)].known);
            QCOMPARE(waits[at(second + i)].there - waits[at(second + i)].produced, Ticks{5});
        }

        // Device 0 is busy whenever a gradient is made: from end to start it takes 330, 340 …
        set(first + 3, 30, 390);
        waits = waitsOf(schedule, times, {});
        for (std::int32_t i = 0; i < 4; ++i) {
            const Wait& wait = waits[at(backward(first, i))];
            QVERIFY(wait.message && !wait.known);
            QCOMPARE(wait.there - wait.produced, Ticks{330});
        }
    }

    void lostEntriesAreNotWaitedFor()
    {
        const test::FamilyRun run = runOf("zb-h1");
        RunBatch batch = test::recordedRun(run.schedule, run.costs, 0, 1);
        const std::int32_t lost = run.schedule.begin(DeviceId(2)) + 5;
        batch.passes.erase(
            std::find_if(batch.passes.begin(), batch.passes.end(),
                         [lost](const RecordedPass& record) { return record.entry == lost; }));
        const SimResult times = *measuredResult(run.schedule, batch.passes, {});
        const std::vector<Wait> waits = waitsOf(run.schedule, times, {});
        QCOMPARE(waits[at(lost)].before, -1);
        QCOMPARE(waits[at(lost + 1)].before, lost - 1);
        for (const Wait& wait : waits)
            QVERIFY(wait.producer != lost);
        for (const ChainLink& link : decidingChain(run.schedule, times))
            QVERIFY(link.entry != lost);
    }

    void theWalkEndsWhateverTheTimesAre_data() { addFamilies(); }
    void theWalkEndsWhateverTheTimesAre()
    {
        QFETCH(QByteArray, family);
        const std::uint32_t seed = test::randomSeed();
        std::mt19937 random(seed);
        const test::FamilyRun run = runOf(family.constData());
        for (int round = 0; round < 20; ++round) {
            SimResult times = run.result;
            std::uniform_int_distribution<Ticks> moment(0, 20);
            for (std::size_t e = 0; e < times.start.size(); ++e) {
                times.start[e] = moment(random);
                times.end[e] = times.start[e] + moment(random);
            }
            std::vector<int> visits(times.start.size(), 0);
            Ticks start = 0;
            for (const ChainLink& link : decidingChain(run.schedule, times)) {
                QCOMPARE(++visits[at(link.entry)], 1);
                QVERIFY(times.start[at(link.entry)] >= start);
                start = times.start[at(link.entry)];
            }
        }
    }
};

PW_TEST(TestWaits)
#include "tst_waits.moc"
