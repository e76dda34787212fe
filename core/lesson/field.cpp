// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/lesson/field.h"

#include "core/families/family.h"
#include "core/sim/simulator.h"

#include <algorithm>

namespace pw {

namespace {

/// Times by device for stages that are cut in another way: each of a device's chunks takes an equal
/// part of what the device's one stage takes. None where the level's devices have several stages
/// themselves, or keep other parts of an activation than usual.
std::optional<Costs> dividedCosts(const Costs& costs, const PipelineSpec& own,
                                  const PipelineSpec& spec)
{
    const bool plain = own.routeCount() == 1 && own.segments() == 1 &&
                       own.stages() == own.devices && spec.routeCount() == 1 &&
                       spec.segments() == 1 && spec.devices == own.devices &&
                       costs.single.empty() && costs.links.empty() && costs.linkTrace.empty() &&
                       costs.activation == activationShares(own, 1, 0);
    if (!plain)
        return std::nullopt;
    Costs made = expand(UniformCosts{}, spec);
    made.link = costs.link;
    std::vector<Ticks> chunks(static_cast<std::size_t>(spec.devices), 0);
    for (const StageId stage : Ids<StageId>(spec.stages()))
        ++chunks[static_cast<std::size_t>(spec.device(0, stage))];
    std::vector<std::size_t> stageOf(static_cast<std::size_t>(own.devices));
    for (const StageId stage : Ids<StageId>(own.stages()))
        stageOf[static_cast<std::size_t>(own.device(0, stage))] = cellIndex(own, stage, 0);
    for (const StageId stage : Ids<StageId>(spec.stages())) {
        const auto device = static_cast<std::size_t>(spec.device(0, stage));
        const std::size_t to = cellIndex(spec, stage, 0), from = stageOf[device];
        made.forward[to] = costs.forward[from] / chunks[device];
        made.backward[to] = costs.backward[from] / chunks[device];
        made.weight[to] = costs.weight[from] / chunks[device];
    }
    made.fused.clear();
    made.recompute.clear();
    return made;
}

/// The times of a level for a family's spec; none where the level has times by stage that the
/// stages of the family cannot be given.
std::optional<Costs> fieldCosts(const LessonLevel& level, const PipelineSpec& spec)
{
    if (const auto* uniform = std::get_if<UniformCosts>(&level.start.costs))
        return expand(*uniform, spec);
    const auto& costs = std::get<Costs>(level.start.costs);
    const PipelineSpec& own = level.start.draft.spec;
    if (spec.routes == own.routes && spec.segmentLengths == own.segmentLengths &&
        check(costs, spec))
        return costs;
    return dividedCosts(costs, own, spec);
}

std::optional<FieldPoint> fieldPoint(const LessonLevel& level, const Family& family,
                                     int microBatches)
{
    FamilyOptions options;
    options.devices = level.start.draft.spec.devices;
    options.microBatches = microBatches;
    const auto spec = specOf(family, options);
    if (!spec || spec->updateRule != UpdateRule::Flush ||
        spec->microBatches != options.microBatches)
        return std::nullopt;
    const auto costs = fieldCosts(level, *spec);
    if (!costs)
        return std::nullopt;
    const auto schedule = family.build(*spec, options, *costs);
    if (!schedule)
        return std::nullopt;
    const auto result = simulate(*schedule, *costs);
    if (!result)
        return std::nullopt;
    FieldPoint point{std::string(family.id), std::string(family.title), result->makespan, 0};
    for (const DeviceResult& device : result->devices)
        point.peak = std::max(point.peak, device.peakShare);
    return point;
}

} // namespace

std::vector<FieldPoint> familyField(const LessonLevel& level, int microBatches)
{
    std::vector<FieldPoint> field;
    if ((level.freedom != Freedom::Order && level.freedom != Freedom::Choice) || level.batch)
        return field;
    for (const Family& family : allFamilies())
        if (!family.search)
            if (auto point = fieldPoint(level, family, microBatches))
                field.push_back(std::move(*point));
    return field;
}

void keepFamilies(std::vector<FieldPoint>& field, const std::set<std::string>& ids)
{
    std::erase_if(field, [&](const FieldPoint& point) { return !ids.contains(point.family); });
}

std::set<std::string> familiesMet(const Lesson& lesson, std::size_t step)
{
    std::set<std::string> met;
    const auto meet = [&](const Project& project) {
        if (project.family)
            met.insert(project.family->id);
    };
    for (std::size_t s = 0; s < lesson.steps.size() && s <= step; ++s) {
        for (const LessonPicture& picture : lesson.steps[s].pictures)
            meet(picture.project);
        if (!lesson.steps[s].level)
            continue;
        const LessonLevel& level = *lesson.steps[s].level;
        meet(level.start);
        for (const FamilyChoice& choice : level.choices)
            met.insert(choice.id);
        for (const LessonGoal& goal : level.goals)
            if (!goal.family.empty())
                met.insert(goal.family);
    }
    return met;
}

std::set<std::string> familiesMetInCourse(const Lesson& lesson, std::size_t step)
{
    std::set<std::string> met = familiesMet(lesson, step);
    for (const ShippedLesson& shipped : shippedLessons()) {
        if (shipped.id == lesson.id)
            break;
        if (const auto before = readLesson(shipped.text, std::string(shipped.id)))
            met.merge(familiesMet(*before, before->steps.size()));
    }
    return met;
}

} // namespace pw
