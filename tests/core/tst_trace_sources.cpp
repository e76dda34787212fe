// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/import_trace.h"
#include "core/reading/perfetto/protobuf_walk.h"
#include "core/reading/sniff.h"
#include "core/trace/recover.h"
#include "tests/support/chrome_traces.h"
#include "tests/support/family_runs.h"
#include "tests/support/protobuf_text.h"
#include "tests/support/test_program.h"

#include <QByteArray>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <random>

using namespace pw;

namespace {

using test::field;

constexpr Ticks someDay = 1'790'000'000'000'000'000; // since 1970

test::FamilyRun runOf(const char* id, int devices, int microBatches)
{
    return test::runFamily(
        test::familyOf(id), test::sized(devices, microBatches),
        test::equalStages(4 * ticksPerMs, 5 * ticksPerMs, 3 * ticksPerMs, ticksPerMs));
}

void write(const std::string& path, const std::string& bytes)
{
    std::ofstream(path, std::ios::binary) << bytes;
}

std::string little(std::uint64_t number, int bytes)
{
    std::string text;
    for (int i = 0; i < bytes; ++i, number >>= 8U)
        text.push_back(static_cast<char>(number & 0xFFU));
    return text;
}

/// A frame of zstd whose blocks are not packed, as RFC 8878 has it.
std::string zstdOf(const std::string& content)
{
    std::string frame = little(0xFD2FB528, 4) + "\xA0" + little(content.size(), 4);
    constexpr std::size_t block = 100'000;
    std::size_t at = 0;
    do {
        const std::size_t size = std::min(block, content.size() - at);
        const bool last = at + size == content.size();
        frame += little((size << 3U) | (last ? 1U : 0U), 3) + content.substr(at, size);
        at += size;
    } while (at < content.size());
    return frame;
}

struct ZipPart
{
    std::string name;
    std::string content;
    bool packed = true;
    bool encrypted = false;
};

/// A zip archive; checksums are left 0.
std::string zipOf(const std::vector<ZipPart>& parts)
{
    std::string body, directory;
    for (const ZipPart& part : parts) {
        std::string data = part.content;
        if (part.packed) {
            // Four bytes of length by Qt and two of zlib in front, four behind.
            const QByteArray packed = qCompress(reinterpret_cast<const uchar*>(data.data()),
                                                static_cast<int>(data.size()));
            data = packed.mid(6, packed.size() - 10).toStdString();
        }
        const std::string flags = little(part.encrypted ? 1 : 0, 2);
        const std::string shared = flags + little(part.packed ? 8 : 0, 2) + little(0, 8) +
                                   little(data.size(), 4) + little(part.content.size(), 4) +
                                   little(part.name.size(), 2) + little(0, 2);
        directory += little(0x02014B50, 4) + little(20, 2) + little(20, 2) + shared +
                     little(0, 10) + little(body.size(), 4) + part.name;
        body += little(0x04034B50, 4) + little(20, 2) + shared + part.name + data;
    }
    return body + directory + little(0x06054B50, 4) + little(0, 4) + little(parts.size(), 2) +
           little(parts.size(), 2) + little(directory.size(), 4) + little(body.size(), 4) +
           little(0, 2);
}

/// Reads that this process has asked the system for; none where the system does not count them.
std::optional<std::int64_t> readsSoFar()
{
    std::ifstream counters("/proc/self/io");
    std::string name;
    for (std::int64_t count = 0; counters >> name >> count;)
        if (name == "syscr:")
            return count;
    return std::nullopt;
}

// Protocol Buffers, as a writer of Perfetto's makes them.

/// The same order as a trace of track events: a process a rank, interned names, and an incremental
/// clock, the times of which count from packet to packet.
std::string perfettoOf(const test::FamilyRun& run, bool incremental)
{
    std::string trace;
    for (const DeviceId device : Ids<DeviceId>(run.schedule.devices())) {
        const auto sequence = static_cast<std::uint64_t>(device + 1);
        const std::uint64_t process = 100 + sequence, thread = 200 + sequence;
        const auto packet = [&](const std::string& content) {
            trace += field(1, content + field(10, sequence));
        };
        packet(field(60,
                     field(1, process) + field(3, field(1, 1000 + sequence) +
                                                      field(6, "rank " + std::to_string(device)))) +
               field(13, 1));
        packet(field(60, field(1, thread) + field(5, process) +
                             field(4, field(1, 1000 + sequence) + field(2, 7) +
                                          field(5, std::string("main")))));
        constexpr std::uint64_t clock = 64;
        std::uint64_t last = static_cast<std::uint64_t>(someDay);
        if (incremental)
            packet(field(6, field(1, field(1, clock) + field(2, last) + field(3, 1))) +
                   field(59, field(58, clock) + field(11, field(11, thread))));
        const auto time = [&](Ticks at) {
            const auto now = static_cast<std::uint64_t>(someDay + at);
            const std::uint64_t said = incremental ? now - last : now;
            last = now;
            return field(8, said);
        };
        const std::string track = incremental ? std::string() : field(11, thread);
        for (const EntryId i : run.schedule.entries(device)) {
            const Pass pass = run.schedule.entry(i).pass;
            const auto at = static_cast<std::size_t>(i);
            const std::string name = "PP:" + std::to_string(pass.stage) +
                                     (pass.kind == PassKind::F   ? "F"
                                      : pass.kind == PassKind::B ? "I"
                                      : pass.kind == PassKind::W ? "W"
                                                                 : "B") +
                                     std::to_string(pass.microBatch);
            const auto id = static_cast<std::uint64_t>(i + 1);
            packet(time(run.result.start[at]) + field(12, field(2, field(1, id) + field(2, name))) +
                   field(11, track + field(9, 1) + field(10, id)));
            packet(time(run.result.end[at]) + field(11, track + field(9, 2)));
        }
    }
    return trace;
}

/// Spans of OpenTelemetry as Megatron makes them: no numbers on the passes.
/// @param kind  of parallelism that the replicas are of
std::string spansOf(const test::FamilyRun& run, DeviceId device, int replicas, bool console,
                    const std::string& kind = "tensor")
{
    const int devices = run.schedule.devices();
    std::string all;
    for (int replica = 0; replica < replicas; ++replica) {
        const std::string rank = std::to_string(device * replicas + replica);
        const auto span = [&](const std::string& name, Ticks start, Ticks end) {
            if (!console)
                return (all.empty() || all.back() == '[' ? "" : ",") + std::string("{\"name\":\"") +
                       name + "\",\"startTimeUnixNano\":\"" + std::to_string(someDay + start) +
                       "\",\"endTimeUnixNano\":\"" + std::to_string(someDay + end) +
                       "\",\"attributes\":[]}";
            const auto date = [](Ticks time) {
                // 2026-09-21T14:13:20Z and whole microseconds of it
                constexpr Ticks second = 1'000'000'000;
                const Ticks since = time + 20 * second;
                const std::string seconds = std::to_string(since / second % 60);
                std::string micro = std::to_string(since % second / 1000);
                micro.insert(0, 6 - micro.size(), '0');
                return "2026-09-21T14:13:" + std::string(2 - seconds.size(), '0') + seconds + "." +
                       micro + "Z";
            };
            return "{\n \"name\": \"" + name +
                   "\",\n \"context\": {\"trace_id\": \"0x1\", \"span_id\": \"0x2\"},\n"
                   " \"start_time\": \"" +
                   date(start) + "\",\n \"end_time\": \"" + date(end) +
                   "\",\n \"attributes\": {},\n \"resource\": {\"attributes\": "
                   "{\"service.instance.id\": \"run-rank" +
                   rank + "\", \"dl.pipeline_parallel.size\": " + std::to_string(devices) +
                   ", \"dl." + kind + "_parallel.size\": " + std::to_string(replicas) +
                   "}}\n}\nnews {\n";
        };
        if (!console)
            all += "{\"resourceSpans\":[{\"resource\":{\"attributes\":[{\"key\":"
                   "\"service.instance.id\",\"value\":{\"stringValue\":\"run-rank" +
                   rank + "\"}},{\"key\":\"dl.pipeline_parallel.size\",\"value\":{\"intValue\":\"" +
                   std::to_string(devices) + "\"}},{\"key\":\"dl." + kind +
                   "_parallel.size\",\"value\":{\"intValue\":" + std::to_string(replicas) +
                   "}}]},\"scopeSpans\":[{\"spans\":[";
        for (const EntryId i : run.schedule.entries(device)) {
            const auto at = static_cast<std::size_t>(i);
            const bool forward = run.schedule.entry(i).pass.kind == PassKind::F;
            all += span(forward ? "megatron.microbatch.forward" : "megatron.microbatch.backward",
                        run.result.start[at], run.result.end[at]);
        }
        all += span("megatron.train_step", 0, run.result.makespan + 1000);
        if (!console)
            all += "]}]}]}\n";
    }
    return console ? all.substr(0, all.size()) : all;
}

} // namespace

class TestTraceSources : public QObject
{
    Q_OBJECT

private:
    std::string path(const char* name) const { return m_folder.filePath(name).toStdString(); }

    QTemporaryDir m_folder;

private slots:
    void spansOfOpenTelemetryAreCounted_data()
    {
        QTest::addColumn<QString>("family");
        QTest::addColumn<bool>("console");
        QTest::addColumn<int>("replicas");
        QTest::newRow("1f1b, OTLP") << QStringLiteral("1f1b") << false << 1;
        QTest::newRow("1f1b, console") << QStringLiteral("1f1b") << true << 1;
        QTest::newRow("interleaved, OTLP") << QStringLiteral("interleaved-1f1b") << false << 2;
        QTest::newRow("interleaved, console") << QStringLiteral("interleaved-1f1b") << true << 2;
    }

    void spansOfOpenTelemetryAreCounted()
    {
        QFETCH(QString, family);
        QFETCH(bool, console);
        QFETCH(int, replicas);
        const test::FamilyRun run = runOf(family.toLatin1().constData(), 4, 8);
        std::string text;
        for (const DeviceId device : Ids<DeviceId>(4))
            text += spansOf(run, device, replicas, console);
        const std::string file = path("spans.jsonl");
        write(file, text);
        QVERIFY(looksLikeTrace(file));
        const Result<Trace> trace = importTrace({file});
        QVERIFY2(trace, trace ? "" : trace.error().message.c_str());
        QCOMPARE(QString::fromStdString(trace->origin), QStringLiteral("Megatron OpenTelemetry"));
        QCOMPARE(trace->ranks.size(), std::size_t{4});
        QVERIFY(trace->warnings.front().find("no time of a GPU") != std::string::npos);
        const RecoveredPipeline pipeline = recover(*trace);
        QVERIFY2(pipeline.schedule, whyNoOrder(pipeline).c_str());
        QVERIFY(pipeline.schedule->orders() == run.schedule.orders());
        QCOMPARE(trustCounts(pipeline)[static_cast<std::size_t>(Trust::Host)], pipeline.passes);
    }

    /// Megatron numbers tensor ranks first, then data, then pipeline.
    void replicasOfOpenTelemetryAreTold()
    {
        const test::FamilyRun run = runOf("interleaved-1f1b", 4, 8);
        std::string text;
        for (const DeviceId device : Ids<DeviceId>(4))
            text += spansOf(run, device, 3, false, "data");
        const Result<Trace> trace = importTraceText(text, "spans.jsonl");
        QVERIFY2(trace, trace ? "" : trace.error().message.c_str());
        QCOMPARE(trace->ranks.size(), std::size_t{12});
        const std::vector<RecoveredPipeline> replicas = recoverReplicas(*trace);
        QCOMPARE(replicas.size(), std::size_t{3});
        for (const RecoveredPipeline& one : replicas) {
            QVERIFY2(one.schedule, whyNoOrder(one).c_str());
            QVERIFY(one.schedule->orders() == run.schedule.orders());
        }
    }

    void cutSpansAreARepair()
    {
        const test::FamilyRun run = runOf("1f1b", 2, 4);
        const std::string whole = spansOf(run, DeviceId(0), 1, true);
        const std::string file = path("cut.json");
        write(file, whole.substr(0, whole.rfind("\"end_time\"")));
        const Result<Trace> trace = importTrace({file});
        QVERIFY2(trace, trace ? "" : trace.error().message.c_str());
        QCOMPARE(trace->repairs.count, std::int64_t{1});
    }

    void recordsOfRocprofAreKernelsAndRanges()
    {
        // clang-format off
        const std::string text = R"json({"rocprofiler-sdk-tool": [{
            "metadata": {"pid": 4242, "node": {"id": 1}},
            "agents": [{"size": 1, "id": {"handle": 77}, "name": "gfx942"}],
            "strings": {"callback_records": [{"kind": "X", "operations": ["no"]}],
                "buffer_records": [{"kind": "NONE", "operations": []},
                    {"kind": "HIP_RUNTIME_API", "operations": ["hipFree", "hipLaunchKernel"]},
                    {"kind": "MEMORY_COPY", "operations": ["MEMORY_COPY_HOST_TO_DEVICE"]}],
                "marker_api": [{"key": 5, "value": "PP:0F0"}]},
            "kernel_symbols": [{"size": 2, "kernel_id": 9, "kernel_name": "_Z4gemm.kd",
                "formatted_kernel_name": "gemm(float*)"}],
            "buffer_records": {
                "kernel_dispatch": [{"size": 3, "kind": 4, "operation": 1, "thread_id": 11,
                    "correlation_id": {"internal": 6, "external": 0}, "start_timestamp": 2000,
                    "end_timestamp": 5000, "dispatch_info": {"agent_id": {"handle": 77},
                    "queue_id": {"handle": 3}, "kernel_id": 9}}],
                "hip_api": [{"size": 3, "kind": 1, "operation": 1, "thread_id": 11,
                    "correlation_id": {"internal": 6}, "start_timestamp": 1100,
                    "end_timestamp": 1200}],
                "memory_copy": [{"kind": 2, "operation": 0, "correlation_id": {"internal": 8},
                    "start_timestamp": 6000, "end_timestamp": 6500,
                    "dst_agent_id": {"handle": 77}}],
                "marker_api": [{"kind": 3, "operation": 0, "thread_id": 11,
                    "correlation_id": {"internal": 5}, "start_timestamp": 1000,
                    "end_timestamp": 1500}]}}]})json";
        // clang-format on
        QVERIFY(looksLikeTraceText(text));
        const Result<Trace> trace = importTraceText(text, "rank0_results.json");
        QVERIFY2(trace, trace ? "" : trace.error().message.c_str());
        QCOMPARE(QString::fromStdString(trace->origin), QStringLiteral("rocprof"));
        std::vector<std::string> names;
        for (const TraceSpan& span : trace->spans)
            names.emplace_back(trace->nameOf(span));
        for (const char* name :
             {"gemm(float*)", "hipLaunchKernel", "PP:0F0", "Memcpy MEMORY_COPY_HOST_TO_DEVICE"})
            QVERIFY2(std::find(names.begin(), names.end(), name) != names.end(), name);
        QCOMPARE(trace->ranks.front().number, 0);
        const RecoveredPipeline pipeline = recover(*trace);
        QCOMPARE(pipeline.passes, std::int64_t{1});
        // The pass takes what its kernel took.
        QCOMPARE(pipeline.iteration()->makespan(), Ticks{3000});
        const Result<Trace> cut = importTraceText(text.substr(0, text.size() / 2), "rank0.json");
        QVERIFY(!cut && cut.error().code == ErrorCode::Syntax);
    }

    void packetsOfPerfettoGiveBackTheirSchedule_data()
    {
        QTest::addColumn<QString>("family");
        QTest::addColumn<bool>("incremental");
        QTest::newRow("1f1b") << QStringLiteral("1f1b") << false;
        QTest::newRow("zb-h1") << QStringLiteral("zb-h1") << false;
        QTest::newRow("1f1b, incremental clock") << QStringLiteral("1f1b") << true;
        QTest::newRow("zb-h1, incremental clock") << QStringLiteral("zb-h1") << true;
    }

    void packetsOfPerfettoGiveBackTheirSchedule()
    {
        QFETCH(QString, family);
        QFETCH(bool, incremental);
        const test::FamilyRun run = runOf(family.toLatin1().constData(), 4, 8);
        const std::string file = path("trace.pftrace");
        write(file, perfettoOf(run, incremental));
        QVERIFY(looksLikeTrace(file));
        const Result<Trace> trace = importTrace({file});
        QVERIFY2(trace, trace ? "" : trace.error().message.c_str());
        QCOMPARE(QString::fromStdString(trace->origin), QStringLiteral("Perfetto"));
        QCOMPARE(trace->repairs.count, std::int64_t{0});
        const RecoveredPipeline pipeline = recover(*trace);
        QVERIFY2(pipeline.schedule, whyNoOrder(pipeline).c_str());
        QVERIFY(pipeline.schedule->orders() == run.schedule.orders());
        QCOMPARE(pipeline.iteration()->makespan(), run.result.makespan);
    }

    void damagedPacketsNeverEndTheProgram()
    {
        const std::string whole = perfettoOf(runOf("1f1b", 2, 4), true);
        constexpr unsigned seed = 20261122;
        std::mt19937 random(seed);
        int read = 0;
        for (int round = 0; round < 1000; ++round) {
            std::string damaged = whole.substr(0, random() % whole.size() + 1);
            for (unsigned i = 0; i < random() % 4; ++i)
                damaged[random() % damaged.size()] = static_cast<char>(random());
            read += importTraceText(damaged, "rank0.pftrace").has_value() ? 1 : 0;
        }
        qInfo("seed %u: %d of 1000 damaged traces were read", seed, read);
        QVERIFY(read > 500);
    }

    void theWalkerStaysInside()
    {
        const std::string text = field(1, 300) + field(2, std::string("ab"));
        ProtobufFields fields(text);
        QVERIFY(fields.next());
        QCOMPARE(fields.number(), std::uint64_t{300});
        QVERIFY(fields.next());
        QVERIFY(fields.bytes() == "ab");
        QVERIFY(!fields.next());
        QVERIFY(fields.sound());
        for (const std::string& bad :
             {std::string("\x12\x7F"), std::string("\x80"), std::string("\x0B\x01"),
              std::string(11, '\xFF'), std::string("\x09\x01\x02"), std::string("\x00\x01", 2)}) {
            ProtobufFields broken(bad);
            while (broken.next()) {
            }
            QVERIFY(!broken.sound());
        }
    }

    void anArchiveStandsForTheTracesInIt_data()
    {
        QTest::addColumn<bool>("packed");
        QTest::newRow("deflate") << true;
        QTest::newRow("as they are") << false;
    }

    void anArchiveStandsForTheTracesInIt()
    {
        QFETCH(bool, packed);
        const test::FamilyRun run = runOf("1f1b", 4, 8);
        std::vector<ZipPart> parts = {{"notes.txt", "no trace", packed, false}};
        for (const test::TraceText& file :
             test::chromeTraces(run.schedule, run.result, test::TraceForm::Kineto))
            parts.push_back({"run/" + file.name, file.text, packed, false});
        const std::string file = path("run.zip");
        write(file, zipOf(parts));
        QVERIFY(looksLikeTrace(file));
        const Result<Trace> trace = importTrace({file});
        QVERIFY2(trace, trace ? "" : trace.error().message.c_str());
        QCOMPARE(trace->ranks.size(), std::size_t{4});
        QCOMPARE(trace->files.size(), std::size_t{4});
        const RecoveredPipeline pipeline = recover(*trace);
        QVERIFY2(pipeline.schedule, whyNoOrder(pipeline).c_str());
        QVERIFY(pipeline.schedule->orders() == run.schedule.orders());
    }

    void anArchiveSaysWhatIsWrongWithIt_data()
    {
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<QString>("expected");
        const std::string good = zipOf({{"a.json", "[]", true, false}});
        const auto row = [](const char* name, const std::string& content, const char* expected) {
            QTest::newRow(name) << QByteArray::fromStdString(content)
                                << QString::fromLatin1(expected);
        };
        row("cut", good.substr(0, good.size() - 30), "without its directory");
        row("encrypted", zipOf({{"a.json", "[]", true, true}}), "is encrypted");
        row("nothing to read", zipOf({{"a.txt", "x", true, false}, {"b.txt", "y", true, false}}),
            "has no .json");
        std::string behind = good;
        behind.replace(behind.size() - 6, 4, little(0x7FFFFFFF, 4));
        row("behind its end", behind, "lies behind its end");
    }

    void anArchiveSaysWhatIsWrongWithIt()
    {
        QFETCH(QByteArray, content);
        QFETCH(QString, expected);
        write(path("bad.zip"), content.toStdString());
        const Result<Trace> trace = importTrace({path("bad.zip")});
        QVERIFY(!trace);
        QVERIFY2(QString::fromStdString(trace.error().message).contains(expected),
                 trace.error().message.c_str());
    }

    void whatZstdPackedIsRead()
    {
        const test::FamilyRun run = runOf("1f1b", 4, 8);
        std::vector<std::string> files;
        std::string one;
        for (const test::TraceText& file :
             test::chromeTraces(run.schedule, run.result, test::TraceForm::Kineto)) {
            files.push_back(path((file.name + ".zst").c_str()));
            one = zstdOf(file.text);
            write(files.back(), one);
        }
        const Result<Trace> trace = importTrace(files);
        if (!trace && trace.error().message.english().find("built without") != std::string::npos)
            QSKIP("built without zstd");
        QVERIFY2(trace, trace ? "" : trace.error().message.c_str());
        QVERIFY(recover(*trace).schedule);
        // Cut in the middle, what came before counts.
        write(path("rank9.json.zst"), one.substr(0, one.size() / 2));
        const Result<Trace> cut = importTrace({path("rank9.json.zst")});
        QVERIFY2(cut, cut ? "" : cut.error().message.c_str());
        QVERIFY(
            std::any_of(cut->warnings.begin(), cut->warnings.end(), [](const std::string& line) {
                return line.find("the packed data ends too early") != std::string::npos;
            }));
    }

    void whatUnpacksToVeryMuchIsRefused()
    {
        const std::string file = path("bomb.zip");
        write(file, zipOf({{"rank0.json", "[" + std::string(8U << 20U, ' ') + "]", true, false}}));
        ImportOptions options;
        options.budget.freeUnpacked = 1 << 20;
        const Result<Trace> trace = importTrace({file}, options);
        QVERIFY(!trace);
        QVERIFY(trace.error().code == ErrorCode::TooLarge);
        QVERIFY2(trace.error().message.english().find("the most that is read") != std::string::npos,
                 trace.error().message.c_str());
    }

    void manySmallFilesAreOpenedOnceEach_data()
    {
        QTest::addColumn<bool>("archive");
        QTest::addColumn<QString>("content");
        for (const bool archive : {true, false})
            for (const char* content : {"", "[]"})
                QTest::addRow("%s of %s", archive ? "an archive" : "a folder",
                              *content == 0 ? "nothing" : "no events")
                    << archive << content;
    }

    /// What a file costs is what it costs the system: telling its kind may look at it many times.
    void manySmallFilesAreOpenedOnceEach()
    {
        QFETCH(bool, archive);
        QFETCH(QString, content);
        constexpr int count = 2000;
        QTemporaryDir folder;
        const std::string place = folder.filePath(archive ? "many.zip" : "many").toStdString();
        std::vector<ZipPart> parts;
        for (int i = 0; i < count; ++i)
            parts.push_back({"rank" + std::to_string(i) + ".json", content.toStdString(), false});
        parts.push_back({"rank2000.json",
                         R"([{"ph": "X", "name": "F0", "ts": 1, "dur": 2, "pid": 1, "tid": 1}])"});
        if (archive) {
            write(place, zipOf(parts));
        } else {
            std::filesystem::create_directory(place);
            for (const ZipPart& part : parts)
                write(place + "/" + part.name, part.content);
        }
        const std::optional<std::int64_t> before = readsSoFar();
        if (!before)
            QSKIP("this system does not count reads");
        const Result<Trace> trace = importTrace({place});
        const std::int64_t reads = *readsSoFar() - *before;
        QVERIFY2(trace, trace ? "" : trace.error().message.c_str());
        QCOMPARE(trace->spans.size(), std::size_t{1});
        QCOMPARE(trace->warnings.size(), std::size_t{count}); // which were left out
        QVERIFY2(reads < 7 * count, qPrintable(QString::number(reads)));
    }

    void chromeEventsOfRocprofAreRead()
    {
        const Result<Trace> trace = importTraceText(
            R"({ "traceEvents":[{}
            ,{"args":{"name":"0 CPU HIP API"},"ph":"M","pid":2,"name":"process_name","sort_index":1}
            ,{"ts":"1200","dur":"35","pid":"2","tid":"17","ph":"X","name":"hipLaunchKernel",
              "args":{"BeginNs":"1200000","EndNs":"1235000"}}
            ,{"ts":1240,"dur":88,"pid":6,"tid":0,"ph":"X","name":"gemm.kd","args":{"dev-id":"0"}}
            ]})",
            "results.json");
        QVERIFY2(trace, trace ? "" : trace.error().message.c_str());
        QCOMPARE(trace->spans.size(), std::size_t{2});
    }
};

PW_TEST(TestTraceSources)
#include "tst_trace_sources.moc"
