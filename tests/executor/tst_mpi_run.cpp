// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/mpi/mpi_run.h"
#include "tests/support/mailroom.h"
#include "tests/support/run_plans.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <thread>

using namespace pw;
using namespace pw::exec;

namespace {

/// A run in which every rank has a thread of this process in place of a process of its own.
struct RoomRun
{
    RoomRun(test::Mailroom& room, int ranks, const RunPlan& plan, const std::string& backend,
            const SnapshotListener& listener = {})
    {
        std::vector<std::thread> others;
        for (int rank = 1; rank < ranks; ++rank) {
            others.emplace_back([&room, rank] {
                MpiSession session(room.port(rank));
                if (!session.meet())
                    return session.giveUp();
                const Stop stop;
                const Patience patience{stop, 60'000 * ticksPerMs, "a plan"};
                const Result<Mail> mail = session.wait(MailKind::Plan, patience);
                if (mail)
                    followRun(session, *mail, stop);
            });
        }
        {
            MpiSession session(room.port(0));
            met = session.meet();
            const Stop stop;
            if (met)
                figures = leadRun(session, {1, backend, static_cast<bool>(listener)}, plan, sink,
                                  listener, stop);
            else
                session.giveUp();
            hosts = session.hosts();
        }
        for (std::thread& other : others)
            other.join();
    }

    RecordingSink sink;
    Result<void> met;
    Result<RunFigures> figures;
    std::vector<std::string> hosts;
};

std::optional<RunPlan> planFor(std::string_view id, int devices, MessageRule rule, Ticks pass)
{
    const std::optional<FamilyOptions> options = test::optionsFor(test::familyOf(id), devices);
    if (!options)
        return {};
    const test::FamilyRun run = test::runFamily(test::familyOf(id), *options,
                                                test::equalStages(pass, pass, pass, pass / 10));
    std::optional<RunPlan> plan = test::planOf(run.schedule, run.costs, rule);
    if (plan) {
        plan->model.hidden = 8;
        plan->model.heads = 2;
        plan->model.vocabulary = 16;
        plan->patience = 20'000 * ticksPerMs;
    }
    return plan;
}

/// Every pass and message of the plan once, each rank's passes in its order.
QString recordProblem(const RunPlan& plan, const RecordingSink::Record& record)
{
    const Schedule& schedule = plan.schedule;
    std::vector<int> passes(static_cast<std::size_t>(schedule.entryCount()));
    std::vector<std::int32_t> last(static_cast<std::size_t>(schedule.devices()), -1);
    for (const RecordedPass& pass : record.passes) {
        if (pass.entry < 0)
            continue;
        std::int32_t& before = last[static_cast<std::size_t>(pass.rank)];
        if (pass.entry < before)
            return "passes of a rank are out of order";
        before = pass.entry;
        ++passes[static_cast<std::size_t>(pass.entry)];
    }
    for (const EntryId entry : schedule.entries()) {
        if (passes[static_cast<std::size_t>(entry)] != (schedule.entry(entry).paired ? 2 : 1))
            return QString("entry %1 is recorded %2 times")
                .arg(entry)
                .arg(passes[static_cast<std::size_t>(entry)]);
    }
    std::vector<int> messages(plan.program.messages.size());
    for (const RecordedMessage& message : record.messages) {
        if (message.ended < message.started || message.started < message.posted)
            return "times of a message are out of order";
        if (message.message >= 0)
            ++messages[static_cast<std::size_t>(message.message)];
    }
    if (std::any_of(messages.begin(), messages.end(), [](int count) { return count != 1; }))
        return "a message is not recorded once";
    return record.starts == 1 && record.ends == 1 ? QString() : "start or end is not heard once";
}

MailHead headOf(const test::Mailroom::Letter& letter)
{
    MailHead head;
    std::memcpy(&head, letter.bytes.data(), sizeof head);
    return head;
}

void setHead(test::Mailroom::Letter& letter, const MailHead& head)
{
    std::memcpy(letter.bytes.data(), &head, sizeof head);
}

} // namespace

class TestMpiRun : public QObject
{
    Q_OBJECT

private slots:
    void everyFamilyRunsOverProcesses_data()
    {
        QTest::addColumn<QString>("id");
        QTest::addColumn<bool>("committed");
        for (const Family& family : allFamilies()) {
            const std::string id(family.id);
            for (const bool committed : {false, true}) {
                // Under the committed rule ranks of some families would wait for each other.
                if (planFor(id, 4, committed ? MessageRule::Committed : MessageRule::Early, 1))
                    QTest::addRow("%s%s", id.c_str(), committed ? ", committed" : "")
                        << QString::fromStdString(id) << committed;
            }
        }
    }
    void everyFamilyRunsOverProcesses()
    {
        QFETCH(QString, id);
        QFETCH(bool, committed);
        constexpr int devices = 4;
        const std::optional<RunPlan> plan =
            planFor(id.toStdString(), devices,
                    committed ? MessageRule::Committed : MessageRule::Early, 50'000);
        test::Mailroom room(devices);
        const RoomRun run(room, devices, *plan, "emulated");
        QVERIFY2(run.figures, run.figures ? "" : run.figures.error().message.c_str());
        QCOMPARE(recordProblem(*plan, run.sink.record()), QString());
        QCOMPARE(run.sink.record().status, RunStatus::Finished);
        QCOMPARE(run.figures->iterations, 1);
        QVERIFY(*run.figures == run.sink.record().figures);
        QCOMPARE(run.sink.record().environment.transport, std::string("mpi"));
        QCOMPARE(run.sink.record().environment.devices.size(), static_cast<std::size_t>(devices));
        QCOMPARE(room.leaves(), devices);
        QCOMPARE(room.aborts(), 0);
    }

    void tagsBeyondTheLibrarysLimitStartAgain()
    {
        const RunPlan plan = *planFor("1f1b", 4, MessageRule::Early, 50'000);
        QVERIFY(plan.program.messages.size() > 8);
        test::Mailroom room(4, 6);
        int highest = 0;
        room.censor = [&](test::Mailroom::Letter& letter) {
            highest = std::max(highest, letter.tag);
            return true;
        };
        const RoomRun run(room, 4, plan, "emulated");
        QVERIFY2(run.figures, run.figures ? "" : run.figures.error().message.c_str());
        QCOMPARE(recordProblem(plan, run.sink.record()), QString());
        QCOMPARE(highest, 6);
    }

    void snapshotsAndLossesOfAllProcessesComeTogether()
    {
        const RunPlan plan = *planFor("chimera", 4, MessageRule::Early, 50'000);
        std::vector<std::pair<int, int>> seen;
        test::Mailroom room(4);
        const RoomRun run(room, 4, plan, "cpu", [&](const StageSnapshot& snapshot) {
            seen.emplace_back(snapshot.stage.route, snapshot.stage.stage);
        });
        QVERIFY2(run.figures, run.figures ? "" : run.figures.error().message.c_str());
        std::sort(seen.begin(), seen.end());
        std::vector<std::pair<int, int>> wanted;
        for (int route = 0; route < 2; ++route) {
            for (int stage = 0; stage < 4; ++stage)
                wanted.emplace_back(route, stage);
        }
        QVERIFY(seen == wanted);
        // Two ranks have a part of each loss; the sink hears the whole, once.
        QCOMPARE(run.sink.record().losses.size(), std::size_t{1});
        QCOMPARE(run.sink.record().losses[0].loss, run.figures->firstLoss);
        QVERIFY(run.figures->firstLoss > 1);
    }

    void processesBeyondThePlansDevicesLookOn()
    {
        const RunPlan plan = *planFor("1f1b", 2, MessageRule::Early, 50'000);
        test::Mailroom room(5);
        const RoomRun run(room, 5, plan, "emulated");
        QVERIFY2(run.figures, run.figures ? "" : run.figures.error().message.c_str());
        QCOMPARE(recordProblem(plan, run.sink.record()), QString());
        QCOMPARE(run.sink.record().environment.devices.size(), std::size_t{2});
        QCOMPARE(run.sink.record().environment.devices[1].name,
                 std::string("emulated device on host0"));
        QVERIFY(
            (run.hosts == std::vector<std::string>{"host0", "host0", "host1", "host1", "host2"}));
    }

    void aBackendThatIsNotThereIsSaidOnce()
    {
        const RunPlan plan = *planFor("1f1b", 2, MessageRule::Early, 50'000);
        test::Mailroom room(2);
        const RoomRun run(room, 2, plan, "abacus");
        QVERIFY(!run.figures);
        QCOMPARE(run.figures.error().code, ErrorCode::BadValue);
        QCOMPARE(run.sink.record().starts, 0);
        QCOMPARE(room.aborts(), 0);
    }

    void aFaultThatCannotStrikeIsRefusedBeforeTheStart()
    {
        RunPlan plan = *planFor("1f1b", 2, MessageRule::Early, 50'000);
        plan.faults = {{FaultKind::Throw, Pass{PassKind::F, 0, StageId(1), 99, 0}, 0}};
        test::Mailroom room(2);
        const RoomRun run(room, 2, plan, "emulated");
        QVERIFY(!run.figures);
        QCOMPARE(run.figures.error().code, ErrorCode::BadValue);
        QCOMPARE(run.sink.record().starts, 0);
        QCOMPARE(run.sink.record().ends, 0);
        QCOMPARE(room.aborts(), 0);
    }

    void theFaultOfTheRankThatFailedFirstIsTheRuns()
    {
        RunPlan plan = *planFor("1f1b", 4, MessageRule::Early, 50'000);
        plan.faults = {{FaultKind::Throw, Pass{PassKind::BW, 0, StageId(2), 1, 0}, 0}};
        test::Mailroom room(4);
        const RoomRun run(room, 4, plan, "emulated");
        QVERIFY(!run.figures);
        QCOMPARE(run.figures.error().message,
                 std::string("rank 2, PP:2B1: an exception that was asked for"));
        QCOMPARE(run.sink.record().faults.size(), std::size_t{1});
        QCOMPARE(run.sink.record().faults[0].rank, 2);
        QCOMPARE(run.sink.record().status, RunStatus::Failed);
        QCOMPARE(run.sink.record().ends, 1);
        QCOMPARE(room.leaves(), 4);
    }

    void aResultUnderAnotherTagIsNamed()
    {
        const RunPlan plan = *planFor("1f1b", 2, MessageRule::Early, 50'000);
        test::Mailroom room(2);
        room.censor = [&](test::Mailroom::Letter& letter) {
            if (headOf(letter).kind == MailKind::Result && letter.to == 1)
                letter.tag += 1;
            return true;
        };
        const RoomRun run(room, 2, plan, "emulated");
        QVERIFY(!run.figures);
        const QString text = QString::fromStdString(run.figures.error().message);
        QVERIFY2(text.startsWith("rank 1, ") &&
                     text.contains("came from rank 0, which does not send it"),
                 qPrintable(text));
    }

    void aResultOfAnotherIterationIsNamed()
    {
        const RunPlan plan = *planFor("1f1b", 2, MessageRule::Early, 50'000);
        test::Mailroom room(2);
        room.censor = [&](test::Mailroom::Letter& letter) {
            MailHead head = headOf(letter);
            if (head.kind == MailKind::Result && letter.to == 1) {
                head.iteration += 3;
                setHead(letter, head);
            }
            return true;
        };
        const RoomRun run(room, 2, plan, "emulated");
        QVERIFY(!run.figures);
        const QString text = QString::fromStdString(run.figures.error().message);
        QVERIFY2(text.contains("is of iteration 3, not 0"), qPrintable(text));
    }

    void aLostResultIsNoticedByPatience()
    {
        RunPlan plan = *planFor("gpipe", 2, MessageRule::Early, 50'000);
        plan.patience = 300 * ticksPerMs;
        test::Mailroom room(2);
        room.censor = [&](test::Mailroom::Letter& letter) {
            return headOf(letter).kind != MailKind::Result || letter.to != 1;
        };
        const RoomRun run(room, 2, plan, "emulated");
        QVERIFY(!run.figures);
        QCOMPARE(run.sink.record().faults.size(), std::size_t{1});
        QCOMPARE(run.sink.record().faults[0].rank, 1);
        QCOMPARE(run.sink.record().faults[0].peer, 0);
    }

    void aRankThatDoesNotSayHowItEndedIsGone()
    {
        RunPlan plan = *planFor("1f1b", 2, MessageRule::Early, 50'000);
        plan.patience = 300 * ticksPerMs;
        test::Mailroom room(2);
        bool dead = false;
        room.censor = [&](test::Mailroom::Letter& letter) {
            const MailHead head = headOf(letter);
            dead = dead || (letter.from == 1 && head.kind == MailKind::Result);
            return letter.from != 1 || !dead;
        };
        const RoomRun run(room, 2, plan, "emulated");
        QVERIFY(!run.figures);
        QCOMPARE(run.sink.record().status, RunStatus::Failed);
        QCOMPARE(run.sink.record().faults.size(), std::size_t{1});
        QCOMPARE(run.sink.record().faults[0].peer, 1);
        // Nobody waits for a goodbye of a process that is gone.
        QVERIFY(room.aborts() >= 1);
    }

    void aCallOfAllEndsOnStopAndAtItsLimit()
    {
        for (const bool stopped : {true, false}) {
            test::Mailroom room(2);
            {
                MpiSession one(room.port(0));
                MpiSession other(room.port(1));
                Result<void> otherMet;
                std::thread meeting([&] { otherMet = other.meet(); });
                const Result<void> met = one.meet();
                meeting.join();
                QVERIFY(met && otherMet);
                Stop stop;
                if (stopped)
                    stop.request();
                const Ticks limit = (stopped ? 3'600'000 : 20) * ticksPerMs;
                const Result<std::vector<std::string>> alone =
                    one.gather("here", {stop, limit, "rank 0"});
                QVERIFY(!alone);
                QCOMPARE(alone.error().code, stopped ? ErrorCode::Cancelled : ErrorCode::Fault);
                QCOMPARE(alone.error().message,
                         std::string(stopped ? "rank 0: stopped"
                                             : "rank 0: another process does not answer"));
                other.giveUp();
            }
            // Nobody can go on with a process whose call was not taken back.
            QCOMPARE(room.aborts(), 2);
            QCOMPARE(room.leaves(), 0);
        }
    }

    void aProcessOfAnotherBuildIsNamed()
    {
        const RunPlan plan = *planFor("1f1b", 2, MessageRule::Early, 50'000);
        test::Mailroom room(2);
        room.gathered = [](int rank, std::vector<std::byte>& given) {
            if (rank == 1 && given.size() > sizeof(std::uint64_t)) // not how long its text is
                given.front() = std::byte{'x'};
        };
        const RoomRun run(room, 2, plan, "emulated");
        QVERIFY(!run.met);
        QCOMPARE(run.met.error().message,
                 std::string("rank 1 on host0 runs another build of Pipewright"));
    }

    /// Ranks 2, 3 and 4 all wait from the beginning, each for the one before it; whose limit passes
    /// first is chance.
    void aStallIsNamedByTheRankThatWaitsForIt()
    {
        std::optional<RunPlan> plan = planFor("gpipe", 5, MessageRule::Early, ticksPerMs / 10);
        QVERIFY(plan);
        plan->patience = 200 * ticksPerMs;
        plan->faults = {{FaultKind::Stall, {PassKind::F, 0, StageId(1), 0, 0}, 0}};
        for (int round = 0; round < 3; ++round) {
            test::Mailroom room(5);
            const RoomRun run(room, 5, *plan, "emulated");
            QVERIFY(!run.figures);
            const QString text = QString::fromStdString(run.figures.error().message);
            QVERIFY2(text.startsWith("rank 2, PP:2F0: waited") && text.contains("from rank 1"),
                     qPrintable(text));
        }
    }
};

PW_TEST(TestMpiRun)
#include "tst_mpi_run.moc"
