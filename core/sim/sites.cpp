// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/sim/sites.h"

namespace pw {

namespace {

void fillSite(const PipelineSpec& spec, const Costs& costs, int route, StageId stage, int segment,
              Site& site)
{
    const int k = spec.segments();
    const auto passAt = [&](PassKind kind, StageId where) {
        return Pass{kind, static_cast<std::uint8_t>(route), where, 0, segment};
    };
    for (const PassKind kind : allPassKinds) {
        Ticks& time = site.time[static_cast<std::size_t>(kind)];
        time = tableTime(costs, spec, passAt(kind, stage));
    }
    site.device = spec.device(route, stage);
    site.first = stage == 0;
    site.last = stage + 1 == spec.stages();
    site.firstSegment = segment == 0;
    site.lastSegment = segment + 1 == k;
    if (!site.first) {
        site.previousDevice = spec.device(route, stage - 1);
        site.previousBytes = messageBytes(costs, spec, passAt(PassKind::F, stage - 1), PassKind::F);
        site.fromPrevious =
            nominalMessageTime(costs, spec, site.previousDevice, site.device, site.previousBytes);
    }
    if (!site.last) {
        site.nextDevice = spec.device(route, stage + 1);
        site.nextBytes = messageBytes(costs, spec, passAt(PassKind::B, stage + 1), PassKind::B);
        site.fromNext =
            nominalMessageTime(costs, spec, site.nextDevice, site.device, site.nextBytes);
    }
    const ActivationCost& cost = costs.activation[cellIndex(spec, stage, segment)];
    for (const PassKind kind : allPassKinds)
        site.change[static_cast<std::size_t>(kind)] = activationChange(cost, kind, false);
    site.stash = activationChange(cost, PassKind::F, true);
}

} // namespace

void fillSites(const PipelineSpec& spec, const Costs& costs, std::vector<Site>& sites)
{
    const int count = spec.routeCount() * spec.stages() * spec.segments();
    sites.resize(static_cast<std::size_t>(count));
    std::size_t index = 0;
    for (int route = 0; route < spec.routeCount(); ++route) {
        for (const StageId stage : Ids<StageId>(spec.stages())) {
            for (int segment = 0; segment < spec.segments(); ++segment)
                fillSite(spec, costs, route, stage, segment, sites[index++] = Site{});
        }
    }
}

} // namespace pw
