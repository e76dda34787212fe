// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/lesson/play.h"

#include "core/base/text.h"
#include "core/base/try.h"
#include "core/edit/compose.h"
#include "core/edit/rearrange.h"
#include "core/edit/sketch.h"
#include "core/io/file_problem.h"
#include "core/io/schedule_text.h"
#include "core/lesson/layers.h"
#include "core/lesson/lesson_parts.h"
#include "core/lesson/toggle.h"
#include "core/sim/draft_times.h"

#include <algorithm>

namespace pw {

namespace {

Result<std::vector<OrderEntry>> passesOf(const LessonAct& act, const PipelineSpec& spec)
{
    const ChunkTable chunks(spec);
    FileProblems found;
    auto entries = parseOrder(act.passes, spec, chunks, act.device, {1, 1}, found);
    if (!found.none())
        return fail(found.error());
    if (entries.empty())
        return fail(ErrorCode::BadValue, "no pass is named");
    return entries;
}

/// An edit of entries; those of a family become an order of its own first.
Edit onOwn(const Project& project, const Draft& draft, Change change)
{
    Edit edit;
    if (project.family)
        edit.changes.emplace_back(SetSchedule{std::nullopt, draft});
    edit.changes.push_back(std::move(change));
    return edit;
}

Result<Edit> edited(Result<Proposal> proposed)
{
    PW_TRY(Proposal proposal, std::move(proposed));
    return std::move(proposal.edit);
}

Result<Edit> entryEdit(const Project& project, const LessonAct& act)
{
    PW_TRY(const auto draft, draftOf(project));
    if (act.device < 0 || act.device >= draft.spec.devices)
        return fail(ErrorCode::BadValue, "there is no device %1", act.device);
    const auto& order = draft.orders[static_cast<std::size_t>(act.device)];
    const auto size = static_cast<std::int32_t>(order.size());
    if (act.kind == LessonAct::Kind::Place) {
        PW_TRY(auto entries, passesOf(act, draft.spec));
        InsertEntries insert{act.device, {}};
        std::int32_t at = act.from < 0 ? size : act.from;
        for (const OrderEntry& entry : entries)
            insert.entries.push_back({at++, entry});
        return onOwn(project, draft, std::move(insert));
    }
    if (act.from < 0 || act.from >= size)
        return fail(ErrorCode::BadValue, "device %1 has no entry %2", act.device, act.from);
    if (act.kind == LessonAct::Kind::Remove)
        return onOwn(project, draft, RemoveEntries{act.device, {act.from}});
    return onOwn(project, draft, MoveEntries{act.device, {{act.from, act.to}}});
}

Result<Edit> finishEdit(const Project& project, const LessonAct& act)
{
    FinishRule rule = FinishRule::BackwardFirst;
    if (act.rule == "forward-first")
        rule = FinishRule::ForwardFirst;
    else if (act.rule == "zero-bubble")
        rule = FinishRule::ZeroBubble;
    else if (act.rule != "backward-first")
        return fail(ErrorCode::BadValue,
                    "there is no rule %1; backward-first, forward-first or zero-bubble",
                    inQuotes(act.rule));
    std::optional<Share> cap;
    if (act.amount > 0)
        cap = shareFrom(act.amount);
    return edited(finishRest(project, rule, cap));
}

Result<Edit> blockEdit(const Project& project, const LessonAct& act)
{
    if (project.blocks.empty())
        return fail(ErrorCode::BadValue, "there is no block");
    BuildingBlock block = project.blocks.front();
    if (act.kind == LessonAct::Kind::Interval) {
        block.interval = static_cast<Ticks>(act.amount);
        return Edit{{SetBlock{0, std::move(block)}}};
    }
    std::vector<Pass> moved;
    const PipelineSpec spec = specOf(block);
    LessonAct on = act;
    for (on.device = DeviceId(0); on.device < block.devices && moved.empty(); ++on.device) {
        // "1:B0.1" names the device; a pass is on one device only.
        const std::string lead = std::to_string(on.device) + ":";
        if (act.passes.rfind(lead, 0) != 0)
            continue;
        on.passes = act.passes.substr(lead.size());
        PW_TRY(auto entries, passesOf(on, spec));
        for (const OrderEntry& entry : entries)
            moved.push_back(entry.pass);
    }
    if (moved.empty())
        return fail(ErrorCode::BadValue, "no pass is named; a device and its passes are as 1:B0.1");
    PW_TRY(auto next, movePasses(block, moved, static_cast<Ticks>(act.amount), InTheWay::Push));
    return Edit{{SetBlock{0, std::move(next)}}};
}

} // namespace

std::vector<LessonAct> actsOf(const Project& start, const DeviceOrders& orders)
{
    std::vector<LessonAct> acts;
    DeviceOrders there(orders.size());
    if (const auto draft = draftOf(start))
        there = draft->orders;
    bool begins = there.size() == orders.size();
    for (std::size_t d = 0; d < orders.size() && begins; ++d)
        begins = there[d].size() <= orders[d].size() &&
                 std::equal(there[d].begin(), there[d].end(), orders[d].begin());
    if (!begins) {
        LessonAct clear;
        clear.kind = LessonAct::Kind::Clear;
        acts.push_back(clear);
        there.assign(orders.size(), {});
    }
    const Draft whole{start.draft.spec, orders};
    const auto times = draftTimes(whole, costsOf(start));
    if (!times)
        return acts;
    const ChunkTable chunks(whole.spec);
    std::vector<std::pair<Ticks, LessonAct>> placed;
    for (std::size_t d = 0; d < orders.size(); ++d) {
        for (std::size_t i = there[d].size(); i < orders[d].size(); ++i) {
            LessonAct act;
            act.device = DeviceId(d);
            const OrderEntry& entry = orders[d][i];
            act.passes = passText(entry.pass, act.device, chunks);
            if (entry.paired)
                act.passes =
                    "(" + act.passes + "+" + passText(entry.partner, act.device, chunks) + ")";
            const auto at = static_cast<std::size_t>(times->entry(act.device, i));
            placed.emplace_back(times->times.start[at], std::move(act));
        }
    }
    std::stable_sort(placed.begin(), placed.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    for (auto& [time, act] : placed)
        acts.push_back(std::move(act));
    return acts;
}

UniformCosts costsOfBatch(const LessonBatch& batch, int microBatches)
{
    UniformCosts costs = batch.whole;
    for (Ticks* time : {&costs.forward, &costs.backward, &costs.weight})
        *time = *time / std::max(1, microBatches) + batch.each;
    return costs;
}

Result<Proposal> fillWithChoice(const LessonLevel& level, const Project& project,
                                const FamilyChoice& choice)
{
    if (!level.batch)
        return fillWithFamily(project, choice);
    return fillWithFamily(project, choice, costsOfBatch(*level.batch, choice.options.microBatches));
}

bool hasTimesOf(const LessonLevel& level, const Project& project)
{
    if (project.offload != level.start.offload)
        return false;
    if (!level.batch)
        return project.costs == level.start.costs;
    const std::variant<UniformCosts, Costs> own =
        costsOfBatch(*level.batch, project.draft.spec.microBatches);
    return project.costs == own;
}

Result<Edit> editOf(const LessonLevel& level, const Project& project, const LessonAct& act)
{
    using Kind = LessonAct::Kind;
    switch (act.kind) {
    case Kind::Place:
    case Kind::Move:
    case Kind::Remove:
        return entryEdit(project, act);
    case Kind::Clear: {
        Draft empty{project.draft.spec, DeviceOrders(project.draft.orders.size())};
        empty.orders.resize(static_cast<std::size_t>(empty.spec.devices));
        return Edit{{SetSchedule{std::nullopt, std::move(empty)}}};
    }
    case Kind::Finish:
        return finishEdit(project, act);
    case Kind::Reorder:
        return edited(reorderPasses(project));
    case Kind::Family: {
        FamilyChoice choice = act.family;
        choice.options.devices = level.start.draft.spec.devices;
        if (choice.options.microBatches == 0)
            choice.options.microBatches = level.start.draft.spec.microBatches;
        return edited(fillWithChoice(level, project, choice));
    }
    case Kind::Shift:
    case Kind::Interval:
        return blockEdit(project, act);
    case Kind::Block:
        if (project.blocks.empty() || !act.block)
            return fail(ErrorCode::BadValue, "there is no block");
        return Edit{{SetBlock{0, *act.block}}};
    case Kind::Layer:
        return moveLayer(level, project, act.from, act.to);
    case Kind::Toggle: {
        PW_TRY(const auto draft, draftOf(project));
        PW_TRY(const auto entries, passesOf(act, draft.spec));
        return toggle(level, project, entries.front().pass);
    }
    case Kind::Stamp:
        if (project.blocks.empty())
            return fail(ErrorCode::BadValue, "there is no block");
        return edited(stamp(project, project.blocks.front(), act.count, Growth::Grow));
    }
    return Edit{};
}

Result<Project> play(const LessonLevel& level, Project project, int acts)
{
    const auto all = static_cast<int>(level.demonstration.size());
    for (int i = 0; i < (acts < 0 ? all : std::min(acts, all)); ++i) {
        const auto edit = editOf(level, project, level.demonstration[static_cast<std::size_t>(i)]);
        const auto done = edit ? apply(project, *edit) : edit;
        if (!done)
            return fail(done.error().code, "step %1 of the demonstration: %2", i + 1,
                        done.error().message);
    }
    return project;
}

std::string actText(const LessonAct& act)
{
    using Kind = LessonAct::Kind;
    const std::string device = "device " + std::to_string(act.device);
    switch (act.kind) {
    case Kind::Place:
        return act.passes + (act.from < 0
                                 ? " at the end of " + device
                                 : " at place " + std::to_string(act.from + 1) + " of " + device);
    case Kind::Move:
        return "entry " + std::to_string(act.from + 1) + " of " + device + " to place " +
               std::to_string(act.to + 1);
    case Kind::Remove:
        return "entry " + std::to_string(act.from + 1) + " of " + device + " goes";
    case Kind::Clear:
        return "everything goes";
    case Kind::Finish:
        return "the rest, " + act.rule;
    case Kind::Reorder:
        return "warm-up and cool-down reordered";
    case Kind::Family: {
        const auto family = findFamily(act.family.id);
        std::string text(family ? (*family)->title : std::string_view(act.family.id));
        for (const auto& [name, value] : act.family.options.parameters) {
            const Parameter* parameter = family ? findParameter(**family, name) : nullptr;
            text += ", " + (parameter != nullptr ? pw::describe(*parameter, value)
                                                 : name + " " + plainNumber(value));
        }
        if (act.family.options.microBatches > 0)
            text += ", " + std::to_string(act.family.options.microBatches) + " micro-batches";
        return text;
    }
    case Kind::Shift:
        return act.passes + (act.amount < 0 ? " earlier by " : " later by ") +
               plainNumber(act.amount < 0 ? -act.amount : act.amount);
    case Kind::Interval:
        return "interval " + plainNumber(act.amount);
    case Kind::Layer:
        return "a layer from stage " + std::to_string(act.from) + " to stage " +
               std::to_string(act.to);
    case Kind::Toggle:
        return act.passes + " of " + device;
    case Kind::Block:
        return "every pass of the block to its place";
    case Kind::Stamp:
        return "the block for " + std::to_string(act.count) + " micro-batches";
    }
    return {};
}

} // namespace pw
