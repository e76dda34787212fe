// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors

// How fast traces are read, beside a bare parse of the same bytes in the same run. Run it from the
// release preset on a quiet machine:
//
//     build/release/tests/bench_import [MEGABYTES [FOLDER]]
//
// FOLDER is where files are made and removed; the default is 200 MB in the temporary folder.

#include "core/trace/importers/chrome_events.h"
#include "core/trace/importers/import_trace.h"
#include "core/trace/recover.h"

#include <zlib.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <sys/resource.h>
#include <unistd.h>

namespace {

using namespace pw;

constexpr int repeats = 3;

[[noreturn]] void stop(const std::string& why)
{
    std::fprintf(stderr, "bench_import: %s\n", why.c_str());
    std::exit(1);
}

/// Seconds of this thread's processor, so that others on the machine do not count.
double processorSeconds()
{
    timespec time{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

double secondsOf(const std::function<void()>& work)
{
    double best = 1e9;
    for (int i = 0; i < repeats; ++i) {
        const double start = processorSeconds();
        work();
        best = std::min(best, processorSeconds() - start);
    }
    return best;
}

/// Events as Kineto writes them: operators with shapes, launches, kernels, now and then a pass.
///
/// @param put  gets the text in pieces
/// @return     its bytes
std::size_t kinetoText(std::size_t bytes, const std::function<void(std::string& piece)>& put)
{
    constexpr std::size_t pieceSize = 1U << 20;
    std::size_t written = 0;
    std::string text = "{\"schemaVersion\": 1, \"distributedInfo\": {\"backend\": \"nccl\", "
                       "\"rank\": 0, \"world_size\": 8},\n\"traceEvents\": [\n";
    const auto flush = [&] {
        written += text.size();
        put(text);
        text.clear();
    };
    for (long long i = 0; written + text.size() < bytes; ++i) {
        char event[900];
        const long long time = i * 13;
        int length = 0;
        if (i % 400 == 0) {
            length = std::snprintf(
                event, sizeof event,
                "  {\"ph\": \"X\", \"cat\": \"user_annotation\", \"name\": \"PP:0F%lld\", \"pid\": "
                "4037, \"tid\": 4037,\n    \"ts\": %lld.125, \"dur\": 812.250,\n    \"args\": "
                "{\"External id\": %lld, \"Record function id\": 0, \"Ev Idx\": %lld}},\n",
                i / 400 % 64, time, i, i);
        } else if (i % 3 == 0) {
            length = std::snprintf(
                event, sizeof event,
                "  {\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"aten::addmm\", \"pid\": 4037, "
                "\"tid\": 4037,\n    \"ts\": %lld.125, \"dur\": 68.250,\n    \"args\": {\"External "
                "id\": %lld, \"Record function id\": 0, \"Sequence number\": %lld, \"Fwd thread "
                "id\": 0, \"Input Dims\": [[4096], [2048, 1024], [1024, 4096], [], []], \"Input "
                "type\": [\"float\", \"float\", \"float\", \"Scalar\", \"Scalar\"], \"Ev Idx\": "
                "%lld}},\n",
                time, i, i, i);
        } else if (i % 3 == 1) {
            length = std::snprintf(
                event, sizeof event,
                "  {\"ph\": \"X\", \"cat\": \"cuda_runtime\", \"name\": \"cudaLaunchKernel\", "
                "\"pid\": 4037, \"tid\": 4037,\n    \"ts\": %lld.500, \"dur\": 4.125,\n    "
                "\"args\": {\"External id\": %lld, \"cbid\": 211, \"correlation\": %lld}},\n",
                time, i, i);
        } else {
            length = std::snprintf(
                event, sizeof event,
                "  {\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"void "
                "cutlass::Kernel2<cutlass_80_tensorop_s1688gemm_128x128_16x5_nn_align4>(int)\", "
                "\"pid\": 0, \"tid\": 7,\n    \"ts\": %lld.875, \"dur\": 41.000,\n    \"args\": "
                "{\"External id\": %lld, \"queued\": 0, \"device\": 0, \"context\": 1, \"stream\": "
                "7, \"correlation\": %lld, \"registers per thread\": 90, \"shared memory\": 71680, "
                "\"blocks per SM\": 1.185185, \"warps per SM\": 9.481482, \"grid\": [16, 8, 1], "
                "\"block\": [256, 1, 1], \"est. achieved occupancy %%\": 15}},\n",
                time, i, i);
        }
        text.append(event, static_cast<std::size_t>(length));
        if (text.size() > pieceSize)
            flush();
    }
    text += "  {\"ph\": \"i\", \"name\": \"Record Window End\", \"pid\": \"\", \"tid\": \"\", "
            "\"ts\": 1}\n],\n\"baseTimeNanoseconds\": 1700000000000000000}\n";
    flush();
    return written;
}

double peakMegabytes()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) * 1024 / 1e6;
}

/// Writes the events into a file, the first one damaged if asked. @return megabytes
double write(const std::string& path, const char* mode, std::size_t bytes, bool damaged)
{
    gzFile file = gzopen(path.c_str(), mode);
    if (file == nullptr)
        stop("cannot write " + path);
    bool first = damaged;
    const std::size_t size = kinetoText(bytes, [&](std::string& piece) {
        if (first)
            piece.replace(piece.find("812.250"), 7, "NaN    ");
        first = false;
        if (gzwrite(file, piece.data(), static_cast<unsigned>(piece.size())) <= 0)
            stop("cannot write " + path);
    });
    if (gzclose(file) != Z_OK)
        stop("cannot write " + path);
    return static_cast<double>(size) / 1e6;
}

} // namespace

int main(int argc, char** argv)
{
    const long megabytes = argc > 1 ? std::atol(argv[1]) : 200;
    if (megabytes < 1 || megabytes > 2000)
        stop("usage: bench_import [MEGABYTES [FOLDER]], 1 to 2000");
    const std::string folder = argc > 2 ? argv[2] : std::filesystem::temp_directory_path().string();
    const std::string plain =
        folder + "/bench_import_" + std::to_string(::getpid()) + "_rank0.json";
    const std::string packed = plain + ".gz", damaged = plain + ".damaged.json";
    const std::size_t bytes = static_cast<std::size_t>(megabytes) * 1'000'000;
    const double size = write(plain, "wbT", bytes, false);
    write(packed, "wb6", bytes, false);
    write(damaged, "wbT", bytes, true);
    std::printf("%.0f MB of Kineto events, %.0f MB packed, best of %d\n", size,
                static_cast<double>(std::filesystem::file_size(packed)) / 1e6, repeats);
    std::printf("%-34s %9s %9s\n", "", "seconds", "MB/s");
    const auto row = [size](const char* what, double seconds) {
        std::printf("%-34s %9.2f %9.0f\n", what, seconds, size / seconds);
        std::fflush(stdout);
    };
    for (const std::string& path : {plain, packed}) {
        const bool gz = path == packed;
        row(gz ? "packed: unpacking alone" : "plain: reading alone", secondsOf([&] {
                auto source = FileSource::open(path);
                static char buffer[1 << 18];
                while ((*source)->read(buffer, sizeof buffer) > 0) {
                }
            }));
        row("  bare parse", secondsOf([&] {
                auto source = FileSource::open(path);
                if (parseOnly(**source) < 0)
                    stop("the events are no JSON");
            }));
        std::size_t spans = 0;
        row("  import", secondsOf([&] {
                const Result<Trace> trace = importTrace({path});
                if (!trace)
                    stop(trace.error().message);
                spans = trace->spans.size();
            }));
        std::printf("  %zu spans, %.0f MB of them; the program's peak was %.0f MB\n", spans,
                    static_cast<double>(spans * sizeof(TraceSpan)) / 1e6, peakMegabytes());
    }
    row("damaged: import, mended", secondsOf([&] {
            const Result<Trace> trace = importTrace({damaged});
            // The damaged event has no length any more.
            if (!trace || trace->repairs.count != 1)
                stop("the damaged file was not mended");
        }));
    for (const std::string& path : {plain, packed, damaged})
        std::filesystem::remove(path);
    return 0;
}
