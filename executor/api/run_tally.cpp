// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/api/run_tally.h"

#include "core/sim/metrics.h"

#include <algorithm>

namespace pw::exec {

RunTally::RunTally(const RunPlan& plan, std::span<const RankId> ranks)
    : m_plan(plan)
    , m_lanes(static_cast<std::size_t>(plan.iterations) *
              static_cast<std::size_t>(plan.schedule.devices()))
    , m_losses(static_cast<std::size_t>(plan.iterations) *
               static_cast<std::size_t>(plan.schedule.spec().steps))
{
    const Schedule& schedule = plan.schedule;
    for (const DeviceId device : Ids<DeviceId>(schedule.devices())) {
        if (!ranks.empty() && std::find(ranks.begin(), ranks.end(), rankOf(device)) == ranks.end())
            continue;
        for (const EntryId entry : schedule.entries(device))
            m_passes += schedule.entry(entry).paired ? 2 : 1;
    }
    if (const Result<SimResult> simulated = simulate(schedule, plan.costs)) {
        m_predicted.predictedMakespan = simulated->makespan;
        m_predicted.predictedSpanBubble = spanBubble(*simulated).rate();
        m_predicted.predictedPeakActivation = peakActivation(*simulated);
    }
    if (plan.forecast) {
        m_predicted.predictedLow = plan.forecast->low;
        m_predicted.predictedHigh = plan.forecast->high;
    }
}

void RunTally::add(std::span<const RecordedPass> batch)
{
    for (const RecordedPass& pass : batch) {
        if (pass.iteration < 0 || pass.iteration >= m_plan.iterations || pass.entry < 0)
            continue;
        Lane& lane = m_lanes[static_cast<std::size_t>(pass.iteration) *
                                 static_cast<std::size_t>(m_plan.schedule.devices()) +
                             static_cast<std::size_t>(pass.rank)];
        if (lane.passes++ == 0)
            lane.first = lane.last = pass.start;
        // What overlaps, as the halves of a pair do, counts once.
        lane.busy += std::max(pass.end - std::max(pass.start, lane.last), Ticks{0});
        lane.first = std::min(lane.first, pass.start);
        lane.last = std::max(lane.last, pass.end);
    }
}

void RunTally::add(std::span<const MemorySample> batch)
{
    for (const MemorySample& sample : batch)
        m_peakActivation = std::max(m_peakActivation, sample.activation());
}

void RunTally::add(const StepLoss& loss)
{
    const int step = loss.step - m_plan.warmup * m_plan.schedule.spec().steps;
    if (step < 0 || step >= static_cast<int>(m_losses.size()))
        return;
    std::optional<double>& sum = m_losses[static_cast<std::size_t>(step)];
    sum = sum.value_or(0) + loss.loss;
}

const RunTally::Lane* RunTally::lanes(int iteration) const
{
    return m_lanes.data() + static_cast<std::ptrdiff_t>(iteration) * m_plan.schedule.devices();
}

bool RunTally::complete(int iteration) const
{
    std::int64_t passes = 0;
    for (const RankId rank : Ids<RankId>(m_plan.schedule.devices()))
        passes += lanes(iteration)[rank].passes;
    return passes == m_passes;
}

RunFigures RunTally::figures() const
{
    RunFigures figures = m_predicted;
    std::vector<Ticks> makespans;
    std::vector<double> bubbles;
    for (int iteration = 0; iteration < m_plan.iterations; ++iteration) {
        if (!complete(iteration))
            continue;
        SimResult measured;
        Ticks first = 0;
        Ticks last = 0;
        bool any = false;
        for (const RankId rank : Ids<RankId>(m_plan.schedule.devices())) {
            const Lane& lane = lanes(iteration)[rank];
            measured.devices.push_back({lane.busy, lane.first, lane.last, 0, 0});
            if (lane.passes == 0)
                continue;
            first = any ? std::min(first, lane.first) : lane.first;
            last = any ? std::max(last, lane.last) : lane.last;
            any = true;
        }
        makespans.push_back(last - first);
        bubbles.push_back(spanBubble(measured).rate());
    }
    figures.iterations = static_cast<int>(makespans.size());
    if (!makespans.empty()) {
        // One iteration stands for the run, here as wherever the run is opened later.
        const std::size_t shown = medianPlace(makespans);
        figures.makespan = makespans[shown];
        figures.makespanLow = *std::min_element(makespans.begin(), makespans.end());
        figures.makespanHigh = *std::max_element(makespans.begin(), makespans.end());
        figures.spanBubble = bubbles[shown];
    }
    figures.peakActivation = m_peakActivation;
    const auto heard = [](const std::optional<double>& loss) { return loss.has_value(); };
    const auto first = std::find_if(m_losses.begin(), m_losses.end(), heard);
    const auto last = std::find_if(m_losses.rbegin(), m_losses.rend(), heard);
    if (first != m_losses.end()) {
        figures.firstLoss = **first;
        figures.lastLoss = **last;
    }
    return figures;
}

} // namespace pw::exec
