// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/noise/noise_bands.h"

#include "core/base/index.h"
#include "core/base/try.h"
#include "core/model/draft.h"
#include "core/sim/draft_times.h"
#include "core/sim/metrics.h"

#include <algorithm>
#include <cmath>

namespace pw {

namespace {

/// The value below which a part of the samples lies; they are put in order as far as needed.
double bandQuantile(std::vector<float>& values, double part)
{
    const auto place =
        static_cast<std::ptrdiff_t>(std::llround(part * static_cast<double>(values.size() - 1)));
    std::nth_element(values.begin(), values.begin() + place, values.end());
    return static_cast<double>(values[static_cast<std::size_t>(place)]);
}

NoiseBand bandOf(std::vector<float>& values)
{
    if (values.empty())
        return {};
    return {bandQuantile(values, NoiseBand::lowPart), bandQuantile(values, 0.5),
            bandQuantile(values, NoiseBand::highPart)};
}

/// Takes run after run, and has the samples of every device and time at the end.
class BandSamples
{
public:
    BandSamples(const Schedule& schedule, const Costs& costs, std::vector<Ticks> times)
        : m_schedule(schedule)
        , m_costs(costs)
        , m_times(std::move(times))
        , m_draft(draftOf(schedule))
        , m_wall(at(schedule.devices()))
        , m_span(at(schedule.devices()))
        , m_memory(at(schedule.devices()) * m_times.size())
    {
        for (const DeviceId device : Ids<DeviceId>(schedule.devices()))
            m_run.begin.push_back(schedule.begin(device));
        m_run.begin.push_back(EntryId(schedule.entryCount()));
        const Result<SimResult> nominal = simulate(schedule, costs);
        for (DeviceId device(0); nominal && !m_bytes && device < schedule.devices(); ++device) {
            const auto curve = memoryCurve(schedule, costs, *nominal, device);
            m_bytes = std::any_of(curve.begin(), curve.end(),
                                  [](const MemoryPoint& point) { return point.total() > 0; });
        }
    }

    bool bytes() const { return m_bytes; }

    void take(std::span<const Ticks> start, std::span<const Ticks> end)
    {
        SimResult& result = m_run.times;
        result.start.assign(start.begin(), start.end());
        result.end.assign(end.begin(), end.end());
        result.devices.assign(at(m_schedule.devices()), {});
        result.makespan = 0;
        for (const DeviceId device : Ids<DeviceId>(m_schedule.devices())) {
            DeviceResult& one = result.devices[at(device)];
            const auto first = at(m_schedule.begin(device)), last = at(m_schedule.end(device));
            for (std::size_t entry = first; entry < last; ++entry)
                one.busy += end[entry] - start[entry];
            if (first < last) {
                one.firstStart = start[first];
                one.lastEnd = end[last - 1];
            }
            result.makespan = std::max(result.makespan, one.lastEnd);
        }
        for (const DeviceId device : Ids<DeviceId>(m_schedule.devices())) {
            m_wall[at(device)].push_back(static_cast<float>(wallBubble(result, device).rate()));
            m_span[at(device)].push_back(static_cast<float>(spanBubble(result, device).rate()));
            takeMemory(device);
        }
    }

    NoiseBands bands()
    {
        NoiseBands made;
        made.bytes = m_bytes;
        for (std::vector<float>& values : m_wall)
            made.wall.push_back(bandOf(values));
        for (std::vector<float>& values : m_span)
            made.span.push_back(bandOf(values));
        for (const DeviceId device : Ids<DeviceId>(m_schedule.devices())) {
            made.memory.emplace_back();
            for (std::size_t i = 0; i < m_times.size(); ++i)
                made.memory.back().push_back(bandOf(m_memory[at(device) * m_times.size() + i]));
        }
        made.times = std::move(m_times);
        return made;
    }

private:
    void takeMemory(DeviceId device)
    {
        std::vector<float>* values = &m_memory[at(device) * m_times.size()];
        if (m_bytes) {
            const auto curve = memoryCurve(m_schedule, m_costs, m_run.times, device);
            sample(curve, values,
                   [](const MemoryPoint& point) { return static_cast<double>(point.total()); });
        } else {
            const auto curve = draftShares(m_draft, m_costs, m_run, device);
            sample(curve, values,
                   [](const SharePoint& point) { return microBatchesFromShare(point.share); });
        }
    }

    template<typename Point, typename Value>
    void sample(const std::vector<Point>& curve, std::vector<float>* values, Value value) const
    {
        std::size_t next = 0;
        double now = 0;
        for (std::size_t i = 0; i < m_times.size(); ++i) {
            for (; next < curve.size() && curve[next].time <= m_times[i]; ++next)
                now = value(curve[next]);
            values[i].push_back(static_cast<float>(now));
        }
    }

    const Schedule& m_schedule;
    const Costs& m_costs;
    std::vector<Ticks> m_times;
    Draft m_draft;
    DraftTimes m_run;
    bool m_bytes = false;
    std::vector<std::vector<float>> m_wall, m_span; // by device
    std::vector<std::vector<float>> m_memory;       // by device, then time
};

} // namespace

Result<NoiseBands> noiseBands(const Schedule& schedule, const Costs& costs, const NoiseModel& model,
                              const NoiseBandsAsked& asked, const std::function<bool()>& stopped)
{
    PW_TRY(const NoisyRuns runs, NoisyRuns::make(schedule, costs));
    NoiseSamples makespans = runs.run(model, asked.makespans, asked.seed, 1, stopped);
    if ((stopped && stopped()) || makespans.makespans.empty())
        return fail(ErrorCode::Cancelled, "stopped");
    // As far as nearly every run goes; a rare long one would stretch the others.
    const double last = makespans.quantile(0.99);
    const int points = std::max(asked.points, 2);
    std::vector<Ticks> times;
    for (int i = 0; i < points; ++i)
        times.push_back(std::llround(last * i / (points - 1)));
    BandSamples samples(schedule, costs, std::move(times));
    runs.each(
        model, asked.samples, asked.seed,
        [&samples](std::span<const Ticks> start, std::span<const Ticks> end) {
            samples.take(start, end);
        },
        stopped);
    if (stopped && stopped())
        return fail(ErrorCode::Cancelled, "stopped");
    NoiseBands made = samples.bands();
    made.makespans = std::move(makespans);
    return made;
}

} // namespace pw
