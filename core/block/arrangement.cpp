// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/block/arrangement.h"

#include "core/base/assert.h"
#include "core/base/try.h"

#include <algorithm>
#include <limits>

namespace pw {

namespace {

constexpr Ticks notSeen = -1;

/// The table that holds the time of a kind; R has its own, as the others have.
std::vector<Ticks>& tableOf(Costs& costs, PassKind kind)
{
    switch (kind) {
    case PassKind::F:
        return costs.forward;
    case PassKind::B:
        return costs.backward;
    case PassKind::W:
        return costs.weight;
    case PassKind::BW:
        return costs.fused;
    case PassKind::R:
        return costs.recompute;
    case PassKind::U:
        break;
    }
    PW_ASSERT(false);
    return costs.forward;
}

/// Places of an arrangement's passes in a schedule of its order: entries lie device after device.
template<typename Visit>
void visitEntries(const Arrangement& arrangement, Visit visit)
{
    std::size_t entry = 0;
    for (std::size_t device = 0; device < arrangement.devices.size(); ++device) {
        for (std::size_t i = 0; i < arrangement.devices[device].size(); ++i)
            visit(device, i, entry++);
    }
}

} // namespace

DeviceOrders ordersOf(const Arrangement& arrangement)
{
    DeviceOrders orders;
    for (const auto& device : arrangement.devices) {
        auto& order = orders.emplace_back();
        order.reserve(device.size());
        for (const BlockPass& placed : device)
            order.push_back(single(placed.pass));
    }
    return orders;
}

Result<Schedule> scheduleOf(const Arrangement& arrangement)
{
    return Schedule::make(arrangement.spec, ordersOf(arrangement));
}

SimResult timesOf(const Arrangement& arrangement)
{
    Ticks first = std::numeric_limits<Ticks>::max();
    for (const auto& device : arrangement.devices) {
        if (!device.empty())
            first = std::min(first, device.front().start);
    }
    SimResult result;
    for (const auto& device : arrangement.devices) {
        DeviceResult& figures = result.devices.emplace_back();
        for (const BlockPass& placed : device) {
            result.start.push_back(placed.start - first);
            result.end.push_back(placed.end() - first);
            figures.busy += placed.duration;
        }
        if (device.empty())
            continue;
        figures.firstStart = device.front().start - first;
        figures.lastEnd = device.back().end() - first;
        result.makespan = std::max(result.makespan, figures.lastEnd);
    }
    return result;
}

Costs costsOf(const Arrangement& arrangement, const Retention& keep)
{
    const PipelineSpec& spec = arrangement.spec;
    const auto cells =
        static_cast<std::size_t>(spec.stages()) * static_cast<std::size_t>(spec.segments());
    Costs costs;
    for (const PassKind kind : allPassKinds) {
        if (kind != PassKind::U)
            tableOf(costs, kind).assign(cells, notSeen);
    }
    for (const auto& device : arrangement.devices) {
        for (const BlockPass& placed : device) {
            const Pass& pass = placed.pass;
            Ticks& time = tableOf(costs, pass.kind)[cellIndex(spec, pass.stage, pass.segment)];
            if (time == notSeen)
                time = placed.duration;
            else if (time != placed.duration)
                costs.single.push_back({pass, placed.duration});
        }
    }
    for (const PassKind kind : allPassKinds) {
        if (kind == PassKind::U)
            continue;
        auto& table = tableOf(costs, kind);
        std::replace(table.begin(), table.end(), notSeen, Ticks{0});
    }
    std::sort(costs.single.begin(), costs.single.end(),
              [](const PassTime& a, const PassTime& b) { return a.pass < b.pass; });
    costs.activation = activationShares(spec, keep.keptForWeight, keep.stash);
    return costs;
}

Result<Arrangement> squeeze(const Arrangement& arrangement)
{
    PW_TRY(const auto schedule, scheduleOf(arrangement));
    PW_TRY(const auto times, simulate(schedule, costsOf(arrangement)));
    Arrangement squeezed = arrangement;
    visitEntries(squeezed, [&](std::size_t device, std::size_t i, std::size_t entry) {
        squeezed.devices[device][i].start = times.start[entry];
    });
    return squeezed;
}

std::vector<Share> peaksOf(const Arrangement& arrangement, const Retention& keep)
{
    Holdings holdings(arrangement.spec, keep);
    for (const auto& device : arrangement.devices) {
        for (const BlockPass& placed : device)
            holdings.tell(placed.pass);
    }
    std::vector<Share> peaks;
    for (const auto& device : arrangement.devices) {
        Share level = 0;
        Share peak = 0;
        for (const BlockPass& placed : device) {
            const Holding holding = holdings.of(placed.pass);
            peak = std::max(peak, level + holding.added);
            level += holding.added - holding.freed;
        }
        peaks.push_back(peak);
    }
    return peaks;
}

Share ArrangementFigures::peak() const
{
    return peaks.empty() ? 0 : *std::max_element(peaks.begin(), peaks.end());
}

ArrangementFigures figuresOf(const Arrangement& arrangement, const Retention& keep)
{
    const SimResult times = timesOf(arrangement);
    ArrangementFigures figures;
    figures.spanBubble = spanBubble(times);
    figures.wallBubble = wallBubble(times);
    figures.makespan = times.makespan;
    figures.peaks = peaksOf(arrangement, keep);
    return figures;
}

} // namespace pw
