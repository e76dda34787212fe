// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/lesson/facts.h"

#include "core/block/lifespan.h"
#include "core/edit/compose.h"
#include "core/io/schedule_text.h"
#include "core/lesson/layers.h"
#include "core/lesson/play.h"
#include "core/lesson/standing.h"

#include <algorithm>

namespace pw {

namespace {

/// Of a pass in the text notation, with its device: "0.F1".
std::string passName(const Pass& pass, DeviceId device, const ChunkTable& chunks)
{
    return std::to_string(device) + "." + passText(pass, device, chunks);
}

void addTimes(const Project& project, const Costs& costs, FactFigures& figures)
{
    figures["T_c"] = msFromTicks(costs.link.latency);
    if (const auto* uniform = std::get_if<UniformCosts>(&project.costs)) {
        figures["T_F"] = msFromTicks(uniform->forward);
        figures["T_B"] = msFromTicks(uniform->backward);
        figures["T_W"] = msFromTicks(uniform->weight);
        figures["T_BW"] = msFromTicks(uniform->backward + uniform->weight);
        figures["T_pair"] = msFromTicks(uniform->pair.value_or(0));
        figures["stash"] = uniform->stash;
    }
    const PipelineSpec& spec = project.draft.spec;
    for (const StageId stageId : Ids<StageId>(spec.stages())) {
        const std::size_t s = cellIndex(spec, stageId, 0);
        const std::string stage = std::to_string(stageId);
        figures["F." + stage] = msFromTicks(costs.forward[s]);
        figures["B." + stage] = msFromTicks(costs.backward[s]);
        figures["W." + stage] = msFromTicks(costs.weight[s]);
        figures["BW." + stage] = msFromTicks(costs.backward[s] + costs.weight[s]);
    }
}

void addDevices(const Schedule& schedule, const SimResult& result, FactFigures& figures)
{
    const auto most = [&](const char* name, DeviceId device, double value) {
        figures[std::string(name) + "." + std::to_string(device)] = value;
        figures[name] = std::max(figures[name], value);
    };
    const ChunkTable chunks(schedule.spec());
    for (const DeviceId d : Ids<DeviceId>(schedule.spec().devices)) {
        const DeviceResult& device = result.devices[static_cast<std::size_t>(d)];
        most("work", d, msFromTicks(device.busy));
        most("idle", d, msFromTicks(result.makespan - device.busy));
        most("gap", d, msFromTicks(device.span() - device.busy));
        most("peak", d, microBatchesFromShare(device.peakShare));
    }
    std::size_t entry = 0;
    const DeviceOrders orders = schedule.orders();
    for (const DeviceId d : Ids<DeviceId>(schedule.spec().devices)) {
        int forwards = 0;
        bool warm = true; // no backward yet
        for (const OrderEntry& one : orders[static_cast<std::size_t>(d)]) {
            const std::string pass = passName(one.pass, d, chunks);
            figures["begins." + pass] = msFromTicks(result.start[entry]);
            figures["ends." + pass] = msFromTicks(result.end[entry]);
            warm = warm && one.pass.kind == PassKind::F;
            forwards += warm ? 1 : 0;
            ++entry;
        }
        figures["warm." + std::to_string(d)] = forwards;
    }
}

void addOrder(const Project& project, const Costs& costs, FactFigures& figures)
{
    const auto draft = draftOf(project);
    const auto schedule =
        draft ? Schedule::make(draft->spec, draft->orders) : Result<Schedule>(fail(draft.error()));
    const auto result =
        schedule ? simulate(*schedule, costs) : Result<SimResult>(fail(schedule.error()));
    if (!result)
        return;
    const LessonFigures all = lessonFigures(*schedule, *result);
    figures["time"] = msFromTicks(all.makespan);
    figures["wall"] = all.wallBubble;
    figures["span"] = all.spanBubble;
    figures["messages"] = static_cast<double>(all.messages);
    figures["gathers"] = static_cast<double>(all.gathers);
    figures["each"] = static_cast<double>(all.messages) / schedule->spec().totalMicroBatches();
    figures["versions"] = all.versions;
    addDevices(*schedule, *result, figures);
}

void addBlock(const BuildingBlock& block, FactFigures& figures)
{
    figures["interval"] = static_cast<double>(block.interval);
    const PipelineSpec shape = specOf(block);
    const ChunkTable chunks(shape);
    std::vector<Ticks> work(static_cast<std::size_t>(block.devices), 0);
    for (const BlockPass& placed : block.passes) {
        const DeviceId device = block.device(placed.pass);
        work[static_cast<std::size_t>(device)] += placed.duration;
        figures["at." + passName(placed.pass, device, chunks)] = static_cast<double>(placed.start);
    }
    figures["load"] = static_cast<double>(*std::max_element(work.begin(), work.end()));
    const auto lives = lifespans(block);
    for (std::size_t d = 0; d < lives.size(); ++d) {
        const double alive = microBatchesFromShare(lives[d].peak);
        figures["alive." + std::to_string(d)] = alive;
        figures["alive"] = std::max(figures["alive"], alive);
        for (const Lifespan& life : lives[d].cells)
            figures["life." + std::to_string(life.forward.stage)] =
                static_cast<double>(life.length());
    }
}

FactFigures goalFigures(const LessonLevel& level)
{
    FactFigures figures;
    for (const LessonGoal& goal : level.goals) {
        const double share = goal.limit / static_cast<double>(shareOne);
        switch (goal.kind) {
        case GoalKind::Makespan:
            figures["time"] = msFromTicks(static_cast<Ticks>(goal.limit));
            break;
        case GoalKind::Peak:
        case GoalKind::BlockPeak:
            figures["peak"] = share;
            break;
        case GoalKind::SpanBubble:
            figures["span"] = goal.limit;
            break;
        case GoalKind::WallBubble:
            figures["wall"] = goal.limit;
            break;
        case GoalKind::Messages:
            figures["messages"] = goal.limit;
            break;
        case GoalKind::Gathers:
            figures["gathers"] = goal.limit;
            break;
        case GoalKind::Versions:
            figures["versions"] = goal.limit;
            break;
        case GoalKind::Interval:
            figures["interval"] = goal.limit;
            break;
        case GoalKind::MicroBatches:
            figures["m"] = goal.limit;
            break;
        case GoalKind::Complete:
        case GoalKind::Family:
        case GoalKind::Order:
            break;
        }
    }
    return figures;
}

FactFigures parFigures(const LessonLevel& level)
{
    FactFigures figures;
    if (level.par.time && level.freedom == Freedom::Block && !level.par.repeated)
        figures["interval"] = static_cast<double>(*level.par.time);
    else if (level.par.time)
        figures["time"] = msFromTicks(*level.par.time);
    if (level.par.memory)
        figures["memory"] = microBatchesFromShare(*level.par.memory);
    if (level.par.messages)
        figures["messages"] = static_cast<double>(*level.par.messages);
    return figures;
}

/// The layers of a project in a level: all, and by stage.
void addLayers(const LessonLevel& level, const Project& project, FactFigures& figures)
{
    const auto split = layersOf(level, project);
    if (!split)
        return;
    figures["layer_F"] = msFromTicks(level.layers->forward);
    figures["layer_BW"] = msFromTicks(level.layers->backward + level.layers->weight);
    for (std::size_t s = 0; s < split->size(); ++s) {
        const std::string stage = "." + std::to_string(s);
        figures["layers" + stage] = (*split)[s];
        figures["layers"] += (*split)[s];
        figures["besides" + stage] = msFromTicks(level.layers->besides[s]);
        figures["pace" + stage] = level.layers->pace[s];
    }
}

} // namespace

FactFigures factFigures(const Project& project)
{
    FactFigures figures;
    const PipelineSpec& spec = project.draft.spec;
    figures["p"] = spec.devices;
    figures["m"] = spec.microBatches;
    figures["v"] = spec.stages() * spec.routeCount() / std::max(1, spec.devices);
    figures["k"] = static_cast<double>(spec.segments());
    figures["steps"] = spec.totalMicroBatches() / spec.microBatches;
    figures["stages"] = spec.stages();
    figures["copies"] = spec.routeCount();
    const Costs costs = costsOf(project);
    figures["offloaded"] = static_cast<double>(costs.offload.cells.size());
    figures["copy"] = msFromTicks(costs.offload.link.latency);
    addTimes(project, costs, figures);
    addOrder(project, costs, figures);
    if (!project.blocks.empty())
        addBlock(project.blocks.front(), figures);
    return figures;
}

std::optional<double> StepNames::find(const std::string& name) const
{
    const std::size_t point = name.find('.');
    if (point == std::string::npos) {
        for (const LessonFact& fact : m_lesson.facts)
            if (fact.name == name && fact.value)
                return fact.value;
        return std::nullopt;
    }
    const std::string object = name.substr(0, point);
    auto known = m_known.find(object);
    if (known == m_known.end())
        known = m_known.emplace(object, figuresOf(object)).first;
    if (!known->second)
        return std::nullopt;
    const auto value = known->second->find(name.substr(point + 1));
    return value == known->second->end() ? std::nullopt : std::optional(value->second);
}

std::optional<FactFigures> StepNames::figuresOf(const std::string& object) const
{
    for (const LessonFact& fact : m_lesson.facts)
        if (fact.name == object && !fact.value)
            return factFigures(fact.project);
    for (std::size_t i = 0; i < m_step.pictures.size(); ++i)
        if (object == (i == 0 ? "picture" : "picture" + std::to_string(i + 1)))
            return factFigures(m_step.pictures[i].project);
    return m_step.level ? figuresOfLevel(object) : std::nullopt;
}

std::optional<FactFigures> StepNames::figuresOfLevel(const std::string& object) const
{
    const LessonLevel& level = *m_step.level;
    if (object == "level") {
        FactFigures figures = factFigures(level.start);
        if (level.batch) {
            figures["whole_F"] = msFromTicks(level.batch->whole.forward);
            figures["whole_BW"] =
                msFromTicks(level.batch->whole.backward + level.batch->whole.weight);
            figures["each"] = msFromTicks(level.batch->each);
        }
        addLayers(level, level.start, figures);
        if (!level.causes.empty())
            figures["causes"] = static_cast<double>(level.causes.size());
        figures["repairs"] = level.repairs;
        return figures;
    }
    if (object == "goal")
        return goalFigures(level);
    if (object == "par")
        return parFigures(level);
    if (object != "demo")
        return std::nullopt;
    const auto played = play(level, level.start);
    if (!played)
        return std::nullopt;
    FactFigures figures = factFigures(*played);
    addLayers(level, *played, figures);
    return figures;
}

} // namespace pw
