// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/import_trace.h"
#include "core/trace/recover.h"
#include "tests/support/family_runs.h"
#include "tests/support/kernel_traces.h"
#include "tests/support/read_traces.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <map>
#include <string>

using namespace pw;

namespace {

test::FamilyRun plainRun(const QString& id)
{
    return test::runFamily(test::familyOf(id.toStdString()), test::sized(4, 8),
                           test::equalStages(2'000'000, 1'900'000, 1'700'000, 50'000));
}

/// An event of the hand-written files.
std::string eventText(const char* category, const char* name, int thread, int start, int length,
                      const std::string& arguments = {})
{
    return std::string("{\"ph\": \"X\", \"cat\": \"") + category + "\", \"name\": \"" + name +
           "\", \"pid\": " + (thread < 100 ? "0" : "1000") +
           ", \"tid\": " + std::to_string(thread) + ", \"ts\": " + std::to_string(start) +
           ", \"dur\": " + std::to_string(length) + ", \"args\": {" + arguments + "}},\n";
}

std::string kernelText(int number, int thread, int launched, int start, int length)
{
    const std::string same = "\"correlation\": " + std::to_string(number);
    return eventText("cuda_runtime", "cudaLaunchKernel", thread, launched, 1, same) +
           eventText("kernel", "gemm", 7, start, length, same);
}

Trace read(const std::string& events)
{
    const Result<Trace> trace = importTraceText(
        "{\"traceEvents\": [\n" + events + "{\"ph\": \"i\", \"ts\": 1}]}", "rank0.json");
    if (!trace)
        qFatal("%s", trace.error().message.c_str());
    return *trace;
}

/// Start and length of the passes of a name by containment, in microseconds.
std::vector<std::pair<Ticks, Ticks>> passes(const Trace& trace, std::string_view name,
                                            Trust trust = Trust::Contained)
{
    std::vector<std::pair<Ticks, Ticks>> found;
    Ticks first = 0;
    for (const TraceSpan& span : trace.spans)
        if (trace.nameOf(span) == "begin")
            first = span.start;
    for (const TraceSpan& span : trace.spans)
        if (trace.nameOf(span) == name && span.trust == trust && span.label >= 0)
            found.emplace_back((span.start - first) / 1000, (span.end - span.start) / 1000);
    return found;
}

using Stretches = std::vector<std::pair<Ticks, Ticks>>;

bool warned(const Trace& trace, const char* text)
{
    return std::any_of(
        trace.warnings.begin(), trace.warnings.end(),
        [text](const std::string& one) { return one.find(text) != std::string::npos; });
}

} // namespace

/// Kernels are given to the passes that launched them, on whatever thread.
class TestKernelPasses : public QObject
{
    Q_OBJECT

private slots:
    void passesHaveTheTimesOfTheirKernels_data()
    {
        QTest::addColumn<QString>("id");
        QTest::addColumn<int>("told");
        QTest::addColumn<bool>("ahead");
        QTest::addColumn<bool>("annotations");
        const std::array<const char*, 3> told = {"nothing", "sequence numbers", "arrows"};
        for (const char* id : {"1f1b", "gpipe", "interleaved-1f1b", "hanayo", "zb-h1", "zb-v",
                               "v-half", "dualpipe", "chimera"})
            for (int how = 0; how < 3; ++how)
                for (const bool annotations : {false, true})
                    QTest::addRow("%s by %s%s", id, told[static_cast<std::size_t>(how)],
                                  annotations ? ", annotated" : "")
                        << id << how << false << annotations;
        for (const char* id : {"1f1b", "gpipe", "interleaved-1f1b", "hanayo", "chimera"})
            for (int how = 1; how < 3; ++how)
                QTest::addRow("%s by %s, host ahead", id, told[static_cast<std::size_t>(how)])
                    << id << how << true << false;
    }

    void passesHaveTheTimesOfTheirKernels()
    {
        QFETCH(QString, id);
        QFETCH(int, told);
        QFETCH(bool, ahead);
        QFETCH(bool, annotations);
        const test::FamilyRun run = plainRun(id);
        test::KernelRecording recording;
        recording.told = static_cast<test::BackwardTold>(told);
        recording.ahead = ahead;
        recording.annotations = annotations;
        const RecoveredPipeline pipeline =
            recover(test::traceOf(test::kernelTraces(run.schedule, run.result, recording)));
        QVERIFY2(pipeline.schedule, test::reasons(pipeline).c_str());
        QVERIFY(pipeline.schedule->orders() == run.schedule.orders());
        QCOMPARE(static_cast<int>(pipeline.iterations.size()), recording.iterations);
        QVERIFY2(pipeline.measured.start == run.result.start, "starts");
        QVERIFY2(pipeline.measured.end == run.result.end, "ends");
        for (const RecoveredIteration& iteration : pipeline.iterations)
            for (const Trust trust : iteration.trust)
                QCOMPARE(trust, Trust::Contained);
        QVERIFY(pipeline.family.exact());
    }

    void withoutLaunchesTheHostTimesThePasses()
    {
        const Trace trace = read(eventText("begin", "begin", 100, 0, 1) +
                                 eventText("user_annotation", "PP:0F0", 100, 10, 20) +
                                 eventText("kernel", "gemm", 7, 20, 50, "\"correlation\": 5"));
        QVERIFY(passes(trace, "PP:0F0").empty());
        QCOMPARE(passes(trace, "PP:0F0", Trust::Host), (Stretches{{10, 20}}));
    }

    /// Our own runs have an overlapped pair as two events of one entry. Each is on the device once,
    /// whatever of the same name stands behind it in the file.
    void halvesThatAreEventsOfTheirOwnComeOnce_data()
    {
        QTest::addColumn<int>("start"); // of another event with the name of the second half
        QTest::addColumn<int>("thread");
        QTest::newRow("nothing behind it") << 0 << 0;
        QTest::newRow("later") << 40 << 100;
        QTest::newRow("on another thread") << 10 << 101;
    }

    void halvesThatAreEventsOfTheirOwnComeOnce()
    {
        QFETCH(const int, start);
        QFETCH(const int, thread);
        const auto half = [](const char* name, int on, int from, int entry) {
            return eventText("user_annotation", name, on, from, 20,
                             "\"entry\": " + std::to_string(entry));
        };
        std::string events = eventText("begin", "begin", 100, 0, 1) + half("PP:0F3", 100, 10, 4) +
                             half("PP:0B1", 100, 10, 4);
        if (start > 0)
            events += half("PP:0B1", thread, start, 9) + kernelText(2, thread, start + 2, 90, 10);
        const Trace trace = read(events + kernelText(1, 100, 12, 50, 10));
        std::map<std::string, int> counts; // on the device, by name
        for (const TraceSpan& span : trace.spans)
            if (span.label >= 0 && trace.tracks[static_cast<std::size_t>(span.track)].thread.find(
                                       " on the device") != std::string::npos)
                ++counts[std::string(trace.nameOf(span))];
        int all = 0;
        for (const auto& [name, count] : counts)
            all += count;
        QVERIFY(counts["PP:0F3"] <= 1);
        QCOMPARE(counts["PP:0B1"], start > 0 ? 2 : 1);
        QCOMPARE(all, counts["PP:0F3"] + counts["PP:0B1"]);
    }

    /// A number that two processes have tells nothing.
    void aNumberOfTwoProcessesIsNotUsed()
    {
        std::string other =
            eventText("cuda_runtime", "cudaLaunchKernel", 101, 12, 1, "\"correlation\": 2");
        other.replace(other.find("1000"), 4, "2000");
        const Trace trace =
            read(eventText("begin", "begin", 100, 0, 1) +
                 eventText("user_annotation", "PP:0F0", 100, 10, 20) +
                 kernelText(1, 100, 12, 50, 10) + kernelText(2, 100, 13, 70, 10) + other);
        QCOMPARE(passes(trace, "PP:0F0"), (Stretches{{50, 10}}));
        QVERIFY(warned(trace, "1 kernels have no launch"));
    }

    /// As in files that were put together of several ranks.
    void whereNoNumberIsUsedTheHostTimesThePasses()
    {
        std::string other =
            eventText("cuda_runtime", "cudaLaunchKernel", 101, 12, 1, "\"correlation\": 1");
        other.replace(other.find("1000"), 4, "2000");
        const Trace trace = read(eventText("begin", "begin", 100, 0, 1) +
                                 eventText("user_annotation", "PP:0F0", 100, 10, 20) +
                                 kernelText(1, 100, 12, 50, 10) + other);
        QCOMPARE(passes(trace, "PP:0F0", Trust::Host), (Stretches{{10, 20}}));
        QVERIFY(warned(trace, "1 kernels belong to no labelled pass"));
    }

    /// Two threads have a pass open, and nothing says whose backward it is.
    void whatTwoThreadsCouldHaveLaunchedCountsForNone()
    {
        const std::string events = eventText("begin", "begin", 100, 0, 1) +
                                   eventText("user_annotation", "PP:0F0", 100, 10, 20) +
                                   kernelText(1, 100, 12, 50, 10) +
                                   eventText("user_annotation", "PP:1F0", 101, 10, 20) +
                                   kernelText(2, 101, 12, 70, 10) + kernelText(3, 102, 15, 100, 10);
        const Trace trace = read(events);
        QCOMPARE(passes(trace, "PP:0F0"), (Stretches{{50, 10}}));
        QCOMPARE(passes(trace, "PP:1F0"), (Stretches{{70, 10}}));
        QVERIFY(warned(trace, "1 kernels could belong to passes of several threads"));
    }

    /// The same number on two threads tells nothing; the pass around the launch in time does.
    void aSequenceOfTwoThreadsIsNotUsed()
    {
        const std::string number = "\"Sequence number\": 9, \"Fwd thread id\": 0";
        const std::string back = "\"Sequence number\": 9, \"Fwd thread id\": 1";
        const std::string events =
            eventText("begin", "begin", 100, 0, 1) +
            eventText("user_annotation", "PP:0F0", 100, 10, 20) +
            eventText("cpu_op", "aten::mm", 100, 12, 5, number) + kernelText(1, 100, 13, 50, 10) +
            eventText("user_annotation", "PP:0B0", 100, 200, 10) +
            eventText("user_annotation", "PP:0B1", 100, 220, 30) +
            eventText("cpu_op", "MmBackward", 102, 225, 5, back) + kernelText(2, 102, 226, 300, 10);
        QCOMPARE(passes(read(events), "PP:0B0"), (Stretches{{300, 10}}));
        const Trace two = read(events + eventText("cpu_op", "aten::mm", 103, 12, 5, number));
        QVERIFY(passes(two, "PP:0B0").empty());
        QCOMPARE(passes(two, "PP:0B1"), (Stretches{{300, 10}}));
    }

    /// What a checkpoint runs again inside its backward is the backward's, also by autograd.
    void whatACheckpointRunsAgainIsItsBackwards()
    {
        const auto numbers = [](int sequence, int forwardThread) {
            return "\"Sequence number\": " + std::to_string(sequence) +
                   ", \"Fwd thread id\": " + std::to_string(forwardThread);
        };
        const Trace trace = read(
            eventText("begin", "begin", 100, 0, 1) +
            eventText("user_annotation", "PP:0F0", 100, 10, 20) +
            eventText("cpu_op", "CheckpointFunction", 100, 12, 5, numbers(5, 0)) +
            kernelText(1, 100, 13, 50, 10) + eventText("user_annotation", "PP:0B0", 100, 200, 10) +
            eventText("user_annotation", "PP:0B1", 100, 215, 60) +
            eventText("cpu_op", "CheckpointFunctionBackward", 102, 220, 20, numbers(5, 1)) +
            eventText("cpu_op", "aten::mm", 102, 222, 3, numbers(77, 0)) +
            kernelText(2, 102, 223, 300, 10) +
            eventText("cpu_op", "MmBackward0", 102, 230, 4, numbers(77, 2)) +
            kernelText(3, 102, 231, 320, 10));
        QCOMPARE(passes(trace, "PP:0B0"), (Stretches{{300, 30}}));
        QVERIFY(passes(trace, "PP:0B1").empty());
    }

    void aPassWithoutKernelsIsGuessed()
    {
        const Trace trace = read(
            eventText("begin", "begin", 100, 0, 1) +
            eventText("user_annotation", "PP:0F0", 100, 10, 20) + kernelText(1, 100, 12, 50, 10) +
            eventText("user_annotation", "PP:0W0", 100, 40, 5) +
            eventText("user_annotation", "PP:0F1", 100, 50, 20) + kernelText(2, 100, 52, 90, 10));
        QCOMPARE(passes(trace, "PP:0W0", Trust::Guessed), (Stretches{{60, 0}}));
        QVERIFY(warned(trace, "1 passes have no kernels"));
    }
};

PW_TEST(TestKernelPasses)
#include "tst_kernel_passes.moc"
