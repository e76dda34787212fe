// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/analysis/kernel_diff.h"
#include "core/analysis/trace_holes.h"
#include "core/reading/chrome/event_arguments.h"
#include "core/reading/import_trace.h"
#include "core/trace/activity_links.h"
#include "core/trace/recover.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <random>

using namespace pw;

namespace {

std::string spanEvent(const std::string& name, const char* category, int thread, int start,
                      int length, const std::string& arguments = {})
{
    return R"({"ph":"X","cat":")" + std::string(category) + R"(","name":")" + name + R"(","pid":)" +
           (thread < 100 ? "0" : "1000") + R"(,"tid":)" + std::to_string(thread) +
           ",\"ts\":" + std::to_string(start) + ",\"dur\":" + std::to_string(length) +
           ",\"args\":{" + arguments + "}},\n";
}

Trace read(const std::string& events, const char* name = "rank0.json")
{
    const Result<Trace> trace =
        importTraceText("{\"traceEvents\":[\n" + events + R"({"ph":"i","ts":1}]})", name);
    if (!trace)
        qFatal("%s", trace.error().message.c_str());
    return *trace;
}

const KernelDelta* find(const KernelDiff& diff, const char* name)
{
    const auto found = std::find_if(diff.kernels.begin(), diff.kernels.end(),
                                    [name](const KernelDelta& one) { return one.name == name; });
    return found == diff.kernels.end() ? nullptr : &*found;
}

} // namespace

/// Two traces kernel by kernel; arrows, counters and holes of one.
class TestKernelDiff : public QObject
{
    Q_OBJECT

private slots:
    void whatGrewIsNewOrVanished()
    {
        const KernelDiff diff = diffKernels(
            read(spanEvent("gemm", "kernel", 7, 0, 100) + spanEvent("old", "kernel", 7, 150, 50)),
            read(spanEvent("gemm", "kernel", 7, 0, 180) + spanEvent("new", "kernel", 7, 180, 20)));
        QCOMPARE(find(diff, "gemm")->change(), KernelChange::Grew);
        QCOMPARE(find(diff, "gemm")->effect(), 80e3);
        QCOMPARE(find(diff, "old")->change(), KernelChange::Vanished);
        QCOMPARE(find(diff, "old")->effect(), -50e3);
        QCOMPARE(find(diff, "new")->change(), KernelChange::New);
        QCOMPARE(find(diff, "new")->effect(), 20e3);
        QCOMPARE(find(diff, "(idle)")->effect(), -50e3);
        QCOMPARE(diff.kernels.front().name, std::string("gemm"));
        QCOMPARE(diff.spans.size(), std::size_t{1});
        QCOMPARE(diff.spans.front().after - diff.spans.front().before, Ticks{0});
    }

    void effectsSumToTheSpan()
    {
        std::mt19937 random(11);
        const auto made = [&random] {
            std::string events;
            int now[2] = {0, 30};
            for (int i = 0; i < 300; ++i) {
                const int stream = static_cast<int>(random() % 2);
                now[stream] += static_cast<int>(random() % 40);
                const int length = static_cast<int>(random() % 60);
                events += spanEvent("k" + std::to_string(random() % 12), "kernel", 7 + stream,
                                    now[stream], length);
                now[stream] += length;
            }
            return read(events);
        };
        for (int round = 0; round < 20; ++round) {
            const KernelDiff diff = diffKernels(made(), made());
            double sum = 0;
            for (const KernelDelta& one : diff.kernels)
                sum += one.effect();
            const SpanDelta& span = diff.spans.front();
            QVERIFY(std::abs(sum - static_cast<double>(span.after - span.before)) < 1);
        }
    }

    void passesTellKernelsApart()
    {
        const auto made = [](int length) {
            return read(spanEvent("PP:0F0", "gpu_user_annotation", 7, 0, 100) +
                        spanEvent("PP:0B0", "gpu_user_annotation", 7, 100, 200) +
                        spanEvent("gemm", "kernel", 7, 10, 50) +
                        spanEvent("gemm", "kernel", 7, 120, length));
        };
        const KernelDiff diff = diffKernels(made(100), made(150));
        QCOMPARE(std::count_if(diff.kernels.begin(), diff.kernels.end(),
                               [](const KernelDelta& one) { return one.name == "gemm"; }),
                 std::ptrdiff_t{2});
        QVERIFY(find(diff, "gemm")->pass.find("stage 0") != std::string::npos);
        QVERIFY(!diff.passes.empty());
        for (const PassHistogram& one : diff.passes) {
            QCOMPARE(one.edges.size(), one.before.size() + 1);
            QCOMPARE(one.before.size(), one.after.size());
        }
    }

    void ranksThatAreInOneTraceAreSaid()
    {
        const KernelDiff nothing = diffKernels(read(spanEvent("aten::add", "cpu_op", 500, 0, 1)),
                                               read(spanEvent("aten::add", "cpu_op", 500, 0, 1)));
        QVERIFY(nothing.kernels.empty());
        QVERIFY(!nothing.notes.empty());
    }

    void arrowsBeginAndEnd()
    {
        const Trace trace =
            read(spanEvent("aten::linear", "cpu_op", 500, 0, 100, R"("Sequence number":7)") +
                 spanEvent("cudaLaunchKernel", "cuda_runtime", 500, 10, 4, R"("correlation":3)") +
                 spanEvent("gemm", "kernel", 7, 40, 30, R"("correlation":3)") +
                 spanEvent("autograd::engine::evaluate_function: AddmmBackward0", "cpu_op", 600,
                           200, 50, R"("Sequence number":7,"Fwd thread id":1)"));
        Trace shown = trace;
        const TraceActivity source(shown);
        const auto spanOf = [&shown](std::string_view name) {
            for (std::size_t i = 0; i < shown.spans.size(); ++i)
                if (shown.nameOf(shown.spans[i]).substr(0, name.size()) == name)
                    return static_cast<std::int32_t>(i);
            return -1;
        };
        const std::int32_t launch = spanOf("cudaLaunch"), kernel = spanOf("gemm"),
                           forward = spanOf("aten::linear"), backward = spanOf("autograd");
        const std::vector<SliceLink> launched = {{SliceLinkKind::Launch, launch, kernel}};
        QCOMPARE(linksAt(shown, source.order(), {}, kernel), launched);
        QCOMPARE(linksAt(shown, source.order(), {}, launch), launched);
        const std::vector<SliceLink> back = {{SliceLinkKind::Backward, forward, backward}};
        QCOMPARE(linksAt(shown, source.order(), {}, forward), back);
        QCOMPARE(linksAt(shown, source.order(), {}, backward), back);
        QVERIFY(laneOfSpan(shown, source.order(), kernel) >= 0);
        QVERIFY(linksAt(shown, source.order(), {}, -1).empty());
    }

    void countersAreSeries()
    {
        const std::string memory =
            R"({"ph":"i","cat":"cpu_instant_event","name":"[memory]","pid":1000,"tid":500,"ts":%1,)"
            R"("s":"t","args":{"Device Type":1,"Device Id":0,"Total Allocated":%2,)"
            R"("Total Reserved":9000,"Bytes":10}},)";
        const auto mark = [&memory](int time, int bytes) {
            return QString::fromStdString(memory).arg(time).arg(bytes).toStdString();
        };
        const Trace trace = read(
            spanEvent("aten::add", "cpu_op", 500, 0, 100) + mark(10, 4000) + mark(30, 7000) +
            mark(60, 1000) +
            R"({"ph":"C","name":"GPU 0 Utilization","pid":1000,"ts":20,"args":{"value":55}},)"
            R"({"args":{"value":80},"ph":"C","name":"GPU 0 Utilization","pid":1000,"ts":50},)");
        QCOMPARE(trace.counters.size(), std::size_t{3});
        const auto named = [&trace](const char* name) {
            return *std::find_if(trace.counters.begin(), trace.counters.end(),
                                 [name](const TraceCounter& one) { return one.name == name; });
        };
        const TraceCounter used = named("allocated, GPU 0");
        QCOMPARE(used.kind, CounterKind::Memory);
        QCOMPARE(used.samples.size(), std::size_t{3});
        QCOMPARE(used.samples[1].time, Ticks{30'000});
        QCOMPARE(used.samples[1].value, 7000.0);
        const TraceCounter busy = named("GPU 0 Utilization");
        QCOMPARE(busy.kind, CounterKind::Part);
        QCOMPARE(busy.samples.front().value, 0.55);
        QCOMPARE(trace.peaks.size(), std::size_t{1});
        QCOMPARE(trace.peaks.front().bytes, Bytes{7000});
    }

    void argumentsAreReadAgain()
    {
        const QTemporaryDir folder;
        const std::string path = folder.path().toStdString() + "/rank0.json";
        {
            QFile file(QString::fromStdString(path));
            QVERIFY(file.open(QFile::WriteOnly));
            const std::string events =
                spanEvent("gemm", "kernel", 7, 0, 100, R"("grid":[1,2,3],"stream":7)") +
                spanEvent("gemm", "kernel", 7, 200, 100,
                          R"("Input Dims":[[4,2],[],[8]],"group":"pp","nested":{"a":1,"b":[2]})") +
                spanEvent("gemm", "kernel", 7, 400, 50);
            file.write(("{\"traceEvents\":[" + events + "{\"ph\":\"i\",\"ts\":1}]}").c_str());
        }
        const Result<Trace> trace = importTrace({path});
        QVERIFY(trace);
        const Result<ArgumentTexts> second = argumentsOf(*trace, 1);
        QVERIFY2(second, second ? "" : second.error().message.c_str());
        QString words;
        for (const auto& [name, value] : *second)
            words += QString::fromStdString(name + " = " + value + "; ");
        QCOMPARE(words, QString("Input Dims = [[4, 2], [], [8]]; group = pp; "
                                "nested = {a: 1, b: [2]}; "));
        QCOMPARE(argumentsOf(*trace, 0)->front().second, std::string("[1, 2, 3]"));
        QVERIFY(argumentsOf(*trace, 2)->empty());
        QVERIFY(argumentsOf(*trace, 99)->empty());
        QCOMPARE(argumentsOf(*trace, 1, [] { return false; }).error().code, ErrorCode::Cancelled);
        QFile::remove(QString::fromStdString(path));
        QVERIFY(!argumentsOf(*trace, 1));
    }

    void aLostPassLeavesAHole()
    {
        std::string events;
        const char* names[] = {"PP:0F0", "PP:0F1", "PP:0B0", "PP:0B1"};
        for (int i = 0; i < 4; ++i)
            if (i != 1)
                events += spanEvent(names[i], "user_annotation", 500, 100 * i, 90);
        Trace trace = read(events);
        const RecoveredPipeline pipeline = recover(trace);
        const std::vector<TraceHole> holes = holesOf(trace, pipeline);
        QCOMPARE(holes.size(), std::size_t{1});
        QCOMPARE(holes.front().text, std::string("F1 of stage 0 is missing"));
        QCOMPARE(holes.front().from, Ticks{90'000});
        QCOMPARE(holes.front().to, Ticks{200'000});
        const std::size_t before = trace.spans.size();
        markHoles(trace, holes);
        QCOMPARE(trace.spans.size(), before + 1);
        QVERIFY(trace.nameOf(trace.spans.back()).find("F1 of stage 0") != std::string_view::npos);
        QVERIFY(trace.labelOf(trace.spans.back()) == nullptr);
    }
};

PW_TEST(TestKernelDiff)

#include "tst_kernel_diff.moc"
