// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/communication/buffers.h"
#include "core/communication/lowering.h"
#include "core/communication/play.h"
#include "core/communication/rearranging.h"
#include "core/communication/torch_listing.h"
#include "tests/support/family_runs.h"
#include "tests/support/seed.h"
#include "tests/support/test_program.h"

#include <QtTest>

#include <random>

using namespace pw;
using namespace pw::communication;

namespace {

struct Made
{
    Schedule schedule;
    Listing listing;
    Costs costs;
};

Made made(std::string_view family, int devices, int microBatches, const Lowering& lowering = {},
          Ticks hop = 0, Bytes bytes = 0)
{
    const auto schedule =
        buildUniform(test::familyOf(family), test::sized(devices, microBatches), UniformCosts());
    if (!schedule)
        qFatal("%s", schedule.error().message.c_str());
    auto listing = listingOf(*schedule, lowering);
    if (!listing)
        qFatal("%s", listing.error().message.c_str());
    Costs costs =
        expand(test::equalStages(ticksPerMs, ticksPerMs, ticksPerMs, hop), schedule->spec());
    costs.forwardMessage.assign(costs.forward.size(), bytes);
    costs.backwardMessage.assign(costs.forward.size(), bytes);
    return {*schedule, *listing, costs};
}

Played played(const Made& made, Communicators communicators = Communicators::One,
              std::optional<Bytes> eager = {})
{
    Transport transport;
    transport.communicators = communicators;
    transport.eagerBytes = eager;
    return play(made.listing, made.schedule, made.costs, transport);
}

/// Where an action stands, by its text.
ActionPlace placeOf(const Made& made, int rank, const std::string& text)
{
    const auto& row = made.listing.ranks[static_cast<std::size_t>(rank)];
    for (std::size_t i = 0; i < row.size(); ++i) {
        if (actionText(row[i], made.listing, made.schedule) == text)
            return {RankId(rank), static_cast<std::int32_t>(i)};
    }
    qFatal("rank %d has no %s", rank, text.c_str());
}

QString fieldsOf(const Made& made, int rank)
{
    QStringList words;
    for (const Action& action : made.listing.ranks[static_cast<std::size_t>(rank)])
        words += QString::fromStdString(actionText(action, made.listing, made.schedule));
    return words.join(',');
}

} // namespace

class TestCommunicationPlay : public QObject
{
    Q_OBJECT

private slots:
    void aRingNeedsOneCommunicatorAndLargeMessages_data()
    {
        QTest::addColumn<int>("communicators");
        QTest::addColumn<qlonglong>("eager");
        QTest::addColumn<bool>("ends");
        QTest::newRow("one communicator, rendezvous")
            << static_cast<int>(Communicators::One) << -1LL << false;
        QTest::newRow("one communicator, threshold below the message")
            << static_cast<int>(Communicators::One) << 999LL << false;
        QTest::newRow("one communicator, eager")
            << static_cast<int>(Communicators::One) << 1000LL << true;
        QTest::newRow("one a direction")
            << static_cast<int>(Communicators::Direction) << -1LL << true;
        QTest::newRow("one a pair") << static_cast<int>(Communicators::Pair) << -1LL << false;
        QTest::newRow("one an edge") << static_cast<int>(Communicators::Edge) << -1LL << true;
    }

    /// Megatron's interleaved order with receives posted early, as its PR 5240 found it: every rank
    /// makes a communicator with the one before, which makes one with the one before it.
    void makingCommunicatorsCanHangInARing()
    {
        Lowering early;
        early.receives = ReceivePlace::Early;
        early.early = 4;
        const Made ring = made("interleaved-1f1b", 4, 8, early);
        const Played result = played(ring, Communicators::Pair);
        QVERIFY(!result.whole);
        QCOMPARE(result.ring.size(), std::size_t{4});
        for (const HeldAction& held : result.ring)
            QCOMPARE(held.hold, pw::communication::Hold::Connect);
        const QString text = QString::fromStdString(ringText(result, ring.listing, ring.schedule));
        QVERIFY2(text.contains(QLatin1String(
                     "1RECV_F0 of rank 1 waits until rank 0 makes their communicator with it")),
                 qPrintable(text));
        QVERIFY(played(ring, Communicators::Edge).whole);
        QVERIFY(played(made("interleaved-1f1b", 4, 8), Communicators::Pair).whole);
    }

    /// A receive behind the send of a gradient: rank 0 sends before it receives, rank 1 too.
    void aRingNeedsOneCommunicatorAndLargeMessages()
    {
        QFETCH(int, communicators);
        QFETCH(qlonglong, eager);
        QFETCH(bool, ends);
        Made two = made("1f1b", 2, 2, {}, 0, 1000);
        QVERIFY(played(two).whole);
        const ActionPlace receive = placeOf(two, 1, "1RECV_F1");
        const ActionPlace send = placeOf(two, 1, "1SEND_B0");
        auto moved = withMoved(two.listing, two.schedule, receive, send.action);
        QVERIFY(moved);
        two.listing = *moved;
        QCOMPARE(fieldsOf(two, 1),
                 QStringLiteral("1RECV_F0,1F0,1B0,1SEND_B0,1RECV_F1,1F1,1B1,1SEND_B1"));
        const Played result = played(two, static_cast<Communicators>(communicators),
                                     eager < 0 ? std::nullopt : std::optional<Bytes>(eager));
        QCOMPARE(result.whole, ends);
        QCOMPARE(result.ring.empty(), ends);
        QVERIFY(result.mixed.empty());
        if (ends)
            return;
        QCOMPARE(result.ring.size(), std::size_t(4));
        const QString text = QString::fromStdString(ringText(result, two.listing, two.schedule));
        for (const char* part : {"0SEND_F1", "1RECV_F1", "1SEND_B0", "0RECV_B0"})
            QVERIFY2(text.contains(QLatin1String(part)), qPrintable(text));
        QVERIFY2(text.contains(QLatin1String("1SEND_B0 of rank 1 waits for 0RECV_B0 of rank 0")),
                 qPrintable(text));
    }

    /// At its use is that same place.
    void receivesAtTheirUseMakeTheRing()
    {
        Lowering lowering;
        lowering.receives = ReceivePlace::AtUse;
        const Made two = made("1f1b", 2, 2, lowering);
        QCOMPARE(fieldsOf(two, 1),
                 QStringLiteral("1RECV_F0,1F0,1B0,1SEND_B0,1RECV_F1,1F1,1B1,1SEND_B1"));
        QVERIFY(!played(two).whole);
        QVERIFY(played(two, Communicators::Direction).whole);
    }

    /// Two blocking sends in a cycle hold their ranks themselves.
    void aBlockedRankIsNamedWithWhatItHasNotComeTo()
    {
        Lowering lowering;
        lowering.receives = ReceivePlace::AtUse;
        lowering.sends = SendWait::AtOnce;
        const Made two = made("1f1b", 2, 2, lowering);
        const Played result = played(two, Communicators::Direction);
        QVERIFY(!result.whole);
        const QString text = QString::fromStdString(ringText(result, two.listing, two.schedule));
        QVERIFY2(text.contains(QLatin1String("rank 1 has not come to 1RECV_F1")), qPrintable(text));
        QVERIFY2(text.contains(QLatin1String("0WAIT_SEND_F1")), qPrintable(text));
    }

    void theEndIsTheSimulatorsWhereNothingQueues_data()
    {
        QTest::addColumn<QString>("family");
        for (const char* family : {"1f1b", "gpipe", "interleaved-1f1b", "zb-h1", "zb-v", "v-min",
                                   "dualpipe-v", "dualpipe", "chimera", "seq1f1b", "kfkb"})
            QTest::newRow(family) << QString::fromLatin1(family);
    }

    /// Eager messages of no time, and messages with time where every edge has its own communicator
    /// and none is longer than the passes between two: both are what the simulator assumes.
    void theEndIsTheSimulatorsWhereNothingQueues()
    {
        QFETCH(QString, family);
        for (const Ticks hop : {Ticks(0), ticksPerMs / 100}) {
            const Made one = made(family.toStdString(), 4, 8, {}, hop, 1000);
            const auto planned = simulate(one.schedule, one.costs);
            QVERIFY(planned);
            const Played result = played(one, Communicators::Edge, 1000);
            QVERIFY2(result.whole, ringText(result, one.listing, one.schedule).c_str());
            if (hop == 0)
                QCOMPARE(result.end, planned->makespan);
            else
                QVERIFY2(result.end >= planned->makespan, qPrintable(family));
        }
    }

    void nothingIsExposedWithoutMessageTime()
    {
        const Made one = made("zb-h1", 4, 8);
        for (const RankTime& rank : played(one, Communicators::Edge).ranks)
            QCOMPARE(rank.exposed, Ticks(0));
    }

    /// One activation from rank 0 to rank 1 and its gradient back, 1 ms each way.
    void exposedIsTheTimeOfMessagesThatNothingHides()
    {
        const Made one = made("gpipe", 2, 1, {}, ticksPerMs);
        const Played result = played(one, Communicators::Edge);
        QVERIFY(result.whole);
        QCOMPARE(result.end, 8 * ticksPerMs); // F, hop, F, BW of 2, hop, BW of 2
        QCOMPARE(result.ranks[1].exposed, ticksPerMs);
        QCOMPARE(result.ranks[1].waited, ticksPerMs);
        QCOMPARE(result.ranks[0].exposed, ticksPerMs);
        QCOMPARE(result.ranks[0].waited, 4 * ticksPerMs); // F and BW of rank 1, the first message
    }

    /// A slow first stage: the receive that PyTorch places before the first backward holds it where
    /// ranks wait at receives, and not where the receive stands at its use.
    void anEarlyReceiveThatBlocksLeavesABubble()
    {
        const auto endWith = [](ReceivePlace place, bool blocking, Ticks& backward) {
            Lowering lowering;
            lowering.receives = place;
            lowering.blockingReceives = blocking;
            Made two = made("1f1b", 2, 2, lowering);
            two.costs.forward[0] = 3 * ticksPerMs;
            const Played result = played(two, Communicators::Direction);
            if (!result.whole)
                qFatal("does not end");
            const ActionPlace place0 = placeOf(two, 1, "1B0");
            backward = result.times[1][static_cast<std::size_t>(place0.action)].start;
            return result.end;
        };
        Ticks backward = 0;
        endWith(ReceivePlace::AsSent, true, backward);
        QCOMPARE(backward, 6 * ticksPerMs); // F1 of rank 0 is there then
        endWith(ReceivePlace::AtUse, true, backward);
        QCOMPARE(backward, 4 * ticksPerMs);
        endWith(ReceivePlace::AsSent, false, backward);
        QCOMPARE(backward, 4 * ticksPerMs);
    }

    void messagesReceivedInAnotherOrderAreToldAsMixedUp()
    {
        Made two = made("gpipe", 2, 3, {}, 0, 10);
        auto moved = withMoved(two.listing, two.schedule, placeOf(two, 1, "1RECV_F2"),
                               placeOf(two, 1, "1RECV_F1").action);
        QVERIFY(moved);
        two.listing = *moved;
        const Played result = played(two, Communicators::Edge, 1000);
        QCOMPARE(result.mixed.size(), std::size_t(1));
        const QString text =
            QString::fromStdString(mixedText(result.mixed[0], two.listing, two.schedule));
        QVERIFY2(text.contains(QLatin1String("0SEND_F1")) &&
                     text.contains(QLatin1String("1RECV_F2")),
                 qPrintable(text));
    }

    void aMoveThatBreaksARuleSaysWhichOne()
    {
        const Made two = made("1f1b", 2, 2);
        const auto send = withMoved(two.listing, two.schedule, placeOf(two, 0, "0SEND_F1"), 0);
        QVERIFY(!send);
        QCOMPARE(QString::fromStdString(send.error().message),
                 QStringLiteral("0SEND_F1 stays behind 0F1"));
        const auto receive = withMoved(two.listing, two.schedule, placeOf(two, 1, "1RECV_F1"),
                                       placeOf(two, 1, "1SEND_B1").action);
        QVERIFY(!receive);
        QCOMPARE(QString::fromStdString(receive.error().message),
                 QStringLiteral("1RECV_F1 stays before 1F1"));
        QVERIFY(!withMoved(two.listing, two.schedule, placeOf(two, 1, "1F1"), 0));
    }

    /// Any place that `moveRange` names can be gone to, and the way back is the listing as it was.
    void everyMoveOfTheRangeIsOneThatChecks()
    {
        std::mt19937 random(test::randomSeed());
        Lowering lowering;
        lowering.sharded = true;
        const Made one = made("zb-v", 3, 6, lowering);
        for (int round = 0; round < 200; ++round) {
            const RankId rank(random() % 3);
            const auto& row = one.listing.ranks[rank.index()];
            const ActionPlace place{rank, static_cast<std::int32_t>(random() % row.size())};
            const MoveRange range = moveRange(one.listing, one.schedule, place);
            for (const std::int32_t to : {range.first, range.last}) {
                if (to == place.action)
                    continue;
                const auto moved = withMoved(one.listing, one.schedule, place, to);
                QVERIFY2(moved, moved ? "" : moved.error().message.c_str());
                const auto back = withMoved(*moved, one.schedule, {rank, to}, place.action);
                QVERIFY(back);
                QVERIFY(*back == one.listing);
            }
        }
    }

    /// The worked example of PyTorch's documentation: stage, micro-batch.
    void activationSlotsAreThoseOfTheDocumentedExample()
    {
        // F(0,0) F(1,0) F(0,1) B(1,0) B(0,0) F(1,1) B(1,1) B(0,1), one rank with both stages.
        PipelineSpec spec;
        spec.devices = 1;
        spec.microBatches = 2;
        spec.routes = {Placement{{DeviceId(0), DeviceId(0)}}};
        const auto pass = [](PassKind kind, int stage, int microBatch) {
            return single({kind, 0, StageId(stage), microBatch, 0});
        };
        const auto schedule = Schedule::make(
            spec, {{pass(PassKind::F, 0, 0), pass(PassKind::F, 1, 0), pass(PassKind::F, 0, 1),
                    pass(PassKind::BW, 1, 0), pass(PassKind::BW, 0, 0), pass(PassKind::F, 1, 1),
                    pass(PassKind::BW, 1, 1), pass(PassKind::BW, 0, 1)}});
        QVERIFY(schedule);
        const std::vector<SlotLife> lives =
            activationSlots(*schedule, DeviceId(0), SlotGrain::StageAndMicroBatch);
        const std::vector<SlotLife> wanted = {{0, 4, StageId(0), 0, 0},
                                              {1, 3, StageId(1), 0, 1},
                                              {2, 7, StageId(0), 1, 2},
                                              {5, 6, StageId(1), 1, 0}};
        QVERIFY(lives == wanted);
        QCOMPARE(slotCount(lives), 3);
        // Micro-batches as a whole: (0,4) and (2,7).
        const std::vector<SlotLife> whole =
            activationSlots(*schedule, DeviceId(0), SlotGrain::MicroBatch);
        QCOMPARE(slotCount(whole), 2);
        QCOMPARE(whole[0].last, 4);
        QCOMPARE(whole[1].last, 7);
    }

    /// 1F1B keeps p − r micro-batches, GPipe all.
    void activationSlotsAreTheFamiliesPeaks()
    {
        for (const int p : {2, 4, 8}) {
            const Made one = made("1f1b", p, 2 * p);
            const Made all = made("gpipe", p, 2 * p);
            for (int rank = 0; rank < p; ++rank) {
                QCOMPARE(slotCount(activationSlots(one.schedule, DeviceId(rank),
                                                   SlotGrain::StageAndMicroBatch)),
                         p - rank);
                QCOMPARE(slotCount(activationSlots(all.schedule, DeviceId(rank),
                                                   SlotGrain::StageAndMicroBatch)),
                         2 * p);
            }
        }
    }

    /// A slot never holds two at once, and there are as many as lie there at one place.
    void slotsAreAsFewAsCanBe()
    {
        std::mt19937 random(test::randomSeed());
        for (int round = 0; round < 100; ++round) {
            std::vector<SlotLife> lives;
            for (int i = 0; i < 40; ++i) {
                const auto first = static_cast<std::int32_t>(random() % 60);
                lives.push_back(
                    {first, first + static_cast<std::int32_t>(random() % 12), StageId(0), i, -1});
            }
            std::sort(lives.begin(), lives.end(),
                      [](const SlotLife& a, const SlotLife& b) { return a.first < b.first; });
            const int used = assignSlots(lives);
            int most = 0;
            for (int place = 0; place < 80; ++place) {
                int here = 0;
                for (const SlotLife& life : lives)
                    here += life.first <= place && place <= life.last ? 1 : 0;
                most = std::max(most, here);
            }
            QCOMPARE(used, most);
            for (const SlotLife& a : lives)
                for (const SlotLife& b : lives)
                    QVERIFY(&a == &b || a.slot != b.slot || a.last < b.first || b.last < a.first);
        }
    }

    /// Received: from the posting to the end of the pass. Sent: from the end of the pass to the end
    /// of the rank, or until it has left.
    void buffersLastAsLongAsTheyAreNeeded()
    {
        Lowering lowering;
        const Made kept = made("gpipe", 2, 4, lowering, ticksPerMs / 10, 1000);
        const Played first = played(kept, Communicators::Edge);
        const BufferPeaks atEnd =
            peaksOf(bufferCurve(kept.listing, kept.schedule, kept.costs, first, RankId(0)));
        QCOMPARE(atEnd.bytes[static_cast<std::size_t>(BufferKind::Sent)], Bytes(4000));
        lowering.sends = SendWait::WhenSent;
        const Made freed = made("gpipe", 2, 4, lowering, ticksPerMs / 10, 1000);
        const Played second = played(freed, Communicators::Edge);
        const auto curve =
            bufferCurve(freed.listing, freed.schedule, freed.costs, second, RankId(0));
        QCOMPARE(peaksOf(curve).bytes[static_cast<std::size_t>(BufferKind::Sent)], Bytes(1000));
        QCOMPARE(curve.back().total(), Bytes(0));
        QCOMPARE(first.end, second.end);
    }

    /// Three forwards leave before the receiver has come to them: they lie in its buffers.
    void eagerMessagesLieAtTheReceiver()
    {
        Lowering lowering;
        lowering.receives = ReceivePlace::AtUse;
        const Made one = made("gpipe", 2, 4, lowering, 0, 1000);
        const Played result = played(one, Communicators::Edge, 1000);
        QVERIFY(result.whole);
        const auto curve = bufferCurve(one.listing, one.schedule, one.costs, result, RankId(1));
        QVERIFY(curve.back().total() == 0);
        const Played waits = played(one, Communicators::Edge);
        QCOMPARE(peaksOf(bufferCurve(one.listing, one.schedule, one.costs, waits, RankId(1)))
                     .bytes[static_cast<std::size_t>(BufferKind::Eager)],
                 Bytes(0));
    }

    void receiveBuffersHoldReceivesBack()
    {
        Lowering lowering;
        lowering.receives = ReceivePlace::Early;
        lowering.early = 3;
        const Made free = made("gpipe", 2, 4, lowering);
        QCOMPARE(slotCount(receiveSlots(free.listing, free.schedule, RankId(1), true)), 4);
        lowering.receiveBuffers = 1;
        const Made held = made("gpipe", 2, 4, lowering);
        for (int rank = 0; rank < 2; ++rank)
            for (const bool forward : {true, false})
                QVERIFY(slotCount(
                            receiveSlots(held.listing, held.schedule, RankId(rank), forward)) <= 1);
        QVERIFY(check(held.listing, held.schedule));
        QVERIFY(played(held, Communicators::Edge).whole);
    }

    /// A gather of 5 ms before a pass that could start at once shows in full; with the next stage
    /// gathered ahead it hides under a pass of the one before.
    void gathersAheadHideUnderPasses()
    {
        Lowering lowering;
        lowering.sharded = true;
        lowering.lookAhead = 1;
        const Made late = made("breadth-first", 2, 4, lowering);
        lowering.lookAhead = 0;
        const Made early = made("breadth-first", 2, 4, lowering);
        Transport transport;
        transport.communicators = Communicators::Edge;
        transport.gather.assign(4, ticksPerMs / 2);
        transport.reduce.assign(4, 0);
        const Played first = play(late.listing, late.schedule, late.costs, transport);
        const Played second = play(early.listing, early.schedule, early.costs, transport);
        QVERIFY(first.whole && second.whole);
        QVERIFY(second.end < first.end);
        QCOMPARE(second.ranks[0].exposed, ticksPerMs / 2);
    }

    /// Whatever is moved, every action that ends does so after it was come to, a communicator
    /// carries one message at a time, and a ring is told where and only where not all is done.
    void randomListingsKeepTheRulesOfCommunicators()
    {
        std::mt19937 random(test::randomSeed());
        for (int round = 0; round < 60; ++round) {
            Made one =
                made(round % 2 == 0 ? "zb-v" : "interleaved-1f1b", 3, 6, {}, ticksPerMs / 7, 500);
            for (int move = 0; move < 8; ++move) {
                const int rank = static_cast<int>(random() % 3);
                const auto& row = one.listing.ranks[static_cast<std::size_t>(rank)];
                const ActionPlace place{RankId(rank),
                                        static_cast<std::int32_t>(random() % row.size())};
                const MoveRange range = moveRange(one.listing, one.schedule, place);
                const auto to = range.first +
                                static_cast<std::int32_t>(
                                    random() % static_cast<unsigned>(range.last - range.first + 1));
                if (auto moved = withMoved(one.listing, one.schedule, place, to))
                    one.listing = *moved;
            }
            const Played result = played(one, Communicators::One);
            QCOMPARE(result.whole, result.ring.empty());
            for (std::size_t rank = 0; rank < 3; ++rank) {
                Ticks before = 0;
                const auto& row = one.listing.ranks[rank];
                for (std::size_t i = 0; i < row.size(); ++i) {
                    if (row[i].kind != ActionKind::Send && row[i].kind != ActionKind::Receive)
                        continue;
                    const ActionTime& time = result.times[rank][i];
                    if (time.end < 0)
                        break;
                    QVERIFY(time.start >= time.posted);
                    QVERIFY(time.start >= before);
                    before = time.end;
                }
            }
        }
    }
};

PW_TEST(TestCommunicationPlay)
#include "tst_communication_play.moc"
