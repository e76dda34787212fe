// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/families/family_traits.h"

#include "core/base/assert.h"
#include "core/base/found_answers.h"
#include "core/families/file_families.h"
#include "core/model/pass_kinds.h"

#include <algorithm>
#include <array>
#include <optional>

namespace pw {

namespace {

/// A family never changes once it is known, so that its id stands for it.
using AskedFamily = std::pair<std::string, std::vector<std::pair<std::string, double>>>;

std::optional<FamilyTraits> madeTraits(const Family& family,
                                       const std::vector<std::pair<std::string, double>>& given)
{
    constexpr std::array<std::pair<int, int>, 6> shapes = {
        {{4, 8}, {4, 16}, {2, 4}, {4, 12}, {8, 32}, {3, 9}}};
    for (const auto& [devices, microBatches] : shapes) {
        FamilyOptions options;
        options.devices = devices;
        options.microBatches = microBatches;
        options.parameters = given;
        if (const Result<Schedule> schedule = buildUniform(family, options, UniformCosts{}))
            return traitsOf(*schedule);
    }
    return std::nullopt;
}

bool isOfProgram(const Family& family)
{
    return fileOfFamily(family).empty();
}

} // namespace

FamilyTraits traitsOf(const Schedule& schedule)
{
    const PipelineSpec& spec = schedule.spec();
    FamilyTraits traits;
    for (const Schedule::Places& places : schedule.places())
        traits.pairs = traits.pairs || places.second.valid();
    const bool joined = hasKind(schedule, PassKind::BW), apart = hasKind(schedule, PassKind::W);
    traits.splitsBackward = apart && !joined;
    traits.fused = joined && !apart;
    traits.chunks = std::max(spec.stages() / spec.devices, 1);
    traits.routes = spec.routeCount();
    traits.segments = spec.segments();
    traits.updates = spec.updateRule;
    bool looped = true;
    for (const StageId stage : Ids<StageId>(spec.stages()))
        looped = looped && spec.device(0, stage) == stage % spec.devices;
    traits.oneWay = spec.routeCount() == 1 && spec.segments() == 1 && looped;
    if (spec.routeCount() == 1) {
        double length = 0;
        for (const int segment : spec.segmentLengths)
            length += segment;
        traits.firstPart = spec.segmentLengths.front() / length;
    }
    return traits;
}

FamilyTraits traitsOf(const Family& family,
                      const std::vector<std::pair<std::string, double>>& parameters)
{
    static FoundAnswers<AskedFamily, std::optional<FamilyTraits>> found;
    const AskedFamily asked(std::string(family.id), parameters);
    return found.of(asked, [&] { return madeTraits(family, parameters); }).value_or(FamilyTraits{});
}

std::string_view firstFamily(bool (*asked)(const FamilyTraits& traits))
{
    const std::span<const Family> all = allFamilies();
    const auto found = std::find_if(all.begin(), all.end(), [asked](const Family& family) {
        return !family.search && isOfProgram(family) && asked(traitsOf(family));
    });
    PW_ASSERT(found != all.end() && "a family of the program is as asked");
    return found->id;
}

const Family& regroupingFamily()
{
    const std::span<const Family> all = allFamilies();
    const auto found =
        std::find_if(all.begin(), all.end(), [](const Family& family) { return family.regroups; });
    PW_ASSERT(found != all.end() && "one family of the program regroups");
    return *found;
}

FamilyOptions groupedOptions(const Family& family, int devices, int microBatches, int group)
{
    const Parameter* parameter = findParameter(family, ParameterRole::Group);
    PW_ASSERT(parameter != nullptr && "the family has groups");
    FamilyOptions options;
    options.devices = devices;
    options.microBatches = microBatches;
    options.parameters = {{std::string(parameter->name), static_cast<double>(group)}};
    return options;
}

} // namespace pw
