// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/analysis/device_activity.h"
#include "core/reading/import_trace.h"
#include "core/trace/activity_kind.h"
#include "tests/support/data_files.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>

using namespace pw;

namespace {

std::string eventText(const char* category, const std::string& name, int process, int thread,
                      double start, double length, const std::string& arguments = {})
{
    return std::string("{\"ph\": \"X\", \"cat\": \"") + category + "\", \"name\": \"" + name +
           "\", \"pid\": " + std::to_string(process) + ", \"tid\": " + std::to_string(thread) +
           ", \"ts\": " + std::to_string(start) + ", \"dur\": " + std::to_string(length) +
           ", \"args\": {" + arguments + "}},\n";
}

std::string correlated(int number)
{
    return "\"correlation\": " + std::to_string(number);
}

/// A kernel with its launch.
std::string kernelText(int number, const std::string& name, int stream, double launched,
                       double start, double length, int device = 0)
{
    return eventText("cuda_runtime", "cudaLaunchKernel", 500, 500, launched, 1,
                     correlated(number)) +
           eventText("kernel", name, device, stream, start, length, correlated(number));
}

Trace read(const std::string& events)
{
    const Result<Trace> trace = importTraceText(
        "{\"traceEvents\": [\n" + events + "{\"ph\": \"i\", \"ts\": 1}]}", "rank0.json");
    if (!trace)
        qFatal("%s", trace.error().message.c_str());
    return *trace;
}

constexpr Ticks us(double value)
{
    return static_cast<Ticks>(value * 1000);
}

Trace realTrace(const char* name)
{
    const Result<Trace> trace = importTrace({test::largeTraceFolder() + "/" + name});
    if (!trace)
        qFatal("%s", trace.error().message.c_str());
    return *trace;
}

bool noData()
{
    return !QDir(QString::fromStdString(test::largeTraceFolder())).exists();
}

/// The activities of a trace cut to whole µs, starts up and ends down, as HolisticTraceAnalysis
/// does before it adds them up.
Trace cutToMicroseconds(Trace trace)
{
    constexpr Ticks grain = 1000;
    for (TraceSpan& span : trace.spans) {
        if (!isDeviceWork(span.activity))
            continue;
        // Times of the file are µs since its base; those here begin at its first event.
        const Ticks launched = span.start - span.queued;
        const Ticks offset = trace.base % grain;
        const auto up = [&](Ticks time) {
            return (time + offset + grain - 1) / grain * grain - offset;
        };
        const auto down = [&](Ticks time) { return (time + offset) / grain * grain - offset; };
        const Ticks start = up(span.start);
        span.end = std::max(start, down(span.end));
        span.queued = span.queued < 0 ? -1 : static_cast<std::int32_t>(start - launched);
        span.start = start;
    }
    return trace;
}

} // namespace

/// Where the time of devices goes.
class TestDeviceActivity : public QObject
{
    Q_OBJECT

private slots:
    void kernelsAreKnownByTheirNames_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("kind");
        const auto row = [](const char* name, ActivityKind kind) {
            QTest::newRow(name) << QString(name) << static_cast<int>(kind);
        };
        using enum ActivityKind;
        row("ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)",
            Communication);
        row("ncclKernel_SendRecv_RING_SIMPLE_Sum_int8_t(ncclDevComm*)", Communication);
        row("ncclDevKernel_Generic(ncclDevKernelArgsStorage<4096ul>)", Communication);
        row("void rcclGenericKernel<1, true>(ncclDevComm*)", Communication);
        row("void deep_ep::internode::dispatch<false, 4, false>(int4*, float*)", Communication);
        row("void deep_ep::intranode::combine<__nv_bfloat16, 8, 768, 4096>(int4*)", Communication);
        row("_ZN7deep_ep12internode_ll8dispatchILb1ELb0ELi7168EEEvPvS1_", Communication);
        row("dispatch", Communication);
        row("combine", Communication);
        row("notify_dispatch", Communication);
        row("nvshmemi_put_signal_kernel", Communication);
        row("void nvshmem_barrier_all_kernel()", Communication);
        row("void vllm::cross_device_reduce_1stage<__nv_bfloat16, 8>(vllm::RankData*)",
            Communication);
        row("void (anonymous namespace)::one_shot_all_reduce_kernel<c10::BFloat16, 16>(c10*)",
            Communication);
        row("triton_poi_fused_all_gather_into_tensor_add_3", Compute);
        row("void at::native::reduce_kernel<512, 1, at::native::ReduceOp<float>>(int)", Compute);
        row("flash_fwd_splitkv_combine_kernel", Compute);
        row("moe_combine_topk_kernel", Compute);
        row("Memcpy DtoD (Device -> Device)", Memory);
        row("Memset (Device)", Memory);
        row("__amd_rocclr_copyBuffer", Memory);
        row("__amd_rocclr_fillBufferAligned.kd", Memory);
        row("sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x128x64", Compute);
    }

    void kernelsAreKnownByTheirNames()
    {
        QFETCH(const QString, name);
        QFETCH(const int, kind);
        QCOMPARE(static_cast<int>(kernelKind(name.toStdString())), kind);
    }

    void aPersonsRulesComeFirst()
    {
        const Result<KernelRule> rule = KernelRule::parse("communication=my_*_exchange*");
        QVERIFY(rule);
        QVERIFY(rule->matches("my_ring_exchange_v2"));
        QVERIFY(rule->matches("my__exchange"));
        QVERIFY(!rule->matches("their_my_ring_exchange"));
        QCOMPARE(kernelKind("my_ring_exchange", {*rule}), ActivityKind::Communication);
        QCOMPARE(kernelKind("my_ring", {*rule}), ActivityKind::Compute);
        const Result<KernelRule> none = KernelRule::parse("compute=nccl*");
        QVERIFY(none);
        QCOMPARE(kernelKind("ncclDevKernel_Generic", {*none}), ActivityKind::Compute);
        QVERIFY(!KernelRule::parse("nccl*"));
        QVERIFY(!KernelRule::parse("launch=nccl*"));
        QVERIFY(!KernelRule::parse("compute="));
    }

    void theTimeIsSplit()
    {
        // Stream 7: compute 100–200 and 300–400; stream 9: an all-reduce 150–350 and a copy
        // 380–390.
        const Trace trace =
            read(kernelText(1, "gemm", 7, 10, 100, 100) +
                 kernelText(2, "ncclDevKernel_AllReduce", 9, 20, 150, 200) +
                 kernelText(3, "gemm", 7, 30, 300, 100) +
                 eventText("cuda_runtime", "cudaMemcpyAsync", 500, 500, 40, 1, correlated(4)) +
                 eventText("gpu_memcpy", "Memcpy HtoD", 0, 9, 380, 10, correlated(4)) +
                 eventText("gpu_user_annotation", "step", 0, 7, 50, 900));
        const DeviceFigures figures = deviceFigures(trace);
        QCOMPARE(figures.devices.size(), std::size_t{1});
        const DeviceActivity& one = figures.devices.front();
        QCOMPARE(one.span(), us(300));
        QCOMPARE(one.compute, us(200));
        QCOMPARE(one.communication, us(200));
        QCOMPARE(one.overlap, us(100));
        QCOMPARE(one.computeOnly, us(90));
        QCOMPARE(one.communicationOnly, us(100));
        QCOMPARE(one.memory, us(10));
        QCOMPARE(one.memoryOnly, Ticks{0});
        QCOMPARE(one.hidden(), 0.5);
        QCOMPARE(one.idle.total(), Ticks{0});
        QCOMPARE(one.streams, 2);
        QCOMPARE(one.activities, std::int64_t{4});
        QCOMPARE(one.queueMost, std::int64_t{4});
        QCOMPARE(figures.kernels.size(), std::size_t{3});
        QCOMPARE(figures.kernels.front().total, us(200));
        QCOMPARE(figures.kernels.front().median, us(100));
    }

    void idleTimeHasReasons()
    {
        // 100–200 runs; the next was launched at 230 and runs at 240: 30 for the host, 10 of a
        // launch. Then stream 9 waits for stream 7 although it was launched before. The last one's
        // launch is not in the file.
        const Trace trace =
            read(kernelText(1, "a", 7, 90, 100, 100) + kernelText(2, "a", 7, 230, 240, 60) +
                 kernelText(3, "b", 9, 250, 305, 45) +
                 eventText("kernel", "c", 0, 7, 370, 30, correlated(99)));
        const DeviceFigures figures = deviceFigures(trace);
        const IdleTime& idle = figures.devices.front().idle;
        QCOMPARE(idle.host, us(30));
        QCOMPARE(idle.launch, us(10));
        QCOMPARE(idle.stream, us(5));
        QCOMPARE(idle.unknown, us(20));
        QCOMPARE(figures.devices.front().span(), us(300));
    }

    void theLastStepIsLeftOut()
    {
        const auto step = [](int number, double start) {
            return eventText("user_annotation", "ProfilerStep#" + std::to_string(number), 500, 500,
                             start, 100);
        };
        const std::string two = step(4, 0) + step(5, 100) + kernelText(1, "a", 7, 50, 60, 10) +
                                kernelText(2, "a", 7, 90, 130, 10) +
                                kernelText(3, "a", 7, 150, 160, 10) +
                                eventText("kernel", "a", 0, 7, 20, 10, correlated(98));
        const DeviceFigures some = deviceFigures(read(two));
        QCOMPARE(some.devices.front().activities, std::int64_t{2});
        QCOMPARE(some.devices.front().leftOut, std::int64_t{2});
        QCOMPARE(some.devices.front().span(), us(80));
        QVERIFY(!some.notes.empty());
        const DeviceFigures all = deviceFigures(read(two), true);
        QCOMPARE(all.devices.front().activities, std::int64_t{4});
        // One step alone is whole as far as anyone knows.
        const DeviceFigures one =
            deviceFigures(read(step(5, 0) + kernelText(3, "a", 7, 50, 60, 10)));
        QCOMPARE(one.devices.front().activities, std::int64_t{1});
    }

    void devicesOfOneFileAreApart()
    {
        const DeviceFigures figures = deviceFigures(
            read(kernelText(1, "a", 7, 10, 20, 10, 0) + kernelText(2, "a", 7, 11, 40, 30, 1)));
        QCOMPARE(figures.devices.size(), std::size_t{2});
        QCOMPARE(figures.devices[0].deviceNumber, 0);
        QCOMPARE(figures.devices[0].span(), us(10));
        QCOMPARE(figures.devices[1].deviceNumber, 1);
        QCOMPARE(figures.devices[1].span(), us(30));
    }

    void processesThatNameRanksAreRanks()
    {
        const auto name = [](int process, const char* text) {
            return "{\"ph\": \"M\", \"name\": \"process_name\", \"pid\": " +
                   std::to_string(process) + ", \"args\": {\"name\": \"" + text + "\"}},\n";
        };
        const Result<Trace> trace = importTraceText(
            "{\"traceEvents\": [\n" + name(10, "rank 0 GPU") + name(20, "rank 1 GPU") +
                kernelText(1, "a", 7, 10, 20, 10, 10) + kernelText(2, "a", 7, 11, 40, 30, 20) +
                "{\"ph\": \"i\", \"ts\": 1}]}",
            "merged.json");
        QVERIFY(trace);
        const DeviceFigures figures = deviceFigures(*trace);
        QCOMPARE(figures.devices.size(), std::size_t{2});
        for (const DeviceActivity& one : figures.devices)
            QCOMPARE(trace->ranks[static_cast<std::size_t>(one.rank)].number,
                     one.span() == us(10) ? 0 : 1);
    }

    void theSlowRankIsNamed()
    {
        const auto rank = [](double late) {
            std::string text;
            for (int i = 0; i < 8; ++i)
                text += kernelText(2 * i + 1, "gemm", 7, 100.0 * i, 100.0 * i + 5, 20 + late) +
                        kernelText(2 * i + 2, "ncclDevKernel_AllReduce", 9, 100.0 * i + 1,
                                   100.0 * i + 30 + late, 60 - late);
            return "{\"distributedInfo\": {\"rank\": " + std::string(late > 0 ? "1" : "0") +
                   "}, \"traceEvents\": [\n" + text + "{\"ph\": \"i\", \"ts\": 1}]}";
        };
        QTemporaryDir folder;
        std::vector<std::string> files;
        for (const double late : {0.0, 12.0}) {
            files.push_back(folder.path().toStdString() + (late > 0 ? "/b.json" : "/a.json"));
            QFile file(QString::fromStdString(files.back()));
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(QByteArray::fromStdString(rank(late)));
        }
        const Result<Trace> trace = importTrace(files);
        QVERIFY(trace);
        const DeviceFigures figures = deviceFigures(*trace);
        QVERIFY(figures.slow.has_value());
        QCOMPARE(trace->ranks[static_cast<std::size_t>(figures.slow->rank)].number, 1);
        QVERIFY2(figures.slow->evidence.find("8 of 8 collectives last") != std::string::npos,
                 figures.slow->evidence.c_str());
        QCOMPARE(figures.devices[0].peer, us(8 * 12));
        QCOMPARE(figures.devices[1].peer, Ticks{0});
    }

    void realTracesHaveTheKnownFigures_data()
    {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QList<double>>("printed");
        QTest::newRow("nccl") << "kineto-nccl.json.gz"
                              << QList<double>{435'586, 338'781, 75'169, 71'696,
                                               20'621,  3'473,   831,    0.1431};
        QTest::newRow("mi300") << "kineto-mi300-nccl.json.gz"
                               << QList<double>{56'517, 1'541,  17'018, 6'464,
                                                36'399, 10'596, 1'342,  0.2245};
    }

    void realTracesHaveTheKnownFigures()
    {
        if (noData())
            QSKIP("no folder of larger real traces; PW_DATA names it");
        QFETCH(const QString, file);
        QFETCH(const QList<double>, printed);
        const Trace trace = realTrace(file.toUtf8().constData());
        const DeviceActivity cut = deviceFigures(cutToMicroseconds(trace)).devices.front();
        const auto compare = [&](Ticks found, int which) {
            // The program lets activities below 1 µs end before they begin: some tens of µs.
            const double difference = static_cast<double>(found) / 1e3 - printed[which];
            QVERIFY2(std::abs(difference) <= 22, qPrintable(QString::number(difference)));
        };
        compare(cut.span(), 0);
        compare(cut.idle.total(), 1);
        compare(cut.compute, 2);
        compare(cut.computeOnly, 3);
        compare(cut.communicationOnly, 4);
        compare(cut.overlap, 5);
        compare(cut.memoryOnly, 6);
        QVERIFY(std::abs(cut.hidden() - printed[7]) < 1e-4);
        // As recorded: apart by less than 1 µs an activity.
        const DeviceActivity exact = deviceFigures(trace).devices.front();
        const auto within = static_cast<Ticks>(exact.activities) * 1000;
        QVERIFY(std::abs(exact.span() - us(printed[0])) <= us(2));
        QVERIFY(std::abs(exact.idle.total() - us(printed[1])) <= within);
        QVERIFY(std::abs(exact.compute - us(printed[2])) <= within);
        QVERIFY(std::abs(exact.overlap - us(printed[5])) <= within);
    }
};

PW_TEST(TestDeviceActivity)

#include "tst_device_activity.moc"
