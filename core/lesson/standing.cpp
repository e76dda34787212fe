// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/lesson/standing.h"

#include "core/base/percent.h"
#include "core/base/text.h"
#include "core/base/try.h"
#include "core/edit/compose.h"
#include "core/lesson/block_figures.h"
#include "core/lesson/layers.h"
#include "core/lesson/play.h"
#include "core/lesson/toggle.h"

#include <algorithm>

namespace pw {

namespace {

std::string microBatchText(Share share)
{
    return plainNumber(microBatchesFromShare(share)) + " mb";
}

std::int64_t wantedPasses(const LessonLevel& level, const PipelineSpec& spec)
{
    const auto cells = std::int64_t{spec.stages()} * spec.totalMicroBatches() * spec.segments();
    const auto kinds = level.freedom == Freedom::Order ? level.kinds.size() : std::size_t{2};
    return cells * static_cast<std::int64_t>(kinds);
}

std::int64_t passCount(const Draft& draft)
{
    std::int64_t count = 0;
    for (const auto& order : draft.orders)
        for (const OrderEntry& entry : order)
            count += entry.paired ? 2 : 1;
    return count;
}

/// The same schedule of the same family, whether a default is given or not.
bool sameChoice(const FamilyChoice& a, const FamilyChoice& b)
{
    const auto family = findFamily(a.id);
    if (!family || a.id != b.id || a.options.devices != b.options.devices ||
        a.options.microBatches != b.options.microBatches || a.options.steps != b.options.steps ||
        a.options.segmentLengths != b.options.segmentLengths)
        return false;
    const auto& parameters = (*family)->parameters;
    return std::all_of(parameters.begin(), parameters.end(), [&](const Parameter& parameter) {
        return parameterValue(**family, a.options, parameter.name) ==
               parameterValue(**family, b.options, parameter.name);
    });
}

/// Notes the first trouble alone.
void takeTrouble(Standing& standing, LevelTrouble why, Sentence sentence)
{
    if (standing.why != LevelTrouble::None)
        return;
    standing.why = why;
    standing.trouble = std::move(sentence);
}

void judgeChoice(const LessonLevel& level, const Project& project, Standing& standing)
{
    if (!project.family)
        takeTrouble(standing, LevelTrouble::Unchosen,
                    said("Choose one of the schedules of this level."));
    else if (chosenOf(level, project) < 0)
        takeTrouble(standing, LevelTrouble::NotListed,
                    said("This schedule is not among those of the level."));
    else if (!hasTimesOf(level, project))
        takeTrouble(standing, LevelTrouble::Times,
                    said("The times of the passes have changed; they are locked here."));
}

Sentence otherShape()
{
    return said("Devices and stages have changed; they are locked here.");
}

/// Whether times and offloads are as the level leaves them to a person.
bool hasFreeTimes(const LessonLevel& level, const Project& project)
{
    if (level.freedom == Freedom::Layers)
        return project.offload == level.start.offload && layersOf(level, project).has_value();
    if (level.freedom == Freedom::Repair)
        return project.offload == level.start.offload && mendedOf(level, project).has_value();
    if (level.freedom == Freedom::Offload)
        return project.costs == level.start.costs &&
               project.offload.link == level.start.offload.link;
    return hasTimesOf(level, project);
}

/// What a person has changed that the level keeps.
void judgeLocked(const LessonLevel& level, const Project& project, const Draft& draft,
                 Standing& standing)
{
    if (level.freedom == Freedom::Choice)
        return judgeChoice(level, project, standing);
    if (!hasShapeOf(level, draft.spec))
        return takeTrouble(standing, LevelTrouble::Shape, otherShape());
    if (level.freedom == Freedom::Block)
        return;
    if (draft.spec.microBatches != level.start.draft.spec.microBatches)
        return takeTrouble(standing, LevelTrouble::Count,
                           said("The number of micro-batches has changed; it is locked here."));
    if (!hasFreeTimes(level, project))
        return takeTrouble(standing, LevelTrouble::Times,
                           said("The times of the passes have changed; they are locked here."));
    if (level.freedom != Freedom::Order) {
        const auto begun = draftOf(level.start);
        if (begun && begun->orders != draft.orders)
            takeTrouble(standing, LevelTrouble::Order,
                        said("The order of the passes has changed; it is locked here."));
        return;
    }
    for (std::size_t d = 0; d < level.fixed.size(); ++d) {
        const auto& fixed = level.fixed[d];
        const auto& order = draft.orders[d];
        if (order.size() >= fixed.size() && std::equal(fixed.begin(), fixed.end(), order.begin()))
            continue;
        standing.device = DeviceId(d);
        return takeTrouble(standing, LevelTrouble::Fixed,
                           "The first passes of device " + std::to_string(d) + " are locked here.");
    }
}

/// The first pass of a kind that the level does not have.
void judgeKinds(const LessonLevel& level, const Draft& draft, Standing& standing)
{
    if (level.freedom != Freedom::Order || standing.why != LevelTrouble::None)
        return;
    for (const auto& order : draft.orders) {
        for (const OrderEntry& entry : order) {
            const bool known = std::find(level.kinds.begin(), level.kinds.end(), entry.pass.kind) !=
                               level.kinds.end();
            if (known && !entry.paired)
                continue;
            standing.pass = entry.pass;
            return takeTrouble(standing, LevelTrouble::Kind,
                               describe(entry.pass, draft.spec) + " is not a pass of this level.");
        }
    }
}

int mendedCount(const LessonLevel& level, const Project& project)
{
    if (level.freedom != Freedom::Repair)
        return 0;
    const auto mended = mendedOf(level, project);
    return mended ? static_cast<int>(std::count(mended->begin(), mended->end(), true)) : 0;
}

/// What does not meet the goals may have less than par, which says nothing: it has no figure beside
/// it.
void judgeMedals(const LessonLevel& level, Standing& standing)
{
    const bool interval = level.freedom == Freedom::Block && !level.par.repeated;
    const bool solved = standing.solved();
    if (level.par.time) {
        const auto text = [&](Ticks time) {
            return interval ? plainNumber(static_cast<double>(time)) : timeText(time);
        };
        const Ticks now = level.par.repeated ? standing.repeated : standing.makespan;
        standing.time = {true, solved && now <= *level.par.time, text(*level.par.time),
                         solved ? text(now) : "–"};
    }
    if (level.par.memory)
        standing.memory = {true, solved && standing.peak <= *level.par.memory + parSlack,
                           microBatchText(*level.par.memory),
                           solved ? microBatchText(standing.peak) : "–"};
    if (!level.par.curve.empty()) {
        const auto text = [](Ticks time, Share peak) {
            return timeText(time) + " " + microBatchText(peak);
        };
        standing.memory.offered = true;
        for (const auto& [time, peak] : level.par.curve) {
            standing.memory.par += (standing.memory.par.empty() ? "" : " · ") + text(time, peak);
            standing.memory.won = standing.memory.won || (solved && standing.makespan <= time &&
                                                          standing.peak <= peak + parSlack);
        }
        standing.memory.now = solved ? text(standing.makespan, standing.peak) : "–";
    }
    if (level.par.messages)
        standing.letters = {true, solved && standing.messages <= *level.par.messages,
                            std::to_string(*level.par.messages),
                            solved ? std::to_string(standing.messages) : "–"};
}

/// A goal on figures of a whole schedule; what is said of other goals is left as it is.
void judgeNumbers(const LessonGoal& goal, const LessonFigures& figures, GoalStanding& judged)
{
    const auto say = [&](auto value, std::string text) {
        judged.now = static_cast<double>(value);
        judged.nowText = std::move(text);
    };
    judged.met = meets(goal, figures);
    switch (goal.kind) {
    case GoalKind::Makespan:
        return say(figures.makespan, timeText(figures.makespan));
    case GoalKind::Peak:
        return say(figures.peak, microBatchText(figures.peak));
    case GoalKind::SpanBubble:
        return say(figures.spanBubble, percentText(figures.spanBubble));
    case GoalKind::WallBubble:
        return say(figures.wallBubble, percentText(figures.wallBubble));
    case GoalKind::Messages:
        return say(figures.messages, std::to_string(figures.messages));
    case GoalKind::Gathers:
        return say(figures.gathers, std::to_string(figures.gathers));
    case GoalKind::Versions:
        return say(figures.versions, std::to_string(figures.versions));
    case GoalKind::MicroBatches:
        return say(figures.microBatches, std::to_string(figures.microBatches));
    case GoalKind::Complete:
    case GoalKind::Family:
    case GoalKind::Order:
    case GoalKind::Interval:
    case GoalKind::BlockPeak:
        break;
    }
}

Standing blockStanding(const LessonLevel& level, const Project& project)
{
    Standing standing;
    const BlockFigures figures = blockFigures(level, project);
    standing.complete = figures.whole;
    standing.why = figures.why;
    standing.trouble = figures.trouble;
    standing.peak = figures.peak;
    standing.messages = figures.messages;
    standing.makespan = project.blocks.size() == 1 ? project.blocks.front().interval : 0;
    standing.repeated = figures.repeated ? figures.repeated->makespan : 0;
    for (const LessonGoal& goal : level.goals) {
        if (isOfRepeated(goal)) {
            GoalStanding judged{false, false, -1, goalText(goal), "–"};
            if (figures.repeated)
                judgeNumbers(goal, *figures.repeated, judged);
            standing.goals.push_back(std::move(judged));
            continue;
        }
        GoalStanding judged{figures.whole, false, figures.whole ? 1.0 : 0.0, goalText(goal),
                            figures.whole ? "yes" : "not yet"};
        if (goal.kind == GoalKind::Interval) {
            judged.now = static_cast<double>(standing.makespan);
            judged.nowText = plainNumber(judged.now);
            judged.met = figures.whole && judged.now <= goal.limit;
        } else if (goal.kind == GoalKind::BlockPeak) {
            judged.now = figures.whole ? static_cast<double>(figures.peak) : -1;
            judged.nowText = figures.whole ? microBatchText(figures.peak) : "–";
            judged.met = figures.whole && judged.now <= goal.limit;
        }
        standing.goals.push_back(std::move(judged));
    }
    judgeMedals(level, standing);
    return standing;
}

/// A goal of an order that is not whole yet: what there is so far.
GoalStanding judgeDraft(const LessonGoal& goal, const Standing& standing)
{
    GoalStanding judged{false, true, -1, goalText(goal), "–"};
    switch (goal.kind) {
    case GoalKind::Complete:
        judged.now = static_cast<double>(standing.passes);
        judged.nowText = std::to_string(standing.passes) + " of " + std::to_string(standing.wanted);
        break;
    case GoalKind::Makespan:
        // An order that never ends has no time, and no peak that it would come to.
        if (standing.why == LevelTrouble::Ring)
            break;
        judged.now = static_cast<double>(standing.makespan);
        judged.nowText = timeText(standing.makespan) + " so far";
        break;
    case GoalKind::Peak:
        if (standing.why == LevelTrouble::Ring)
            break;
        judged.now = static_cast<double>(standing.peak);
        judged.nowText = microBatchText(standing.peak) + " so far";
        break;
    default:
        break;
    }
    return judged;
}

GoalStanding judge(const LessonGoal& goal, const Schedule& schedule, const Costs& costs,
                   const LessonFigures& figures)
{
    GoalStanding judged{false, false, 0, goalText(goal), {}};
    judgeNumbers(goal, figures, judged);
    if (goal.kind == GoalKind::Complete) {
        judged.now = static_cast<double>(schedule.passCount());
        judged.nowText =
            std::to_string(schedule.passCount()) + " of " + std::to_string(schedule.passCount());
    } else if (goal.kind == GoalKind::Family || goal.kind == GoalKind::Order) {
        const auto same = isAsAsked(goal, schedule, costs);
        judged.met = same && *same;
        judged.now = judged.met ? 1 : 0;
        judged.nowText = judged.met ? "yes" : "not yet";
    }
    return judged;
}

} // namespace

bool Standing::solved() const
{
    return trouble.empty() && complete &&
           std::all_of(goals.begin(), goals.end(), [](const GoalStanding& g) { return g.met; });
}

int chosenOf(const LessonLevel& level, const Project& project)
{
    if (!project.family)
        return -1;
    const auto found =
        std::find_if(level.choices.begin(), level.choices.end(), [&](const FamilyChoice& choice) {
            return sameChoice(choice, *project.family);
        });
    return found == level.choices.end() ? -1 : static_cast<int>(found - level.choices.begin());
}

bool hasShapeOf(const LessonLevel& level, const PipelineSpec& spec)
{
    const PipelineSpec& start = level.start.draft.spec;
    return level.freedom == Freedom::Choice ||
           (spec.routes == start.routes && spec.devices == start.devices &&
            spec.segmentLengths == start.segmentLengths);
}

Result<void> checkShape(const LessonLevel& level, const Project& project)
{
    PW_TRY(const Draft draft, draftOf(project));
    if (!hasShapeOf(level, draft.spec))
        return fail(ErrorCode::BadValue, otherShape());
    return {};
}

LevelTimes timesOf(const LessonLevel& level)
{
    LevelTimes times;
    if (level.freedom == Freedom::Layers || level.freedom == Freedom::Repair || level.batch)
        return times;
    const PipelineSpec& spec = level.start.draft.spec;
    const Costs costs = costsOf(level.start);
    times.fused =
        std::find(level.kinds.begin(), level.kinds.end(), PassKind::BW) != level.kinds.end();
    times.hop = costs.link.latency;
    for (const StageId stage : Ids<StageId>(spec.stages())) {
        const std::size_t cell = cellIndex(spec, stage, 0);
        times.stages.push_back({costs.forward[cell], costs.backward[cell], costs.weight[cell]});
    }
    if (std::all_of(times.stages.begin(), times.stages.end(),
                    [&](const auto& one) { return one == times.stages.front(); }))
        times.stages.resize(1);
    constexpr std::array usual{ticksPerMs, ticksPerMs, ticksPerMs};
    times.plain = times.hop == 0 && times.stages.size() == 1 && times.stages.front() == usual;
    return times;
}

Standing standingOf(const LessonLevel& level, const Project& project)
{
    if (level.freedom == Freedom::Block)
        return blockStanding(level, project);
    Standing standing;
    const auto draft = draftOf(project);
    if (!draft) {
        takeTrouble(standing, LevelTrouble::Other, draft.error().message);
        return standing;
    }
    const Costs costs = costsOf(project);
    standing.wanted = wantedPasses(level, draft->spec);
    standing.passes = passCount(*draft);
    judgeLocked(level, project, *draft, standing);
    judgeKinds(level, *draft, standing);
    standing.mended = mendedCount(level, project);
    const auto schedule = Schedule::make(draft->spec, draft->orders);
    const auto result =
        schedule ? simulate(*schedule, costs) : Result<SimResult>(fail(schedule.error()));
    standing.complete = result.has_value() &&
                        (level.freedom != Freedom::Order || standing.passes == standing.wanted);
    if (standing.complete) {
        const LessonFigures figures = lessonFigures(*schedule, *result);
        standing.makespan = figures.makespan;
        standing.peak = figures.peak;
        standing.messages = figures.messages;
        standing.wanted = standing.passes;
        for (const LessonGoal& goal : level.goals)
            standing.goals.push_back(judge(goal, *schedule, costs, figures));
    } else if (const auto times = draftTimes(*draft, costs)) {
        standing.makespan = times->times.makespan;
        for (const DeviceResult& device : times->times.devices)
            standing.peak = std::max(standing.peak, device.peakShare);
        if (Sentence ring = ringText(*times, draft->spec); !ring.empty())
            takeTrouble(standing, LevelTrouble::Ring, std::move(ring));
        if (standing.why == LevelTrouble::Ring)
            standing.ring = times->ring;
        for (const LessonGoal& goal : level.goals)
            standing.goals.push_back(judgeDraft(goal, standing));
    }
    judgeMedals(level, standing);
    return standing;
}

} // namespace pw
