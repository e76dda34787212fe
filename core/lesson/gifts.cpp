// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/lesson/gifts.h"

#include "core/lesson/candidates.h"
#include "core/lesson/order_search.h"
#include "core/lesson/standing.h"

#include <algorithm>

namespace pw {

namespace {

/// Whether a goal asks for no more than a par.
bool asksFor(const LessonLevel& level, std::initializer_list<GoalKind> kinds, double par)
{
    return std::any_of(level.goals.begin(), level.goals.end(), [&](const LessonGoal& goal) {
        return std::find(kinds.begin(), kinds.end(), goal.kind) != kinds.end() &&
               goal.limit <= par + static_cast<double>(parSlack);
    });
}

/// What all that solve a level of choices, layers, offloads or repairs come to, where it is the
/// same.
LessonPar sameOfAll(const LessonLevel& level)
{
    std::vector<Standing> solved;
    constexpr std::int64_t most = 100'000;
    const auto whole = eachCandidate(level, most, [&](const Project& project) -> Result<void> {
        Standing standing = standingOf(level, project);
        if (standing.solved())
            solved.push_back(std::move(standing));
        return {};
    });
    if (!whole || !*whole)
        return {};
    const auto same = [&](auto Standing::*figure) {
        return std::all_of(solved.begin(), solved.end(), [&](const Standing& one) {
            return one.*figure == solved.front().*figure;
        });
    };
    LessonPar all;
    if (same(&Standing::makespan))
        all.time = 0;
    if (same(&Standing::peak))
        all.memory = 0;
    if (same(&Standing::messages))
        all.messages = 0;
    return all;
}

bool isTimeGiven(const LessonLevel& level)
{
    const auto time = static_cast<double>(*level.par.time);
    if (level.freedom == Freedom::Block && !level.par.repeated)
        return asksFor(level, {GoalKind::Interval}, time);
    // Ticks, not shares: no slack.
    const bool asked =
        std::any_of(level.goals.begin(), level.goals.end(), [&](const LessonGoal& goal) {
            return goal.kind == GoalKind::Makespan && goal.limit <= time;
        });
    if (asked || level.freedom == Freedom::Block)
        return asked;
    const Project& start = level.start;
    return serialTime({start.draft.spec, costsOf(start), level.kinds, {}}) <= *level.par.time;
}

bool isMemoryGiven(const LessonLevel& level)
{
    const Share all = shareOne * level.start.draft.spec.totalMicroBatches();
    return (level.freedom == Freedom::Order && *level.par.memory >= all) ||
           asksFor(level, {GoalKind::Peak, GoalKind::BlockPeak},
                   static_cast<double>(*level.par.memory));
}

} // namespace

std::vector<std::string> giftsOf(const LessonLevel& level)
{
    const bool named = std::any_of(level.goals.begin(), level.goals.end(), [](const auto& goal) {
        return goal.kind == GoalKind::Family || goal.kind == GoalKind::Order;
    });
    const bool choice = level.freedom != Freedom::Order && level.freedom != Freedom::Block;
    const LessonPar same = choice ? sameOfAll(level) : LessonPar{};
    std::vector<std::string> gifts;
    if (level.par.time && (choice ? same.time.has_value() : named || isTimeGiven(level)))
        gifts.emplace_back("time");
    if (level.par.memory && (choice ? same.memory.has_value() : named || isMemoryGiven(level)))
        gifts.emplace_back("memory");
    if (level.par.messages && (!choice || same.messages))
        gifts.emplace_back("messages");
    return gifts;
}

} // namespace pw
