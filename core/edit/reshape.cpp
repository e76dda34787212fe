// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/edit/reshape.h"

#include "core/base/try.h"
#include "core/edit/edit.h"
#include "core/edit/fit_costs.h"
#include "core/io/schedule_text.h"
#include "core/model/offload.h"

#include <algorithm>

namespace pw {

namespace {

/// Micro-batches count on over the steps, and with stashed weights updates over the micro-batches.
void renumber(Pass& pass, const PipelineSpec& before, const PipelineSpec& after)
{
    const bool counted = pass.kind != PassKind::U || before.updateRule == UpdateRule::Stashed;
    if (counted)
        pass.microBatch = pass.microBatch / before.microBatches * after.microBatches +
                          pass.microBatch % before.microBatches;
}

/// Whether a micro-batch of a step is one of the shape.
bool within(const Pass& pass, const PipelineSpec& before, const PipelineSpec& after)
{
    if (pass.kind == PassKind::U && before.updateRule != UpdateRule::Stashed)
        return true;
    return pass.microBatch % before.microBatches < after.microBatches;
}

/// Routes of more micro-batches repeat those of the first.
void extendRoutes(PipelineSpec& shape)
{
    auto& routes = shape.routeOfMicroBatch;
    if (routes.empty())
        return;
    const std::size_t known = routes.size();
    const auto wanted = static_cast<std::size_t>(std::max(shape.microBatches, 0));
    for (std::size_t j = known; j < wanted; ++j)
        routes.push_back(routes[j % known]);
    routes.resize(wanted);
}

/// What is offloaded of another shape with the same stages. Further steps do as the first one does.
Offload reshapedOffload(Offload offload, const PipelineSpec& before, const PipelineSpec& after)
{
    const bool same = before.stages() == after.stages() && before.segments() == after.segments();
    std::vector<Pass> cells;
    for (const Pass& cell : offload.cells) {
        if (!same || !within(cell, before, after))
            continue;
        Pass renamed = cell;
        renumber(renamed, before, after);
        cells.push_back(renamed);
        if (cell.microBatch >= before.microBatches)
            continue;
        for (int step = before.steps; step < after.steps; ++step) {
            renamed.microBatch = step * after.microBatches + cell.microBatch;
            cells.push_back(renamed);
        }
    }
    offload.cells = offloadedCells(std::move(cells), after);
    return offload;
}

} // namespace

Result<void> reshape(Project& project, PipelineSpec shape)
{
    if (project.family)
        return fail(ErrorCode::BadValue, "the family makes the shape; change its options");
    const PipelineSpec before = project.draft.spec;
    extendRoutes(shape);
    if (shape.steps > 1)
        shape.updates = true;
    PW_DO(check(shape));
    Project next = project;
    std::int64_t lost = 0;
    std::string first;
    DeviceOrders& orders = next.draft.orders;
    for (const DeviceId on : Ids<DeviceId>(orders.size())) {
        for (OrderEntry& entry : orders[on.index()]) {
            for (Pass* pass : {&entry.pass, &entry.partner}) {
                if (pass == &entry.partner && !entry.paired)
                    continue;
                // What had no place before has none to lose.
                const bool placed = belongs(before, *pass, on);
                const bool counted = within(*pass, before, shape);
                Pass renamed = *pass;
                renumber(renamed, before, shape);
                if (placed && (!counted || !belongs(shape, renamed, on))) {
                    if (lost++ == 0)
                        first = describe(*pass, before) + " on device " + std::to_string(on);
                }
                *pass = renamed;
            }
        }
    }
    if (lost > 0) {
        return fail(
            ErrorCode::BadValue, "%1 would have no place; delete %2 first",
            (lost == 1 ? first : std::to_string(lost) + " passes, the first " + first + ","),
            (lost == 1 ? "it" : "them"));
    }
    Edit edit;
    edit.changes.emplace_back(SetOrders{std::move(orders)});
    edit.changes.emplace_back(SetSpec{shape});
    next = project;
    next.draft.spec = shape;
    PW_DO(fitCosts(next, before));
    edit.changes.emplace_back(SetCosts{std::move(next.costs), std::move(next.origin)});
    if (!project.offload.cells.empty())
        edit.changes.emplace_back(SetOffload{reshapedOffload(project.offload, before, shape)});
    PW_DO(apply(project, edit));
    return {};
}

Result<Placement> placementOn(const Placement& placement, int before, int devices)
{
    const std::string kind = placementText(placement, before);
    // A map is written as the device of each stage.
    if (kind.find_first_of("0123456789") == 0) {
        return fail(ErrorCode::BadValue,
                    "the placement %1 is a map of its own; give the one on %2 devices", kind,
                    devices);
    }
    return parsePlacement(kind, devices);
}

} // namespace pw
