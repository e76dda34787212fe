// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/document/project_evaluator.h"

#include "core/edit/placing.h"
#include "core/families/family.h"
#include "ui/core_sentences.h"
#include "ui/document/schedule_document.h"
#include "ui/plural.h"

#include <QElapsedTimer>

#include <algorithm>
#include <utility>

namespace pw::ui {

namespace {

/// Problems other than passes that are still missing; those come last in the list.
std::size_t wrongCount(const Problems& problems)
{
    return static_cast<std::size_t>(
        std::find_if(problems.list.begin(), problems.list.end(),
                     [](const Problem& one) { return one.code == ProblemCode::Missing; }) -
        problems.list.begin());
}

} // namespace

ProjectEvaluation ProjectEvaluator::evaluate(const Project& project)
{
    Result<SchedulePtr> schedule = madeSchedule(project);
    if (!schedule && project.family) {
        ProjectEvaluation evaluation = withoutFamily(project);
        evaluation.failure = schedule.error();
        return evaluation;
    }
    ProjectEvaluation evaluation;
    if (schedule)
        evaluation.schedule = *std::move(schedule);
    else if (Result<Problems> wrong = problems(project.draft); wrong)
        evaluation.problems = *std::move(wrong);
    else
        evaluation.failure = wrong.error();
    evaluation.costs = costsOf(project);
    simulate(project, evaluation);
    return evaluation;
}

ProjectEvaluation ProjectEvaluator::withoutFamily(const Project& project)
{
    ProjectEvaluation evaluation;
    evaluation.made = Draft{project.draft.spec, {}};
    evaluation.made->orders.resize(static_cast<std::size_t>(project.draft.spec.devices));
    evaluation.costs = costsOf(project);
    simulate(project, evaluation);
    return evaluation;
}

/// Times of a schedule, or of what there is of one.
void ProjectEvaluator::simulate(const Project& project, ProjectEvaluation& evaluation)
{
    DraftTimes& times = evaluation.times;
    QElapsedTimer timer;
    timer.start();
    if (evaluation.schedule) {
        const Schedule& schedule = *evaluation.schedule;
        if (m_schedule.run(schedule, evaluation.costs, times.times)) {
            evaluation.simulationTime = timer.nsecsElapsed();
            for (const DeviceId device : Ids<DeviceId>(schedule.devices()))
                times.begin.push_back(schedule.begin(device));
            times.begin.push_back(EntryId(schedule.entryCount()));
            evaluation.lanes = lanesOf(evaluation.schedule, times.times);
            return;
        }
        if (project.family)
            evaluation.made = draftOf(schedule);
        evaluation.schedule.reset();
    }
    const Draft& draft = evaluation.made ? *evaluation.made : project.draft;
    m_draft.run(draft, evaluation.costs, times);
    evaluation.simulationTime = timer.nsecsElapsed();
    evaluation.lanes = lanesOf(draft, times);
}

QString brokenRule(const ProjectEvaluation& before, const ProjectEvaluation& after,
                   const PipelineSpec& spec)
{
    const std::vector<Problem>& known = before.problems.list;
    const std::vector<Problem>& all = after.problems.list;
    const std::size_t wrong = wrongCount(after.problems);
    if (wrong > wrongCount(before.problems)) {
        for (std::size_t i = 0; i < wrong; ++i) {
            const bool was = std::any_of(known.begin(), known.end(), [&](const Problem& one) {
                return one.code == all[i].code && one.pass == all[i].pass;
            });
            if (!was)
                return coreSentence(placed(all[i]));
        }
        return coreSentence(placed(all.front()));
    }
    if (before.times.ring.empty() && !after.times.ring.empty())
        return coreSentence(ringText(after.times.ring, spec));
    return {};
}

QString problemOf(const ProjectEvaluation& evaluation, const PipelineSpec& spec)
{
    const Problems& problems = evaluation.problems;
    if (evaluation.failure)
        return coreSentence(evaluation.failure->message);
    if (wrongCount(problems) > 0)
        return coreSentence(placed(problems.list.front()));
    if (!evaluation.times.ring.empty())
        return coreSentence(ringText(evaluation.times.ring, spec));
    if (!problems.none())
        return ScheduleDocument::tr("%1 missing").arg(plural(problems.count, Noun::Pass));
    return {};
}

} // namespace pw::ui
