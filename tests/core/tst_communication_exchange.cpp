// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/communication/buffers.h"
#include "core/communication/exchanges.h"
#include "core/communication/lowering.h"
#include "core/communication/play.h"
#include "core/communication/rearranging.h"
#include "core/model/replicas.h"
#include "core/sim/simulator.h"
#include "tests/support/family_runs.h"
#include "tests/support/test_program.h"

#include <QtTest>

#include <map>

using namespace pw;
using namespace pw::communication;

namespace {

constexpr Bytes gradientBytes = 1'000'000;

struct Exchanging
{
    Schedule schedule;
    Listing listing;
    Costs costs;
};

Exchanging exchanging(std::string_view family, int devices, int microBatches, ExchangePlace place,
                      double bytesPerSecond = 1e9)
{
    const auto schedule =
        buildUniform(test::familyOf(family), test::sized(devices, microBatches), UniformCosts());
    if (!schedule)
        qFatal("%s", schedule.error().message.c_str());
    Lowering lowering;
    lowering.exchanges = place;
    auto listing = listingOf(*schedule, lowering);
    if (!listing)
        qFatal("%s", listing.error().message.c_str());
    Costs costs =
        expand(test::equalStages(ticksPerMs, ticksPerMs, ticksPerMs, 0), schedule->spec());
    costs.gradients.assign(costs.forward.size(), gradientBytes);
    costs.link.bytesPerSecond = bytesPerSecond;
    return {*schedule, *listing, costs};
}

Played playedOf(const Exchanging& made)
{
    return play(made.listing, made.schedule, made.costs, {});
}

/// Positions of the exchanges of a rank, by number.
std::map<std::int32_t, std::int32_t> exchangesOf(const Exchanging& made, int rank)
{
    std::map<std::int32_t, std::int32_t> found;
    const auto& row = made.listing.ranks[static_cast<std::size_t>(rank)];
    for (std::size_t i = 0; i < row.size(); ++i) {
        if (row[i].kind == ActionKind::Exchange)
            found[row[i].index] = static_cast<std::int32_t>(i);
    }
    return found;
}

} // namespace

class TestCommunicationExchange : public QObject
{
    Q_OBJECT

private slots:
    void everyHolderExchangesOnce_data()
    {
        QTest::addColumn<QString>("family");
        QTest::addColumn<int>("place");
        for (const char* family : {"chimera", "dualpipe"}) {
            for (const ExchangePlace place :
                 {ExchangePlace::AtEnd, ExchangePlace::AsDone, ExchangePlace::OwnOrder})
                QTest::addRow("%s %d", family, static_cast<int>(place))
                    << QString(family) << static_cast<int>(place);
        }
    }
    void everyHolderExchangesOnce()
    {
        QFETCH(QString, family);
        QFETCH(int, place);
        const Exchanging made =
            exchanging(family.toStdString(), 4, 8, static_cast<ExchangePlace>(place));
        const PipelineSpec& spec = made.schedule.spec();
        QVERIFY(check(made.listing, made.schedule));
        for (int rank = 0; rank < spec.devices; ++rank) {
            const auto found = exchangesOf(made, rank);
            // Each of four devices holds two stages, and another one has their copies.
            QCOMPARE(found.size(), std::size_t{2});
            for (const auto& [number, at] : found) {
                const std::vector<DeviceId> holders =
                    holdersOf(spec, StageId(number % spec.stages()));
                QCOMPARE(holders.size(), std::size_t{2});
                QVERIFY(holders[0] == rank || holders[1] == rank);
            }
        }
    }

    void oneRouteHasNothingToExchange()
    {
        const Exchanging made = exchanging("zb-v", 4, 8, ExchangePlace::AsDone);
        for (int rank = 0; rank < 4; ++rank)
            QVERIFY(exchangesOf(made, rank).empty());
    }

    /// Behind the last gradient: at the end all of them, else with passes left to hide them.
    void anExchangeStandsWhereItIsAskedFor()
    {
        for (const ExchangePlace place : {ExchangePlace::AtEnd, ExchangePlace::AsDone}) {
            const Exchanging made = exchanging("chimera", 4, 8, place);
            bool early = false;
            for (int rank = 0; rank < 4; ++rank) {
                const auto& row = made.listing.ranks[static_cast<std::size_t>(rank)];
                for (const auto& [number, at] : exchangesOf(made, rank)) {
                    bool gradients = false;
                    for (std::size_t i = 0; i < row.size(); ++i) {
                        if (row[i].kind != ActionKind::Compute)
                            continue;
                        bool own = false;
                        eachExchangeOf(
                            made.schedule, EntryId(row[i].index),
                            [&, wanted = number](std::int32_t one) { own |= one == wanted; });
                        QVERIFY(!own || static_cast<std::int32_t>(i) < at);
                        gradients |= own;
                        early |= static_cast<std::int32_t>(i) > at;
                    }
                    QVERIFY(gradients);
                }
            }
            QCOMPARE(early, place == ExchangePlace::AsDone);
        }
    }

    /// 1 MB at 1 GB/s is 1 ms; ranks exchange two stages one after the other.
    void itsTimeIsThatOfTheLink()
    {
        const Exchanging made = exchanging("chimera", 4, 8, ExchangePlace::AtEnd);
        const Played played = playedOf(made);
        QVERIFY(played.whole);
        const auto simulated = simulate(made.schedule, made.costs);
        QVERIFY(simulated);
        for (int rank = 0; rank < 4; ++rank) {
            Ticks free = 0;
            for (const Action& action : made.listing.ranks[static_cast<std::size_t>(rank)]) {
                if (action.kind != ActionKind::Exchange)
                    continue;
                const DeviceId other = [&] {
                    const auto holders =
                        holdersOf(made.schedule.spec(),
                                  StageId(action.index % made.schedule.spec().stages()));
                    return holders[0] == rank ? holders[1] : holders[0];
                }();
                const ActionTime& here = played.times[static_cast<std::size_t>(
                    rank)][static_cast<std::size_t>(exchangesOf(made, rank).at(action.index))];
                const ActionTime& there = played.times[static_cast<std::size_t>(
                    other)][static_cast<std::size_t>(exchangesOf(made, other).at(action.index))];
                QCOMPARE(here.end - here.start, ticksPerMs);
                QCOMPARE(here.start, there.start);
                QCOMPARE(here.start, std::max({here.posted, there.posted, free}));
                free = here.end;
            }
        }
        QVERIFY(played.end >= simulated->makespan + 2 * ticksPerMs);
    }

    /// What is exchanged as soon as it is done is hidden behind passes that are still to come.
    void exchangingEarlierEndsNoLater()
    {
        for (const char* family : {"chimera", "dualpipe"}) {
            const Played end = playedOf(exchanging(family, 4, 8, ExchangePlace::AtEnd));
            const Played done = playedOf(exchanging(family, 4, 8, ExchangePlace::AsDone));
            const Played none = playedOf(exchanging(family, 4, 8, ExchangePlace::None));
            QVERIFY(end.whole && done.whole && none.whole);
            QVERIFY2(done.end <= end.end, family);
            QVERIFY2(none.end < done.end, family);
        }
    }

    /// Two ranks that share two stages, each in its own order: they wait for each other, and are
    /// named. In one order for all they do not.
    void anOrderOfEachRanksOwnMayBeARing()
    {
        const Exchanging made = exchanging("dualpipe", 4, 8, ExchangePlace::AsDone);
        Listing crossed = made.listing;
        const auto first = exchangesOf(made, 0);
        QCOMPARE(first.size(), std::size_t{2});
        auto& row = crossed.ranks[0];
        // Both behind the last gradient of both.
        const std::int32_t last = std::max(first.begin()->second, first.rbegin()->second);
        const std::int32_t early = std::min(first.begin()->second, first.rbegin()->second);
        std::rotate(row.begin() + early, row.begin() + early + 1, row.begin() + last + 1);
        QVERIFY(check(crossed, made.schedule));
        const Played played = play(crossed, made.schedule, made.costs, {});
        QVERIFY(!played.whole);
        QVERIFY(!played.ring.empty());
        const QString text = QString::fromStdString(ringText(played, crossed, made.schedule));
        QVERIFY2(text.contains("EXCHANGE_GRAD of rank 0"), qPrintable(text));
        QVERIFY2(text.contains("EXCHANGE_GRAD of rank 3"), qPrintable(text));
        QVERIFY(playedOf(made).whole);
    }

    void theOthersGradientsTakeMemoryWhileTheyAreAdded()
    {
        const Exchanging made = exchanging("chimera", 4, 8, ExchangePlace::AtEnd);
        const Played played = playedOf(made);
        for (int rank = 0; rank < 4; ++rank) {
            const BufferPeaks peaks =
                peaksOf(bufferCurve(made.listing, made.schedule, made.costs, played, RankId(rank)));
            QCOMPARE(peaks.bytes[static_cast<std::size_t>(BufferKind::Exchanged)], gradientBytes);
        }
    }

    /// Of three replicas: two rounds of a third for the sums, and two more to hand them on.
    void ofManyCopiesAShardGoesAtATime()
    {
        const auto options = test::sized(2, 4);
        const auto schedule = buildUniform(test::familyOf("1f1b"), options, UniformCosts());
        QVERIFY(schedule);
        const auto three = withReplicas(*schedule, 3);
        QVERIFY(three);
        const auto listing = listingOf(*three, {});
        QVERIFY(listing);
        Costs costs = expand(UniformCosts(), three->spec());
        costs.gradients.assign(costs.forward.size(), 3 * gradientBytes);
        costs.link.bytesPerSecond = 1e9;
        const Played played = play(*listing, *three, costs, {});
        QVERIFY(played.whole);
        int seen = 0;
        for (std::size_t rank = 0; rank < listing->ranks.size(); ++rank) {
            for (std::size_t i = 0; i < listing->ranks[rank].size(); ++i) {
                if (listing->ranks[rank][i].kind != ActionKind::Exchange)
                    continue;
                ++seen;
                const ActionTime& time = played.times[rank][i];
                QCOMPARE(time.end - time.start, 4 * ticksPerMs);
            }
        }
        QCOMPARE(seen, 6);
    }

    void whatIsNoExchangeOfTheScheduleIsRefused()
    {
        const Exchanging made = exchanging("chimera", 4, 8, ExchangePlace::AtEnd);
        const auto refused = [&](const auto& change) {
            Listing other = made.listing;
            change(other.ranks[0]);
            const Result<void> good = check(other, made.schedule);
            return good ? QString("none") : QString::fromStdString(good.error().message);
        };
        const std::int32_t number = exchangesOf(made, 0).begin()->first;
        const auto isOne = [&](const Action& action) {
            return action.kind == ActionKind::Exchange && action.index == number;
        };
        QVERIFY(refused([&](auto& row) {
                    row.push_back({ActionKind::Exchange, number});
                }).contains("appears twice"));
        QVERIFY(refused([&](auto& row) {
                    row.erase(std::find_if(row.begin(), row.end(), isOne));
                }).contains("rank 0 lacks"));
        QVERIFY(refused([&](auto& row) {
                    const auto found = std::find_if(row.begin(), row.end(), isOne);
                    std::rotate(row.begin(), found, found + 1);
                }).contains("makes gradients that were exchanged before"));
        QVERIFY(refused([&](auto& row) {
                    row.push_back({ActionKind::Exchange, -1});
                }).contains("shares with nobody"));
        // By hand it stays between its gradients and the end.
        const MoveRange range =
            moveRange(made.listing, made.schedule, {RankId(0), exchangesOf(made, 0).at(number)});
        QCOMPARE(range.last, static_cast<std::int32_t>(made.listing.ranks[0].size()) - 1);
        QVERIFY(range.first > 0);
    }
};

PW_TEST(TestCommunicationExchange)
#include "tst_communication_exchange.moc"
