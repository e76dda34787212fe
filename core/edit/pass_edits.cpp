// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/edit/pass_edits.h"

#include "core/base/text.h"
#include "core/base/try.h"
#include "core/edit/fit_costs.h"
#include "core/model/offload.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace pw {

namespace {

auto keyOfCell(const Pass& pass)
{
    return std::tuple(pass.route, pass.stage, pass.microBatch, pass.segment);
}

using CellKeys = std::set<std::tuple<decltype(Pass::route), decltype(Pass::stage),
                                     decltype(Pass::microBatch), decltype(Pass::segment)>>;

CellKeys keysOf(std::span<const Pass> cells)
{
    CellKeys keys;
    for (const Pass& cell : cells)
        keys.insert(keyOfCell(cell));
    return keys;
}

template<typename Visit>
void visitPasses(const Draft& draft, Visit visit)
{
    for (const std::vector<OrderEntry>& order : draft.orders) {
        for (const OrderEntry& entry : order) {
            visit(entry.pass);
            if (entry.paired)
                visit(entry.partner);
        }
    }
}

/// Cells that have an R.
CellKeys recomputedIn(const Draft& draft)
{
    CellKeys keys;
    visitPasses(draft, [&keys](const Pass& pass) {
        if (pass.kind == PassKind::R)
            keys.insert(keyOfCell(pass));
    });
    return keys;
}

bool isOf(const PipelineSpec& spec, const Pass& pass)
{
    const bool update = pass.kind == PassKind::U;
    return pass.route < spec.routeCount() && pass.stage >= 0 && pass.stage < spec.stages() &&
           pass.microBatch >= 0 &&
           pass.microBatch < (update ? spec.updatesPerStage() : spec.totalMicroBatches()) &&
           pass.segment >= 0 && pass.segment < spec.segments();
}

Result<Edit> checkedCosts(const Project& project, Costs costs)
{
    PW_DO(check(costs, project.draft.spec));
    Edit edit;
    edit.changes.emplace_back(SetCosts{std::move(costs), project.origin});
    return edit;
}

/// The R passes that come before the backwards of a device's order.
InsertEntries insertedInto(const std::vector<OrderEntry>& order, DeviceId device,
                           const CellKeys& wanted)
{
    InsertEntries inserted{device, {}};
    std::int32_t position = 0;
    const auto look = [&](Pass pass) {
        if (!isBackward(pass.kind) || wanted.count(keyOfCell(pass)) == 0)
            return;
        pass.kind = PassKind::R;
        inserted.entries.push_back({position++, single(pass)});
    };
    for (const OrderEntry& entry : order) {
        look(entry.pass);
        if (entry.paired)
            look(entry.partner);
        ++position;
    }
    return inserted;
}

} // namespace

Result<Edit> passTimeEdit(const Project& project, std::span<const Pass> passes,
                          std::optional<Ticks> time)
{
    if (passes.empty())
        return fail(ErrorCode::BadValue, "no pass is named that could have a time of its own");
    if (time && *time < 0)
        return fail(ErrorCode::BadValue, "a pass takes 0 ms or more");
    if (time && *time > longestPass)
        return fail(ErrorCode::TooLarge, "a pass takes at most %1", timeText(longestPass));
    Costs costs = costsOf(project);
    for (const Pass& pass : passes) {
        if (!isOf(project.draft.spec, pass))
            return fail(ErrorCode::BadValue, "there is no %1 in this pipeline",
                        describe(pass, project.draft.spec));
        const auto place = std::lower_bound(
            costs.single.begin(), costs.single.end(), pass,
            [](const PassTime& one, const Pass& other) { return one.pass < other; });
        const bool there = place != costs.single.end() && place->pass == pass;
        if (!time) {
            if (there)
                costs.single.erase(place);
        } else if (there) {
            place->time = *time;
        } else {
            costs.single.insert(place, {pass, *time});
        }
    }
    return checkedCosts(project, std::move(costs));
}

bool hasOwnTime(const Costs& costs, const Pass& pass)
{
    return std::any_of(costs.single.begin(), costs.single.end(),
                       [&pass](const PassTime& one) { return one.pass == pass; });
}

std::vector<Pass> cellsOf(std::span<const Pass> passes)
{
    std::vector<Pass> cells;
    CellKeys known;
    for (Pass pass : passes) {
        if (pass.kind == PassKind::U || !known.insert(keyOfCell(pass)).second)
            continue;
        pass.kind = PassKind::F;
        cells.push_back(pass);
    }
    return cells;
}

std::vector<bool> recomputedCells(const Draft& draft, std::span<const Pass> cells)
{
    const CellKeys there = recomputedIn(draft);
    std::vector<bool> found;
    for (const Pass& cell : cells)
        found.push_back(there.count(keyOfCell(cell)) > 0);
    return found;
}

Result<Edit> recomputeEdit(const Draft& draft, std::span<const Pass> cells, bool recompute)
{
    CellKeys wanted = keysOf(cells);
    if (recompute) {
        for (const auto& key : recomputedIn(draft))
            wanted.erase(key);
    }
    Edit edit;
    for (const DeviceId device : Ids<DeviceId>(draft.orders.size())) {
        const std::vector<OrderEntry>& order = draft.orders[device.index()];
        if (recompute) {
            InsertEntries inserted = insertedInto(order, device, wanted);
            if (!inserted.entries.empty())
                edit.changes.emplace_back(std::move(inserted));
            continue;
        }
        RemoveEntries removed{device, {}};
        for (std::size_t i = 0; i < order.size(); ++i)
            if (order[i].pass.kind == PassKind::R && wanted.count(keyOfCell(order[i].pass)) > 0)
                removed.positions.push_back(static_cast<std::int32_t>(i));
        if (!removed.positions.empty())
            edit.changes.emplace_back(std::move(removed));
    }
    if (edit.empty())
        return fail(ErrorCode::BadSchedule,
                    recompute
                        ? said("there is no backward that could be recomputed for: it is missing, "
                               "or it is recomputed already")
                        : said("nothing is recomputed there"));
    return edit;
}

std::vector<bool> offloadedOf(const Offload& offload, std::span<const Pass> cells)
{
    std::vector<bool> found;
    for (Pass cell : cells) {
        cell.kind = PassKind::F;
        found.push_back(std::binary_search(offload.cells.begin(), offload.cells.end(), cell));
    }
    return found;
}

Result<Edit> offloadEdit(const Project& project, std::span<const Pass> cells, bool offload)
{
    const PipelineSpec& spec = project.draft.spec;
    for (const Pass& cell : cells) {
        if (cell.kind == PassKind::U || !isOf(spec, cell))
            return fail(ErrorCode::BadValue, "there is no activation of %1 in this pipeline",
                        describe(cell, spec));
    }
    const std::vector<Pass> named = offloadedCells({cells.begin(), cells.end()}, spec);
    Offload next = project.offload;
    if (offload) {
        next.cells.insert(next.cells.end(), named.begin(), named.end());
        next.cells = offloadedCells(std::move(next.cells), spec);
    } else {
        std::erase_if(next.cells, [&named](const Pass& cell) {
            return std::binary_search(named.begin(), named.end(), cell);
        });
    }
    if (next == project.offload)
        return fail(ErrorCode::BadSchedule, offload
                                                ? said("these activations go to the host already")
                                                : said("these activations stay on their devices "
                                                       "already"));
    Edit edit;
    edit.changes.emplace_back(SetOffload{std::move(next)});
    return edit;
}

Result<Edit> hostLinkEdit(const Project& project, const Link& link)
{
    Offload next = project.offload;
    next.link = link;
    PW_DO(check(next, costsOf(project).activation, project.draft.spec));
    Edit edit;
    edit.changes.emplace_back(SetOffload{std::move(next)});
    return edit;
}

std::vector<Pass> cellsOfStage(const Draft& draft, StageId stage)
{
    std::vector<Pass> passes;
    visitPasses(draft, [&passes, stage](const Pass& pass) {
        if (pass.stage == stage && isBackward(pass.kind))
            passes.push_back(pass);
    });
    return cellsOf(passes);
}

Result<Edit> deviceCapEdit(const Project& project, DeviceId device, std::optional<Bytes> cap)
{
    const int devices = project.draft.spec.devices;
    if (device < 0 || device >= devices)
        return fail(ErrorCode::BadValue, "there is no device %1; devices are 0 to %2", device,
                    devices - 1);
    if (cap && *cap < 1)
        return fail(ErrorCode::BadValue, "a memory limit is at least 1 byte");
    Costs costs = costsOf(project);
    costs.memoryCap.resize(static_cast<std::size_t>(devices), 0);
    costs.memoryCap[static_cast<std::size_t>(device)] = cap.value_or(0);
    if (std::all_of(costs.memoryCap.begin(), costs.memoryCap.end(),
                    [](Bytes one) { return one == 0; }))
        costs.memoryCap.clear();
    return checkedCosts(project, std::move(costs));
}

Result<Edit> shareCapEdit(const Project& project, std::optional<Share> cap)
{
    if (std::optional<EqualStages> equal = equalStagesOf(project); equal && cap.value_or(0) >= 0) {
        equal->shareCap = cap.value_or(0);
        Edit edit;
        edit.changes.emplace_back(SetCosts{costsOf(*equal, project.draft.spec), project.origin});
        return edit;
    }
    Costs costs = costsOf(project);
    costs.shareCap = cap.value_or(0);
    return checkedCosts(project, std::move(costs));
}

} // namespace pw
