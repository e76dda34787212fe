// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors

// Figures of the store and the wire, each beside what the same machine does without them in the
// same run. Run it from the release preset on a quiet machine:
//
//     build/release/tests/bench_store [FOLDER]
//
// FOLDER is where files are made and removed; its disk is part of what is measured.

#include "core/sqlite/sqlite.h"
#include "core/store/run_store.h"
#include "executor/api/store_sink.h"
#include "executor/api/wire.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

using namespace pw;

constexpr int ranks = 8;
constexpr std::size_t rows = 1'000'000;
constexpr std::size_t batchRows = 65'536; // what a run hands over when many wait
constexpr int repeats = 5;

[[noreturn]] void stop(const std::string& why)
{
    std::fprintf(stderr, "bench_store: %s\n", why.c_str());
    std::exit(1);
}

template<typename T>
T orStop(Result<T> result)
{
    if (!result)
        stop(result.error().message);
    return std::move(*result);
}
void orStop(const Result<void>& result)
{
    if (!result)
        stop(result.error().message);
}

/// Seconds of the processor: of this thread (CLOCK_THREAD_CPUTIME_ID) or of all of the program's.
double cpuSeconds(clockid_t clock)
{
    timespec time{};
    ::clock_gettime(clock, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

/// Seconds by the wall clock, and of the processor.
struct Took
{
    double wall = 0;
    double busy = 0;
};

Took tookOf(const std::function<void()>& work)
{
    const auto start = std::chrono::steady_clock::now();
    const double busy = cpuSeconds(CLOCK_PROCESS_CPUTIME_ID);
    work();
    return {std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(),
            cpuSeconds(CLOCK_PROCESS_CPUTIME_ID) - busy};
}

double secondsOf(const std::function<void()>& work)
{
    return tookOf(work).wall;
}

/// Passes of eight ranks as a runner hands them over: ranks mixed, each in time order.
std::vector<RecordedPass> manyPasses()
{
    constexpr std::int32_t aRank = 250; // in an iteration
    std::vector<RecordedPass> passes;
    passes.reserve(rows);
    for (std::size_t i = 0; i < rows; ++i) {
        RecordedPass record;
        record.rank = RankId(i % ranks);
        const auto number = static_cast<std::int32_t>(i / ranks);
        record.iteration = number / aRank;
        record.entry = EntryId(record.rank * aRank + number % aRank);
        record.pass.kind = number % 2 == 0 ? PassKind::F : PassKind::BW;
        record.pass.stage = StageId(record.rank.value);
        record.pass.microBatch = number % aRank / 2;
        record.start = Ticks{number} * 400'000 + record.rank * 777;
        record.end = record.start + 390'000 + number % 1000;
        passes.push_back(record);
    }
    return passes;
}

RunBatch part(const std::vector<RecordedPass>& passes, std::size_t at)
{
    RunBatch batch;
    const std::size_t end = std::min(at + batchRows, passes.size());
    batch.passes.assign(passes.begin() + static_cast<std::ptrdiff_t>(at),
                        passes.begin() + static_cast<std::ptrdiff_t>(end));
    return batch;
}

void clear(const std::string& path)
{
    for (const char* end : {"", "-wal", "-shm"})
        std::filesystem::remove(path + end);
}

/// Plain SQLite: the same columns in a table with rowids, one transaction, nothing else.
Took plainInsert(const std::string& path, const std::vector<RecordedPass>& passes)
{
    clear(path);
    const auto database = orStop(Database::open(path, Database::Mode::Create));
    orStop(database->run("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; "
                         "PRAGMA cache_size = -65536; CREATE TABLE pass (run, rank, start, seq, "
                         "duration, iteration, entry, kind, stage, micro_batch, segment, route, "
                         "trust)",
                         "cannot be made"));
    Statement insert =
        orStop(database->prepare("INSERT INTO pass VALUES (1,?,?,0,?,?,?,?,?,?,?,?,0)"));
    return tookOf([&] {
        Transaction transaction = orStop(Transaction::begin(*database));
        for (const RecordedPass& r : passes) {
            insert.bindAll(r.rank, r.start, r.end - r.start, r.iteration, r.entry,
                           static_cast<int>(r.pass.kind), r.pass.stage, r.pass.microBatch,
                           r.pass.segment, static_cast<int>(r.pass.route));
            orStop(insert.run());
        }
        orStop(transaction.commit());
    });
}

Took storeInsert(const std::string& path, const std::vector<RunBatch>& batches)
{
    clear(path);
    RunStore store = orStop(RunStore::open(path));
    NewRun run;
    run.ranks = ranks;
    RunWriter writer = orStop(store.begin(run));
    const Took took = tookOf([&] {
        for (const RunBatch& batch : batches)
            orStop(writer.append(batch));
    });
    orStop(writer.finish(RunStatus::Finished, {}));
    return took;
}

/// The store in turns with plain SQLite, so that what else the machine does meets both.
void insertsBesidePlain(const std::string& path, const std::vector<RecordedPass>& passes,
                        const std::vector<RunBatch>& batches)
{
    constexpr auto rate = [](double seconds) { return static_cast<double>(rows) / seconds; };
    Took plain{1e9, 1e9}, ours{1e9, 1e9};
    std::vector<double> wall, busy;
    for (int i = 0; i < repeats; ++i) {
        const Took before = plainInsert(path, passes), now = storeInsert(path, batches);
        plain = {std::min(plain.wall, before.wall), std::min(plain.busy, before.busy)};
        ours = {std::min(ours.wall, now.wall), std::min(ours.busy, now.busy)};
        wall.push_back(before.wall / now.wall);
        busy.push_back(before.busy / now.busy);
    }
    std::sort(wall.begin(), wall.end());
    std::sort(busy.begin(), busy.end());
    std::printf("  store                    %10.0f rows/s\n", rate(ours.wall));
    std::printf("  the same, in time of the processor %.0f rows/s\n", rate(ours.busy));
    std::printf("  plain SQLite, rowids, one transaction, no key %.0f rows/s\n", rate(plain.wall));
    std::printf("  the same, in time of the processor %.0f rows/s\n", rate(plain.busy));
    std::printf("  store beside plain       %10.2f by the wall clock, %.2f of the processor, the "
                "medians of the pairs\n",
                wall[wall.size() / 2], busy[busy.size() / 2]);
    std::printf("  file                     %10.1f MB\n",
                static_cast<double>(std::filesystem::file_size(path)) / 1e6);
}

/// A trace that is kept comes as one batch, rank by rank; a run in many, with ranks mixed.
void timeInserts(const std::string& path, const std::vector<RecordedPass>& passes)
{
    std::printf("insert of 1,000,000 passes, 8 ranks, as a trace is kept (%d pairs)\n", repeats);
    std::vector<RunBatch> batches(1);
    batches[0].passes = passes;
    std::stable_sort(batches[0].passes.begin(), batches[0].passes.end(),
                     [](const RecordedPass& a, const RecordedPass& b) { return a.rank < b.rank; });
    insertsBesidePlain(path, passes, batches);
    batches.clear();
    for (std::size_t at = 0; at < passes.size(); at += batchRows)
        batches.push_back(part(passes, at));
    std::printf("insert of 1,000,000 passes, 8 ranks mixed, batches of %zu (%d pairs)\n", batchRows,
                repeats);
    insertsBesidePlain(path, passes, batches);
}

void timeQueries(const std::string& path)
{
    RunStore store = orStop(RunStore::openToRead(path));
    constexpr Ticks pass = 400'000;
    const auto window = [&](Ticks from, Ticks length, std::optional<RankId> rank) {
        RecordQuery query{1};
        query.from = from;
        query.to = from + length;
        query.rank = rank;
        return orStop(store.passes(query)).passes.size();
    };
    std::printf("queries of that run (median of 1000 at scattered places)\n");
    for (const bool oneRank : {false, true}) {
        std::vector<double> times;
        std::size_t found = 0;
        for (int i = 0; i < 1000; ++i) {
            const Ticks from = (i * 7919LL % 100'000) * pass;
            const Ticks length = oneRank ? 199 * pass : 24 * pass;
            const std::optional<RankId> rank =
                oneRank ? std::optional(RankId(i % ranks)) : std::nullopt;
            times.push_back(secondsOf([&] { found = window(from, length, rank); }));
        }
        std::nth_element(times.begin(), times.begin() + 500, times.end());
        std::printf("  window of %zu passes, %-10s %8.3f ms\n", found,
                    oneRank ? "one rank" : "all ranks", times[500] * 1e3);
    }
    std::vector<double> times;
    for (int i = 0; i < 100; ++i) {
        times.push_back(secondsOf([&] {
            RecordQuery query{1};
            query.iteration = i * 5;
            if (orStop(store.passes(query)).passes.size() != 2000)
                stop("an iteration is not whole");
        }));
    }
    std::nth_element(times.begin(), times.begin() + 50, times.end());
    std::printf("  an iteration of 2000 passes     %8.3f ms\n", times[50] * 1e3);
    const double all = secondsOf([&] {
        if (orStop(store.passes({1})).passes.size() != rows)
            stop("the run is not whole");
    });
    std::printf("  all passes               %10.0f rows/s\n", rows / all);
}

void timeWire(const std::string& path, const std::vector<RecordedPass>& passes)
{
    double sink = 1e9, copy = 1e9, read = 1e9;
    std::string text;
    for (int i = 0; i < repeats; ++i) {
        {
            std::ofstream out(path, std::ios::binary | std::ios::trunc);
            exec::WireSink wire(out, {});
            sink = std::min(sink, secondsOf([&] {
                                for (std::size_t at = 0; at < passes.size(); at += batchRows)
                                    wire.passes(std::span(passes).subspan(
                                        at, std::min(batchRows, passes.size() - at)));
                            }));
        }
        std::ifstream in(path, std::ios::binary);
        text.assign(std::istreambuf_iterator<char>(in), {});
        // The bytes alone, as if somebody else had formatted them.
        std::ofstream out(path + ".copy", std::ios::binary | std::ios::trunc);
        const std::size_t piece = text.size() / (rows / batchRows);
        copy = std::min(copy, secondsOf([&] {
                            for (std::size_t at = 0; at < text.size(); at += piece) {
                                out.write(text.data() + at, static_cast<std::streamsize>(
                                                                std::min(piece, text.size() - at)));
                                out.flush();
                            }
                        }));
        struct Counter : exec::WireListener
        {
            std::size_t count = 0;
            void passes(std::span<const RecordedPass> batch) override { count += batch.size(); }
        } counter;
        exec::WireReader reader(counter);
        constexpr std::size_t pipe = 65'536;
        read = std::min(read, secondsOf([&] {
                            for (std::size_t at = 0; at < text.size(); at += pipe)
                                orStop(reader.feed(std::string_view(text).substr(at, pipe)));
                        }));
        if (counter.count != passes.size())
            stop("the wire lost passes");
    }
    std::filesystem::remove(path);
    std::filesystem::remove(path + ".copy");
    std::printf("wire, 1,000,000 passes of %zu bytes, flushed every %zu (best of %d)\n",
                text.size() / rows, batchRows, repeats);
    std::printf("  written                  %10.0f lines/s\n", rows / sink);
    std::printf("  the same bytes, only copied to the file %.0f lines/s\n", rows / copy);
    std::printf("  read                     %10.0f lines/s\n", rows / read);
}

/// What both sinks cost while 20,000 passes come in a second, 200 every 10 ms.
void timeSinks(const std::string& path, const std::vector<RecordedPass>& passes)
{
    PipelineSpec spec;
    const Schedule schedule =
        orStop(Schedule::make(spec, {{single({PassKind::F, 0, StageId(0), 0, 0}),
                                      single({PassKind::BW, 0, StageId(0), 0, 0})}}));
    const exec::RunPlan plan =
        orStop(exec::makePlan(schedule, expand(UniformCosts{}, spec), {}, orStop(evenSplit(4, 1))));
    const auto store = orStop(exec::StoreSink::open(path, plan));
    std::ofstream out(path + ".wire", std::ios::binary | std::ios::trunc);
    exec::WireSink wire(out, {});
    constexpr std::size_t aPiece = 200, aSecond = 20'000, seconds = 3;
    double own = 0;
    const double before = cpuSeconds(CLOCK_PROCESS_CPUTIME_ID);
    const auto start = std::chrono::steady_clock::now();
    for (std::size_t at = 0; at < aSecond * seconds; at += aPiece) {
        std::this_thread::sleep_until(start + std::chrono::microseconds(50 * at));
        const double now = cpuSeconds(CLOCK_THREAD_CPUTIME_ID);
        store->passes(std::span(passes).subspan(at, aPiece));
        wire.passes(std::span(passes).subspan(at, aPiece));
        own += cpuSeconds(CLOCK_THREAD_CPUTIME_ID) - now;
    }
    store->finished(RunStatus::Finished, {});
    const double all = cpuSeconds(CLOCK_PROCESS_CPUTIME_ID) - before;
    orStop(store->state());
    std::filesystem::remove(path + ".wire");
    std::printf("store and wire together, 20,000 passes a second for %zu s\n", seconds);
    std::printf("  thread that hands them over  %6.2f %% of a core\n", 100 * own / seconds);
    std::printf("  whole program                %6.2f %% of a core\n", 100 * all / seconds);
}

} // namespace

int main(int argc, char** argv)
{
    const std::string folder = argc > 1 ? argv[1] : std::filesystem::temp_directory_path().string();
    const std::string path = folder + "/bench_store." + std::to_string(::getpid());
    const std::vector<RecordedPass> passes = manyPasses();
    timeInserts(path, passes);
    timeQueries(path);
    clear(path);
    timeWire(path, passes);
    timeSinks(path, passes);
    clear(path);
    return 0;
}
