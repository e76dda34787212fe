// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/transport/local.h"
#include "tests/support/fake_worker.h"
#include "tests/support/run_plans.h"
#include "tests/support/test_program.h"

#include <QtTest>

#include <thread>

using namespace pw;
using namespace pw::exec;

namespace {

constexpr Ticks longWait = 20'000 * ticksPerMs;
constexpr Ticks shortWait = 30 * ticksPerMs;

Packet packet(std::uint64_t value, Ticks due = 0)
{
    return {std::make_shared<test::FakePayload>(value), due};
}

std::uint64_t valueOf(const Arrival& arrival)
{
    return dynamic_cast<const test::FakePayload&>(*arrival.packet.payload).value;
}

RunPlan planFor(const char* id, int devices, int microBatches,
                MessageRule rule = MessageRule::Early, Ticks hop = 0)
{
    const test::FamilyRun run = test::runFamily(
        test::familyOf(id), test::sized(devices, microBatches), test::equalStages(1, 1, 1, hop));
    return *test::planOf(run.schedule, run.costs, rule);
}

/// Messages of a plan from one rank to another, as they are sent.
std::vector<std::int32_t> sentFrom(const RunPlan& plan, int from, int to)
{
    std::vector<std::int32_t> sent;
    for (const Instruction& instruction : plan.program.ranks[static_cast<std::size_t>(from)]) {
        if (instruction.kind == InstructionKind::Send &&
            plan.program.messages[static_cast<std::size_t>(instruction.index)].to == to)
            sent.push_back(instruction.index);
    }
    return sent;
}

/// Two ranks of 1F1B and what they talk through.
struct Pair
{
    explicit Pair(MessageRule rule = MessageRule::Early, LinkTimes times = LinkTimes::None,
                  Ticks hop = 0)
        : plan(planFor("1f1b", 2, 3, rule, hop))
        , planned(2)
        , transport(plan, clock, times, &planned)
        , first(*transport.endpoint(RankId(0)))
        , second(*transport.endpoint(RankId(1)))
        , sent(sentFrom(plan, 0, 1))
    {
    }

    Patience patience(Ticks limit, const char* what = "rank 1, PP:1F0") const
    {
        return {stop, limit, what};
    }

    RunPlan plan;
    RunClock clock;
    PlanClock planned;
    LocalTransport transport;
    std::unique_ptr<Endpoint> first;
    std::unique_ptr<Endpoint> second;
    std::vector<std::int32_t> sent; ///< from rank 0 to rank 1
    Stop stop;
};

} // namespace

class TestLocalTransport : public QObject
{
    Q_OBJECT

private slots:
    void aMessageArrivesAsItWasSent();
    void messagesAreTakenInAnyOrder();
    void aWaitThatBeginsFirstIsWokenUp();
    void aMessageThatDoesNotComeIsNamed();
    void aMessageThatWasLostIsNoticedByTheNext();
    void aMessageUnderAWrongTagIsNamed();
    void aMessageOfAnotherIterationIsRefused();
    void aRankSendsAndTakesOnlyItsOwn();
    void aMessageIsSentOnce();
    void aStopEndsAWait();
    void aRankThatGivesUpEndsTheWaitsOfOthers();
    void aCommittedSendWaitsForTheReceiver();
    void replicasSwapTheirGradients();
    void aBarrierHoldsUntilAllAreThere();
    void aBarrierNamesWhoIsMissing();
    void aSlowLinkHoldsTheMessageAndNotTheSender();
    void plannedTimesTravelWithTheMessage();
    void plannedTimesOfACommittedMessageMoveItsSender();
};

void TestLocalTransport::aMessageArrivesAsItWasSent()
{
    Pair pair;
    const Packet out = packet(42);
    QVERIFY(pair.second->post(pair.sent[0], 0));
    QVERIFY(pair.first->send(pair.sent[0], 0, out));
    const Result<Arrival> in = pair.second->wait(pair.sent[0], 0, pair.patience(longWait));
    QVERIFY(in);
    QCOMPARE(valueOf(*in), std::uint64_t{42});
    QCOMPARE(in->packet.payload.get(), out.payload.get());
    QVERIFY(in->posted <= in->startTime && in->startTime <= in->endTime);
}

void TestLocalTransport::messagesAreTakenInAnyOrder()
{
    Pair pair;
    for (const int iteration : {-1, 0}) {
        for (std::size_t i = 0; i < 3; ++i)
            QVERIFY(pair.first->send(pair.sent[i], iteration, packet(i)));
        for (const std::size_t i : {2U, 0U, 1U}) {
            const auto in = pair.second->wait(pair.sent[i], iteration, pair.patience(longWait));
            QVERIFY2(in, in ? "" : in.error().message.c_str());
            QCOMPARE(valueOf(*in), static_cast<std::uint64_t>(i));
        }
    }
}

void TestLocalTransport::aWaitThatBeginsFirstIsWokenUp()
{
    Pair pair;
    Result<Arrival> in;
    std::thread receiver([&] { in = pair.second->wait(pair.sent[0], 0, pair.patience(longWait)); });
    QVERIFY(pair.first->send(pair.sent[0], 0, packet(7)));
    receiver.join();
    QVERIFY(in);
    QCOMPARE(valueOf(*in), std::uint64_t{7});
}

void TestLocalTransport::aMessageThatDoesNotComeIsNamed()
{
    Pair pair;
    const auto in = pair.second->wait(pair.sent[0], 0, pair.patience(shortWait));
    QVERIFY(!in);
    QCOMPARE(in.error().code, ErrorCode::Fault);
    const QString text = QString::fromStdString(in.error().message);
    QVERIFY2(text.startsWith("rank 1, PP:1F0: waited ") &&
                 text.endsWith(" ms for F of micro-batch 0 on stage 0 from rank 0"),
             qPrintable(text));
}

void TestLocalTransport::aMessageThatWasLostIsNoticedByTheNext()
{
    Pair pair;
    QVERIFY(pair.first->send(pair.sent[1], 0, packet(1)));
    const auto in = pair.second->wait(pair.sent[0], 0, pair.patience(longWait));
    QVERIFY(!in);
    QCOMPARE(in.error().message,
             std::string("rank 1, PP:1F0: F of micro-batch 1 on stage 0 came from rank 0 where F "
                         "of micro-batch 0 on stage 0 was due"));
}

void TestLocalTransport::aMessageUnderAWrongTagIsNamed()
{
    Pair pair;
    QVERIFY(pair.first->send(pair.sent[0], 0, packet(0)));
    QVERIFY(pair.first->send(pair.sent[2], 0, packet(1)));
    // Whatever the rank waits for, it hears of it.
    const auto in = pair.second->wait(pair.sent[0], 0, pair.patience(longWait));
    QVERIFY(!in);
    QCOMPARE(in.error().message,
             std::string("rank 1, PP:1F0: F of micro-batch 2 on stage 0 came from rank 0 where F "
                         "of micro-batch 1 on stage 0 was due"));
}

void TestLocalTransport::aMessageOfAnotherIterationIsRefused()
{
    Pair pair;
    QVERIFY(pair.first->send(pair.sent[0], 1, packet(0)));
    const auto in = pair.second->wait(pair.sent[0], 0, pair.patience(longWait));
    QVERIFY(!in);
    QCOMPARE(in.error().message, std::string("rank 1, PP:1F0: F of micro-batch 0 on stage 0 from "
                                             "rank 0 is of iteration 1, not 0"));
}

void TestLocalTransport::aRankSendsAndTakesOnlyItsOwn()
{
    Pair pair;
    const auto sent = pair.second->send(pair.sent[0], 0, packet(0));
    QVERIFY(!sent);
    QCOMPARE(
        sent.error().message,
        QString("rank 1 sends message %1, which is not its own").arg(pair.sent[0]).toStdString());
    QVERIFY(!pair.first->post(pair.sent[0], 0));
    QVERIFY(!pair.first->wait(pair.sent[0], 0, pair.patience(longWait)));
    QVERIFY(!pair.first->send(-1, 0, packet(0)));
    QVERIFY(!pair.first->send(static_cast<std::int32_t>(pair.plan.program.messages.size()), 0,
                              packet(0)));
    QVERIFY(!pair.transport.endpoint(RankId(2)));
    QVERIFY(!pair.transport.endpoint(RankId(-1)));
}

void TestLocalTransport::aMessageIsSentOnce()
{
    Pair pair;
    for (const std::int32_t message : pair.sent)
        QVERIFY(pair.first->send(message, 0, packet(0)));
    const auto again = pair.first->send(pair.sent.back(), 0, packet(0));
    QVERIFY(!again);
    QCOMPARE(again.error().message,
             std::string("rank 0 sends F of micro-batch 2 on stage 0 from rank 0 once too often"));
    QVERIFY(pair.first->send(pair.sent.front(), 1, packet(0)));
}

void TestLocalTransport::aStopEndsAWait()
{
    Pair pair;
    Result<Arrival> in;
    std::thread receiver([&] { in = pair.second->wait(pair.sent[0], 0, pair.patience(longWait)); });
    pair.stop.request();
    receiver.join();
    QVERIFY(!in);
    QCOMPARE(in.error().code, ErrorCode::Cancelled);
}

void TestLocalTransport::aRankThatGivesUpEndsTheWaitsOfOthers()
{
    Pair pair;
    Result<Arrival> in;
    Result<void> met;
    std::thread receiver([&] {
        in = pair.second->wait(pair.sent[0], 0, pair.patience(longWait));
        met = pair.second->barrier(pair.patience(longWait));
    });
    pair.first->abort();
    receiver.join();
    QVERIFY(pair.transport.aborted());
    QVERIFY(!in);
    QCOMPARE(in.error().message, std::string("rank 1, PP:1F0: rank 0 has given up"));
    QVERIFY(!met);
}

void TestLocalTransport::aCommittedSendWaitsForTheReceiver()
{
    Pair pair(MessageRule::Committed);
    QVERIFY(pair.first->send(pair.sent[0], 0, packet(5)));
    const auto early = pair.first->waitPosted(pair.sent[0], 0, pair.patience(shortWait, "rank 0"));
    QVERIFY(!early);
    QVERIFY(QString::fromStdString(early.error().message)
                .endsWith("for rank 1 to take F of micro-batch 0 on stage 0"));
    Result<void> met;
    std::thread sender(
        [&] { met = pair.first->waitPosted(pair.sent[0], 0, pair.patience(longWait, "rank 0")); });
    QVERIFY(pair.second->post(pair.sent[0], 0));
    const Ticks posted = pair.clock.now();
    sender.join();
    QVERIFY(met);
    // Also after the receiver has taken it.
    const auto in = pair.second->wait(pair.sent[0], 0, pair.patience(longWait));
    QVERIFY(in);
    QVERIFY(in->startTime <= posted);
    QVERIFY(pair.first->waitPosted(pair.sent[0], 0, pair.patience(longWait, "rank 0")));
}

void TestLocalTransport::replicasSwapTheirGradients()
{
    const RunPlan plan = planFor("chimera", 2, 4);
    const Reduction& reduction = plan.program.reductions.front();
    QVERIFY(reduction.ranks[0] != reduction.ranks[1]);
    RunClock clock;
    LocalTransport transport(plan, clock);
    const Stop stop;
    std::vector<Result<Arrival>> in(2);
    for (const int iteration : {0, 1}) {
        std::vector<std::thread> threads;
        for (const int side : {0, 1}) {
            threads.emplace_back([&, side] {
                const auto endpoint = *transport.endpoint(reduction.ranks[side]);
                in[static_cast<std::size_t>(side)] =
                    endpoint->exchange(0, iteration, reduction.ranks[1 - side],
                                       packet(static_cast<std::uint64_t>(10 * iteration + side)),
                                       Patience{stop, longWait, "rank"});
            });
        }
        for (std::thread& thread : threads)
            thread.join();
        for (const int side : {0, 1}) {
            QVERIFY(in[static_cast<std::size_t>(side)]);
            QCOMPARE(valueOf(*in[static_cast<std::size_t>(side)]),
                     static_cast<std::uint64_t>(10 * iteration + 1 - side));
        }
    }
    const auto alone = (*transport.endpoint(reduction.ranks[0]))
                           ->exchange(0, 2, reduction.ranks[1], packet(0),
                                      Patience{stop, shortWait, "rank 0, PP:0U0"});
    QVERIFY(!alone);
    QVERIFY(QString::fromStdString(alone.error().message)
                .endsWith("for the gradients of stage 0 for update 0 from rank 1"));
}

void TestLocalTransport::aBarrierHoldsUntilAllAreThere()
{
    const RunPlan plan = planFor("gpipe", 8, 2);
    RunClock clock;
    LocalTransport transport(plan, clock);
    const Stop stop;
    std::atomic<int> here{0};
    std::atomic<int> early{0};
    std::vector<std::thread> threads;
    for (const RankId rank : Ids<RankId>(8)) {
        threads.emplace_back([&, rank] {
            const auto endpoint = *transport.endpoint(rank);
            for (int round = 1; round <= 20; ++round) {
                ++here;
                if (!endpoint->barrier(Patience{stop, longWait, "rank"}) || here < 8 * round)
                    ++early;
            }
        });
    }
    for (std::thread& thread : threads)
        thread.join();
    QCOMPARE(early.load(), 0);
    QVERIFY(transport.iterationStart() <= clock.now());
}

void TestLocalTransport::aBarrierNamesWhoIsMissing()
{
    const RunPlan plan = planFor("gpipe", 3, 2);
    RunClock clock;
    LocalTransport transport(plan, clock);
    const Stop stop;
    const auto met = (*transport.endpoint(RankId(1)))
                         ->barrier(Patience{stop, shortWait, "rank 1, start of iteration 0"});
    QVERIFY(!met);
    QVERIFY(QString::fromStdString(met.error().message).endsWith(" for rank 0, rank 2"));
}

void TestLocalTransport::aSlowLinkHoldsTheMessageAndNotTheSender()
{
    constexpr Ticks hop = 40 * ticksPerMs;
    Pair pair(MessageRule::Early, LinkTimes::Real, hop);
    QVERIFY(pair.first->send(pair.sent[0], 0, packet(0)));
    QVERIFY(pair.first->send(pair.sent[1], 0, packet(1)));
    const auto first = pair.second->wait(pair.sent[0], 0, pair.patience(longWait));
    const auto second = pair.second->wait(pair.sent[1], 0, pair.patience(longWait));
    QVERIFY(first && second);
    QCOMPARE(first->endTime - first->startTime, hop);
    QCOMPARE(second->endTime - second->startTime, hop);
    // The second left while the first was under way.
    QVERIFY(second->posted < first->endTime);
    QVERIFY(pair.clock.now() >= second->endTime);
}

void TestLocalTransport::plannedTimesTravelWithTheMessage()
{
    Pair pair(MessageRule::Early, LinkTimes::Planned, 1'000);
    QVERIFY(pair.first->send(pair.sent[0], 0, packet(0, 500)));
    const auto in = pair.second->wait(pair.sent[0], 0, pair.patience(longWait));
    QVERIFY(in);
    QCOMPARE(in->packet.due, Ticks{1'500});
}

void TestLocalTransport::plannedTimesOfACommittedMessageMoveItsSender()
{
    Pair pair(MessageRule::Committed, LinkTimes::Planned, 1'000);
    pair.planned.setFree(RankId(0), 500);
    pair.planned.setFree(RankId(1), 2'000);
    QVERIFY(pair.first->send(pair.sent[0], 0, packet(0, 500)));
    QVERIFY(pair.second->post(pair.sent[0], 0));
    QVERIFY(pair.first->waitPosted(pair.sent[0], 0, pair.patience(longWait, "rank 0")));
    QCOMPARE(pair.planned.free(RankId(0)), Ticks{3'000});
    const auto in = pair.second->wait(pair.sent[0], 0, pair.patience(longWait));
    QVERIFY(in);
    QCOMPARE(in->packet.due, Ticks{3'000});
    QCOMPARE(pair.planned.free(RankId(1)), Ticks{2'000});
}

PW_TEST(TestLocalTransport)
#include "tst_local_transport.moc"
