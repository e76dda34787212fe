// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/api/rank_recorder.h"
#include "tests/support/fake_worker.h"
#include "tests/support/run_plans.h"
#include "tests/support/test_program.h"

#include <QtTest>

#include <vector>

using namespace pw;
using namespace pw::exec;

namespace {

RunPlan smallPlan()
{
    const test::FamilyRun run =
        test::runFamily(test::familyOf("1f1b"), test::sized(2, 4), UniformCosts{});
    return *test::planOf(run.schedule, run.costs);
}

/// A device that comes to as many marks as it is told; mark m is at time 10 m.
class SteppedWorker : public test::FakeWorker
{
public:
    using test::FakeWorker::FakeWorker;
    std::optional<Ticks> time(Mark mark) override
    {
        return mark.value <= reached ? std::optional<Ticks>(10 * mark.value) : std::nullopt;
    }
    std::int64_t reached = -1;
};

/// A recorder of rank 1, and what it has written.
struct Recording
{
    Recording()
        : plan(smallPlan())
        , shared(plan, workers, clock, stop, ticksPerMs)
        , position(shared, RankId(1))
        , worker(plan, RankId(1), clock)
        , recorder(shared, position, worker, records)
    {
        position.enterIteration(3);
    }

    /// The entry at a place of the rank's order, between two marks.
    EntryId addPass(int place, std::int64_t start, std::int64_t end, Bytes held)
    {
        const EntryId index = plan.schedule.begin(DeviceId(1)) + place;
        Computed computed;
        computed.start = {start};
        computed.end = {end};
        computed.atStart[0] = computed.atEnd[0] = held;
        recorder.addPass(index, plan.schedule.entry(index), computed);
        return index;
    }
    /// A message of the program whose times are known, or between two marks.
    void addMessage(std::int32_t index, Ticks start, Ticks end, bool marks)
    {
        const Message& message = plan.program.messages[static_cast<std::size_t>(index)];
        Arrival arrival;
        arrival.packet.payload = std::make_shared<test::FakePayload>(7);
        if (marks) {
            arrival.start = {start};
            arrival.end = {end};
        } else {
            arrival.startTime = start;
            arrival.endTime = end;
        }
        recorder.addMessage(index, message.from, message.producer, message.consumer.kind, arrival);
    }

    template<typename Record>
    std::vector<Record> fetched(RecordQueue<Record> RankRecords::*queue)
    {
        std::vector<Record> all;
        (records.*queue).fetch(all);
        return all;
    }
    std::vector<RecordedPass> passes() { return fetched(&RankRecords::passes); }
    std::vector<RecordedMessage> messages() { return fetched(&RankRecords::messages); }

    const RunPlan plan;
    const WorkerFactory workers;
    RunClock clock;
    const Stop stop;
    RunShared shared;
    RankPosition position;
    SteppedWorker worker;
    RankRecords records;
    RankRecorder recorder;
};

} // namespace

/// What a rank records, when the device has come to it.
class TestRankRecorder : public QObject
{
    Q_OBJECT

private slots:
    void whatTheDeviceHasNotEndedIsNotWritten()
    {
        Recording run;
        const EntryId first = run.addPass(0, 0, 1, 5);
        const EntryId second = run.addPass(1, 2, 3, 5);
        QCOMPARE(run.recorder.pending(), std::size_t{2});
        QVERIFY(*run.recorder.firstPending() == run.plan.schedule.entry(first));
        run.worker.reached = 0;
        run.recorder.flush();
        QVERIFY(run.passes().empty());
        run.worker.reached = 2;
        run.recorder.flush();
        const std::vector<RecordedPass> one = run.passes();
        QCOMPARE(one.size(), std::size_t{1});
        QVERIFY(one[0] ==
                (RecordedPass{3, RankId(1), first, run.plan.schedule.entry(first).pass, 0, 10}));
        QVERIFY(*run.recorder.firstPending() == run.plan.schedule.entry(second));
        run.worker.reached = 3;
        run.recorder.flush();
        const std::vector<RecordedPass> other = run.passes();
        QCOMPARE(other.size(), std::size_t{1});
        QCOMPARE(other[0].entry, second);
        QCOMPARE(other[0].start, Ticks{20});
        QCOMPARE(other[0].end, Ticks{30});
        QCOMPARE(run.recorder.pending(), std::size_t{0});
        QVERIFY(run.recorder.firstPending() == nullptr);
    }

    void aMessageWaitsForWhatWasBeforeIt()
    {
        Recording run;
        run.addPass(0, 0, 1, 5);
        run.addMessage(0, 17, 19, false);
        run.addMessage(1, 2, 4, true);
        run.recorder.flush();
        QVERIFY(run.messages().empty());
        run.worker.reached = 1;
        run.recorder.flush();
        QVERIFY(run.recorder.firstPending() == nullptr); // a message, not an entry
        run.worker.reached = 4;
        run.recorder.flush();
        const std::vector<RecordedMessage> came = run.messages();
        QCOMPARE(came.size(), std::size_t{2});
        QCOMPARE(came[0].message, 0);
        QCOMPARE(came[0].iteration, 3);
        QCOMPARE(came[0].to, RankId(1));
        QCOMPARE(came[0].bytes, Bytes{8});
        QCOMPARE(came[0].started, Ticks{17});
        QCOMPARE(came[0].ended, Ticks{19});
        QCOMPARE(came[1].message, 1);
        QCOMPARE(came[1].started, Ticks{20});
        QCOMPARE(came[1].ended, Ticks{40});
    }

    void memoryIsWrittenWhereItChanges()
    {
        Recording run;
        run.addPass(0, 0, 1, 5);
        run.addPass(1, 2, 3, 5);
        run.addPass(2, 4, 5, 6);
        run.worker.reached = 5;
        run.recorder.flush();
        const std::vector<MemorySample> samples = run.fetched(&RankRecords::memory);
        QCOMPARE(samples.size(), std::size_t{2});
        QCOMPARE(samples[0].time, Ticks{0});
        QCOMPARE(samples[1].time, Ticks{40});
    }

    /// Of forwards that are done again the first attempt is an entry that stands nowhere, and its
    /// message is the second one.
    void whatIsDoneAgainCountsOnce()
    {
        Recording run;
        const EntryId sure = run.addPass(0, 0, 1, 5);
        run.recorder.holdBack();
        run.addMessage(0, 11, 12, false);
        run.addMessage(1, 13, 14, false);
        const EntryId early = run.addPass(1, 2, 3, 5);
        run.worker.reached = 7;
        run.recorder.flush();
        QVERIFY(run.passes().empty());

        run.recorder.release();
        run.recorder.dropMessage(0);
        run.recorder.markInVain(early);
        run.addMessage(0, 31, 32, false);
        QCOMPARE(run.addPass(1, 4, 5, 5), early);
        run.recorder.flush();
        const std::vector<RecordedPass> passes = run.passes();
        QCOMPARE(passes.size(), std::size_t{3});
        QCOMPARE(passes[0].entry, sure);
        QVERIFY(!passes[1].entry.valid());
        QVERIFY(passes[1].pass == passes[2].pass);
        QCOMPARE(passes[1].end, Ticks{30});
        QCOMPARE(passes[2].entry, early);
        QCOMPARE(passes[2].end, Ticks{50});
        const std::vector<RecordedMessage> messages = run.messages();
        QCOMPARE(messages.size(), std::size_t{2});
        QCOMPARE(messages[0].message, 1);
        QCOMPARE(messages[1].message, 0);
        QCOMPARE(messages[1].started, Ticks{31});
    }
};

PW_TEST(TestRankRecorder)
#include "tst_rank_recorder.moc"
