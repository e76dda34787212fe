// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors

// How fast traces are read, beside a bare reading of the same bytes in the same run. Run it from
// the release preset on a quiet machine:
//
//     build/release/tests/bench_import [events [MEGABYTES [FOLDER]]]   Kineto's JSON, plain and gz
//
// Beside RapidJSON's bare parse stands that of simdjson over the mapped file, where libsimdjson-dev
// was there when the build was made. It walks every value of every event, as the other does.
//
//     build/release/tests/bench_import nsys [KERNELS [FOLDER]]         an export of Nsight Systems
//     build/release/tests/bench_import store [MEGABYTES [FOLDER]]      `pipewright import --store`
//
// FOLDER is where files are made and removed; the default is the temporary folder, 200 MB and a
// million kernels.

#include "core/reading/import_trace.h"
#include "core/sqlite/sqlite.h"
#include "tests/bench/parse_only.h"
#include "tests/support/family_runs.h"
#include "tests/support/kineto_text.h"
#include "tests/support/places.h"
#include "tests/support/trace_maker.h"

#include <zlib.h>

#ifdef PW_HAVE_SIMDJSON
#include <simdjson.h>
#endif

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fcntl.h>
#include <filesystem>
#include <functional>
#include <string>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

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

double secondsOf(const std::function<void()>& work, int times = repeats)
{
    double best = 1e9;
    for (int i = 0; i < times; ++i) {
        const double start = processorSeconds();
        work();
        best = std::min(best, processorSeconds() - start);
    }
    return best;
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
    const std::size_t size = test::kinetoText(bytes, [&](std::string& piece) {
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

#ifdef PW_HAVE_SIMDJSON
/// Walks over a value and everything in it. @return  strings and numbers that it met
std::int64_t walk(simdjson::ondemand::value value)
{
    std::int64_t met = 0;
    switch (value.type()) {
    case simdjson::ondemand::json_type::object:
        for (auto field : value.get_object()) {
            met += field.unescaped_key().value().empty() ? 0 : 1;
            met += walk(field.value());
        }
        return met;
    case simdjson::ondemand::json_type::array:
        for (auto element : value.get_array())
            met += walk(element.value());
        return met;
    case simdjson::ondemand::json_type::string:
        return value.get_string().value().empty() ? 0 : 1;
    case simdjson::ondemand::json_type::number:
        return value.get_number().value().is_double() ? 1 : 1;
    default:
        return value.raw_json_token().empty() ? 0 : 1;
    }
}

/// The events of a mapped file. @return  what was met in them
std::int64_t parseMapped(const std::string& path)
{
    const auto size = static_cast<std::size_t>(std::filesystem::file_size(path));
    const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    // Behind the file there is room to read on, as the parser asks for.
    const std::size_t room = (size / page + 2) * page;
    void* const all = ::mmap(nullptr, room, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    const int file = ::open(path.c_str(), O_RDONLY);
    if (all == MAP_FAILED || file < 0 ||
        ::mmap(all, size, PROT_READ, MAP_PRIVATE | MAP_FIXED, file, 0) == MAP_FAILED)
        stop("cannot map " + path);
    ::madvise(all, size, MADV_SEQUENTIAL);
    std::int64_t met = 0;
    {
        simdjson::ondemand::parser parser;
        auto document =
            parser.iterate(simdjson::padded_string_view(static_cast<const char*>(all), size, room));
        for (auto event : document["traceEvents"].get_array())
            met += walk(event.value());
    }
    ::munmap(all, room);
    ::close(file);
    return met;
}
#endif

void row(const char* what, double seconds, double rate)
{
    std::printf("%-34s %9.2f %9.0f\n", what, seconds, rate);
    std::fflush(stdout);
}

void events(long megabytes, const std::string& folder)
{
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
    for (const std::string& path : {plain, packed}) {
        const bool gz = path == packed;
        const auto timed = [size](const char* what, const std::function<void()>& work) {
            const double seconds = secondsOf(work);
            row(what, seconds, size / seconds);
            return seconds;
        };
        timed(gz ? "packed: unpacking alone" : "plain: reading alone", [&] {
            auto source = FileSource::open(path);
            static char buffer[1 << 18];
            while ((*source)->read(buffer, sizeof buffer) > 0) {
            }
        });
        const double bare = timed("  bare parse", [&] {
            auto source = FileSource::open(path);
            if (pw::bench::parseOnly(**source) < 0)
                stop("the events are not JSON");
        });
        double faster = bare;
#ifdef PW_HAVE_SIMDJSON
        if (!gz)
            faster = std::min(bare, timed("  bare parse, simdjson, mapped", [&] {
                                  if (parseMapped(path) <= 0)
                                      stop("simdjson finds no events");
                              }));
#endif
        std::size_t spans = 0;
        const double whole = timed("  import", [&] {
            const Result<Trace> trace = importTrace({path});
            if (!trace)
                stop(trace.error().message);
            spans = trace->spans.size();
        });
        std::printf("  %.2f times the bare parse, %.2f times the faster one; %zu spans, %.0f MB of "
                    "them; the program's peak was "
                    "%.0f MB\n",
                    whole / bare, whole / faster, spans,
                    static_cast<double>(spans * sizeof(TraceSpan)) / 1e6, peakMegabytes());
    }
    const double mended = secondsOf([&] {
        const Result<Trace> trace = importTrace({damaged});
        // The damaged event has no length any more.
        if (!trace || trace->repairs.count != 1)
            stop("the damaged file was not mended");
    });
    row("damaged: import, mended", mended, size / mended);
    for (const std::string& path : {plain, packed, damaged})
        std::filesystem::remove(path);
}

/// Kernels with their launches, a range for every two, and a labelled pass for every 400.
void writeNsys(const std::string& path, long kernels)
{
    const Result<std::unique_ptr<Database>> made = Database::open(path, Database::Mode::Create);
    if (!made)
        stop(made.error().message);
    Database& file = **made;
    const auto run = [&](const char* sql) {
        if (const Result<void> done = file.run(sql, "cannot be made"); !done)
            stop(done.error().message);
    };
    run("PRAGMA synchronous=OFF; PRAGMA journal_mode=OFF; BEGIN;"
        "CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL);"
        "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER, deviceId INTEGER, "
        "contextId INTEGER, greenContextId INTEGER, streamId INTEGER, correlationId INTEGER, "
        "globalPid INTEGER, demangledName INTEGER, shortName INTEGER, mangledName INTEGER, "
        "launchType INTEGER, cacheConfig INTEGER, registersPerThread INTEGER, gridX INTEGER, gridY "
        "INTEGER, gridZ INTEGER, blockX INTEGER, blockY INTEGER, blockZ INTEGER, "
        "staticSharedMemory INTEGER, dynamicSharedMemory INTEGER, graphNodeId INTEGER);"
        "CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER, end INTEGER, eventClass INTEGER, "
        "globalTid INTEGER, correlationId INTEGER, nameId INTEGER, returnValue INTEGER, "
        "callchainId INTEGER);"
        "CREATE TABLE NVTX_EVENTS (start INTEGER, end INTEGER, eventType INTEGER, rangeId INTEGER, "
        "category INTEGER, color INTEGER, text TEXT, globalTid INTEGER, endGlobalTid INTEGER, "
        "textId INTEGER, domainId INTEGER)");
    const auto insert = [&](const char* sql, const auto&... values) {
        const Result<Statement*> statement = file.kept(sql);
        if (!statement)
            stop(statement.error().message);
        (*statement)->bindAll(values...);
        if (const Result<void> done = (*statement)->run(); !done)
            stop(done.error().message);
    };
    constexpr int names = 200;
    for (int i = 0; i < names; ++i)
        insert("INSERT INTO StringIds VALUES (?1, ?2)", i, "kernel_" + std::to_string(i));
    constexpr std::int64_t process = (std::int64_t{1} << 48) + (std::int64_t{4037} << 24);
    constexpr std::int64_t apart = 3'000, late = 50'000;
    for (long i = 0; i < kernels; ++i) {
        const std::int64_t time = i * apart;
        insert("INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (?1, ?2, 0, 1, NULL, 7, ?3, ?4, ?5, "
               "?5, ?5, 1, 0, 90, 16, 8, 1, 256, 1, 1, 0, 71680, NULL)",
               time + late, time + late + apart / 2, i + 1, process, i % names);
        insert("INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (?1, ?2, 0, ?3, ?4, 5, 0, NULL)",
               time, time + apart / 4, process + 1, i + 1);
        if (i % 2 == 0)
            insert("INSERT INTO NVTX_EVENTS VALUES (?1, ?2, 59, NULL, NULL, NULL, NULL, ?3, NULL, "
                   "?4, 0)",
                   time - 10, time + 2 * apart - 20, process + 1, i % names);
        if (i % 400 == 0)
            insert("INSERT INTO NVTX_EVENTS VALUES (?1, ?2, 59, NULL, NULL, NULL, ?3, ?4, NULL, "
                   "NULL, 0)",
                   time - 100, time + 400 * apart - 200, "PP:0F" + std::to_string(i / 400 % 64),
                   process + 1);
    }
    run("COMMIT");
}

/// All rows, with the columns that an import takes, one step of a statement after another.
void bareRows(const std::string& path)
{
    const auto file = Database::open(path, Database::Mode::ReadUnchanging);
    std::int64_t sum = 0;
    for (const char* query :
         {"SELECT start, end, deviceId, streamId, correlationId, globalPid, shortName, "
          "demangledName FROM CUPTI_ACTIVITY_KIND_KERNEL",
          "SELECT start, end, globalTid, correlationId, nameId FROM CUPTI_ACTIVITY_KIND_RUNTIME",
          "SELECT start, end, eventType, globalTid, text, textId FROM NVTX_EVENTS"}) {
        auto rows = (*file)->prepare(query);
        if (!rows || !rows->each([&](const Statement& one) { sum += one.whole(0); }))
            stop("the export cannot be read");
    }
    if (sum <= 0)
        stop("the export is empty");
}

void nsys(long kernels, const std::string& folder)
{
    const std::string path =
        folder + "/bench_import_" + std::to_string(::getpid()) + "_rank0.sqlite";
    constexpr int turns = 5;
    writeNsys(path, kernels);
    std::printf("an export of Nsight Systems, %ld kernels with launches, %ld ranges, %.0f MB, best "
                "of %d\n%-34s %9s %9s\n",
                kernels, kernels / 2 + kernels / 400,
                static_cast<double>(std::filesystem::file_size(path)) / 1e6, turns, "", "seconds",
                "kernels/s");
    // In turns, and the best of each: what else the machine does meets both.
    std::size_t spans = 0;
    double rows = 1e9, imported = 1e9;
    for (int i = 0; i < turns; ++i) {
        rows = std::min(rows, secondsOf([&] { bareRows(path); }, 1));
        imported = std::min(imported, secondsOf(
                                          [&] {
                                              const Result<Trace> trace = importTrace({path});
                                              if (!trace)
                                                  stop(trace.error().message);
                                              spans = trace->spans.size();
                                          },
                                          1));
    }
    row("  bare rows", rows, static_cast<double>(kernels) / rows);
    row("  import", imported, static_cast<double>(kernels) / imported);
    std::printf("  %.2f times the bare rows; %zu spans, %.0f MB of them; the program's peak was "
                "%.0f MB\n",
                imported / rows, spans, static_cast<double>(spans * sizeof(TraceSpan)) / 1e6,
                peakMegabytes());
    std::filesystem::remove(path);
}

/// Runs a program to its end. @return its peak of memory in megabytes; its processor's seconds
double runProgram(const std::vector<std::string>& words, double& seconds)
{
    std::vector<char*> arguments;
    for (const std::string& word : words)
        arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    const pid_t child = ::fork();
    if (child == 0) {
        ::dup2(::open("/dev/null", O_WRONLY), STDOUT_FILENO);
        ::execv(arguments[0], arguments.data());
        ::_exit(127);
    }
    int status = 0;
    rusage usage{};
    if (child < 0 || ::wait4(child, &status, 0, &usage) != child || !WIFEXITED(status) ||
        WEXITSTATUS(status) != 0)
        stop(words[0] + " failed");
    const auto of = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
    };
    seconds = of(usage.ru_utime) + of(usage.ru_stime);
    return static_cast<double>(usage.ru_maxrss) * 1024 / 1e6;
}

void store(long megabytes, const std::string& folder)
{
    const std::string own = folder + "/bench_import_" + std::to_string(::getpid());
    std::filesystem::create_directory(own);
    const test::FamilyRun run =
        test::runFamily(test::familyOf("1f1b"), test::sized(4, 64),
                        test::equalStages(4 * ticksPerMs, 5 * ticksPerMs, 3 * ticksPerMs));
    test::TraceSize size;
    size.bytes = megabytes * 1'000'000;
    size.filler = 30;
    const test::MadeTrace made =
        test::makeTrace(own, test::TraceFormat::Kineto, run.schedule, run.result, size);
    const std::string kept = own + "/runs.sqlite";
    std::vector<std::string> words = {PW_PROGRAM, "import"};
    words.insert(words.end(), made.files.begin(), made.files.end());
    words.insert(words.end(), {"--store", kept});
    double seconds = 0;
    const double peak = runProgram(words, seconds);
    const double read = static_cast<double>(made.bytes) / 1e6;
    std::int64_t events = 0;
    {
        const Result<Trace> trace = importTrace(made.files);
        if (!trace)
            stop(trace.error().message);
        events = static_cast<std::int64_t>(trace->spans.size());
    }
    std::printf("%.0f MB of Kineto events in %zu files into a store: %.1f s of the processor, %.0f "
                "MB/s\n  %lld spans, %.0f MB of them; %lld passes in %d iterations, a store of "
                "%.0f MB; the program's peak was %.0f MB\n",
                read, made.files.size(), seconds, read / seconds, static_cast<long long>(events),
                static_cast<double>(events) * sizeof(TraceSpan) / 1e6,
                static_cast<long long>(made.passes), made.iterations,
                static_cast<double>(std::filesystem::file_size(kept)) / 1e6, peak);
    std::filesystem::remove_all(own);
}

} // namespace

int main(int argc, char** argv)
{
    const std::string mode = argc > 1 ? argv[1] : "events";
    const long most = mode == "nsys" ? 100'000'000 : 2'000;
    const long amount = argc > 2 ? std::atol(argv[2]) : mode == "nsys" ? 1'000'000 : 200;
    if ((mode != "events" && mode != "nsys" && mode != "store") || amount < 1 || amount > most)
        stop("usage: bench_import [events [MEGABYTES [FOLDER]] | nsys [KERNELS [FOLDER]] | store "
             "[MEGABYTES [FOLDER]]], up to 2000 MB");
    const std::string folder = argc > 3 ? argv[3] : std::filesystem::temp_directory_path().string();
    if (mode == "events")
        events(amount, folder);
    else if (mode == "nsys")
        nsys(amount, folder);
    else
        store(amount, folder);
    return 0;
}
