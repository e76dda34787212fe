// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/lesson/toggle.h"

#include "core/edit/pass_edits.h"
#include "core/lesson/lesson_parts.h"

#include <algorithm>
#include <array>

namespace pw {

namespace {

bool makesLonger(const LessonCause& cause, const Pass& pass)
{
    return std::any_of(cause.begin(), cause.end(),
                       [&](const PassTime& one) { return one.pass == pass; });
}

Result<Edit> mend(const LessonLevel& level, const Project& project, const Pass& pass)
{
    auto mended = mendedOf(level, project);
    if (!mended)
        return fail(ErrorCode::BadValue, "the times of the passes have changed; they are locked "
                                         "here");
    const auto cause = std::find_if(level.causes.begin(), level.causes.end(),
                                    [&](const LessonCause& one) { return makesLonger(one, pass); });
    if (cause == level.causes.end())
        return fail(ErrorCode::BadValue, "this pass takes as long as others of its kind: there is "
                                         "nothing to mend");
    const auto at = static_cast<std::size_t>(cause - level.causes.begin());
    const auto many = std::count(mended->begin(), mended->end(), true);
    if (!(*mended)[at] && many >= level.repairs)
        return fail(ErrorCode::BadValue, "%1 may be mended here; take one back first",
                    level.repairs);
    (*mended)[at] = !(*mended)[at];
    return Edit{{SetCosts{withMended(level, project, *mended).costs}}};
}

} // namespace

Project withMended(const LessonLevel& level, Project project, const std::vector<bool>& mended)
{
    std::vector<LessonCause> left = {{}}; // tables, too, where nothing is left
    for (std::size_t i = 0; i < level.causes.size(); ++i)
        if (!mended[i])
            left.push_back(level.causes[i]);
    makeLonger(project, left);
    return project;
}

std::optional<std::vector<bool>> mendedOf(const LessonLevel& level, const Project& project)
{
    const Costs costs = costsOf(project);
    std::vector<bool> mended;
    for (const LessonCause& cause : level.causes)
        mended.push_back(
            std::none_of(costs.single.begin(), costs.single.end(),
                         [&](const PassTime& one) { return makesLonger(cause, one.pass); }));
    const bool known = withMended(level, level.start, mended).costs == project.costs;
    return known && std::count(mended.begin(), mended.end(), true) <= level.repairs
               ? std::optional(std::move(mended))
               : std::nullopt;
}

Result<Edit> toggle(const LessonLevel& level, const Project& project, const Pass& pass)
{
    if (level.freedom == Freedom::Repair)
        return mend(level, project, pass);
    if (level.freedom != Freedom::Offload)
        return fail(ErrorCode::BadValue, "nothing is said of single passes in this level");
    const std::vector<Pass> cells = cellsOf(std::array{pass});
    const bool away = !offloadedOf(project.offload, cells).front();
    return offloadEdit(project, cells, away);
}

} // namespace pw
