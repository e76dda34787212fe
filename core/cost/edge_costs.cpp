// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/cost/edge_costs.h"

#include <algorithm>
#include <map>
#include <set>

namespace pw {

namespace {

/// Whether a pass ends the backward of a micro-batch on its stage.
bool endsBackward(PassKind kind)
{
    return kind == PassKind::BW || kind == PassKind::W;
}

/// Makes the passes of every stage longer by the gap of its device.
void addGaps(const std::vector<Ticks>& gaps, const PipelineSpec& spec, Costs& costs)
{
    std::vector<Ticks> sorted = gaps;
    std::sort(sorted.begin(), sorted.end());
    const Ticks usual = sorted.empty() ? 0 : sorted[(sorted.size() - 1) / 2];
    for (std::vector<Ticks> Costs::*table : {&Costs::forward, &Costs::backward, &Costs::weight,
                                             &Costs::fused, &Costs::recompute, &Costs::pair}) {
        if ((costs.*table).empty())
            continue;
        for (const StageId stage : Ids<StageId>(spec.stages()))
            for (int segment = 0; segment < spec.segments(); ++segment)
                (costs.*table)[cellIndex(spec, stage, segment)] +=
                    gaps[static_cast<std::size_t>(spec.device(0, stage))];
    }
    costs.link.latency = std::max<Ticks>(0, costs.link.latency - usual);
}

void single(Costs& costs, const PipelineSpec& spec, const Pass& pass, Ticks extra)
{
    if (extra > 0)
        costs.single.push_back({pass, tableTime(costs, spec, pass) + extra});
}

} // namespace

void addEdges(const PassEdges& edges, const PipelineSpec& measured, const Schedule& schedule,
              Costs& costs)
{
    const PipelineSpec& spec = schedule.spec();
    if (spec.devices != measured.devices || spec.routeCount() != 1 || !costs.single.empty() ||
        !costs.links.empty() || edges.gap.size() != static_cast<std::size_t>(spec.devices))
        return;
    addGaps(edges.gap, spec, costs);
    setEnds(edges, measured, schedule, costs);
}

void setEnds(const PassEdges& edges, const PipelineSpec& measured, const Schedule& schedule,
             Costs& costs)
{
    const PipelineSpec& spec = schedule.spec();
    costs.single.clear();
    std::map<DeviceId, int> stagesBefore, stagesNow;
    for (const StageId stage : Ids<StageId>(measured.stages()))
        ++stagesBefore[measured.device(0, stage)];
    for (const StageId stage : Ids<StageId>(spec.stages()))
        ++stagesNow[spec.device(0, stage)];
    for (const DeviceId device : Ids<DeviceId>(spec.devices)) {
        const auto place = static_cast<std::size_t>(device);
        const auto part = [&](Ticks extra) {
            return extra * stagesBefore[device] / std::max(stagesNow[device], 1);
        };
        if (schedule.begin(device) == schedule.end(device))
            continue;
        const OrderEntry front = schedule.entry(schedule.begin(device));
        if (!front.paired && front.pass.kind == PassKind::F)
            single(costs, spec, front.pass, part(edges.firstForward[place]));
        std::set<StageId> done;
        for (EntryId i = schedule.end(device); i-- > schedule.begin(device);) {
            const OrderEntry entry = schedule.entry(i);
            if (!entry.paired && endsBackward(entry.pass.kind) &&
                done.insert(entry.pass.stage).second)
                single(costs, spec, entry.pass, part(edges.lastBackward[place]));
        }
    }
    std::sort(costs.single.begin(), costs.single.end(),
              [](const PassTime& a, const PassTime& b) { return a.pass < b.pass; });
}

} // namespace pw
