// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/trace/match.h"
#include "core/trace/measured_gaps.h"
#include "core/trace/waits.h"
#include "tests/support/family_runs.h"
#include "tests/support/recorded_run.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace pw;

namespace {

test::FamilyRun runOf(const QByteArray& family)
{
    UniformCosts costs;
    costs.hop = 100'000;
    return test::runFamily(test::familyOf(family.constData()), test::sized(4, 8), costs);
}

} // namespace

class TestMeasuredGaps : public QObject
{
    Q_OBJECT

private slots:
    void aRunThatKeepsToItsPlanHasThePlansReasons_data()
    {
        QTest::addColumn<QByteArray>("family");
        for (const char* family : {"gpipe", "1f1b", "zb-h1", "zb-v", "chimera", "seq1f1b"})
            QTest::newRow(family) << QByteArray(family);
    }
    void aRunThatKeepsToItsPlanHasThePlansReasons()
    {
        QFETCH(QByteArray, family);
        const test::FamilyRun run = runOf(family);
        const RunBatch batch = test::recordedRun(run.schedule, run.costs, 0, 1);
        const SimResult times = *measuredResult(run.schedule, batch.passes, {});
        const RecordedArrivals arrivals(run.schedule, batch.messages, batch.passes.front().start);
        int seen = 0;
        for (const DeviceId device : Ids<DeviceId>(run.schedule.devices())) {
            for (const Gap& planned : gaps(run.schedule, run.costs, run.result, device)) {
                const Gap gap = measuredGap(run.schedule, times, arrivals, device, planned.next);
                QCOMPARE(gap.start, planned.start);
                QCOMPARE(gap.end, planned.end);
                QCOMPARE(gap.reason, planned.reason);
                QVERIFY2(gap.cause == planned.cause, gap.text.c_str());
                ++seen;
            }
        }
        QVERIFY(seen > 0);
    }

    void theTimeThatNothingExplainsIsLaunching()
    {
        const test::FamilyRun run = runOf("gpipe");
        RunBatch batch = test::recordedRun(run.schedule, run.costs, 0, 1);
        // The second forward of device 0 begins a moment late, and so does everything behind it.
        const EntryId second(run.schedule.begin(DeviceId(0)) + 1);
        for (RecordedPass& record : batch.passes) {
            if (record.entry == run.schedule.begin(DeviceId(0)))
                continue;
            record.start += 30'000;
            record.end += 30'000;
        }
        const SimResult times = *measuredResult(run.schedule, batch.passes, {});
        const RecordedArrivals none;
        const Gap late = measuredGap(run.schedule, times, none, DeviceId(0), second);
        QCOMPARE(late.reason, WaitReason::Order);
        QCOMPARE(late.end - late.start, Ticks{30'000});
        const Gap first =
            measuredGap(run.schedule, times, none, DeviceId(1), run.schedule.begin(DeviceId(1)));
        QCOMPARE(first.reason, WaitReason::Dependency);
        QCOMPARE(first.text.english(),
                 std::string("waits for F of micro-batch 0 on stage 0 on device 0, which "
                             "ends at 1 ms; 0.13 ms of it is launching"));
        const Gap last = measuredGap(run.schedule, times, none, DeviceId(3), EntryId::none());
        QCOMPARE(last.reason, WaitReason::Finished);
        QCOMPARE(last.end, times.makespan);
    }

    void theTextOfAGapAndTheAccountNameTheSameCause_data()
    {
        QTest::addColumn<QByteArray>("family");
        QTest::addColumn<bool>("recorded");
        for (const char* family : {"gpipe", "1f1b", "interleaved-1f1b", "zb-v", "chimera"})
            for (const bool recorded : {false, true})
                QTest::addRow("%s, messages %s", family, recorded ? "recorded" : "unknown")
                    << QByteArray(family) << recorded;
    }
    void theTextOfAGapAndTheAccountNameTheSameCause()
    {
        QFETCH(QByteArray, family);
        QFETCH(bool, recorded);
        const test::FamilyRun run = runOf(family);
        const RunBatch batch = test::recordedRun(run.schedule, run.costs, 0, 1);
        const SimResult times = *measuredResult(run.schedule, batch.passes, {});
        const RecordedArrivals arrivals =
            recorded ? RecordedArrivals(run.schedule, batch.messages, batch.passes.front().start)
                     : RecordedArrivals();
        // The account is made of these.
        const std::vector<Wait> waits = waitsOf(run.schedule, times, arrivals);
        int forInput = 0;
        for (const DeviceId device : Ids<DeviceId>(run.schedule.devices())) {
            const std::vector<Wait> own = waitsOfDevice(run.schedule, times, arrivals, device);
            for (const EntryId e : run.schedule.entries(device)) {
                const Wait& wait = waits[static_cast<std::size_t>(e)];
                QCOMPARE(own[static_cast<std::size_t>(e - run.schedule.begin(device))].there,
                         wait.there);
                if (times.start[static_cast<std::size_t>(e)] <= wait.free)
                    continue; // no gap
                const Gap gap = measuredGap(run.schedule, times, arrivals, device, e);
                QCOMPARE(gap.reason != WaitReason::Order, wait.forInput());
                if (!wait.forInput())
                    continue;
                ++forInput;
                QVERIFY(gap.cause == run.schedule.pass(wait.pass));
                QCOMPARE(gap.reason == WaitReason::Message, wait.produced <= wait.free);
                QCOMPARE(gap.text.english().find("not recorded") != std::string::npos,
                         !wait.known && gap.reason == WaitReason::Message);
            }
        }
        QVERIFY(forInput > 0);
    }

    void aRecordedMessageSaysHowLongItTook()
    {
        const test::FamilyRun run = runOf("1f1b");
        const RunBatch batch = test::recordedRun(run.schedule, run.costs, 0, 1);
        const SimResult times = *measuredResult(run.schedule, batch.passes, {});
        const RecordedArrivals arrivals(run.schedule, batch.messages, batch.passes.front().start);
        const PassId first = run.schedule.table().id({PassKind::F, 0, StageId(0), 0, 0});
        QVERIFY(arrivals.of(first) != nullptr);
        QCOMPARE(arrivals.of(first)->ended - arrivals.of(first)->posted, Ticks{100'000});
        QVERIFY(RecordedArrivals().of(first) == nullptr);
        const Gap gap = measuredGap(run.schedule, times, arrivals, DeviceId(1),
                                    run.schedule.begin(DeviceId(1)));
        QCOMPARE(gap.text.english(),
                 std::string("waits for F of micro-batch 0 on stage 0 on device 0, which "
                             "ends at 1 ms, and 0.1 ms for its message"));
    }
};

PW_TEST(TestMeasuredGaps)
#include "tst_measured_gaps.moc"
