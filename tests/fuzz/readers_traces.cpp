// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/families/family.h"
#include "core/io/chrome_json.h"
#include "core/reading/import_trace.h"
#include "core/sim/simulator.h"
#include "core/sqlite/sqlite.h"
#include "core/store/run_store.h"
#include "core/store/schema.h"
#include "core/store/trace_figures.h"
#include "core/trace/recover.h"
#include "core/trace/run_export.h"
#include "tests/fuzz/readers.h"

#include <array>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <unistd.h>

namespace pw::fuzz {

namespace {

Schedule small(const char* id)
{
    FamilyOptions options;
    options.devices = 2;
    options.microBatches = 4;
    const auto schedule = buildUniform(**findFamily(id), options, UniformCosts{});
    if (!schedule)
        broken(schedule.error().message);
    return *schedule;
}

/// Spans are sound, and what was recovered can be run.
void tryTrace(const Trace& trace)
{
    for (const TraceSpan& span : trace.spans)
        if (span.start < 0 || span.end < span.start)
            broken("a span ends before it begins");
    const RecoveredPipeline pipeline = recover(trace);
    if (!pipeline.schedule)
        return;
    const auto again = simulate(*pipeline.schedule, measuredCosts(pipeline, 0));
    if (again && again->makespan < 0)
        broken("a makespan is negative");
}

} // namespace

void tryTraceText(const std::string& text, const char* name)
{
    const Result<Trace> trace = importTraceText(text, name);
    if (!trace) {
        if (trace.error().message.empty())
            broken("an import failed without a message");
        return;
    }
    for (const TraceRepair& repair : trace->repairs.list)
        if (repair.position < 0 || repair.position > static_cast<std::int64_t>(text.size()))
            broken("a repair is outside the file");
    tryTrace(*trace);
}

namespace {

void readTrace(const std::string& text)
{
    tryTraceText(text, "rank0.json");
}

/// Places of repairs are of the file that the digest is of.
void readDigestText(const std::string& text)
{
    const Result<Trace> trace = importTraceText(text, "rank0.json.digest");
    if (trace)
        tryTrace(*trace);
    else if (trace.error().message.empty())
        broken("an import failed without a message");
}

/// A file with the bytes of an input; gone at the end, with what SQLite laid beside it.
class InputFile
{
public:
    InputFile(const std::string& bytes, const char* ending)
        : m_path("/dev/shm/pipewright-fuzz-" + std::to_string(::getpid()) + ending)
    {
        std::ofstream(m_path, std::ios::binary) << bytes;
    }
    ~InputFile()
    {
        for (const char* part : {"", "-wal", "-shm", "-journal"})
            std::remove((m_path + part).c_str());
    }
    InputFile(const InputFile&) = delete;
    InputFile& operator=(const InputFile&) = delete;

    const std::string& path() const { return m_path; }

private:
    std::string m_path;
};

std::string contentOf(const std::string& path)
{
    std::ostringstream content;
    content << std::ifstream(path, std::ios::binary).rdbuf();
    return content.str();
}

} // namespace

void tryTraceFile(const std::string& bytes, const char* ending)
{
    const InputFile file(bytes, ending);
    if (const Result<Trace> trace = importTrace({file.path()}))
        tryTrace(*trace);
}

namespace {

void readPacked(const std::string& bytes)
{
    tryTraceFile(bytes, ".json.gz");
}

void readNsys(const std::string& bytes)
{
    tryTraceFile(bytes, ".sqlite");
}

std::vector<std::string> packedSeeds()
{
    // [{"ph":"X","name":"F0","ts":1,"dur":2,"pid":0}] by gzip -9n
    static constexpr unsigned char packed[] = {
        0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0xff, 0x8b, 0xae, 0x56,
        0x2a, 0xc8, 0x50, 0xb2, 0x52, 0x8a, 0x50, 0xd2, 0x51, 0xca, 0x4b, 0xcc, 0x4d,
        0x05, 0x32, 0xdd, 0x0c, 0x80, 0xec, 0x92, 0x62, 0x25, 0x2b, 0x43, 0x1d, 0xa5,
        0x94, 0xd2, 0x22, 0x25, 0x2b, 0x23, 0x1d, 0xa5, 0x82, 0xcc, 0x14, 0x25, 0x2b,
        0x83, 0xda, 0x58, 0x00, 0x7a, 0x69, 0xe3, 0xc7, 0x2f, 0x00, 0x00, 0x00};
    return {std::string(reinterpret_cast<const char*>(packed), sizeof packed)};
}

/// A small export of Nsight Systems.
std::vector<std::string> nsysSeeds()
{
    const InputFile file("", ".sqlite");
    {
        Result<std::unique_ptr<Database>> database =
            Database::open(file.path(), Database::Mode::Create);
        if (!database)
            broken(database.error().message);
        const Result<void> done = (*database)->run(
            "PRAGMA page_size = 512; CREATE TABLE StringIds (id INTEGER, value TEXT);"
            "INSERT INTO StringIds VALUES (1, 'gemm'), (2, 'F0');"
            "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER, deviceId "
            "INTEGER, contextId INTEGER, streamId INTEGER, correlationId INTEGER, globalPid "
            "INTEGER, demangledName INTEGER, shortName INTEGER);"
            "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (20, 30, 0, 1, 7, 5, 16777216, 1, 1);"
            "CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER, end INTEGER, globalTid "
            "INTEGER, correlationId INTEGER, nameId INTEGER);"
            "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (10, 12, 16777217, 5, 1);"
            "CREATE TABLE NVTX_EVENTS (start INTEGER, end INTEGER, eventType INTEGER, text TEXT, "
            "textId INTEGER, globalTid INTEGER, domainId INTEGER);"
            "INSERT INTO NVTX_EVENTS VALUES (5, 40, 59, 'PP:0F0', NULL, 16777217, 0)",
            "the seed cannot be made");
        if (!done)
            broken(done.error().message);
    }
    return {contentOf(file.path())};
}

std::vector<std::string> storeSeeds()
{
    const InputFile file("", ".sqlite");
    {
        // Small pages: of 70,000 bytes, most of them zero, nearly all would be changed in vain.
        const Result<std::unique_ptr<Database>> database =
            Database::open(file.path(), Database::Mode::Create);
        if (!database)
            broken(database.error().message);
        if (!(*database)->run("PRAGMA page_size = 512", "no small pages") || !migrate(**database))
            broken("the seed cannot be made");
    }
    {
        Result<RunStore> store = RunStore::open(file.path());
        if (!store)
            broken(store.error().message);
        NewRun run;
        run.title = "a run";
        run.ranks = 2;
        Result<RunWriter> writer = store->begin(run);
        if (!writer)
            broken(writer.error().message);
        RunBatch batch;
        batch.passes = {{0, RankId(0), EntryId(0), Pass{}, 1, 2},
                        {0, RankId(1), EntryId(3), Pass{PassKind::BW, 1, StageId(2)}, 4, 9}};
        batch.messages = {{0, 1, RankId(0), RankId(1), Pass{}, 64, 1, 2, 3}};
        batch.losses = {{0, 4.5}};
        batch.logs = {{0, RankId::none(), LogLevel::Warning, "a text"}};
        (void)writer->append(batch);
        (void)writer->finish(RunStatus::Finished, {});
    }
    return {contentOf(file.path())};
}

/// Everything that is asked of a store, to read and to write.
void readStore(const std::string& bytes)
{
    const InputFile file(bytes, ".sqlite");
    for (const bool toWrite : {false, true}) {
        Result<RunStore> store =
            toWrite ? RunStore::open(file.path()) : RunStore::openToRead(file.path());
        if (!store)
            continue;
        (void)store->runs("a");
        const Result<std::vector<StoredRun>> runs = store->runs();
        for (std::size_t i = 0; runs && i < runs->size() && i < 3; ++i) {
            const RunNumber number = (*runs)[i].number;
            (void)store->run(number);
            (void)store->passes({.run = number});
            (void)store->messages({.run = number});
            (void)store->memory({.run = number});
            (void)store->iterations(number);
            (void)store->losses(number);
            (void)store->logs(number);
            (void)store->traceFigures(number);
            if (toWrite)
                (void)store->remove(number);
        }
    }
}

std::vector<std::string> chromeSeeds()
{
    std::vector<std::string> seeds;
    for (const char* id : {"1f1b", "dualpipe", "seq1f1b"}) {
        const Schedule schedule = small(id);
        const Costs costs = expand(UniformCosts{}, schedule.spec());
        seeds.push_back(writeChromeJson(schedule, costs, *simulate(schedule, costs)));
    }
    seeds.emplace_back(
        R"([{"name": "forward", "ph": "B", "ts": 1, "pid": 0, "tid": 0, "args": {"iteration": 1}},
{"name": "forward", "ph": "E", "ts": 3.5, "pid": 0, "tid": 0,
 "args": {"microbatch": 0, "model_chunk": 0, "pp_rank": 0}},
{"name": "backward", "ph": "X", "ts": 4, "dur": 2, "pid": "0", "tid": "a \u00e9\ud83d\ude00",
 "args": {"microbatch": 0, "model_chunk": 0, "pp_rank": 0}}])");
    seeds.emplace_back(
        R"({"distributedInfo": {"rank": 3}, "traceEvents": [
{"ph": "X", "cat": "user_annotation", "name": "Forward 0", "pid": 7, "tid": 7, "ts": 1e3, "dur": 2},
{"ph": "X", "cat": "kernel", "name": "F0.1.2", "pid": 0, "tid": 7, "ts": 1682725898236567, "dur": 1},
{"ph": "X", "name": "ProfilerStep#1", "pid": 7, "tid": 7, "ts": 1, "dur": 9, "args": {"a": [[{}]]}}
], "baseTimeNanoseconds": 1700000000000000000})");
    return seeds;
}

std::vector<std::string> paddleSeeds()
{
    std::vector<std::string> seeds;
    seeds.emplace_back(
        R"([ {"name": "F0_VP1", "cat": "virtual pipeline timeline", "ph": "B",
 "pid": 0, "tid": 2, "ts": 1700000000123},
{"name": "F0_VP1", "cat": "virtual pipeline timeline", "ph": "E",
 "pid": 0, "tid": 2, "ts": 1700000000125},
{"name": "backward_b0_3", "cat": "backward_b0", "ph": "B",
 "ts": 2, "pid": 0, "tid": "GPU1"} ])");
    seeds.emplace_back("I0101 a.cc:1] Profiler Info: Job (0), type = forward0, micro_batch_id = 1, "
                       "job_start_time = 1.000000, job_end_time = 12.500000\n");
    return seeds;
}

std::vector<std::string> timersSeeds()
{
    std::vector<std::string> seeds;
    seeds.emplace_back(
        R"({"forward-0-1-start": 1.5, "forward-0-1-end": 2,
"backward-0-1-start": 3, "backward-0-1-end": 4})");
    return seeds;
}

std::vector<std::string> logSeeds()
{
    std::vector<std::string> seeds;
    seeds.emplace_back(
        " [2026-01-01] iteration 3/ 9 | elapsed time per iteration (ms): 20.5 |\n"
        "times across ranks (ms):\n  forward-compute:\n     rank  0: 9.25\n     rank  1: 8.00\n");
    return seeds;
}

std::vector<std::string> tableSeeds()
{
    std::vector<std::string> seeds;
    seeds.push_back(writeRunCsv(std::vector<RecordedPass>{
        {0, RankId(0), EntryId(0), Pass{}, 1, 2},
        {0, RankId(1), EntryId(3), Pass{PassKind::BW, 1, StageId(2)}, 4, 9}}));
    return seeds;
}

std::vector<std::string> wireFileSeeds()
{
    std::vector<std::string> seeds;
    seeds.emplace_back(
        R"({"t":"hello","protocol":1}
{"t":"pass","label":"PP:0F1","it":0,"rank":0,"entry":1,"kind":"F","stage":0,)"
        R"("mb":1,"start":5,"end":9}
)");
    return seeds;
}

std::vector<std::string> digestSeeds()
{
    return {
        R"({"pipewright_digest": 2, "key": "a47a8fb813053568", "bytes": 192, "file": "rank0.json",
"place": "087169407961d679", "events": 3, "left_out": 0, "ended": "finished",
"processes": [-1, -1, 2, 2, 0, -1, -1, -1, 0, 0, 0, -1], "process_ids": ["1", "0"],
"process_names": ["", ""], "process_labels": ["", ""], "process_said_by": ["arguments", "arguments"],
"said": [-1, -1, 0, 0, 1, 0, -1, -1, -1, -1], "rank_from": "metadata", "origin": "",
"steps": [0, 30000, 0, 1, 30000, 1], "peaks": [0, 0, 64], "sums": [1, -1, 1, 2, 1, 5000],
"names": ["PP:0F0", "PP:0B0", "gemm"], "tracks": [0, 0, -1, 1, 1, 0],
"track_processes": ["1", "0"], "track_threads": ["1", "7"], "groups": [2, 0],
"group_names": ["pp"], "group_descriptions": [""], "group_ranks": ["0, 1"],
"labels": [1, 0, 0, 0, -1, -1, 0, -1, 0, -1, 1, 3, 0, 0, -1, -1, 0, -1, 0, -1],
"spans": [0, 0, 0, 0, 9, 0, 10000, 0, 0, 1, 1, 9, 20000, 10000, 1, 1, 2, -1, 1, 1000, 5000],
"calls": [0, 0, 10, 64, 64, 0, 1, 1, 2, 0, 1, 64, 64, 1, -1, 0], "warnings": ["a warning"],
"repair_count": 1, "repairs": [5], "repair_texts": ["a comma"]})"};
}

constexpr std::array<Reader, 10> all = {{
    {"trace_chrome", chromeSeeds, readTrace},
    {"trace_paddle", paddleSeeds, readTrace},
    {"trace_timers", timersSeeds, readTrace},
    {"trace_log", logSeeds, readTrace},
    {"trace_table", tableSeeds, readTrace},
    {"trace_wire", wireFileSeeds, readTrace},
    {"trace_digest", digestSeeds, readDigestText},
    {"trace_gz", packedSeeds, readPacked},
    {"trace_nsys", nsysSeeds, readNsys},
    {"store", storeSeeds, readStore},
}};

} // namespace

std::span<const Reader> traceReaders()
{
    return all;
}

} // namespace pw::fuzz
