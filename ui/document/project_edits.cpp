// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/document/project_edits.h"

#include "core/base/assert.h"
#include "core/base/try.h"
#include "core/families/family.h"

#include <algorithm>
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

Result<void> takeSpecOfFamily(Project& project)
{
    if (!project.family)
        return {};
    PW_TRY(const Family* family, findFamily(project.family->id));
    PW_TRY(PipelineSpec spec, specOf(*family, project.family->options));
    project.draft.spec = std::move(spec);
    project.draft.orders.clear();
    return {};
}

bool leavesSchedule(const Edit& edit)
{
    return std::all_of(edit.changes.begin(), edit.changes.end(), [](const Change& change) {
        return change.is<SetTitle>() || change.is<SetNotes>() || change.is<SetAnnotations>() ||
               change.is<InsertBlock>() || change.is<RemoveBlock>() || change.is<SetBlock>();
    });
}

bool replaces(const Edit& last, const Edit& first)
{
    const auto alike = [](const Change& a, const Change& b) {
        return a.sameKind(b) && (a.is<SetSchedule>() || a.is<SetCosts>() || a.is<SetOffload>() ||
                                 a.is<SetTitle>() || a.is<SetNotes>() || a.is<SetAnnotations>());
    };
    return std::equal(last.changes.begin(), last.changes.end(), first.changes.begin(),
                      first.changes.end(), alike);
}

Edit applyFitting(Project& project, const Edit& edit)
{
    Result<Edit> back = apply(project, edit);
    PW_ASSERT(back.has_value());
    return *std::move(back);
}

} // namespace pw::ui
