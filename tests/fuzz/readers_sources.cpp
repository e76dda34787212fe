// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
//
// Traces of further programs: Primus, OpenTelemetry, rocprofv3, Perfetto, and archives around
// traces.
#include "tests/fuzz/readers.h"

#include <array>
#include <cstdint>

namespace pw::fuzz {

namespace {

std::vector<std::string> primusSeeds()
{
    return {
        R"({"7": {"fwd_start": [0.5, 2], "fwd_end": [1.5, 3], "bwd_start": [4, 6.25], "bwd_end": [6, 8],
 "fwd_minibatch": [0, 1], "bwd_minibatch": [0, 1], "fwd_chunk": [0, 0], "bwd_chunk": [0, 0],
 "wgrad_start": [8], "wgrad_end": [9], "wgrad_minibatch": [0], "wgrad_chunk": [0]}, "8": {}})"};
}

void readPrimus(const std::string& text)
{
    tryTraceText(text, "pp_rank_0.json");
}

std::vector<std::string> spansSeeds()
{
    return {
        R"({"resourceSpans":[{"resource":{"attributes":[{"key":"service.instance.id","value":{"stringValue":)"
        R"("run-rank1"}},{"key":"dl.pipeline_parallel.size","value":{"intValue":"2"}}]},"scopeSpans":[{"spans":[)"
        R"({"name":"megatron.microbatch.forward","startTimeUnixNano":"1790000000000000000",)"
        R"("endTimeUnixNano":"1790000000000001000","attributes":[]},)"
        R"({"name":"megatron.train_step","startTimeUnixNano":"1790000000000000000",)"
        R"("endTimeUnixNano":"1790000000000009000","attributes":[]}]}]}]}
)",
        R"({
 "name": "megatron.microbatch.backward",
 "context": {"trace_id": "0x1", "span_id": "0x2"},
 "start_time": "2026-09-21T14:13:20.000001Z",
 "end_time": "2026-09-21T14:13:20.000501Z",
 "attributes": {},
 "resource": {"attributes": {"service.instance.id": "run-rank0", "dl.pipeline_parallel.size": 2}}
}
)",
        R"({"data":[{"spans":[{"operationName":"megatron.microbatch.forward","processID":"p1",)"
        R"("startTime":1790000000000000,"duration":9000,"tags":[]}],"processes":{"p1":{"tags":[)"
        R"({"key":"service.instance.id","value":"run-rank0"}]}}}]})"};
}

void readSpans(const std::string& text)
{
    tryTraceText(text, "spans.jsonl");
}

std::vector<std::string> rocprofSeeds()
{
    return {R"json({"rocprofiler-sdk-tool": [{"metadata": {"pid": 42, "node": {"id": 1}},
"agents": [{"size": 1, "id": {"handle": 77}, "name": "gfx942"}],
"strings": {"buffer_records": [{"kind": "NONE", "operations": []},
 {"kind": "HIP_RUNTIME_API", "operations": ["hipFree", "hipLaunchKernel"]}],
 "marker_api": [{"key": 5, "value": "PP:0F0"}]},
"kernel_symbols": [{"size": 2, "kernel_id": 9, "kernel_name": "gemm.kd", "formatted_kernel_name": "gemm(float*)"}],
"buffer_records": {"kernel_dispatch": [{"size": 3, "kind": 4, "operation": 1, "thread_id": 11,
 "correlation_id": {"internal": 6}, "start_timestamp": 2000, "end_timestamp": 5000,
 "dispatch_info": {"agent_id": {"handle": 77}, "queue_id": {"handle": 3}, "kernel_id": 9}}],
 "hip_api": [{"size": 3, "kind": 1, "operation": 1, "thread_id": 11, "correlation_id": {"internal": 6},
 "start_timestamp": 1100, "end_timestamp": 1200}],
 "marker_api": [{"kind": 3, "operation": 0, "thread_id": 11, "correlation_id": {"internal": 5},
 "start_timestamp": 1000, "end_timestamp": 1500}]}}]
})json"};
}

void readRocprof(const std::string& text)
{
    tryTraceText(text, "rank0_results.json");
}

// Protocol Buffers as Perfetto writes them.

std::string varint(std::uint64_t number)
{
    std::string text;
    for (; number >= 128; number >>= 7U)
        text.push_back(static_cast<char>((number & 127U) | 128U));
    text.push_back(static_cast<char>(number));
    return text;
}

std::string field(std::uint64_t number, std::uint64_t value)
{
    return varint(number << 3U) + varint(value);
}

std::string field(std::uint64_t number, const std::string& bytes)
{
    return varint((number << 3U) | 2U) + varint(bytes.size()) + bytes;
}

/// A process, a thread on it, an interned name, a slice with begin and end, and a counter that
/// counts by changes, also beside a slice.
std::vector<std::string> perfettoSeeds()
{
    std::string trace;
    const auto packet = [&trace](const std::string& content) {
        trace += field(1, content + field(10, 1));
    };
    packet(field(60, field(1, 100) + field(3, field(1, 1000) + field(6, "rank 0"))) + field(13, 1));
    packet(field(60, field(1, 200) + field(5, 100) +
                         field(4, field(1, 1000) + field(2, 7) + field(5, "main"))));
    packet(field(6, field(1, field(1, 64) + field(2, 5000) + field(3, 1))) +
           field(59, field(58, 64) + field(11, field(11, 200))));
    packet(field(8, 100) + field(12, field(2, field(1, 1) + field(2, "PP:0F0"))) +
           field(11, field(9, 1) + field(10, 1)));
    packet(field(60, field(1, 300) + field(2, "memory") + field(5, 100) +
                         field(8, field(3, 3) + field(4, 1024) + field(5, 1) + field(6, "KiB"))));
    packet(field(59, field(58, 64) + field(11, field(11, 200) + field(31, 300) + field(45, 301))));
    packet(field(8, 50) + field(11, field(9, 4) + field(11, 300) + field(30, 7)));
    packet(field(8, 100) +
           field(11, field(9, 2) + field(12, 5) + field(46, "\x1\x2\x3\x4\x5\x6\x7\x8")));
    return {trace};
}

void readPerfetto(const std::string& bytes)
{
    tryTraceFile(bytes, ".pftrace");
}

std::string little(std::uint64_t number, int bytes)
{
    std::string text;
    for (int i = 0; i < bytes; ++i, number >>= 8U)
        text.push_back(static_cast<char>(number & 0xFFU));
    return text;
}

constexpr std::string_view one = R"([{"ph":"X","name":"F0","ts":1,"dur":2,"pid":0}])";

/// An archive with two traces that are not packed.
std::vector<std::string> zipSeeds()
{
    std::string body, directory;
    for (const std::string_view name : {"rank0.json", "rank1.json"}) {
        const std::string shared = little(0, 12) + little(one.size(), 4) + little(one.size(), 4) +
                                   little(name.size(), 2) + little(0, 2);
        directory += little(0x02014B50, 4) + little(20, 2) + little(20, 2) + shared +
                     little(0, 10) + little(body.size(), 4) + std::string(name);
        body +=
            little(0x04034B50, 4) + little(20, 2) + shared + std::string(name) + std::string(one);
    }
    return {body + directory + little(0x06054B50, 4) + little(0, 4) + little(2, 2) + little(2, 2) +
            little(directory.size(), 4) + little(body.size(), 4) + little(0, 2)};
}

void readZip(const std::string& bytes)
{
    tryTraceFile(bytes, ".zip");
}

/// A frame of zstd with one block that is not packed (RFC 8878).
std::vector<std::string> zstdSeeds()
{
    return {little(0xFD2FB528, 4) + "\xA0" + little(one.size(), 4) +
            little((one.size() << 3U) | 1U, 3) + std::string(one)};
}

void readZstd(const std::string& bytes)
{
    tryTraceFile(bytes, ".json.zst");
}

constexpr std::array<Reader, 6> all = {{
    {"trace_primus", primusSeeds, readPrimus},
    {"trace_spans", spansSeeds, readSpans},
    {"trace_rocprof", rocprofSeeds, readRocprof},
    {"trace_perfetto", perfettoSeeds, readPerfetto},
    {"trace_zip", zipSeeds, readZip},
    {"trace_zstd", zstdSeeds, readZstd},
}};

} // namespace

std::span<const Reader> sourceReaders()
{
    return all;
}

} // namespace pw::fuzz
