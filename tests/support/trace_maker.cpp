// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/support/trace_maker.h"

#include "core/io/pass_label.h"
#include "core/trace/run_export.h"
#include "tests/support/nsys_files.h"

#include <QtGlobal>
#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <locale.h>
#include <memory>
#include <optional>
#include <random>

namespace pw::test {

namespace {

constexpr Ticks pause = 2 * ticksPerMs; // between two iterations

/// A file that grows; nothing but a buffer is held.
class OutFile
{
public:
    OutFile(const std::string& path, bool packed)
        : m_path(path)
        , m_file(gzopen(path.c_str(), packed ? "wb1" : "wbT"))
    {
        if (m_file == nullptr)
            qFatal("cannot write %s", path.c_str());
        gzbuffer(m_file, 1U << 20);
    }
    OutFile(const OutFile&) = delete;
    OutFile& operator=(const OutFile&) = delete;
    ~OutFile()
    {
        if (gzclose(m_file) != Z_OK)
            qFatal("cannot write %s", m_path.c_str());
    }

    void put(const std::string& text)
    {
        if (!text.empty() && gzwrite(m_file, text.data(), static_cast<unsigned>(text.size())) <= 0)
            qFatal("cannot write %s", m_path.c_str());
        m_bytes += static_cast<std::int64_t>(text.size());
    }
    const std::string& path() const { return m_path; }
    std::int64_t bytes() const { return m_bytes; }

private:
    std::string m_path;
    gzFile m_file = nullptr;
    std::int64_t m_bytes = 0;
};

/// As printf, into a text.
#if defined(__GNUC__)
__attribute__((format(printf, 1, 2)))
#endif
std::string
print(const char* form, ...)
{
    // The programs that are played here write 0.5 wherever they run.
    static const locale_t plain = ::newlocale(LC_ALL_MASK, "C", nullptr);
    const locale_t before = ::uselocale(plain);
    char text[1200];
    va_list arguments;
    va_start(arguments, form);
    const int length = std::vsnprintf(text, sizeof text, form, arguments);
    va_end(arguments);
    ::uselocale(before);
    if (length < 0 || length >= static_cast<int>(sizeof text))
        qFatal("a made-up event is too long");
    return {text, static_cast<std::size_t>(length)};
}

std::string decimal(Ticks time, int digits)
{
    Ticks unit = 1;
    for (int i = 0; i < digits; ++i)
        unit *= 10;
    const Ticks positive = time < 0 ? -time : time;
    return print("%s%lld.%0*lld", time < 0 ? "-" : "", static_cast<long long>(positive / unit),
                 digits, static_cast<long long>(positive % unit));
}

std::string microseconds(Ticks time)
{
    return decimal(time, 3);
}

std::string milliseconds(Ticks time)
{
    return decimal(time, 6);
}

/// A pass as it is recorded.
struct Shown
{
    OrderEntry entry;
    std::int32_t index = 0; // of the entry
    int device = 0;
    int iteration = 0;
    Ticks start = 0;
    Ticks end = 0;

    std::vector<Pass> passes() const
    {
        return entry.paired ? std::vector{entry.pass, entry.partner} : std::vector{entry.pass};
    }
};

/// What is recorded of a schedule, in any order and without keeping it.
class Recorder
{
public:
    Recorder(const Schedule& schedule, const SimResult& result, const TraceFlaws& flaws)
        : m_schedule(schedule)
        , m_result(result)
        , m_flaws(flaws)
    {
        for (const auto& hosted : chunksOfDevices(schedule.spec()))
            m_chunks.push_back(hosted);
    }

    const Schedule& schedule() const { return m_schedule; }
    int devices() const { return m_schedule.devices(); }
    Ticks begin(int iteration) const
    {
        return recordingStart + iteration * (m_result.makespan + pause);
    }

    /// Every pass of a device in an iteration that is not lost.
    template<typename Take>
    void each(int iteration, DeviceId device, const Take& take) const
    {
        for (const EntryId i : m_schedule.entries(device)) {
            std::mt19937_64 random(m_flaws.seed * 1'000'003ULL +
                                   static_cast<std::uint64_t>(iteration) * 7'919 +
                                   static_cast<std::uint64_t>(i) * 104'729);
            std::uniform_real_distribution<double> part(0, 1);
            if (part(random) < m_flaws.lost)
                continue;
            const auto at = static_cast<std::size_t>(i);
            const Ticks time = m_result.end[at] - m_result.start[at];
            const Ticks early = static_cast<Ticks>(
                std::floor(static_cast<double>(time) * m_flaws.jitter * part(random)));
            const SkewedClock clock = m_flaws.clocks.empty()
                                          ? SkewedClock()
                                          : m_flaws.clocks[static_cast<std::size_t>(device)];
            Shown shown;
            shown.entry = m_schedule.entry(i);
            shown.index = i;
            shown.device = device;
            shown.iteration = iteration;
            shown.start = clock.shows(begin(iteration) + m_result.start[at]);
            shown.end = clock.shows(begin(iteration) + m_result.end[at] - early);
            take(shown);
        }
    }

    int chunkOf(const Shown& shown, const Pass& pass) const
    {
        const auto& hosted = m_chunks[static_cast<std::size_t>(shown.device)];
        return static_cast<int>(
            std::find(hosted.begin(), hosted.end(), HostedStage{pass.route, pass.stage}) -
            hosted.begin());
    }
    bool chunked() const
    {
        return std::any_of(m_chunks.begin(), m_chunks.end(),
                           [](const auto& hosted) { return hosted.size() > 1; });
    }

private:
    const Schedule& m_schedule;
    const SimResult& m_result;
    const TraceFlaws& m_flaws;
    std::vector<std::vector<HostedStage>> m_chunks;
};

const char* wordOf(PassKind kind)
{
    return kind == PassKind::F ? "forward" : "backward";
}

/// What PyTorch's profiler records around a pass: one of so many operators, with its launch and its
/// kernel. The kernels fill the pass.
std::string fillerText(const Shown& shown, int number, int count)
{
    const std::string time = microseconds(shown.start + number);
    const Ticks length = shown.end - shown.start;
    const Ticks begin = shown.start + length * number / count;
    const Ticks end = shown.start + length * (number + 1) / count;
    const long long id = shown.index * 100 + number + 1;
    return print("{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"aten::addmm\", \"pid\": 4000, "
                 "\"tid\": 4001, \"ts\": %s, \"dur\": 0.250, \"args\": {\"External id\": %lld, "
                 "\"Sequence number\": %lld, \"Input Dims\": [[4096], [2048, 1024], [1024, 4096], "
                 "[], []], \"Input type\": [\"float\", \"float\", \"float\", \"Scalar\", "
                 "\"Scalar\"]}},\n",
                 time.c_str(), id, id) +
           print("{\"ph\": \"X\", \"cat\": \"cuda_runtime\", \"name\": \"cudaLaunchKernel\", "
                 "\"pid\": 4000, \"tid\": 4001, \"ts\": %s, \"dur\": 0.125, \"args\": {\"External "
                 "id\": %lld, \"cbid\": 211, \"correlation\": %lld}},\n",
                 time.c_str(), id, id) +
           print("{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"void "
                 "cutlass::Kernel2<cutlass_80_tensorop_s1688gemm_128x128_16x5_nn_align4>(int)\", "
                 "\"pid\": %d, \"tid\": 7, \"ts\": %s, \"dur\": %s, \"args\": {\"External id\": "
                 "%lld, \"device\": %d, \"context\": 1, \"stream\": 7, \"correlation\": %lld, "
                 "\"blocks per SM\": 1.185185, \"grid\": [16, 8, 1], \"block\": [256, 1, 1]}},\n",
                 shown.device, microseconds(begin).c_str(), microseconds(end - begin).c_str(), id,
                 shown.device, id);
}

std::string kinetoText(const Shown& shown, bool segments)
{
    std::string text = "{\"ph\": \"X\", \"cat\": \"user_annotation\", \"name\": \"" +
                       entryLabel(shown.entry) +
                       "\", \"pid\": 4000, \"tid\": 4001, \"ts\": " + microseconds(shown.start) +
                       ", \"dur\": " + microseconds(shown.end - shown.start) +
                       ", \"args\": {\"External id\": " + std::to_string(shown.index) +
                       ", \"iteration\": " + std::to_string(shown.iteration);
    if (segments)
        text += ", \"segment\": " + std::to_string(shown.entry.pass.segment);
    if (segments && shown.entry.paired)
        text += ", \"second_segment\": " + std::to_string(shown.entry.partner.segment);
    return text + "}},\n";
}

/// Goes over iterations until there are enough of them and of bytes.
template<typename Write>
int iterate(const TraceSize& size, const Write& write)
{
    int iteration = 0;
    for (std::int64_t bytes = 0; iteration < size.iterations || bytes < size.bytes; ++iteration)
        bytes = write(iteration);
    return iteration;
}

class Maker
{
public:
    Maker(const std::string& folder, const Recorder& recorder, const TraceSize& size,
          const TraceFlaws& flaws)
        : m_folder(folder)
        , m_recorder(recorder)
        , m_size(size)
        , m_flaws(flaws)
    {
    }

    MadeTrace kineto();
    MadeTrace megatronTracer();
    MadeTrace megatronTimers();
    MadeTrace megatronLog();
    MadeTrace paddleProfile(bool lines);
    MadeTrace paddleJobs();
    MadeTrace paddleLog();
    MadeTrace own(TraceFormat format);

private:
    OutFile& open(const std::string& name)
    {
        m_files.push_back(std::make_unique<OutFile>(
            m_folder + "/" + name + (m_size.packed ? ".gz" : ""), m_size.packed));
        m_made.files.push_back(m_files.back()->path());
        return *m_files.back();
    }
    std::int64_t written() const
    {
        std::int64_t bytes = 0;
        for (const auto& file : m_files)
            bytes += file->bytes();
        return bytes;
    }
    MadeTrace done(int iterations)
    {
        m_made.iterations = iterations;
        m_made.bytes = written();
        m_files.clear();
        const std::int64_t all =
            static_cast<std::int64_t>(m_recorder.schedule().passCount()) * iterations;
        m_made.lost = all - m_made.passes;
        return m_made;
    }
    /// Passes of a device in an iteration; counted.
    template<typename Take>
    void each(int iteration, DeviceId device, const Take& take)
    {
        m_recorder.each(iteration, device, [&](const Shown& shown) {
            m_made.passes += static_cast<std::int64_t>(shown.passes().size());
            take(shown);
        });
    }

    std::string m_folder;
    const Recorder& m_recorder;
    TraceSize m_size;
    const TraceFlaws& m_flaws;
    std::vector<std::unique_ptr<OutFile>> m_files;
    MadeTrace m_made;
};

MadeTrace Maker::kineto()
{
    const int devices = m_recorder.devices();
    for (int device = 0; device < devices; ++device)
        open("rank" + std::to_string(device) + "_trace.json")
            .put(print("{\"schemaVersion\": 1, \"distributedInfo\": {\"backend\": \"nccl\", "
                       "\"rank\": %d, \"world_size\": %d},\n\"traceEvents\": [\n",
                       device, devices));
    const bool segments = m_recorder.schedule().spec().segments() > 1;
    const int iterations = iterate(m_size, [&](int iteration) {
        for (const DeviceId device : Ids<DeviceId>(devices)) {
            int overlaps = m_flaws.overlaps;
            each(iteration, device, [&](const Shown& shown) {
                OutFile& file = *m_files[static_cast<std::size_t>(device)];
                file.put(kinetoText(shown, segments));
                for (int i = 0; i < m_size.filler; ++i)
                    file.put(fillerText(shown, i, m_size.filler));
                if (overlaps-- > 0)
                    file.put("{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"crossing\", "
                             "\"pid\": 4000, \"tid\": 4001, \"ts\": " +
                             microseconds((shown.start + shown.end) / 2) +
                             ", \"dur\": " + microseconds(shown.end - shown.start) + "},\n");
            });
        }
        return written();
    });
    for (const auto& file : m_files)
        file->put("{\"ph\": \"i\", \"s\": \"g\", \"name\": \"Record Window End\", \"pid\": \"\", "
                  "\"tid\": \"\", \"ts\": 1}\n],\n\"baseTimeNanoseconds\": " +
                  std::to_string(recordingEpoch) + "}\n");
    return done(iterations);
}

MadeTrace Maker::megatronTracer()
{
    OutFile& file = open("aggregated.json");
    file.put("[\n{\"name\": \"iteration begin\", \"ph\": \"i\", \"ts\": 0, \"pid\": 0, \"tid\": 0, "
             "\"args\": {\"iteration\": 10}}");
    const int iterations = iterate(m_size, [&](int iteration) {
        for (const DeviceId device : Ids<DeviceId>(m_recorder.devices()))
            each(iteration, device, [&](const Shown& shown) {
                const Pass pass = shown.entry.pass;
                const std::string head = print(",\n{\"name\": \"%s\", \"pid\": %d, \"tid\": 0",
                                               wordOf(pass.kind), device.value);
                file.put(head + ", \"ph\": \"B\", \"ts\": " + microseconds(shown.start) +
                         print(", \"args\": {\"iteration\": %d}}", 10 + iteration));
                file.put(head + ", \"ph\": \"E\", \"ts\": " + microseconds(shown.end) +
                         print(", \"args\": {\"iteration\": %d, \"microbatch\": %d, "
                               "\"model_chunk\": %d, \"pp_rank\": %d}}",
                               10 + iteration, pass.microBatch, m_recorder.chunkOf(shown, pass),
                               device.value));
            });
        return written();
    });
    file.put("\n]\n");
    return done(iterations);
}

MadeTrace Maker::megatronTimers()
{
    const int devices = m_recorder.devices();
    const int chunks = m_recorder.chunked() ? 2 : 1;
    for (const DeviceId device : Ids<DeviceId>(devices)) {
        OutFile& file = open(print("event_times_PP%d_VPP%d_TPxCPxDP_rank_0_pp_rank_%d_rank_%d.json",
                                   devices, chunks, device.value, device.value));
        bool first = true;
        each(0, device, [&](const Shown& shown) {
            const Pass pass = shown.entry.pass;
            const std::string chunk =
                chunks > 1 ? std::to_string(m_recorder.chunkOf(shown, pass)) + "-" : "";
            const std::string key = std::string(first ? "{" : ", ") + "\"" + wordOf(pass.kind) +
                                    "-" + chunk + std::to_string(pass.microBatch);
            file.put(key + "-start\": " + milliseconds(shown.start) + ", " +
                     key.substr(key.find('"')) + "-end\": " + milliseconds(shown.end));
            first = false;
        });
        file.put(first ? "{}\n" : "}\n");
    }
    return done(1);
}

MadeTrace Maker::megatronLog()
{
    OutFile& file = open("train.log");
    file.put("using world size: 4, data-parallel size: 1\n[before the start of training step]\n");
    const int devices = m_recorder.devices();
    const int iterations = iterate(m_size, [&](int iteration) {
        file.put(print(
            " [2026-01-01 00:00:%02d] iteration %8d/     100 | consumed samples: %12d | "
            "elapsed time per iteration (ms): %.1f | learning rate: 1.0E-04 |\n",
            iteration % 60, iteration + 1, iteration,
            static_cast<double>(m_recorder.begin(DeviceId(1)) - m_recorder.begin(DeviceId(0))) /
                1e6));
        file.put("times across ranks (ms):\n");
        for (const bool backward : {false, true}) {
            file.put(print("  %s-compute:\n", backward ? "backward" : "forward"));
            for (const DeviceId device : Ids<DeviceId>(devices)) {
                Ticks sum = 0;
                each(iteration, device, [&](const Shown& shown) {
                    sum += (shown.entry.pass.kind != PassKind::F) == backward
                               ? shown.end - shown.start
                               : 0;
                });
                file.put(
                    print("     rank %2d: %.2f\n", device.value, static_cast<double>(sum) / 1e6));
            }
        }
        return written();
    });
    m_made.passes = 0;
    return done(iterations);
}

MadeTrace Maker::paddleProfile(bool lines)
{
    const bool chunked = m_recorder.chunked();
    const int devices = m_recorder.devices();
    for (int file = 0; file < (lines ? devices : 1); ++file)
        open(lines ? "profile_record_tmp_file_for_rank_" + std::to_string(file)
                   : std::string("pipeline_profile.json"));
    if (!lines)
        m_files[0]->put("[ ");
    bool first = true;
    const int iterations = iterate(m_size, [&](int iteration) {
        for (const DeviceId device : Ids<DeviceId>(devices))
            each(iteration, device, [&](const Shown& shown) {
                const Pass pass = shown.entry.pass;
                OutFile& file = *m_files[lines ? static_cast<std::size_t>(device) : 0];
                const std::string chunk =
                    chunked ? "_VP" + std::to_string(m_recorder.chunkOf(shown, pass)) : "";
                for (const bool end : {false, true}) {
                    const Ticks time = recordingEpoch + (end ? shown.end : shown.start);
                    if (!lines && !first)
                        file.put(",\n");
                    first = false;
                    file.put(print("{\"name\": \"%c%d%s\", \"cat\": \"%spipeline timeline\", "
                                   "\"ph\": \"%c\", \"pid\": 0, \"tid\": %d, \"ts\": %lld, "
                                   "\"cname\": \"rail_idle\"}%s",
                                   pass.kind == PassKind::F ? 'F' : 'B', pass.microBatch,
                                   chunk.c_str(), chunked ? "virtual " : "", end ? 'E' : 'B',
                                   device.value + 1, static_cast<long long>(time / ticksPerMs),
                                   lines ? "\n" : ""));
                }
            });
        return written();
    });
    if (!lines)
        m_files[0]->put(" ]\n");
    return done(iterations);
}

std::string jobType(const Recorder& recorder, const Shown& shown, const Pass& pass)
{
    const std::string chunk =
        recorder.chunked() ? std::to_string(recorder.chunkOf(shown, pass)) : "";
    switch (pass.kind) {
    case PassKind::B:
        return "backward_b" + chunk;
    case PassKind::W:
        return "backward_w" + chunk;
    case PassKind::U:
        return "optimizer";
    default:
        return wordOf(pass.kind) + chunk;
    }
}

MadeTrace Maker::paddleJobs()
{
    OutFile& file = open("pipeline_profile.json");
    file.put("{\"traceEvents\": [");
    bool first = true;
    const int iterations = iterate(m_size, [&](int iteration) {
        for (const DeviceId device : Ids<DeviceId>(m_recorder.devices()))
            each(iteration, device, [&](const Shown& shown) {
                for (const Pass& pass : shown.passes())
                    for (const bool end : {false, true}) {
                        const std::string type = jobType(m_recorder, shown, pass);
                        file.put(print(
                            "%s{\"name\": \"%s_%d\", \"cat\": \"%s\", \"ph\": \"%c\", "
                            "\"ts\": %s, \"pid\": 0, \"tid\": \"GPU%d\"}",
                            first ? "" : ", ", type.c_str(), pass.microBatch, type.c_str(),
                            end ? 'E' : 'B',
                            microseconds(recordingEpoch + (end ? shown.end : shown.start)).c_str(),
                            device.value));
                        first = false;
                    }
            });
        return written();
    });
    for (int iteration = 0; iteration < iterations; ++iteration)
        for (const bool end : {false, true})
            file.put(
                print(", {\"name\": \"step%d\", \"cat\": \"step\", \"ph\": \"%c\", \"ts\": "
                      "%s, \"pid\": 0, \"tid\": \"Step\"}",
                      iteration, end ? 'E' : 'B',
                      microseconds(recordingEpoch + m_recorder.begin(iteration) + (end ? pause : 0))
                          .c_str()));
    file.put("]}");
    return done(iterations);
}

MadeTrace Maker::paddleLog()
{
    for (const DeviceId device : Ids<DeviceId>(m_recorder.devices()))
        open("workerlog." + std::to_string(device))
            .put(
                "LAUNCH INFO 2026-01-01 00:00:00 start\nI0101 00:00:00 1 a.cc:1] Schedule Profiler "
                "start at step 0 and end at step 5\n");
    const int iterations = iterate(m_size, [&](int iteration) {
        for (const DeviceId device : Ids<DeviceId>(m_recorder.devices()))
            each(iteration, device, [&](const Shown& shown) {
                for (const Pass& pass : shown.passes())
                    m_files[static_cast<std::size_t>(device)]->put(
                        print("I0101 00:00:00.000000 123 standalone_executor.cc:100] Profiler "
                              "Info: Job (%d), type = %s, micro_batch_id = %d, job_start_time = "
                              "%s, job_end_time = %s\n",
                              pass.microBatch, jobType(m_recorder, shown, pass).c_str(),
                              pass.microBatch, milliseconds(recordingEpoch + shown.start).c_str(),
                              milliseconds(recordingEpoch + shown.end).c_str()));
            });
        return written();
    });
    return done(iterations);
}

MadeTrace Maker::own(TraceFormat format)
{
    const bool wire = format == TraceFormat::OwnWire;
    OutFile& file = open(wire                              ? "run.jsonl"
                         : format == TraceFormat::OwnTable ? "run.csv"
                                                           : "run.trace.json");
    if (wire)
        file.put("{\"t\":\"hello\",\"protocol\":1,\"program\":\"0.1.0\",\"backend\":\"cpu\","
                 "\"devices\":[]}\n{\"t\":\"log\",\"time\":0,\"rank\":-1,\"level\":\"info\","
                 "\"text\":\"made up\"}\n");
    std::vector<RecordedPass> records;
    const int iterations = iterate(m_size, [&](int iteration) {
        for (const DeviceId device : Ids<DeviceId>(m_recorder.devices()))
            each(iteration, device, [&](const Shown& shown) {
                for (const Pass& pass : shown.passes()) {
                    if (!wire) {
                        records.push_back({iteration, rankOf(device), EntryId(shown.index), pass,
                                           shown.start, shown.end});
                        continue;
                    }
                    std::string text =
                        "{\"t\":\"pass\",\"label\":\"" + entryLabel(shown.entry) +
                        print("\",\"it\":%d,\"step\":0,\"rank\":%d,\"entry\":%d,\"kind\":\"%s\","
                              "\"stage\":%d,\"mb\":%d",
                              iteration, device.value, shown.index,
                              std::string(pw::name(pass.kind)).c_str(), pass.stage.value,
                              pass.microBatch);
                    text += pass.segment > 0 ? print(",\"seg\":%d", pass.segment) : "";
                    text += pass.route > 0 ? print(",\"route\":%d", pass.route) : "";
                    file.put(text + print(",\"start\":%lld,\"end\":%lld}\n",
                                          static_cast<long long>(shown.start),
                                          static_cast<long long>(shown.end)));
                }
            });
        return written();
    });
    if (wire)
        file.put("{\"t\":\"finished\",\"status\":\"finished\",\"iterations\":1}\n");
    else
        file.put(format == TraceFormat::OwnTable ? writeRunCsv(records)
                                                 : writeRunChromeJson(records, {}, {}));
    return done(iterations);
}

/// Cuts and damages a finished file.
void harm(const std::string& path, const TraceFlaws& flaws, std::size_t number)
{
    const auto bytes = static_cast<std::int64_t>(std::filesystem::file_size(path));
    const auto kept = static_cast<std::int64_t>(static_cast<double>(bytes) * flaws.kept);
    std::filesystem::resize_file(path, static_cast<std::uintmax_t>(kept));
    std::mt19937_64 random(flaws.seed + number);
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    for (int i = 0; i < flaws.damaged && kept > 0; ++i) {
        file.seekp(static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(kept)));
        file.put(static_cast<char>(random() % 256));
    }
    if (!file)
        qFatal("cannot damage %s", path.c_str());
}

MadeTrace madeNsys(const std::string& folder, const Schedule& schedule, const SimResult& result,
                   const TraceSize& size)
{
    MadeTrace made;
    made.files = {folder + "/report.sqlite"};
    made.iterations = size.iterations;
    made.passes = static_cast<std::int64_t>(schedule.passCount()) * size.iterations;
    {
        NsysFile file(made.files[0]);
        NsysRun run;
        run.iterations = size.iterations;
        recordNsys(file, schedule, result, run);
    }
    made.bytes = static_cast<std::int64_t>(std::filesystem::file_size(made.files[0]));
    return made;
}

} // namespace

const char* name(TraceFormat format)
{
    switch (format) {
    case TraceFormat::Kineto:
        return "Kineto";
    case TraceFormat::MegatronTracer:
        return "Megatron tracer";
    case TraceFormat::MegatronTimers:
        return "Megatron timers";
    case TraceFormat::MegatronLog:
        return "Megatron log";
    case TraceFormat::PaddleProfile:
        return "Paddle profile";
    case TraceFormat::PaddleRecords:
        return "Paddle records";
    case TraceFormat::PaddleJobs:
        return "Paddle jobs";
    case TraceFormat::PaddleLog:
        return "Paddle log";
    case TraceFormat::OwnTrace:
        return "own trace";
    case TraceFormat::OwnTable:
        return "own table";
    case TraceFormat::OwnWire:
        return "own wire";
    case TraceFormat::Nsys:
        return "Nsight Systems";
    }
    return "";
}

MadeTrace makeTrace(const std::string& folder, TraceFormat format, const Schedule& schedule,
                    const SimResult& result, const TraceSize& size, const TraceFlaws& flaws)
{
    const Recorder recorder(schedule, result, flaws);
    Maker maker(folder, recorder, size, flaws);
    MadeTrace made;
    switch (format) {
    case TraceFormat::Kineto:
        made = maker.kineto();
        break;
    case TraceFormat::MegatronTracer:
        made = maker.megatronTracer();
        break;
    case TraceFormat::MegatronTimers:
        made = maker.megatronTimers();
        break;
    case TraceFormat::MegatronLog:
        made = maker.megatronLog();
        break;
    case TraceFormat::PaddleProfile:
    case TraceFormat::PaddleRecords:
        made = maker.paddleProfile(format == TraceFormat::PaddleRecords);
        break;
    case TraceFormat::PaddleJobs:
        made = maker.paddleJobs();
        break;
    case TraceFormat::PaddleLog:
        made = maker.paddleLog();
        break;
    case TraceFormat::OwnTrace:
    case TraceFormat::OwnTable:
    case TraceFormat::OwnWire:
        made = maker.own(format);
        break;
    case TraceFormat::Nsys:
        made = madeNsys(folder, schedule, result, size);
        break;
    }
    for (std::size_t i = 0; i < made.files.size() && (flaws.kept < 1 || flaws.damaged > 0); ++i)
        harm(made.files[i], flaws, i);
    return made;
}

} // namespace pw::test
