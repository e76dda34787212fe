// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/families/family.h"
#include "ui/document/schedule_document.h"

#include <utility>

namespace pw::ui {

Edit editBetween(const Project& from, const Project& to)
{
    Edit edit;
    const bool own = !from.family && !to.family;
    if (from.family != to.family || from.draft != to.draft) {
        if (own && from.draft.orders == to.draft.orders)
            edit.changes.emplace_back(SetSpec{to.draft.spec});
        else if (own && from.draft.spec == to.draft.spec)
            edit.changes.emplace_back(SetOrders{to.draft.orders});
        else
            edit.changes.emplace_back(SetSchedule{to.family, to.draft});
    }
    if (from.costs != to.costs || from.origin != to.origin) {
        // Equal stages come from no model.
        const bool tables = std::holds_alternative<Costs>(to.costs);
        edit.changes.emplace_back(SetCosts{to.costs, tables ? to.origin : std::nullopt});
    }
    // Another shape can leave out what is offloaded, unless that is said.
    const bool again = !to.offload.cells.empty() && from.draft.spec != to.draft.spec;
    if (from.offload != to.offload || again)
        edit.changes.emplace_back(SetOffload{to.offload});
    if (from.title != to.title)
        edit.changes.emplace_back(SetTitle{to.title});
    if (from.notes != to.notes)
        edit.changes.emplace_back(SetNotes{to.notes});
    if (from.annotations != to.annotations)
        edit.changes.emplace_back(SetAnnotations{to.annotations});
    const std::size_t common = std::min(from.blocks.size(), to.blocks.size());
    for (std::size_t i = 0; i < common; ++i)
        if (from.blocks[i] != to.blocks[i])
            edit.changes.emplace_back(SetBlock{i, to.blocks[i]});
    for (std::size_t i = common; i < to.blocks.size(); ++i)
        edit.changes.emplace_back(InsertBlock{i, to.blocks[i]});
    for (std::size_t i = from.blocks.size(); i-- > common;)
        edit.changes.emplace_back(RemoveBlock{i});
    return edit;
}

Project projectOf(std::string_view family, const FamilyOptions& options, const UniformCosts& costs)
{
    Project project;
    project.family = FamilyChoice{std::string(family), options};
    project.costs = costs;
    if (const Result<const Family*> known = findFamily(family); known)
        if (Result<PipelineSpec> spec = specOf(**known, options); spec)
            project.draft.spec = std::move(*spec);
    return project;
}

} // namespace pw::ui
