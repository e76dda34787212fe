// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/support/chrome_traces.h"

#include "core/io/pass_label.h"

#include <QByteArray>
#include <QtGlobal>
#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <optional>
#include <tuple>
#include <utility>

namespace pw::test {

namespace {

constexpr Ticks epoch = recordingEpoch;
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

/// One device's file; `shown` gives start and end of an entry of an execution on its clock, or
/// nothing where it is lost.
TraceText
kinetoFile(const Schedule& schedule, DeviceId device, bool old, bool numbered, int iterations,
           const std::function<std::optional<std::pair<Ticks, Ticks>>(int, std::int32_t)>& shown)
{
    const Ticks base = old ? epoch : 0;
    std::string text = "{\"schemaVersion\": 1, \"distributedInfo\": {\"backend\": \"nccl\", "
                       "\"rank\": " +
                       std::to_string(device) +
                       ", \"world_size\": " + std::to_string(schedule.devices()) +
                       "},\n\"traceEvents\": [\n";
    const bool segments = schedule.spec().segments() > 1;
    for (int iteration = 0; iteration < iterations; ++iteration) {
        for (const EntryId i : schedule.entries(device)) {
            const OrderEntry entry = schedule.entry(i);
            const auto span = shown(iteration, i);
            if (!span)
                continue;
            const std::string times = ", \"ts\": " + microseconds(base + span->first, old) +
                                      ", \"dur\": " + microseconds(span->second - span->first, old);
            text += "{\"ph\": \"X\", \"cat\": \"user_annotation\", \"name\": \"" +
                    entryLabel(entry) + "\", \"pid\": 4000, \"tid\": 4001" + times +
                    ", \"args\": {\"External id\": " + std::to_string(i);
            if (numbered)
                text += ", \"iteration\": " + std::to_string(iteration);
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
        for (const DeviceId device : Ids<DeviceId>(schedule.devices())) {
            const auto& hosted = chunks[static_cast<std::size_t>(device)];
            for (const EntryId i : schedule.entries(device)) {
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
    const auto shown = [&](int iteration, std::int32_t entry) {
        const auto at = static_cast<std::size_t>(entry);
        const Ticks base = iteration * (result.makespan + pause);
        return std::optional(std::pair(base + result.start[at], base + result.end[at]));
    };
    for (const DeviceId device : Ids<DeviceId>(schedule.devices()))
        files.push_back(
            kinetoFile(schedule, device, form == TraceForm::OldKineto, false, iterations, shown));
    return files;
}

Ticks SkewedClock::shows(Ticks time) const
{
    constexpr double millionths = 1e6;
    return time + offset +
           static_cast<Ticks>(std::llround(static_cast<double>(time) * drift / millionths));
}

std::vector<TraceText> chromeTraces(const Schedule& schedule,
                                    const std::vector<SimResult>& executions,
                                    const Recording& recording)
{
    std::vector<Ticks> begin;
    Ticks next = recordingStart;
    for (const SimResult& execution : executions) {
        begin.push_back(next);
        next += execution.makespan + pause;
    }
    std::vector<TraceText> files;
    for (const DeviceId device : Ids<DeviceId>(schedule.devices())) {
        const SkewedClock clock = recording.clocks.empty()
                                      ? SkewedClock()
                                      : recording.clocks[static_cast<std::size_t>(device)];
        const auto shown = [&](int iteration,
                               std::int32_t entry) -> std::optional<std::pair<Ticks, Ticks>> {
            // The lost ones are spread over the devices.
            if (iteration == 0 && entry * recording.lost / schedule.entryCount() !=
                                      (entry + 1) * recording.lost / schedule.entryCount())
                return std::nullopt;
            const auto at = static_cast<std::size_t>(entry);
            const SimResult& times = executions[static_cast<std::size_t>(iteration)];
            const Ticks base = begin[static_cast<std::size_t>(iteration)];
            return std::pair(clock.shows(base + times.start[at]),
                             clock.shows(base + times.end[at]));
        };
        files.push_back(
            kinetoFile(schedule, device, false, true, static_cast<int>(executions.size()), shown));
    }
    return files;
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
