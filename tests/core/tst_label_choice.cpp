// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/events/label_choice.h"
#include "core/reading/import_trace.h"
#include "core/trace/recover.h"
#include "core/trace/span_name.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>

using namespace pw;

namespace {

std::string noteText(const std::string& name, int start, int length, int process = 500)
{
    return R"({"ph": "X", "cat": "user_annotation", "tid": 1, "name": ")" + name +
           "\", \"pid\": " + std::to_string(process) + ", \"ts\": " + std::to_string(start) +
           ", \"dur\": " + std::to_string(length) + "},\n";
}

std::string kernelText(int number, int launched, int start, int length)
{
    const std::string same = ", \"args\": {\"correlation\": " + std::to_string(number) + "}},\n";
    return R"({"ph": "X", "cat": "cuda_runtime", "tid": 1, "pid": 500, "name": "launch", "ts": )" +
           std::to_string(launched) + ", \"dur\": 1" + same +
           R"({"ph": "X", "cat": "kernel", "tid": 7, "pid": 0, "name": "gemm", "ts": )" +
           std::to_string(start) + ", \"dur\": " + std::to_string(length) + same;
}

Trace read(const std::string& events, const char* file = "some.json")
{
    const Result<Trace> trace =
        importTraceText("{\"traceEvents\": [\n" + events + "{\"ph\": \"i\", \"ts\": 1}]}", file);
    if (!trace)
        qFatal("%s", trace.error().message.c_str());
    return *trace;
}

std::ptrdiff_t labelled(const Trace& trace, std::string_view name)
{
    return std::count_if(trace.spans.begin(), trace.spans.end(), [&](const TraceSpan& span) {
        return span.label >= 0 && trace.nameOf(span) == name;
    });
}

} // namespace

/// Labels that the package `pipewright_torch.labels` and PyTorch itself leave in one file.
class TestLabelChoice : public QObject
{
    Q_OBJECT

private slots:
    void aStepHasItsNumber()
    {
        const SpanLabel step = readSpanName("PP:STEP12").first;
        QCOMPARE(step.role, SpanRole::Step);
        QCOMPARE(step.iteration, 12);
        for (const char* other : {"PP:STEP", "PP:STEP1F", "PP:STEP 1", "PP:STEP-1"})
            QCOMPARE(readSpanName(other).first.role, SpanRole::Other);
    }

    void aPlaceInTheMeshIsRead()
    {
        QCOMPARE(readMeshPlace("PP:MESH rank=5/8 pp=1/4 dp=1/2"), (MeshPlace{5, 1}));
        QCOMPARE(readMeshPlace("PP:MESH rank=5/8 pp=1/4"), (MeshPlace{5, -1}));
        QCOMPARE(readMeshPlace("PP:MESH rank=0/8 pp=0/8 dp=0/1"), (MeshPlace{0, -1}));
        for (const char* other : {"PP:MESH rank=8/8", "PP:MESH rank=1", "PP:MESH dp=x/2",
                                  "PP:MESHES rank=1/2", "MESH rank=1/2"})
            QCOMPARE(readMeshPlace(other), MeshPlace());
    }

    /// PyTorch's GPipe names what it waits for with the pass.
    void aPassInsideAnotherNameCountsOnce()
    {
        const Trace trace = read(noteText("Forward 0", 0, 100) + noteText("PP:1F0", 60, 40) +
                                 noteText("Backward 0", 100, 100) + noteText("PP:1B0", 170, 30));
        QCOMPARE(labelled(trace, "Forward 0"), 0);
        QCOMPARE(labelled(trace, "Backward 0"), 0);
        QCOMPARE(labelled(trace, "PP:1F0"), 1);
        QCOMPARE(labelled(read(noteText("Forward 0", 0, 100)), "Forward 0"), 1);
    }

    /// Nor on a device, where the outer name launched only what it waits for.
    void noPassIsGuessedOfTheOuterName()
    {
        const Trace trace = read(noteText("Forward 0", 0, 100) + noteText("PP:1F0", 60, 40) +
                                 kernelText(1, 70, 80, 50) + noteText("Forward 1", 100, 100) +
                                 noteText("PP:1F1", 160, 40) + kernelText(2, 170, 180, 50));
        QCOMPARE(labelled(trace, "Forward 0"), 0);
        QCOMPARE(labelled(trace, "Forward 1"), 0);
        QVERIFY(labelled(trace, "PP:1F1") > 0);
    }

    void theProfilersStepsCountBeforeOurs()
    {
        const std::string ours =
            noteText("PP:STEP7", 10, 80) + noteText("PP:0F0", 20, 10) + noteText("PP:0B0", 40, 10);
        QCOMPARE(labelled(read(ours), "PP:STEP7"), 1);
        const Trace both = read(noteText("ProfilerStep#3", 0, 100) + ours);
        QCOMPARE(labelled(both, "PP:STEP7"), 0);
        QCOMPARE(labelled(both, "ProfilerStep#3"), 1);
        const RecoveredPipeline found = recover(both);
        QCOMPARE(found.iterations.size(), std::size_t{1});
        QCOMPARE(found.iterations.front().number, 3);
    }

    void theMeshSaysRankAndReplica()
    {
        const Trace trace =
            read(noteText("PP:MESH rank=5/8 pp=1/4 dp=1/2", 0, 0) + noteText("PP:1F0", 20, 10));
        QCOMPARE(trace.ranks.size(), std::size_t{1});
        QCOMPARE(trace.ranks.front().number, 5);
        QCOMPARE(trace.ranks.front().replica, 1);
        QCOMPARE(trace.ranks.front().source, std::string("label"));
        // Several ranks in one file say several places: none is the file's.
        const Trace two = read(noteText("PP:MESH rank=0/2 pp=0/2", 0, 0) +
                               noteText("PP:MESH rank=1/2 pp=1/2", 0, 0, 501) +
                               noteText("PP:0F0", 20, 10) + noteText("PP:1F0", 40, 10, 501));
        QCOMPARE(two.ranks.size(), std::size_t{2});
    }
};

PW_TEST(TestLabelChoice)

#include "tst_label_choice.moc"
