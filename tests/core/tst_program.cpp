// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/schedule_text.h"
#include "core/lower/program.h"
#include "core/sim/dependencies.h"
#include "core/sim/simulator.h"
#include "tests/support/golden.h"
#include "tests/support/test_program.h"

#include <QtTest>

#include <map>
#include <random>

using namespace pw;

namespace {

Schedule scheduleFrom(const std::string& text)
{
    auto draft = readScheduleText(text);
    if (!draft)
        qFatal("%s", draft.error().message.c_str());
    auto schedule = Schedule::make(draft->spec, draft->orders);
    if (!schedule)
        qFatal("%s", schedule.error().message.c_str());
    return *schedule;
}

/// The instructions of a rank, short: "F0 >F0 <BW0 BW0"; reductions as "+stage".
QString shortText(const Program& program, const Schedule& schedule, std::size_t rank)
{
    const ChunkTable chunks(schedule.spec());
    auto pass = [&](const Pass& one) {
        return QString::fromStdString(
            passText(one, schedule.spec().device(one.route, one.stage), chunks));
    };
    QStringList words;
    for (const Instruction& instruction : program.ranks[rank]) {
        const auto index = static_cast<std::size_t>(instruction.index);
        switch (instruction.kind) {
        case InstructionKind::Compute:
            words += pass(schedule.entry(EntryId(instruction.index)).pass);
            break;
        case InstructionKind::Send:
            words += '>' + pass(program.messages[index].producer);
            break;
        case InstructionKind::Receive:
            words += '<' + pass(program.messages[index].producer);
            break;
        case InstructionKind::Reduce:
            words += '+' + QString::number(program.reductions[index].stage);
            break;
        case InstructionKind::Stow:
        case InstructionKind::Free:
        case InstructionKind::Fetch:
            words += QString::fromStdString(describe(instruction, program, schedule));
            break;
        }
    }
    return words.join(' ');
}

} // namespace

class TestProgram : public QObject
{
    Q_OBJECT

private slots:
    void aResultIsSentBehindItsPassAndReceivedAtThatMoment()
    {
        const Schedule schedule = scheduleFrom("F0 F1 BW0 BW1\nF0 BW0 F1 BW1\n");
        const auto program = lower(schedule, ReceivePlacement::AsSent);
        QVERIFY(program);
        QCOMPARE(shortText(*program, schedule, 0), QString("F0 >F0 F1 >F1 <BW0 BW0 <BW1 BW1"));
        QCOMPARE(shortText(*program, schedule, 1), QString("<F0 F0 <F1 BW0 >BW0 F1 BW1 >BW1"));
        QVERIFY(proveProgress(schedule, *program, MessageRule::Early));
    }

    void receivesCanStandBeforeTheirUse()
    {
        const Schedule schedule = scheduleFrom("F0 F1 BW0 BW1\nF0 BW0 F1 BW1\n");
        const auto program = lower(schedule, ReceivePlacement::BeforeUse);
        QVERIFY(program);
        QCOMPARE(shortText(*program, schedule, 0), QString("F0 >F0 F1 >F1 <BW0 BW0 <BW1 BW1"));
        QCOMPARE(shortText(*program, schedule, 1), QString("<F0 F0 BW0 >BW0 <F1 F1 BW1 >BW1"));
        QVERIFY(proveProgress(schedule, *program, MessageRule::Committed));
    }

    void theTurnOfAVIsHandedOverWithoutAMessage()
    {
        const Schedule schedule = scheduleFrom("placement: v\n"
                                               "d0: F0 F0.1 B0.1 W0.1 B0 W0\n"
                                               "d1: F0 F0.1 B0.1 B0 W0.1 W0\n");
        const auto program = lower(schedule);
        QVERIFY(program);
        QCOMPARE(program->messages.size(), std::size_t(4));
        QCOMPARE(shortText(*program, schedule, 1),
                 QString("<F0 F0 F0.1 >F0.1 <B0.1 B0.1 B0 >B0 W0.1 W0"));
    }

    void replicasAreReducedByStageBeforeTheirUpdates()
    {
        const std::string text = "placement: linear, reversed\nroutes: 0 1\n"
                                 "d0: F0 F1.1 BW1.1 BW0 U0 U0.1\n"
                                 "d1: F1.1 F0 BW0 BW1.1 U0 U0.1\n";
        const Schedule schedule = scheduleFrom(text);
        const auto program = lower(schedule);
        QVERIFY(program);
        QCOMPARE(shortText(*program, schedule, 0),
                 QString("F0 >F0 <F1.1 F1.1 BW1.1 >BW1.1 <BW0 BW0 +0 +1 U0 U0.1"));
        QCOMPARE(shortText(*program, schedule, 1),
                 QString("<F0 F1.1 >F1.1 F0 <BW1.1 BW0 >BW0 BW1.1 +0 +1 U0 U0.1"));
        QVERIFY(proveProgress(schedule, *program, MessageRule::Early));
        QVERIFY(proveProgress(schedule, *program, MessageRule::Committed));

        const Schedule plain = scheduleFrom("placement: linear, reversed\nroutes: 0 1\n"
                                            "d0: F0 F1.1 BW1.1 BW0\nd1: F1.1 F0 BW0 BW1.1\n");
        const auto atTheEnd = lower(plain);
        QVERIFY(atTheEnd);
        QVERIFY(shortText(*atTheEnd, plain, 0).endsWith("BW0 +0 +1"));
    }

    void updatesApartInCrossedOrderAreARing()
    {
        // Device 0 updates stage 0 first and keeps stage 1 back; device 1 the other way round.
        const Schedule schedule =
            scheduleFrom("placement: linear, reversed\nroutes: 0 1 0 1\nsteps: 1\n"
                         "micro-batches: 4\n"
                         "d0: F0 F1.1 F2 F3.1 BW1.1 BW3.1 BW0 BW2 U0 U0.1\n"
                         "d1: F1.1 F0 F3.1 F2 BW0 BW2 BW1.1 BW3.1 U0 U0.1\n");
        auto program = lower(schedule);
        QVERIFY(program);
        auto& ranks = program->ranks;
        // Crossed by hand: +0 +1 on rank 0, +1 +0 on rank 1.
        auto firstReduce = std::find_if(ranks[1].begin(), ranks[1].end(), [](const Instruction& i) {
            return i.kind == InstructionKind::Reduce;
        });
        std::iter_swap(firstReduce, firstReduce + 1);
        const auto proof = proveProgress(schedule, *program, MessageRule::Early);
        QVERIFY(!proof);
        QCOMPARE(proof.error().code, ErrorCode::Deadlock);
        QCOMPARE(
            QString::fromStdString(proof.error().message),
            QString("deadlock: rank 0 waits in reduction of the gradients of stage 0 for step "
                    "0 for rank 1 to come to reduction of the gradients of stage 0 for step 0; "
                    "rank 1 waits in reduction of the gradients of stage 1 for step 0 for rank "
                    "0 to come to reduction of the gradients of stage 1 for step 0"));
    }

    void aDeadlockNamesTheRing()
    {
        // Device 0 wants B 0 before it sends F 1; device 1 wants F 1 before it does B 0.
        const Schedule schedule = scheduleFrom("F0 BW0 F1 BW1\nF0 F1 BW0 BW1\n");
        const auto program = lower(schedule);
        QVERIFY(!program);
        QCOMPARE(program.error().code, ErrorCode::Deadlock);
        QVERIFY(program.error().message.english().find("BW of micro-batch 0 on stage 1") !=
                std::string::npos);
        QVERIFY(program.error().message.english().find("F of micro-batch 1 on stage 0") !=
                std::string::npos);
    }

    void aSendThatNobodyReceivesIsRefused()
    {
        const Schedule schedule = scheduleFrom("F0 BW0\nF0 BW0\n");
        auto program = lower(schedule);
        QVERIFY(program);
        Program lost = *program;
        lost.ranks[1].erase(lost.ranks[1].begin());
        auto proof = proveProgress(schedule, lost, MessageRule::Early);
        QVERIFY(!proof);
        QCOMPARE(QString::fromStdString(proof.error().message),
                 QString("the message of F of micro-batch 0 on stage 0 has no receive"));
        Program late = *program;
        std::swap(late.ranks[1][0], late.ranks[1][1]);
        proof = proveProgress(schedule, late, MessageRule::Early);
        QVERIFY(!proof);
        QCOMPARE(QString::fromStdString(proof.error().message),
                 QString("rank 1: F of micro-batch 0 on stage 1 has no receive of F of micro-batch "
                         "0 on stage 0 before it"));
    }

    void aCommittedSendWaitsForItsReceiver()
    {
        // Fine when sends are buffered; meeting in pairs, each rank waits for the other to receive.
        const Schedule schedule = scheduleFrom("placement: linear, reversed\nroutes: 0 1\nd0: F0 "
                                               "F1.1 BW1.1 BW0\nd1: F1.1 F0 BW0 BW1.1\n");
        auto program = lower(schedule);
        QVERIFY(program);
        QVERIFY(proveProgress(schedule, *program, MessageRule::Early));
        QVERIFY(proveProgress(schedule, *program, MessageRule::Committed));
        const Schedule crossed = scheduleFrom("placement: looped 2\n"
                                              "d0: F0 F1 F0.1 F1.1 BW0.1 BW1.1 BW0 BW1\n"
                                              "d1: F0 F0.1 BW0.1 F1 F1.1 BW1.1 BW0 BW1\n");
        const auto early = lower(crossed, ReceivePlacement::BeforeUse);
        QVERIFY(early);
        QVERIFY(proveProgress(crossed, *early, MessageRule::Early));
        const auto committed = proveProgress(crossed, *early, MessageRule::Committed);
        QVERIFY(!committed);
        QVERIFY(committed.error().message.english().rfind("deadlock: rank ", 0) == 0);
    }

    /// Random orders: lowering fails exactly where the simulator does, and its programs run
    /// through.
    void whatSimulatesAlsoLowers()
    {
        constexpr unsigned seed = 90210;
        std::mt19937 random(seed);
        int deadlocks = 0;
        for (int round = 0; round < 600; ++round) {
            PipelineSpec spec;
            spec.devices = 1 + static_cast<int>(random() % 4);
            spec.microBatches = 1 + static_cast<int>(random() % 4);
            spec.routes = {random() % 2 == 0 ? Placement::looped(spec.devices, 2)
                                             : Placement::vShape(spec.devices)};
            spec.messages = static_cast<MessageRule>(random() % 2);
            DeviceOrders orders(static_cast<std::size_t>(spec.devices));
            for (const StageId stage : Ids<StageId>(spec.stages())) {
                auto& order = orders[static_cast<std::size_t>(spec.device(0, stage))];
                for (int j = 0; j < spec.microBatches; ++j) {
                    order.push_back(single({PassKind::F, 0, stage, j, 0}));
                    order.push_back(single({PassKind::BW, 0, stage, j, 0}));
                }
            }
            // Mostly an order that works, with a few passes moved.
            for (auto& order : orders) {
                std::stable_sort(order.begin(), order.end(),
                                 [&](const OrderEntry& a, const OrderEntry& b) {
                                     const auto key = [&](const Pass& pass) {
                                         const bool back = pass.kind != PassKind::F;
                                         return std::tuple(back, pass.microBatch,
                                                           back ? -pass.stage : pass.stage);
                                     };
                                     return key(a.pass) < key(b.pass);
                                 });
                for (int moves = static_cast<int>(random() % 3); moves > 0; --moves) {
                    const std::size_t at = random() % (order.size() - 1);
                    std::swap(order[at], order[at + 1]);
                }
            }
            const auto schedule = Schedule::make(spec, orders);
            if (!schedule)
                continue;
            const auto simulated = simulate(*schedule, expand(UniformCosts(), spec));
            const auto program = lower(*schedule);
            const QString about = QString("seed %1, round %2\n%3")
                                      .arg(seed)
                                      .arg(round)
                                      .arg(QString::fromStdString(writeScheduleText(*schedule)));
            if (spec.messages == MessageRule::Early) {
                QVERIFY2(program.has_value() == simulated.has_value(), qPrintable(about));
                if (program)
                    QVERIFY2(overtakingMessages(*program).empty(), qPrintable(about));
            }
            if (!program) {
                ++deadlocks;
                continue;
            }
            const auto proof = proveProgress(*schedule, *program, spec.messages);
            const std::string why = proof ? "" : proof.error().message;
            QVERIFY2(proof.has_value() == simulated.has_value(),
                     qPrintable(about + QString::fromStdString(why)));
            if (!proof)
                ++deadlocks;
        }
        QVERIFY(deadlocks > 20);
    }

    /// Sends, receives and message counts of every golden order: one message for each crossing.
    void everyGoldenOrderLowersOrIsARing()
    {
        int lowered = 0;
        for (const std::string& name : test::goldenFiles()) {
            const auto file = test::loadGolden(name);
            QVERIFY2(file, name.c_str());
            for (const auto& [id, order] : file->orders) {
                const PipelineSpec spec = test::goldenSpec(order);
                const auto schedule = Schedule::make(spec, order.orders);
                if (!schedule)
                    continue;
                const auto simulated = simulate(*schedule, expand(UniformCosts(), spec));
                const auto program = lower(*schedule);
                QVERIFY2(program.has_value() == simulated.has_value(), (name + " " + id).c_str());
                if (!program)
                    continue;
                std::size_t crossings = 0;
                for (StageId stage(0); stage + 1 < spec.stages(); ++stage) {
                    for (int j = 0; j < spec.microBatches; ++j) {
                        const int route = spec.route(j);
                        if (spec.device(route, stage) != spec.device(route, StageId(stage + 1)))
                            crossings += 2 * static_cast<std::size_t>(spec.segments());
                    }
                }
                QCOMPARE(program->messages.size(), crossings);
                const auto proof = proveProgress(*schedule, *program, MessageRule::Early);
                QVERIFY2(proof, proof ? "" : (name + " " + proof.error().message).c_str());
                ++lowered;
            }
        }
        QVERIFY(lowered > 100);
    }
};

PW_TEST(TestProgram)
#include "tst_program.moc"
