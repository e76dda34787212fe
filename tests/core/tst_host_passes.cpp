// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/analysis/fit.h"
#include "core/analysis/plan_run.h"
#include "core/analysis/replay.h"
#include "core/io/schedule_file.h"
#include "core/reading/import_trace.h"
#include "core/trace/align_clocks.h"
#include "core/trace/recover.h"
#include "tests/support/data_files.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QTest>

using namespace pw;

namespace {

std::string eventText(const char* category, const std::string& name, int thread, double start,
                      double length)
{
    return std::string("{\"ph\": \"X\", \"cat\": \"") + category + "\", \"name\": \"" + name +
           "\", \"pid\": 500, \"tid\": " + std::to_string(thread) +
           ", \"ts\": " + std::to_string(start) + ", \"dur\": " + std::to_string(length) + "},\n";
}

std::string noteText(const std::string& name, double start, double length)
{
    return eventText("user_annotation", name, 1, start, length);
}

std::string opText(const std::string& name, double start, double length, int thread = 1)
{
    return eventText("cpu_op", name, thread, start, length);
}

Trace read(const std::string& events)
{
    const Result<Trace> trace = importTraceText("{\"traceEvents\": [\n" + opText("begin", 0, 1) +
                                                    events + "{\"ph\": \"i\", \"ts\": 1}]}",
                                                "rank1.json");
    if (!trace)
        qFatal("%s", trace.error().message.c_str());
    return *trace;
}

/// Start and length in µs of the one labelled span of a name whose times are by containment.
std::pair<Ticks, Ticks> passOf(const Trace& trace, std::string_view name)
{
    for (const TraceSpan& span : trace.spans)
        if (trace.nameOf(span) == name && span.label >= 0 && span.trust == Trust::Contained)
            return {span.start / 1000, (span.end - span.start) / 1000};
    return {-1, -1};
}

bool labelled(const Trace& trace, std::string_view name)
{
    for (const TraceSpan& span : trace.spans)
        if (trace.nameOf(span) == name && span.label >= 0)
            return true;
    return false;
}

} // namespace

/// Passes that PyTorch's pipelining runtime times on the host.
class TestHostPasses : public QObject
{
    Q_OBJECT

private slots:
    void aWaitIsNoWork()
    {
        const Trace trace = read(noteText("PP:1RECV_F0", 10, 5) + opText("c10d::recv_", 11, 3) +
                                 noteText("gloo:recv", 13, 87) + noteText("PP:1F0", 20, 180) +
                                 opText("aten::linear", 101, 50) + opText("aten::t", 102, 1) +
                                 opText("aten::gelu", 160, 30) + noteText("PP:1SEND_F0", 205, 10) +
                                 opText("c10d::send", 206, 8) + noteText("gloo:send", 213, 300));
        QCOMPARE(passOf(trace, "PP:1F0"), (std::pair<Ticks, Ticks>{101, 99}));
        QVERIFY(labelled(trace, "gloo:recv"));
        QVERIFY(!labelled(trace, "PP:1RECV_F0"));
        // A send may be there before its backend's span begins.
        QCOMPARE(passOf(trace, "gloo:send"), (std::pair<Ticks, Ticks>{205, 308}));
    }

    void aPassWithoutWorkBeginsBehindItsReceive()
    {
        const Trace trace = read(noteText("PP:0RECV_B0", 10, 5) + opText("c10d::recv_", 11, 3) +
                                 noteText("gloo:recv", 13, 87) + noteText("PP:0I0", 20, 82) +
                                 noteText("PP:0I1", 110, 5) + opText("aten::mm", 130, 10) +
                                 noteText("PP:0W0", 120, 30));
        QCOMPARE(passOf(trace, "PP:0I0"), (std::pair<Ticks, Ticks>{100, 2}));
        QCOMPARE(passOf(trace, "PP:0I1"), (std::pair<Ticks, Ticks>{110, 5}));
        QCOMPARE(passOf(trace, "PP:0W0"), (std::pair<Ticks, Ticks>{130, 20}));
    }

    void autogradsThreadCounts()
    {
        const Trace trace = read(opText("c10d::recv_", 5, 1) + noteText("PP:1B0", 20, 100) +
                                 opText("aten::mm", 60, 20, 2) + opText("aten::detach_", 110, 1));
        QCOMPARE(passOf(trace, "PP:1B0"), (std::pair<Ticks, Ticks>{60, 60}));
    }

    void bothHalvesOfAPairHaveOneTime()
    {
        const Trace trace =
            read(opText("c10d::recv_", 5, 1) + noteText("PP:(0F7;7B3)OVERLAP_F_B", 20, 100) +
                 opText("aten::mm", 60, 20));
        int halves = 0;
        for (const TraceSpan& span : trace.spans)
            if (span.trust == Trust::Contained && span.label >= 0) {
                QCOMPARE(span.start, Ticks{60'000});
                QVERIFY(trace.labelOf(span)->paired);
                ++halves;
            }
        QCOMPARE(halves, 2);
    }

    void withoutTheLibrarysOperatorsNothingIsKnown()
    {
        const Trace trace = read(noteText("PP:1F0", 20, 180) + opText("aten::linear", 101, 50));
        QCOMPARE(passOf(trace, "PP:1F0"), (std::pair<Ticks, Ticks>{-1, -1}));
        QVERIFY(labelled(trace, "PP:1F0"));
    }

    void realRunsAreUnderstood_data()
    {
        QTest::addColumn<QString>("folder");
        QTest::addColumn<QString>("family");
        QTest::addColumn<QList<double>>("makespans");
        QTest::addColumn<QList<double>>("replays");
        QTest::newRow("1f1b") << "torch-1f1b"
                              << "1f1b" << QList<double>{1761.97, 1648.01, 2203.99}
                              << QList<double>{1750.23, 1633.91, 2179.41};
        QTest::newRow("interleaved")
            << "torch-interleaved-1f1b"
            << "interleaved-1f1b" << QList<double>{5260.51, 5046.79, 4152.49}
            << QList<double>{5154.70, 4907.59, 4096.43};
        QTest::newRow("zb-h1") << "torch-zb-h1"
                               << "zb-h1" << QList<double>{} << QList<double>{};
    }

    void realRunsAreUnderstood()
    {
        QFETCH(const QString, folder);
        QFETCH(const QString, family);
        QFETCH(const QList<double>, makespans);
        QFETCH(const QList<double>, replays);
        const std::string place = test::largeTraceFolder() + "/" + folder.toStdString();
        if (!QDir(QString::fromStdString(place)).exists())
            QSKIP("no folder of larger real traces; PW_DATA names it");
        Result<Trace> trace = importTrace({place});
        QVERIFY(trace);
        const AlignedPipeline aligned = recoverAligned(*trace);
        const RecoveredPipeline& pipeline = aligned.pipeline;
        QVERIFY(pipeline.schedule.has_value());
        QCOMPARE(QString::fromStdString(std::string(pipeline.family.matches.front().family->id)),
                 family);
        QCOMPARE(pipeline.family.matches.front().outOfOrder, std::int64_t{0});
        QCOMPARE(aligned.clocks.outcome, ClockOutcome::Kept);
        QCOMPARE(pipeline.violated, std::int64_t{0});
        const auto iterations = replayIterations(pipeline, 0);
        QVERIFY(iterations);
        QCOMPARE(iterations->size(), std::size_t{3});
        for (std::size_t i = 0; i < iterations->size(); ++i) {
            const ReplayedIteration& one = (*iterations)[i];
            QCOMPARE(one.violated, std::int64_t{0});
            QVERIFY(one.sameOrder);
            QVERIFY(one.replayed && *one.replayed <= one.measured);
            QVERIFY(static_cast<double>(*one.replayed) > 0.97 * static_cast<double>(one.measured));
            constexpr double close = 0.1; // ms
            if (!makespans.isEmpty()) {
                const auto at = static_cast<qsizetype>(i);
                QVERIFY(std::abs(msFromTicks(one.measured) - makespans[at]) < close);
                QVERIFY(std::abs(msFromTicks(*one.replayed) - replays[at]) < close);
            }
        }
        // The plan that was run, beside the run.
        const Result<ScheduleFile> file = readScheduleFile(place + "/schedule.csv");
        QVERIFY(file && file->problemCount == 0);
        const Result<Schedule> plan = scheduleOf(file->project);
        QVERIFY(plan);
        const Result<FittedCosts> fitted = fitTrace(*trace, pipeline);
        QVERIFY(fitted);
        const Result<Costs> costs = costsOf(fitted->file, plan->spec());
        QVERIFY(costs);
        const Result<PlanRun> compared = comparePlan(*plan, *costs, pipeline);
        QVERIFY(compared);
        QCOMPARE(static_cast<std::int64_t>(compared->match.matched.size()), plan->passCount());
        QVERIFY(compared->match.onlyBefore.empty() && compared->match.onlyAfter.empty());
        QVERIFY(compared->moved.empty());
        // What was lost in front of passes is all that was lost but behind the last of each rank.
        Ticks lost = 0, all = 0;
        for (const auto& parts : compared->lostBefore)
            for (const Ticks part : parts)
                lost += part;
        for (const RankAccount& rank : compared->account.ranks)
            for (const LossStretch& stretch : rank.stretches)
                if (stretch.cause != LossCause::Computing && stretch.cause != LossCause::Jitter &&
                    stretch.cause != LossCause::Recompute)
                    all += stretch.end - stretch.start;
        QVERIFY(lost > 0 && lost <= all);
    }
};

PW_TEST(TestHostPasses)

#include "tst_host_passes.moc"
