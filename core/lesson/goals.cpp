// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/percent.h"
#include "core/base/text.h"
#include "core/base/try.h"
#include "core/io/schedule_text.h"
#include "core/lesson/standing.h"
#include "core/model/draft.h"
#include "core/sim/dependencies.h"
#include "core/sim/memory.h"
#include "core/sim/metrics.h"

#include <algorithm>

namespace pw {

std::int64_t messagesOf(const Schedule& schedule)
{
    const Dependencies dependencies(schedule);
    std::vector<Dependency> found;
    for (const Schedule::Places& places : schedule.places()) {
        dependencies.append(places.first, found);
        if (places.second.valid())
            dependencies.append(places.second, found);
    }
    return std::count_if(found.begin(), found.end(), [](const Dependency& d) { return d.message; });
}

std::vector<std::vector<int>> gatheringPlaces(const DeviceOrders& orders)
{
    std::vector<std::vector<int>> places;
    for (const auto& order : orders) {
        std::vector<int>& own = places.emplace_back();
        std::optional<std::pair<int, StageId>> gathered; // route and stage
        for (std::size_t place = 0; place < order.size(); ++place) {
            const auto need = [&](const Pass& pass) {
                if (pass.kind == PassKind::W || pass.kind == PassKind::U)
                    return;
                const std::pair<int, StageId> wanted{pass.route, pass.stage};
                if (gathered != wanted)
                    own.push_back(static_cast<int>(place));
                gathered = wanted;
            };
            need(order[place].pass);
            if (order[place].paired)
                need(order[place].partner);
        }
    }
    return places;
}

std::int64_t gathersOf(const Schedule& schedule)
{
    std::int64_t gathers = 0;
    for (const std::vector<int>& device : gatheringPlaces(schedule.orders()))
        gathers += static_cast<std::int64_t>(device.size());
    return gathers;
}

bool asksForGathers(const LessonLevel& level)
{
    return std::any_of(level.goals.begin(), level.goals.end(),
                       [](const LessonGoal& goal) { return goal.kind == GoalKind::Gathers; });
}

std::int64_t blockMessages(const BuildingBlock& block)
{
    std::int64_t messages = 0;
    for (const Placement& route : block.routes)
        for (StageId s(0); s + 1 < route.stages(); ++s)
            messages += route.device(s) != route.device(StageId(s + 1)) ? 2 : 0;
    return messages;
}

LessonFigures lessonFigures(const Schedule& schedule, const SimResult& result)
{
    LessonFigures figures;
    figures.makespan = result.makespan;
    for (const DeviceResult& device : result.devices)
        figures.peak = std::max(figures.peak, device.peakShare);
    figures.messages = messagesOf(schedule);
    figures.gathers = gathersOf(schedule);
    figures.spanBubble = spanBubble(result).rate();
    figures.wallBubble = wallBubble(result).rate();
    const PipelineSpec& spec = schedule.spec();
    figures.microBatches = spec.microBatches;
    if (spec.updates) {
        for (int route = 0; route < spec.routeCount(); ++route)
            for (const StageId stage : Ids<StageId>(spec.stages()))
                figures.versions =
                    std::max(figures.versions, weightVersionsAlive(schedule, result, route, stage));
    }
    return figures;
}

bool meets(const LessonGoal& goal, const LessonFigures& figures)
{
    // Limits are typed in decimals: a rate of 1 ⁄ 3 as 0.3334, a peak of 5.5 exactly.
    constexpr double slack = 1e-9;
    const auto atMost = [&](double value) { return value <= goal.limit * (1 + slack) + slack; };
    switch (goal.kind) {
    case GoalKind::Makespan:
        return atMost(static_cast<double>(figures.makespan));
    case GoalKind::Peak:
        return atMost(static_cast<double>(figures.peak));
    case GoalKind::SpanBubble:
        return atMost(figures.spanBubble);
    case GoalKind::WallBubble:
        return atMost(figures.wallBubble);
    case GoalKind::Messages:
        return atMost(static_cast<double>(figures.messages));
    case GoalKind::Gathers:
        return atMost(static_cast<double>(figures.gathers));
    case GoalKind::Versions:
        return atMost(figures.versions);
    case GoalKind::MicroBatches:
        return atMost(figures.microBatches);
    case GoalKind::Complete:
    case GoalKind::Family:
    case GoalKind::Order:
    case GoalKind::Interval:
    case GoalKind::BlockPeak:
        break;
    }
    return true;
}

Result<bool> isAsAsked(const LessonGoal& goal, const Schedule& schedule, const Costs& costs)
{
    if (goal.kind == GoalKind::Order)
        return writeOrders(draftOf(schedule)) == goal.order;
    if (goal.kind != GoalKind::Family)
        return true;
    PW_TRY(const auto family, findFamily(goal.family));
    FamilyOptions options = goal.options;
    options.devices = schedule.spec().devices;
    options.microBatches = schedule.spec().microBatches;
    PW_TRY(const auto spec, specOf(*family, options));
    if (spec != schedule.spec())
        return false;
    PW_TRY(const auto built, family->build(spec, options, costs));
    return built.orders() == schedule.orders();
}

std::string goalText(const LessonGoal& goal)
{
    const auto ticks = [&] { return timeText(static_cast<Ticks>(goal.limit)); };
    const auto share = [&] {
        return plainNumber(goal.limit / static_cast<double>(shareOne)) + " mb";
    };
    switch (goal.kind) {
    case GoalKind::Complete:
        return "every pass in place, no deadlock";
    case GoalKind::Makespan:
        return "makespan at most " + ticks();
    case GoalKind::Peak:
        return "peak activation at most " + share();
    case GoalKind::SpanBubble:
        return "span bubble at most " + percentText(goal.limit);
    case GoalKind::WallBubble:
        return "wall bubble at most " + percentText(goal.limit);
    case GoalKind::Messages:
        return "at most " + plainNumber(goal.limit) + " messages";
    case GoalKind::Gathers:
        return "weights gathered at most " + plainNumber(goal.limit) + " times";
    case GoalKind::Versions:
        return "weight versions on a device at most " + plainNumber(goal.limit);
    case GoalKind::MicroBatches:
        return "at most " + plainNumber(goal.limit) + " micro-batches";
    case GoalKind::Family: {
        const auto family = findFamily(goal.family);
        return "the order of " + std::string(family ? (*family)->title : "a family");
    }
    case GoalKind::Order:
        return "the order that is drawn";
    case GoalKind::Interval:
        return "interval at most " + plainNumber(goal.limit) + ", no collision";
    case GoalKind::BlockPeak:
        return "peak of the repeated block at most " + share();
    }
    return {};
}

} // namespace pw
