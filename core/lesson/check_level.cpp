// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/text.h"
#include "core/edit/compose.h"
#include "core/io/file_problem.h"
#include "core/lesson/gifts.h"
#include "core/lesson/par.h"
#include "core/lesson/play.h"
#include "core/lesson/ready.h"
#include "core/lesson/standing.h"

#include <algorithm>
#include <cmath>

namespace pw {

namespace {

/// What is wrong with the order of a project that is not complete; empty: nothing that has a name.
Sentence firstProblem(const Project& project)
{
    const auto draft = draftOf(project);
    const auto wrong = draft ? problems(*draft) : Result<Problems>(fail(draft.error()));
    if (!wrong)
        return wrong.error().message;
    return wrong->list.empty() ? Sentence() : placed(wrong->list.front());
}

std::string curveText(const LessonPar& par)
{
    std::string text;
    for (const auto& [time, memory] : par.curve)
        text += (text.empty() ? "" : ", ") + millisecondText(time, 9) + " " +
                plainNumber(microBatchesFromShare(memory), 9) + " mb";
    return text.empty() ? "empty" : text;
}

/// Parts of a micro-batch are typed with a few decimals.
bool sameCurve(const std::vector<std::pair<Ticks, Share>>& typed,
               const std::vector<std::pair<Ticks, Share>>& found)
{
    return std::equal(typed.begin(), typed.end(), found.begin(), found.end(),
                      [](const auto& a, const auto& b) {
                          return a.first == b.first && std::abs(a.second - b.second) <= parSlack;
                      });
}

} // namespace

LevelCheck checkLevel(const LessonLevel& level, std::int64_t mostNodes)
{
    LevelCheck check;
    const auto say = [&](std::string problem) { check.problems.push_back(std::move(problem)); };
    if (standingOf(level, level.start).solved())
        say("is solved before anything is done");
    if (level.demonstration.empty())
        say("has no demonstration");
    if (level.hints.steps > static_cast<int>(level.demonstration.size()))
        say("its hint does more steps than the demonstration has");
    if (level.freedom == Freedom::Order && !level.hints.showPass.empty() && !hintedPass(level))
        say("its second hint points at " + inQuotes(level.hints.showPass) +
            ", which is not a pass of device " + std::to_string(level.hints.showDevice) +
            " in this level");
    const auto played = play(level, level.start);
    if (!played) {
        say(played.error().message);
    } else {
        const Standing standing = standingOf(level, *played);
        check.medals = standing.medals();
        if (!standing.trouble.empty())
            say("its demonstration ends in trouble: " + standing.trouble);
        for (const GoalStanding& goal : standing.goals) {
            if (!goal.met)
                say("its demonstration misses the goal '" + goal.text + "': " + goal.nowText);
        }
        if (const std::string wrong = standing.complete ? "" : firstProblem(*played);
            !wrong.empty())
            say("its demonstration leaves a wrong order: " + wrong);
    }
    const auto proof = provePar(level, level.par, mostNodes);
    if (!proof) {
        say("its par cannot be proven: " + proof.error().message);
        return check;
    }
    check.proof = *proof;
    const LessonPar& least = proof->least;
    if (level.par.time != least.time)
        say("its par of time is " +
            (level.freedom == Freedom::Block && !level.par.repeated
                 ? std::to_string(least.time.value_or(0))
                 : millisecondText(least.time.value_or(0), 9)) +
            " by search, not as the file says");
    // Parts of a micro-batch are typed with a few decimals.
    const bool sameMemory =
        level.par.memory.has_value() == least.memory.has_value() &&
        std::abs(level.par.memory.value_or(0) - least.memory.value_or(0)) <= parSlack;
    if (!sameMemory)
        say("its par of memory is " +
            plainNumber(microBatchesFromShare(least.memory.value_or(0)), 9) +
            " micro-batches by search, not as the file says");
    if (!sameCurve(level.par.curve, least.curve))
        say("its curve of time and memory is " + curveText(least) +
            " by search, not as the file "
            "says");
    for (const std::string& gift : giftsOf(level))
        say("its medal for " + gift + " is won by every solution: it means nothing");
    if (level.par.messages != least.messages)
        say("its par of messages is " + std::to_string(least.messages.value_or(0)) +
            " by search, not as the file says");
    if (!proof->proven)
        say("its par is not proven: " + proof->why);
    return check;
}

std::vector<std::string> checkPictures(const Lesson& lesson)
{
    std::vector<std::string> problems;
    for (std::size_t s = 0; s < lesson.steps.size(); ++s) {
        for (const LessonPicture& picture : lesson.steps[s].pictures) {
            const auto draft = draftOf(picture.project);
            const auto times = draft ? draftTimes(*draft, costsOf(picture.project))
                                     : Result<DraftTimes>(fail(draft.error()));
            if (!times)
                problems.push_back("step " + std::to_string(s + 1) +
                                   ": its picture cannot be drawn: " + times.error().message);
        }
    }
    return problems;
}

} // namespace pw
