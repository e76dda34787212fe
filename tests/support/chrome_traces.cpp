// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/support/chrome_traces.h"

#include "core/io/pass_label.h"

#include <QByteArray>
#include <QtGlobal>
#include <zlib.h>

#include <algorithm>
#include <cstdio>
#include <tuple>

namespace pw::test {

namespace {

constexpr Ticks epoch = 1'700'000'000'000'000'000;
constexpr Ticks pause = 2 * ticksPerMs; // between two iterations

std::string microseconds(Ticks time, bool whole)
{
    char text[40];
    if (whole)
        std::snprintf(text, sizeof text, "%lld", static_cast<long long>(time / 1000));
    else
        std::snprintf(text, sizeof text, "%lld.%03lld", static_cast<long long>(time / 1000),
                      static_cast<long long>(time % 1000));
    return text;
}

TraceText kinetoFile(const Schedule& schedule, const SimResult& result, int device, bool old,
                     int iterations)
{
    const Ticks base = old ? epoch : 0;
    std::string text = "{\"schemaVersion\": 1, \"distributedInfo\": {\"backend\": \"nccl\", "
                       "\"rank\": " +
                       std::to_string(device) +
                       ", \"world_size\": " + std::to_string(schedule.devices()) +
                       "},\n\"traceEvents\": [\n";
    const bool segments = schedule.spec().segments() > 1;
    for (int iteration = 0; iteration < iterations; ++iteration) {
        for (std::int32_t i = schedule.begin(device); i < schedule.end(device); ++i) {
            const auto at = static_cast<std::size_t>(i);
            const OrderEntry entry = schedule.entry(i);
            const Ticks start = base + result.start[at] + iteration * (result.makespan + pause);
            const std::string times = ", \"ts\": " + microseconds(start, old) + ", \"dur\": " +
                                      microseconds(result.end[at] - result.start[at], old);
            text += "{\"ph\": \"X\", \"cat\": \"user_annotation\", \"name\": \"" +
                    entryLabel(entry) + "\", \"pid\": 4000, \"tid\": 4001" + times +
                    ", \"args\": {\"External id\": " + std::to_string(i);
            if (segments)
                text += ", \"segment\": " + std::to_string(entry.pass.segment);
            if (segments && entry.paired)
                text += ", \"second_segment\": " + std::to_string(entry.partner.segment);
            text += "}},\n{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"gemm \\\"tn\\\"\", "
                    "\"pid\": 0, \"tid\": 7" +
                    times + ", \"args\": {\"correlation\": 1, \"grid\": [1, 2, 3]}},\n";
        }
    }
    text += "{\"ph\": \"i\", \"s\": \"g\", \"name\": \"Record Window End\", \"pid\": \"\", "
            "\"tid\": \"\", \"ts\": 1}\n]";
    text += old ? "}\n" : ",\n\"baseTimeNanoseconds\": " + std::to_string(epoch) + "}\n";
    return {"rank" + std::to_string(device) + "_trace.json", text};
}

TraceText megatronFile(const Schedule& schedule, const SimResult& result, int iterations)
{
    struct Mark
    {
        Ticks time;
        int phase; // an end stands before a begin of the same moment
        std::string text;
    };
    std::vector<Mark> marks;
    const auto chunks = chunksOfDevices(schedule.spec());
    for (int iteration = 0; iteration < iterations; ++iteration) {
        for (int device = 0; device < schedule.devices(); ++device) {
            const auto& hosted = chunks[static_cast<std::size_t>(device)];
            for (std::int32_t i = schedule.begin(device); i < schedule.end(device); ++i) {
                const auto at = static_cast<std::size_t>(i);
                const Pass pass = schedule.entry(i).pass;
                const auto chunk =
                    std::find(hosted.begin(), hosted.end(), HostedStage{0, pass.stage}) -
                    hosted.begin();
                const std::string head = std::string("{\"name\": \"") +
                                         (pass.kind == PassKind::F ? "forward" : "backward") +
                                         "\", \"pid\": " + std::to_string(device) + ", \"tid\": 0";
                const std::string number = "\"iteration\": " + std::to_string(10 + iteration);
                const auto mark = [&](const char* phase, Ticks time, const std::string& arguments) {
                    time += iteration * (result.makespan + pause);
                    marks.push_back({time, *phase == 'B' ? 1 : 0,
                                     head + ", \"ph\": \"" + phase +
                                         "\", \"ts\": " + microseconds(time, false) +
                                         ", \"args\": {" + arguments + "}}"});
                };
                mark("B", result.start[at], number);
                mark("E", result.end[at],
                     number + ", \"microbatch\": " + std::to_string(pass.microBatch) +
                         ", \"model_chunk\": " + std::to_string(chunk) +
                         ", \"pp_rank\": " + std::to_string(device));
            }
        }
    }
    std::stable_sort(marks.begin(), marks.end(), [](const Mark& a, const Mark& b) {
        return std::tuple(a.time, a.phase) < std::tuple(b.time, b.phase);
    });
    std::string text = "[";
    for (const Mark& mark : marks)
        text += (text.size() == 1 ? "\n" : ",\n") + mark.text;
    return {"aggregated.json", text + "\n]\n"};
}

} // namespace

std::vector<TraceText> chromeTraces(const Schedule& schedule, const SimResult& result,
                                    TraceForm form, int iterations)
{
    if (form == TraceForm::Megatron)
        return {megatronFile(schedule, result, iterations)};
    std::vector<TraceText> files;
    for (int device = 0; device < schedule.devices(); ++device)
        files.push_back(
            kinetoFile(schedule, result, device, form == TraceForm::OldKineto, iterations));
    return files;
}

std::string dataFolder()
{
    const QByteArray given = qgetenv("PW_DATA");
    return given.isEmpty() ? std::string(PW_DATA_DIR) : given.toStdString();
}

void writeTrace(const std::string& path, const std::string& text)
{
    const bool packed = path.size() > 3 && path.compare(path.size() - 3, 3, ".gz") == 0;
    gzFile file = gzopen(path.c_str(), packed ? "wb1" : "wbT");
    const auto length = static_cast<unsigned>(text.size());
    if (file == nullptr || (length > 0 && gzwrite(file, text.data(), length) <= 0) ||
        gzclose(file) != Z_OK)
        qFatal("cannot write %s", path.c_str());
}

} // namespace pw::test
