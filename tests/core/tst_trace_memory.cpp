// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/analysis/trace_plan.h"
#include "core/cost/rank_memory.h"
#include "core/reading/import_trace.h"
#include "core/sim/memory.h"
#include "core/store/keep_trace.h"
#include "core/trace/align_clocks.h"
#include "core/trace/trace_memory.h"
#include "tests/support/data_files.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace pw;

namespace {

Trace read(const std::string& events)
{
    const Result<Trace> trace = importTraceText(
        R"({"traceEvents":[{"ph":"X","cat":"cpu_op","name":"aten::add","pid":1,"tid":2,"ts":0,)"
        R"("dur":1000},)" +
            events + R"({"ph":"i","ts":1}]})",
        "rank2.json");
    if (!trace)
        qFatal("%s", trace.error().message.c_str());
    return *trace;
}

/// An allocation as PyTorch's profiler marks it; what is below 0 is left out.
std::string mark(int time, int change, int allocated, int reserved = -1, int device = 0)
{
    std::string text = R"({"ph":"i","cat":"cpu_instant_event","name":"[memory]","pid":1,"tid":2,)"
                       R"("s":"t","ts":)" +
                       std::to_string(time) + R"(,"args":{"Device Type":)" +
                       (device < 0 ? "0" : "1") + R"(,"Device Id":)" + std::to_string(device) +
                       R"(,"Addr":140737,"Bytes":)" + std::to_string(change);
    if (allocated >= 0)
        text += R"(,"Total Allocated":)" + std::to_string(allocated);
    if (reserved >= 0)
        text += R"(,"Total Reserved":)" + std::to_string(reserved);
    return text + "}},";
}

const TraceCounter* named(const Trace& trace, const char* name)
{
    const auto found = std::find_if(trace.counters.begin(), trace.counters.end(),
                                    [name](const TraceCounter& one) { return one.name == name; });
    return found == trace.counters.end() ? nullptr : &*found;
}

} // namespace

/// What traces tell of memory.
class TestTraceMemory : public QObject
{
    Q_OBJECT

private slots:
    void thePeakIsWhereItIsFirstReached()
    {
        const Trace trace = read(mark(10, 4000, 4000, 9000) + mark(30, 3000, 7000, 9000) +
                                 mark(40, -6000, 1000, 9000) + mark(70, 6000, 7000, 9000));
        const std::vector<RankPeak> peaks = peaksOfRanks(trace);
        QCOMPARE(peaks.size(), std::size_t{1});
        QCOMPARE(peaks.front().bytes, Bytes{7000});
        QCOMPARE(peaks.front().at.value_or(-1), Ticks{30'000});
        QCOMPARE(trace.ranks.at(0).number, 2);
    }

    void whatIsInUseCountsBeforeWhatIsReserved()
    {
        const Trace both = read(mark(10, 1, 4000, 9000));
        QCOMPARE(peaksOfRanks(both).front().bytes, Bytes{4000});
        const Trace reserved =
            read(R"({"ph":"C","name":"GPU 0 memory reserved","pid":1,"ts":5,"args":{"v":800}},)");
        QCOMPARE(peaksOfRanks(reserved).front().bytes, Bytes{800});
    }

    void ofADeviceCountsBeforeTheHost()
    {
        const Trace both = read(mark(10, 5000, 5000, 0, -1) + mark(20, 100, 100, 200));
        QCOMPARE(peaksOfRanks(both).front().bytes, Bytes{100});
        // Where nothing ran on a device the host's memory is what the rank has.
        const Trace host = read(mark(10, 5000, 5000, 0, -1) + mark(20, -5000, 0, 0, -1));
        QCOMPARE(peaksOfRanks(host).front().bytes, Bytes{5000});
        QCOMPARE(named(host, "allocated, host")->samples.size(), std::size_t{2});
        QVERIFY(named(host, "reserved, host") == nullptr);
    }

    void changesAreSummedUpWhereNoSumIsTold()
    {
        // What was there before the trace is freed in it: the least is 0.
        const Trace trace =
            read(mark(10, -300, 0) + mark(20, 500, 0) + mark(30, 200, 0) + mark(40, -400, 0));
        const TraceCounter* sums = named(trace, "allocated since the beginning, GPU 0");
        QVERIFY(sums != nullptr);
        std::vector<double> values;
        for (const CounterSample& sample : sums->samples)
            values.push_back(sample.value);
        QCOMPARE(values, (std::vector<double>{0, 500, 700, 300}));
        QCOMPARE(peaksOfRanks(trace).front().bytes, Bytes{700});
        QCOMPARE(peaksOfRanks(trace).front().at.value_or(-1), Ticks{30'000});
        QVERIFY(named(trace, "allocated, GPU 0") == nullptr);
        // Told sums say more.
        const Trace told = read(mark(10, 300, 2300) + mark(20, 500, 2800));
        QVERIFY(named(told, "allocated since the beginning, GPU 0") == nullptr);
        QCOMPARE(peaksOfRanks(told).front().bytes, Bytes{2800});
    }

    void countersOfChromeTracesAreBytes()
    {
        const auto counter = [](int time, int value) {
            return R"x({"ph":"C","name":"GPU memory (MB)","pid":1,"ts":)x" + std::to_string(time) +
                   R"x(,"args":{"used":)x" + std::to_string(value) + "}},";
        };
        const Trace trace = read(counter(5, 3) + counter(9, 2));
        QCOMPARE(peaksOfRanks(trace).front().bytes, Bytes{3'000'000});
        QCOMPARE(peaksOfRanks(trace).front().at.value_or(-1), Ticks{5'000});
    }

    void aKeyThatIsAUnitCounts_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("key");
        QTest::addColumn<int>("kind");
        QTest::addColumn<double>("most"); // of 2048
        const auto row = [](const char* title, const char* name, const char* key, CounterKind kind,
                            double most) {
            QTest::newRow(title) << QString(name) << QString(key) << static_cast<int>(kind) << most;
        };
        using enum CounterKind;
        row("bytes", "APP/HBM", "B", Memory, 2048);
        row("as msprof writes it", "APP/HBM", "KB", Memory, 2048.0 * 1024);
        row("KiB", "Device/HBM", "KiB", Memory, 2048.0 * 1024);
        row("MB", "Device/Memory", "MB", Memory, 2048e6);
        row("MiB", "Device/Memory", "MiB", Memory, 2048.0 * 1048576);
        row("GB", "Device/Memory", "GB", Memory, 2048e9);
        row("GiB", "Device/Memory", "GiB", Memory, 2048.0 * 1073741824);
        row("percents that are few", "AI Core", "%", Part, 20.48);
        row("no unit", "Device/Memory", "allocated", Memory, 2048);
        row("a bandwidth", "HBM bandwidth", "MB", Other, 2048e6);
        row("a name that ends like a unit", "Things", "GBS", Other, 2048);
    }

    void aKeyThatIsAUnitCounts()
    {
        QFETCH(const QString, name);
        QFETCH(const QString, key);
        QFETCH(const int, kind);
        QFETCH(const double, most);
        const Trace trace = read((R"({"ph":"C","pid":1,"name":")" + name + R"(","ts":5,"args":{")" +
                                  key + R"(":0.25}},{"ph":"C","pid":1,"name":")" + name +
                                  R"(","ts":7,"args":{")" + key + R"(":2048}},)")
                                     .toStdString());
        QCOMPARE(trace.counters.size(), std::size_t{1});
        const TraceCounter& counter = trace.counters.front();
        QCOMPARE(static_cast<int>(counter.kind), kind);
        QCOMPARE(QString::fromStdString(counter.name), name);
        QCOMPARE(counter.samples.back().value, most);
        QCOMPARE(counter.samples.front().value, most / 8192);
    }

    void aKeptTraceEndsWithItsRecording()
    {
        const Result<Trace> trace = importTraceText(
            R"({"baseTimeNanoseconds": 1700000000000000000, "traceEvents":[
{"ph":"X","cat":"cpu_op","name":"aten::add","pid":1,"tid":2,"ts":2000000,"dur":1000},
{"ph":"X","cat":"cpu_op","name":"aten::add","pid":1,"tid":2,"ts":2250000,"dur":50000}]})",
            "rank0.json");
        QVERIFY(trace);
        QTemporaryDir folder;
        const std::string store = folder.filePath("runs.sqlite").toStdString();
        Trace kept = *trace;
        const Result<RunNumber> number = keepTraceActivity(kept, store, {});
        QVERIFY(number);
        Result<RunStore> opened = RunStore::open(store);
        QVERIFY(opened);
        const StoredRun run = opened->run(*number)->run;
        QCOMPARE(run.startedMs, std::int64_t{1'700'000'002'000});
        QCOMPARE(run.endedMs, std::int64_t{1'700'000'002'300});
    }

    void aTraceWithoutMemoryHasNone()
    {
        QVERIFY(peaksOfRanks(read("")).empty());
        const Trace zero = read(mark(10, 0, 0, 0));
        QVERIFY(peaksOfRanks(zero).empty());
        QVERIFY(zero.counters.empty());
    }

    void whatIsToldByIterationHasACurveAndAPrediction()
    {
        const std::string folder = test::largeTraceFolder() + "/primus-pp8";
        if (!QFile::exists(QString::fromStdString(folder)))
            QSKIP("no folder of larger real traces; PW_DATA names it");
        Result<Trace> trace = importTrace({folder});
        QVERIFY(trace);
        const std::vector<RankPeak> peaks = peaksOfRanks(*trace);
        QCOMPARE(peaks.size(), std::size_t{8});
        constexpr double gib = 1024.0 * 1024 * 1024;
        const double expected[] = {104.33, 95.57, 88.11, 80.33, 73.15, 65.85, 58.07, 52.20};
        for (std::size_t rank = 0; rank < peaks.size(); ++rank) {
            QVERIFY(std::abs(static_cast<double>(peaks[rank].bytes) / gib - expected[rank]) < .005);
            QVERIFY(peaks[rank].at.value_or(-1) > 0);
            QVERIFY(peaks[rank].iteration > 0);
        }
        const AlignedPipeline aligned = recoverAligned(*trace);
        QVERIFY(aligned.pipeline.schedule);
        const QTemporaryDir place;
        const std::string store = place.filePath("runs.sqlite").toStdString();
        const TraceActivity source(*trace);
        const Result<RunNumber> run =
            keepWholeTrace({*trace, source, {}, aligned.pipeline.rankOfDevice}, aligned.pipeline,
                           {}, store, "primus");
        QVERIFY2(run, run ? "" : run.error().message.c_str());
        RunStore opened = *RunStore::open(store);
        const RecoveredIteration& shown = *aligned.pipeline.iteration();
        const Result<std::vector<StoredCounter>> counters =
            opened.memoryCounters(*run, shown.first, shown.last);
        QVERIFY(counters);
        QCOMPARE(counters->size(), std::size_t{8});
        QCOMPARE(counters->at(3).device, 3);
        QVERIFY(!counters->at(3).counter.samples.empty());
        const Result<Bytes> kept = opened.peakMemory(*run);
        QVERIFY(kept);
        QCOMPARE(*kept, peaks.front().bytes);
        // The plan that is kept with it predicts bytes: ranks between first and last within 1 %.
        const Result<Costs> costs = [&]() -> Result<Costs> {
            Result<FittedCosts> fitted = fitTrace(*trace, aligned.pipeline);
            Result<Costs> all = costsOf(fitted->file, aligned.pipeline.schedule->spec());
            const auto memory = addMeasuredMemory(*all, aligned.pipeline);
            if (!memory || !*memory)
                return fail(ErrorCode::BadValue, "no memory");
            return all;
        }();
        QVERIFY(costs);
        const Result<SimResult> predicted = simulate(*aligned.pipeline.schedule, *costs);
        QVERIFY(predicted);
        for (const DeviceId device : Ids<DeviceId>(8)) {
            Bytes most = 0;
            for (const MemoryPoint& point :
                 memoryCurve(*aligned.pipeline.schedule, *costs, *predicted, device))
                most = std::max(most, point.total());
            const double off = static_cast<double>(most) / gib / expected[device] - 1;
            QVERIFY2(std::abs(off) < 0.01, qPrintable(QString::number(off)));
        }
    }
};

PW_TEST(TestTraceMemory)

#include "tst_trace_memory.moc"
