// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/analysis/device_activity.h"

#include "core/analysis/late_ranks.h"
#include "core/analysis/stretches.h"
#include "core/base/text.h"
#include "core/trace/activity_kind.h"

#include <algorithm>
#include <array>
#include <set>
#include <tuple>

namespace pw {

namespace {

/// When the last step of each rank began, where the trace has several steps; else `unlaunched`.
std::vector<Ticks> lastSteps(const Trace& trace)
{
    constexpr std::string_view head = "ProfilerStep#";
    std::vector<bool> step;
    for (const std::string& name : trace.names)
        step.push_back(name.compare(0, head.size(), head) == 0);
    std::vector<Ticks> last(trace.ranks.size(), unlaunched);
    std::set<std::int32_t> names;
    for (const TraceSpan& span : trace.spans) {
        if (!step[static_cast<std::size_t>(span.name)] || span.label < 0)
            continue;
        names.insert(span.name);
        Ticks& start = last[span.rank.index()];
        start = start == unlaunched ? span.start : std::max(start, span.start);
    }
    if (names.size() < 2)
        last.assign(trace.ranks.size(), unlaunched);
    return last;
}

constexpr std::array<ActivityKind, 3> deviceKinds = {
    ActivityKind::Compute, ActivityKind::Communication, ActivityKind::Memory};

/// Adds up the time by what runs.
void sumKinds(const std::array<std::vector<TimeStretch>, 3>& kinds, DeviceActivity& sums)
{
    struct Edge
    {
        Ticks time = 0;
        std::uint8_t kind = 0;
        bool begins = false;
    };
    std::vector<Edge> edges;
    for (std::uint8_t kind = 0; const std::vector<TimeStretch>& busy : kinds) {
        for (const TimeStretch& piece : busy) {
            edges.push_back({piece.start, kind, true});
            edges.push_back({piece.end, kind, false});
        }
        ++kind;
    }
    std::sort(edges.begin(), edges.end(),
              [](const Edge& a, const Edge& b) { return a.time < b.time; });
    std::array<int, 3> open{};
    Ticks before = edges.empty() ? 0 : edges.front().time;
    for (const Edge& edge : edges) {
        const Ticks time = edge.time - before;
        const bool compute = open[0] > 0, communication = open[1] > 0, memory = open[2] > 0;
        sums.compute += compute ? time : 0;
        sums.communication += communication ? time : 0;
        sums.memory += memory ? time : 0;
        sums.computeOnly += compute && !communication && !memory ? time : 0;
        sums.communicationOnly += communication && !compute && !memory ? time : 0;
        sums.memoryOnly += memory && !compute && !communication ? time : 0;
        sums.overlap += compute && communication ? time : 0;
        before = edge.time;
        open[edge.kind] += edge.begins ? 1 : -1;
    }
}

/// One device of a rank.
class DeviceSum
{
public:
    DeviceSum(const Trace& trace, std::vector<std::int32_t>& spans)
        : m_trace(trace)
        , m_spans(spans)
    {
        sortWork(trace, m_spans);
    }

    void run(DeviceActivity& sums)
    {
        std::array<std::vector<TimeStretch>, 3> kinds;
        std::set<std::int32_t> streams;
        for (const std::int32_t index : m_spans) {
            const TraceSpan& span = at(index);
            const auto kind = std::find(deviceKinds.begin(), deviceKinds.end(), span.activity);
            join(kinds[static_cast<std::size_t>(kind - deviceKinds.begin())],
                 {span.start, span.end});
            streams.insert(span.track);
            sums.last = sums.activities == 0 ? span.end : std::max(sums.last, span.end);
            ++sums.activities;
        }
        sums.first = at(m_spans.front()).start;
        sums.streams = static_cast<std::int32_t>(streams.size());
        sumKinds(kinds, sums);
        for (const WorkGap& gap : workGaps(m_trace, m_spans))
            sums.idle += partsOf(m_trace, gap);
        queue(sums);
    }

private:
    const TraceSpan& at(std::int32_t index) const
    {
        return m_trace.spans[static_cast<std::size_t>(index)];
    }

    void queue(DeviceActivity& sums) const
    {
        std::vector<Ticks> launched, queued;
        for (const std::int32_t index : m_spans)
            if (at(index).queued >= 0) {
                launched.push_back(launchedAt(at(index)));
                queued.push_back(at(index).queued);
            }
        if (queued.empty())
            return;
        double sum = 0;
        for (const Ticks one : queued)
            sum += static_cast<double>(one);
        sums.queueMean = sums.span() > 0 ? sum / static_cast<double>(sums.span()) : 0;
        const auto middle = queued.begin() + static_cast<std::ptrdiff_t>((queued.size() - 1) / 2);
        std::nth_element(queued.begin(), middle, queued.end());
        sums.queuedMedian = *middle;
        std::sort(launched.begin(), launched.end());
        std::size_t begun = 0;
        std::int64_t next = 0, started = 0;
        for (const Ticks moment : launched) {
            ++next;
            // What begins at the moment of a launch does not wait any more. Starts are sorted.
            for (; begun < m_spans.size(); ++begun) {
                const TraceSpan& span = at(m_spans[begun]);
                if (span.queued >= 0 && span.start > moment)
                    break;
                started += span.queued >= 0 ? 1 : 0;
            }
            sums.queueMost = std::max(sums.queueMost, next - started);
        }
    }

    const Trace& m_trace;
    std::vector<std::int32_t>& m_spans;
};

/// The activities that count, by device.
class DeviceSpans
{
public:
    struct Device
    {
        std::vector<std::int32_t> spans;
        std::int64_t leftOut = 0;
    };

    DeviceSpans(const Trace& trace, const WorkDevices& known, bool whole)
        : m_devices(known.devices.size())
    {
        const std::vector<Ticks> last =
            whole ? std::vector<Ticks>(trace.ranks.size(), unlaunched) : lastSteps(trace);
        for (std::size_t i = 0; i < trace.spans.size(); ++i) {
            const TraceSpan& span = trace.spans[i];
            if (!isDeviceWork(span.activity))
                continue;
            Device& device = m_devices[static_cast<std::size_t>(
                known.ofTrack[static_cast<std::size_t>(span.track)])];
            const Ticks cut = last[span.rank.index()];
            if (cut == unlaunched || launchedAt(span) < cut)
                device.spans.push_back(static_cast<std::int32_t>(i));
            else
                ++device.leftOut;
        }
    }

    /// As the known ones.
    std::vector<Device>& devices() { return m_devices; }
    bool anyWithout() const
    {
        return std::any_of(m_devices.begin(), m_devices.end(),
                           [](const Device& one) { return one.spans.empty(); });
    }

private:
    std::vector<Device> m_devices;
};

/// Adds up what has one name. The spans are of one rank.
void sumKernels(const Trace& trace, TraceRankId rank, std::vector<std::int32_t>& spans,
                std::vector<KernelTimes>& kernels)
{
    const auto at = [&trace](std::int32_t index) -> const TraceSpan& {
        return trace.spans[static_cast<std::size_t>(index)];
    };
    const auto key = [&at](std::int32_t index) {
        return std::tuple(at(index).name, at(index).activity);
    };
    std::sort(spans.begin(), spans.end(), [&](std::int32_t a, std::int32_t b) {
        return std::tuple(key(a), at(a).end - at(a).start, a) <
               std::tuple(key(b), at(b).end - at(b).start, b);
    });
    const std::size_t first = kernels.size();
    for (std::size_t from = 0; from < spans.size();) {
        KernelTimes times;
        times.rank = rank;
        std::tie(times.name, times.kind) = key(spans[from]);
        std::size_t to = from;
        for (; to < spans.size() && key(spans[to]) == key(spans[from]); ++to)
            times.total += at(spans[to]).end - at(spans[to]).start;
        times.count = static_cast<std::int64_t>(to - from);
        const TraceSpan& middle = at(spans[from + (to - from - 1) / 2]);
        times.median = middle.end - middle.start;
        kernels.push_back(times);
        from = to;
    }
    std::sort(kernels.begin() + static_cast<std::ptrdiff_t>(first), kernels.end(),
              [](const KernelTimes& a, const KernelTimes& b) {
                  return std::tuple(b.total, a.name, a.kind) < std::tuple(a.total, b.name, b.kind);
              });
}

} // namespace

DeviceFigures deviceFigures(const Trace& trace, bool whole)
{
    DeviceFigures figures;
    const WorkDevices known = workDevices(trace);
    DeviceSpans counted(trace, known, whole);
    if (counted.anyWithout()) {
        // Nothing was launched before the last step; a device without any activity says nothing.
        counted = DeviceSpans(trace, known, true);
    }
    std::vector<std::int32_t> ofRank;
    TraceRankId rank;
    const auto finishRank = [&] {
        if (!ofRank.empty())
            sumKernels(trace, rank, ofRank, figures.kernels);
        ofRank.clear();
    };
    for (std::size_t i = 0; i < known.devices.size(); ++i) {
        DeviceSpans::Device& device = counted.devices()[i];
        if (known.devices[i].rank != rank)
            finishRank();
        rank = known.devices[i].rank;
        DeviceActivity sums;
        sums.rank = rank;
        sums.deviceNumber = known.devices[i].number;
        sums.leftOut = device.leftOut;
        DeviceSum(trace, device.spans).run(sums);
        figures.devices.push_back(sums);
        ofRank.insert(ofRank.end(), device.spans.begin(), device.spans.end());
    }
    finishRank();
    for (const DeviceActivity& one : figures.devices)
        if (one.leftOut > 0)
            figures.notes.push_back(
                "device activity: of rank " + std::to_string(trace.ranks[one.rank.index()].number) +
                " " + groupedNumber(one.leftOut) + " of " +
                groupedNumber(one.leftOut + one.activities) +
                " activities are left out: they were launched in the last step of the profiler, "
                "or their launch is not in the file");
    findLateRanks(trace, figures);
    return figures;
}

} // namespace pw
