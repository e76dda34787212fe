// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors

// What a job of many ranks takes: reading its files, finding and judging its pipelines, keeping it,
// beside a bare parse of the same bytes in the same run. Run it from the release preset on a quiet
// machine:
//
//     build/release/tests/bench_job [files [RANKS [FOLDER]]]
//     build/release/tests/bench_job digests [RANKS [STEPS [FOLDER [STORE]]]]
//     build/release/tests/bench_job clocks
//
// Without RANKS the files are those of 8, 64 and 512 ranks; digests are of 512 ranks and 2,000
// steps. FOLDER is where files are made and removed; the default is the temporary folder. The store
// of digests is put to STORE, for `bench_ui job STORE`.

#include "core/analysis/device_activity.h"
#include "core/analysis/exposure.h"
#include "core/job/job_analysis.h"
#include "core/job/run_job.h"
#include "core/reading/digest/digest.h"
#include "core/reading/import_trace.h"
#include "core/store/keep_trace.h"
#include "core/store/kept_job.h"
#include "core/store/stored_job.h"
#include "tests/bench/parse_only.h"
#include "tests/support/kineto_job.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <functional>
#include <random>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

using namespace pw;

constexpr int stages = 8, fewestRanks = stages;

[[noreturn]] void stop(const std::string& why)
{
    std::fprintf(stderr, "bench_job: %s\n", why.c_str());
    std::exit(1);
}

template<typename T>
T orStop(Result<T> result)
{
    if (!result)
        stop(result.error().message);
    return std::move(*result);
}

/// By the wall clock, and of the processor: of all threads, and not of others on the machine.
struct Took
{
    double wall = 0;
    double busy = 0;
    double own = 0; ///< of it by the thread that calls
};

double processorSeconds(clockid_t clock)
{
    timespec time{};
    ::clock_gettime(clock, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

Took tookOf(const std::function<void()>& work)
{
    const auto start = std::chrono::steady_clock::now();
    const double busy = processorSeconds(CLOCK_PROCESS_CPUTIME_ID);
    const double own = processorSeconds(CLOCK_THREAD_CPUTIME_ID);
    work();
    return {std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(),
            processorSeconds(CLOCK_PROCESS_CPUTIME_ID) - busy,
            processorSeconds(CLOCK_THREAD_CPUTIME_ID) - own};
}

double peakMegabytes()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) * 1024 / 1e6;
}

/// A process of its own, so that its peak of memory is its own.
void apart(const std::function<void()>& work)
{
    std::fflush(stdout);
    const pid_t child = ::fork();
    if (child == 0) {
        work();
        std::fflush(stdout);
        ::_exit(0);
    }
    int status = 0;
    if (child < 0 || ::waitpid(child, &status, 0) != child || status != 0)
        stop("a part of it failed");
}

void row(const char* what, const Took& took, const Took& bare)
{
    std::printf("  %-38s %8.2f s %6.2f  %8.2f s %6.2f\n", what, took.busy, took.busy / bare.busy,
                took.wall, took.wall / bare.wall);
    std::fflush(stdout);
}

Took parsedOnce(const std::vector<std::string>& paths)
{
    return tookOf([&paths] {
        for (const std::string& path : paths)
            if (pw::bench::parseOnly(**FileSource::open(path)) < 0)
                stop(path + " is no JSON");
    });
}

Took bareParse(const std::vector<std::string>& paths)
{
    constexpr int repeats = 3;
    Took best{1e9, 1e9, 1e9};
    for (int i = 0; i < repeats; ++i) {
        const Took took = parsedOnce(paths);
        best = {std::min(best.wall, took.wall), std::min(best.busy, took.busy),
                std::min(best.own, took.own)};
    }
    return best;
}

/// Reading and a bare parse in turns, so that what else the machine does meets both: what reading
/// takes, as times what the parse beside it takes.
void readInTurns(const char* what, const std::vector<std::string>& paths, int threads)
{
    constexpr std::size_t turns = 7;
    ImportOptions options;
    options.threads = threads;
    std::vector<double> busy, wall;
    for (std::size_t i = 0; i < turns; ++i) {
        const Took bare = parsedOnce(paths);
        const Took read = tookOf([&] { orStop(importTrace(paths, options)); });
        busy.push_back(read.busy / bare.busy);
        wall.push_back(read.wall / bare.wall);
    }
    const auto median = [](std::vector<double>& of) {
        std::sort(of.begin(), of.end());
        return of[turns / 2];
    };
    std::printf("  %-38s %10s %6.2f  %10s %6.2f\n", what, "", median(busy), "", median(wall));
    std::fflush(stdout);
}

/// Everything that `import --store` does with a trace that was read.
void analyseAndKeep(Trace& trace, const std::string& store, const Took& bare)
{
    std::vector<AlignedPipeline> replicas;
    row("pipelines and their clocks", tookOf([&] { replicas = recoverAllAligned(trace); }), bare);
    std::optional<JobAnalysis> job;
    row("the job: efficiency, causes, repairs", tookOf([&] { job = analyseJob(trace, replicas); }),
        bare);
    if (!job)
        stop("no job was found");
    row("idle time and collectives of devices", tookOf([&] { deviceFigures(trace, false); }), bare);
    TraceMessages messages;
    row("messages", tookOf([&] { messages = pairMessages(trace); }), bare);
    const RecoveredPipeline& pipeline = replicas.front().pipeline;
    const Took keeping = tookOf([&] {
        const TraceActivity source(trace);
        orStop(keepWholeTrace(
            {trace, source, messages.pairs, pipeline.rankOfDevice, keepingJob(&*job, trace)},
            pipeline,
            traceFigures(pipeline, replicas.front().clocks, transfersOf(trace, pipeline, messages)),
            store, {}));
    });
    row("keeping", keeping, bare);
    std::printf("  %zu replicas, %zu causes, %s; the store has %.0f MB; peak %.0f MB\n",
                replicas.size(), job->causes.size(),
                job->causes.empty() ? "none" : job->causes.front().sentence.english().c_str(),
                static_cast<double>(std::filesystem::file_size(store)) / 1e6, peakMegabytes());
}

void files(int ranks, const std::string& folder)
{
    const std::string own = folder + "/bench_job_" + std::to_string(::getpid());
    std::filesystem::create_directory(own);
    test::MadeJob job;
    job.stages = stages;
    job.replicas = ranks / stages;
    job.microBatches = 16;
    job.steps = 5;
    job.slowReplica = job.replicas / 2;
    job.slowStage = 3;
    const test::KinetoJobFiles made = test::writeKinetoJob(own, job, 6);
    std::printf("%d ranks: %lld events, %.0f MB in %zu files\n", ranks,
                static_cast<long long>(made.events), static_cast<double>(made.bytes) / 1e6,
                made.paths.size());
    std::printf("  %-38s %10s %6s  %10s %6s\n", "", "processor", "ratio", "wall", "ratio");
    const Took bare = bareParse(made.paths);
    row("bare parse, one core", bare, bare);
    apart([&] {
        ImportOptions one;
        one.threads = 1;
        row("reading, one core", tookOf([&] { orStop(importTrace(made.paths, one)); }), bare);
        std::printf("  peak %.0f MB\n", peakMegabytes());
    });
    apart([&] {
        readInTurns("in turns with it, one core", made.paths, 1);
        readInTurns("the same, all cores", made.paths, 0);
    });
    apart([&] {
        Trace trace;
        const Took reading = tookOf([&] { trace = orStop(importTrace(made.paths)); });
        row("reading", reading, bare);
        std::printf("  of it %.2f s by the thread that takes over\n", reading.own);
        std::printf("  %zu spans, %.0f MB of them; peak %.0f MB\n", trace.spans.size(),
                    static_cast<double>(trace.spans.size() * sizeof(TraceSpan)) / 1e6,
                    peakMegabytes());
        analyseAndKeep(trace, own + "/job.sqlite", bare);
    });
    std::filesystem::remove_all(own);
}

/// The digest of a rank, as `reduce` would make it of a file of thousands of steps.
FilePart digestOf(const test::MadeJob& job, int stage, int replica,
                  std::span<const test::MadePass> passes)
{
    constexpr double ns = 1000; // in a microsecond
    FilePart part;
    const int rank = stage * job.replicas + replica;
    part.said.rankNumber = rank;
    part.said.rankFrom = "metadata";
    EventProcess process;
    process.id = std::to_string(10'000 + rank);
    part.said.processes.push_back(process);
    Trace& trace = part.trace;
    trace.files = {"rank" + std::to_string(rank) + ".json"};
    TraceTrack track;
    track.rank = rankAsYet(ProcessId(0));
    track.process = process.id;
    track.thread = "1";
    trace.tracks.push_back(track);
    for (const char kind : {'F', 'B'})
        for (int mb = 0; mb < job.microBatches; ++mb)
            trace.names.push_back("PP:" + std::to_string(stage) + kind + std::to_string(mb));
    for (const char kind : {'F', 'B'})
        for (int mb = 0; mb < job.microBatches; ++mb) {
            SpanLabel label;
            label.role = SpanRole::Pass;
            label.kind = kind == 'F' ? PassKind::F : PassKind::BW;
            label.openBackward = kind == 'B';
            label.stage = StageId(stage);
            label.microBatch = mb;
            trace.labels.push_back(label);
        }
    for (const test::MadePass& pass : passes) {
        TraceSpan span;
        span.start = static_cast<Ticks>(pass.start * ns);
        span.end = static_cast<Ticks>(pass.end * ns);
        span.rank = track.rank;
        span.name = span.label = (pass.forward ? 0 : job.microBatches) + pass.microBatch;
        span.activity = ActivityKind::Annotation;
        trace.spans.push_back(span);
    }
    trace.events = static_cast<std::int64_t>(trace.spans.size());
    return part;
}

/// Of the content of a digest.
std::size_t unpackedBytes(const std::string& path)
{
    const auto source = orStop(FileSource::open(path));
    std::vector<char> buffer(1 << 16);
    std::size_t all = 0;
    while (const std::size_t some = source->read(buffer.data(), buffer.size()))
        all += some;
    return all;
}

std::vector<std::string> writeDigests(const std::string& folder, const test::MadeJob& job)
{
    const std::vector<test::MadePass> passes = test::passesOf(job);
    const std::size_t each = passes.size() / static_cast<std::size_t>(job.replicas * job.stages);
    std::vector<std::string> paths;
    for (int stage = 0; stage < job.stages; ++stage)
        for (int replica = 0; replica < job.replicas; ++replica) {
            const auto worker = static_cast<std::size_t>(replica * job.stages + stage);
            const FilePart part =
                digestOf(job, stage, replica, std::span(passes).subspan(worker * each, each));
            const std::string path =
                folder + "/" + part.trace.files.front() + std::string(digestEnding);
            DigestSource source;
            source.file = part.trace.files.front();
            const std::string packed = orStop(packedDigest(part, source));
            std::FILE* file = std::fopen(path.c_str(), "wb");
            if (file == nullptr || std::fwrite(packed.data(), 1, packed.size(), file) == 0)
                stop(path + " cannot be written");
            std::fclose(file);
            paths.push_back(path);
        }
    return paths;
}

/// @param keptAt  where the store is put; empty: nowhere
void digests(int ranks, int steps, const std::string& folder, const std::string& keptAt)
{
    const std::string own = folder + "/bench_job_" + std::to_string(::getpid());
    std::filesystem::create_directory(own);
    const std::string store = own + "/job.sqlite";
    test::MadeJob job;
    job.stages = stages;
    job.replicas = ranks / stages;
    job.microBatches = 8;
    job.steps = steps;
    job.slowReplica = job.replicas / 2;
    job.slowStage = 3;
    std::vector<std::string> paths;
    std::printf("digests of %d ranks and %d steps\n", ranks, steps);
    apart([&] { std::printf("  made in %.1f s\n", tookOf([&] { writeDigests(own, job); }).wall); });
    for (const auto& one : std::filesystem::directory_iterator(own))
        paths.push_back(one.path().string());
    std::sort(paths.begin(), paths.end());
    double bytes = 0;
    for (const std::string& path : paths)
        bytes += static_cast<double>(std::filesystem::file_size(path));
    std::printf("  %.0f MB in %zu digests\n", bytes / 1e6, paths.size());
    const Took bare = tookOf([&paths] {
        for (const std::string& path : paths)
            if (unpackedBytes(path) == 0)
                stop(path + " is empty");
    });
    row("unpacking the digests", bare, bare);
    apart([&] {
        Trace trace;
        row("reading", tookOf([&] { trace = orStop(importTrace(paths)); }), bare);
        std::printf("  %zu passes\n", trace.spans.size());
        analyseAndKeep(trace, store, bare);
    });
    apart([&] {
        row("the job found out again", tookOf([&] {
                RunStore opened = orStop(RunStore::openToRead(store));
                if (!orStop(jobOfStoredRun(opened, 1)).analysis)
                    stop("the store has no job");
            }),
            bare);
    });
    apart([&] {
        std::optional<KeptJob> kept;
        row("the job as it was kept", tookOf([&] { kept = orStop(keptJob(store, 1)); }), bare);
        if (!kept)
            stop("no job was kept");
        const std::size_t middle = kept->analysis.job.steps.size() / 2;
        row("a step of it with its passes",
            tookOf([&] { orStop(keptStep(store, 1, kept->analysis.job, middle)); }), bare);
        std::printf("  peak %.0f MB\n", peakMegabytes());
    });
    if (!keptAt.empty())
        std::filesystem::copy_file(store, keptAt);
    std::filesystem::remove_all(own);
}

/// Neighbours of a chain send each other messages by clocks that are up to 20 ms off.
std::vector<ClockMessage> chainMessages(int ranks)
{
    constexpr int each = 256; // between two neighbours
    constexpr Ticks most = 20'000'000, length = 500'000'000, longest = 900'000;
    std::mt19937 random(1);
    std::uniform_int_distribution<Ticks> offsets(0, most), moments(0, length), takes(5000, longest);
    std::vector<Ticks> off;
    for (int rank = 0; rank < ranks; ++rank)
        off.push_back(offsets(random));
    std::vector<ClockMessage> messages;
    for (int lower = 0; lower + 1 < ranks; ++lower)
        for (int i = 0; i < each; ++i) {
            ClockMessage message;
            message.from = DeviceId(lower + i % 2);
            message.to = DeviceId(lower + 1 - i % 2);
            const Ticks time = moments(random);
            message.sent = time + off[message.from.index()];
            message.received = time + takes(random) + off[message.to.index()];
            messages.push_back(message);
        }
    return messages;
}

void clocks()
{
    constexpr Ticks last = 600'000'000;
    std::printf("clocks of a chain that contradict\n  %6s %10s %12s %10s\n", "ranks", "messages",
                "processor", "ratio");
    double before = 0;
    for (const int ranks : {16, 32, 64, 128, 256, 512}) {
        const std::vector<ClockMessage> messages = chainMessages(ranks);
        const std::vector<ClockWindow> windows(static_cast<std::size_t>(ranks), {0, last});
        AlignedClocks aligned;
        const Took took = tookOf([&] { aligned = alignClocks(messages, windows, 1); });
        if (aligned.outcome != ClockOutcome::Shifted)
            stop(aligned.text);
        std::printf("  %6d %10zu %10.3f s %10.2f\n", ranks, messages.size(), took.busy,
                    before > 0 ? took.busy / before : 1.0);
        before = took.busy;
    }
}

} // namespace

int main(int argc, char** argv)
{
    const std::string mode = argc > 1 ? argv[1] : "files";
    const int folderAt = mode == "digests" ? 4 : 3;
    const std::string folder =
        argc > folderAt ? argv[folderAt] : std::filesystem::temp_directory_path().string();
    const int ranks = argc > 2 ? std::atoi(argv[2]) : 0;
    const int steps = argc > 3 && mode == "digests" ? std::atoi(argv[3]) : 2000;
    if (mode == "clocks" && argc == 2) {
        clocks();
        return 0;
    }
    if ((mode != "files" && mode != "digests") || (argc > 2 && ranks < fewestRanks) ||
        ranks > 4096 || ranks % stages != 0 || steps < 3 || steps > 10'000)
        stop(
            "usage: bench_job [files [RANKS [FOLDER]] | digests [RANKS [STEPS [FOLDER [STORE]]]] | "
            "clocks], RANKS a multiple of 8");
    if (mode == "digests")
        digests(ranks > 0 ? ranks : 512, steps, folder, argc > 5 ? argv[5] : "");
    else if (ranks > 0)
        files(ranks, folder);
    else
        for (const int one : {8, 64, 512})
            files(one, folder);
    return 0;
}
