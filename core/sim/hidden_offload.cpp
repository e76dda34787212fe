// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/try.h"
#include "core/model/offload.h"
#include "core/sim/host_copies.h"
#include "core/sim/memory.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <utility>

namespace pw {

namespace {

/// An activation between its F and what needs it, in a run without copies.
struct WaitingCell
{
    Pass cell;
    Ticks from = 0, to = 0;
    Ticks way = 0;
    Ticks back = 0; ///< when the way back begins
    bool stays = false;
};

/// Keeps those of one device whose copies fit between F and backward beside each other: ways back
/// from the last to the first, each as late as possible, then ways there from the first to the
/// last, each as soon as possible.
void placeCopies(std::vector<WaitingCell>& cells)
{
    std::stable_sort(cells.begin(), cells.end(),
                     [](const WaitingCell& a, const WaitingCell& b) { return a.to > b.to; });
    Ticks next = std::numeric_limits<Ticks>::max();
    for (WaitingCell& cell : cells) {
        cell.back = std::min(cell.to, next) - cell.way;
        cell.stays = cell.back < cell.from + cell.way;
        if (!cell.stays)
            next = cell.back;
    }
    std::stable_sort(cells.begin(), cells.end(),
                     [](const WaitingCell& a, const WaitingCell& b) { return a.from < b.from; });
    Ticks free = 0;
    for (WaitingCell& cell : cells) {
        if (cell.stays)
            continue;
        const Ticks end = std::max(free, cell.from) + cell.way;
        cell.stays = end > cell.back;
        if (!cell.stays)
            free = end;
    }
}

std::vector<Pass> fittingCells(const HostPlan& plan, const SimResult& result, int devices)
{
    std::vector<Pass> fitting;
    for (const DeviceId device : Ids<DeviceId>(devices)) {
        std::vector<WaitingCell> cells;
        for (std::int32_t i = plan.first(device); i < plan.first(device + 1); ++i) {
            const HostCell& one = plan.cells()[static_cast<std::size_t>(i)];
            if (one.needed < 0)
                continue;
            cells.push_back({one.cell, result.end[static_cast<std::size_t>(one.forward)],
                             result.start[static_cast<std::size_t>(one.needed)], one.way, 0,
                             false});
        }
        placeCopies(cells);
        for (const WaitingCell& cell : cells)
            if (!cell.stays)
                fitting.push_back(cell.cell);
    }
    return fitting;
}

} // namespace

std::vector<Pass> hiddenOffload(const Schedule& schedule, const Costs& costs,
                                std::vector<Pass> cells)
{
    const PipelineSpec& spec = schedule.spec();
    Costs tried = costs;
    tried.offload.cells.clear();
    Simulator simulator;
    SimResult result;
    if (!simulator.run(schedule, tried, result))
        return {};
    if (cells.empty()) {
        for (const EntryId i : schedule.entries()) {
            const OrderEntry entry = schedule.entry(i);
            cells.push_back(entry.pass);
            if (entry.paired)
                cells.push_back(entry.partner);
        }
        std::erase_if(cells, [](const Pass& pass) { return pass.kind != PassKind::F; });
    }
    tried.offload.cells = offloadedCells(std::move(cells), spec);
    HostPlan plan;
    if (!plan.make(schedule, tried))
        return {};
    tried.offload.cells = offloadedCells(fittingCells(plan, result, spec.devices), spec);
    // What is asked for in working time can come in another order than by the clock: whatever is
    // waited for then stays. Each round lets some stay, so there is an end.
    while (!tried.offload.cells.empty() && simulator.run(schedule, tried, result)) {
        std::set<Pass> late;
        for (const HostCopy& copy : result.copies)
            if (copy.wait > 0)
                late.insert(copy.cell);
        if (late.empty())
            break;
        std::erase_if(tried.offload.cells,
                      [&late](const Pass& cell) { return late.count(cell) > 0; });
    }
    return tried.offload.cells;
}

namespace {

/// Stages by how long the activations of a run wait between F and backward, the shortest first.
std::vector<StageId> stagesByWaiting(const SimResult& result, int stages)
{
    std::vector<double> waiting(static_cast<std::size_t>(stages), 0), count(waiting);
    for (const HostCopy& copy : result.copies) {
        const auto stage = static_cast<std::size_t>(copy.cell.stage);
        waiting[stage] += static_cast<double>(result.start[static_cast<std::size_t>(copy.needed)] -
                                              result.end[static_cast<std::size_t>(copy.forward)]);
        count[stage] += 1;
    }
    const Ids<StageId> all(stages);
    std::vector<StageId> order(all.begin(), all.end());
    std::stable_sort(order.begin(), order.end(), [&](StageId a, StageId b) {
        const std::size_t one = a.index(), other = b.index();
        return waiting[one] * count[other] < waiting[other] * count[one];
    });
    return order;
}

} // namespace

Result<std::vector<Pass>> fittingOffload(const Schedule& schedule, const Costs& costs)
{
    if (costs.memoryCap.empty() && costs.shareCap == 0)
        return fail(
            ErrorCode::BadValue,
            "offload: there is no limit of memory that the activations would have to fit under");
    Costs tried = costs;
    tried.offload.cells.clear();
    Simulator simulator;
    SimResult result;
    PW_DO(simulator.run(schedule, tried, result));
    const Ticks wanted = result.makespan;
    if (!firstOverflow(schedule, tried, result))
        return std::vector<Pass>();
    tried.offload.cells = hiddenOffload(schedule, costs);
    PW_DO(simulator.run(schedule, tried, result));
    if (const auto over = firstOverflow(schedule, tried, result))
        return fail(ErrorCode::MemoryLimit,
                    "offload: with all in the host's memory whose copies are hidden %1",
                    over->text(schedule.spec()));
    for (const StageId stage : stagesByWaiting(result, schedule.spec().stages())) {
        std::vector<Pass> before = tried.offload.cells;
        std::erase_if(tried.offload.cells,
                      [stage](const Pass& cell) { return cell.stage == stage; });
        const bool fits = simulator.run(schedule, tried, result) && result.makespan <= wanted &&
                          !firstOverflow(schedule, tried, result);
        if (!fits)
            tried.offload.cells = std::move(before);
    }
    return std::move(tried.offload.cells);
}

} // namespace pw
