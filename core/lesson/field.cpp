// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/lesson/field.h"

#include "core/families/family.h"
#include "core/sim/simulator.h"

#include <algorithm>

namespace pw {

namespace {

/// The times of a level for a family's spec; none where the level has times by stage and the stages
/// of the family are others.
std::optional<Costs> fieldCosts(const LessonLevel& level, const PipelineSpec& spec)
{
    if (const auto* uniform = std::get_if<UniformCosts>(&level.start.costs))
        return expand(*uniform, spec);
    const auto& costs = std::get<Costs>(level.start.costs);
    const PipelineSpec& own = level.start.draft.spec;
    if (spec.routes != own.routes || spec.segmentLengths != own.segmentLengths ||
        !check(costs, spec))
        return std::nullopt;
    return costs;
}

std::optional<FieldPoint> fieldPoint(const LessonLevel& level, const Family& family)
{
    FamilyOptions options;
    options.devices = level.start.draft.spec.devices;
    options.microBatches = level.start.draft.spec.microBatches;
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

std::vector<FieldPoint> familyField(const LessonLevel& level)
{
    std::vector<FieldPoint> field;
    if (level.freedom == Freedom::Block)
        return field;
    for (const Family& family : allFamilies())
        if (!family.search)
            if (auto point = fieldPoint(level, family))
                field.push_back(std::move(*point));
    return field;
}

} // namespace pw
