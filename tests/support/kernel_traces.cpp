// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/support/kernel_traces.h"

#include "core/io/pass_label.h"

#include <cstdio>
#include <map>
#include <tuple>

namespace pw::test {

namespace {

constexpr Ticks us = 1000;
constexpr int opsOfPass = 3;

/// One device's events.
class KernelFile
{
public:
    KernelFile(const Schedule& schedule, const SimResult& result, const KernelRecording& recording,
               int device)
        : m_schedule(schedule)
        , m_result(result)
        , m_recording(recording)
        , m_device(device)
    {
    }

    TraceText write()
    {
        const Ticks pause = 2 * ticksPerMs;
        for (int iteration = 0; iteration < m_recording.iterations; ++iteration) {
            const Ticks base = recordingStart + iteration * (m_result.makespan + pause);
            event("user_annotation", "ProfilerStep#" + std::to_string(iteration), main,
                  base - ticksPerMs, base + m_result.makespan + ticksPerMs / 2, "");
            for (const EntryId i : m_schedule.entries(m_device))
                writeEntry(i, base);
        }
        const std::string number = std::to_string(m_device);
        return {"rank" + number + ".json",
                "{\"schemaVersion\": 1, \"distributedInfo\": {\"rank\": " + number +
                    "}, \"traceEvents\": [\n" + m_text +
                    "{\"ph\": \"i\", \"name\": \"Record Window End\", \"ts\": 1}\n],\n"
                    "\"baseTimeNanoseconds\": " +
                    std::to_string(recordingEpoch) + "}\n"};
    }

private:
    static constexpr int main = 4001, autograd = 4002;

    static std::string microseconds(Ticks time)
    {
        char text[40];
        std::snprintf(text, sizeof text, "%lld.%03lld", static_cast<long long>(time / us),
                      static_cast<long long>(time % us));
        return text;
    }

    /// @param thread  below 4000 a stream of the device
    void event(const char* category, const std::string& name, int thread, Ticks start, Ticks end,
               const std::string& arguments)
    {
        m_text += std::string("{\"ph\": \"X\", \"cat\": \"") + category + "\", \"name\": \"" +
                  name + "\", \"pid\": " + (thread < 4000 ? "0" : "4001") +
                  ", \"tid\": " + std::to_string(thread) + ", \"ts\": " + microseconds(start) +
                  ", \"dur\": " + microseconds(end - start) + ", \"args\": {" + arguments + "}},\n";
    }

    void arrow(char phase, std::int64_t id, int thread, Ticks time)
    {
        m_text += std::string("{\"ph\": \"") + phase + "\", \"id\": " + std::to_string(id) +
                  ", \"pid\": 4001, \"tid\": " + std::to_string(thread) +
                  ", \"ts\": " + microseconds(time) +
                  ", \"cat\": \"fwdbwd\", \"name\": \"fwdbwd\"" +
                  (phase == 'f' ? ", \"bp\": \"e\"},\n" : "},\n");
    }

    void launch(int thread, Ticks time, const char* kernel, int stream, Ticks start, Ticks end)
    {
        const std::string number = "\"correlation\": " + std::to_string(++m_correlation);
        event("cuda_runtime", "cudaLaunchKernel", thread, time, time + us, number);
        event("kernel", kernel, stream, start, end, number);
    }

    std::string numbered(std::int64_t sequence, bool backward) const
    {
        if (m_recording.told != BackwardTold::Sequence)
            return {};
        return "\"Fwd thread id\": " + std::string(backward ? "1" : "0") +
               ", \"Sequence number\": " + std::to_string(sequence);
    }

    /// The part of a stretch that kernel `k` runs in.
    static std::pair<Ticks, Ticks> partOf(Ticks from, Ticks to, int k)
    {
        return {from + (to - from) * k / opsOfPass, from + (to - from) * (k + 1) / opsOfPass};
    }

    static std::tuple<int, int, int, int> cellOf(const Pass& pass)
    {
        return {pass.route, pass.stage, pass.microBatch, pass.segment};
    }

    void writeForward(const Pass& pass, Ticks host, Ticks from, Ticks to)
    {
        m_firstOp[cellOf(pass)] = m_sequence;
        for (int k = 0; k < opsOfPass; ++k) {
            const Ticks begin = host + (4 + 6 * k) * us;
            const std::int64_t number = m_sequence++;
            // The outer one has the number first; the inner one makes the node.
            event("cpu_op", "aten::linear", main, begin, begin + 5 * us, numbered(number, false));
            event("cpu_op", "aten::addmm", main, begin + us, begin + 4 * us,
                  numbered(number, false));
            if (m_recording.told == BackwardTold::Arrows)
                arrow('s', number, main, begin + us);
            const auto [start, end] = partOf(from, to, k);
            launch(main, begin + 2 * us, "gemm", 7, start, end);
        }
        // Makes no node: the next pass's first operator has the same number.
        event("cpu_op", "aten::detach", main, host + 23 * us, host + 24 * us,
              numbered(m_sequence, false));
        launch(main, host + 25 * us, "ncclDevKernel_SendRecv(ncclDevKernelArgsStorage)", 20,
               to - 10 * us, to + 25 * us);
    }

    void writeBackward(const Pass& pass, Ticks begin, Ticks from, Ticks to)
    {
        const std::int64_t first = m_firstOp.at(cellOf(pass));
        for (int k = 0; k < opsOfPass; ++k) {
            const std::int64_t number = first + opsOfPass - 1 - k;
            const Ticks time = begin + 4 * k * us;
            event("cpu_op", "autograd::engine::evaluate_function: AddmmBackward0", autograd, time,
                  time + 3 * us, numbered(number, true));
            event("cpu_op", "AddmmBackward0", autograd, time + us / 2, time + 3 * us,
                  numbered(number, true));
            if (m_recording.told == BackwardTold::Arrows)
                arrow('f', number, autograd, time + us / 2);
            const auto [start, end] = partOf(from, to, k);
            launch(autograd, time + us, "gemm_backward", 7, start, end);
        }
    }

    void writeEntry(EntryId index, Ticks base)
    {
        const auto at = static_cast<std::size_t>(index);
        const OrderEntry entry = m_schedule.entry(index);
        const Ticks from = base + m_result.start[at], to = base + m_result.end[at];
        Ticks host = from - 100 * us;
        if (m_recording.ahead && index > m_schedule.begin(m_device))
            host = base + m_result.start[at - 1] - 38 * us;
        const Ticks hostEnd = host + (m_recording.ahead ? 30 : 60) * us;
        event("user_annotation", entryLabel(entry), main, host, hostEnd, segments(entry));
        const bool forward = entry.pass.kind == PassKind::F;
        const bool both = entry.paired;
        const Ticks middle = both ? from + (to - from) / 2 : from;
        if (m_recording.annotations)
            event("gpu_user_annotation", entryLabel(entry), 7, from - 1,
                  forward && !both ? to + 1 : from + us, segments(entry));
        if (m_recording.annotations && !forward) // on the calling thread
            launch(main, host + us, "fill", 8, from, from + us / 2);
        const Pass& other = both ? entry.partner : entry.pass;
        const Ticks launches = m_recording.ahead ? from - 35 * us : host + 40 * us;
        if (forward)
            writeForward(entry.pass, host, from, both ? middle : to);
        else
            writeBackward(entry.pass, launches, from, both ? middle : to);
        if (both && forward)
            writeBackward(other, launches, middle, to);
        else if (both)
            writeForward(other, host, middle, to);
    }

    std::string segments(const OrderEntry& entry) const
    {
        if (m_schedule.spec().segments() < 2)
            return {};
        return "\"segment\": " + std::to_string(entry.pass.segment);
    }

    const Schedule& m_schedule;
    const SimResult& m_result;
    const KernelRecording& m_recording;
    DeviceId m_device{0};
    std::string m_text;
    std::int64_t m_correlation = 0;
    std::int64_t m_sequence = 700'000;
    std::map<std::tuple<int, int, int, int>, std::int64_t> m_firstOp;
};

} // namespace

std::vector<TraceText> kernelTraces(const Schedule& schedule, const SimResult& result,
                                    const KernelRecording& recording)
{
    std::vector<TraceText> files;
    for (const DeviceId device : Ids<DeviceId>(schedule.devices()))
        files.push_back(KernelFile(schedule, result, recording, device).write());
    return files;
}

} // namespace pw::test
