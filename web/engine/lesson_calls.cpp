// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors

// Lessons: their levels, help, demonstrations, and what is kept of a person's solutions.
#include "core/base/try.h"
#include "core/io/schedule_text.h"
#include "core/lesson/field.h"
#include "core/lesson/guess.h"
#include "core/lesson/layers.h"
#include "core/lesson/play.h"
#include "core/lesson/ready.h"
#include "core/lesson/toggle.h"
#include "web/engine/calls.h"
#include "web/engine/scene.h"

#include <array>

namespace pw::web {

namespace {

constexpr auto oneLine = JsonText::Layout::OneLine;

Result<const LessonLevel*> levelOf(const Call& call)
{
    PW_DO(call.read());
    if (call.session.level() == nullptr)
        return fail(ErrorCode::BadValue, "no level is open");
    return call.session.level();
}

/// A choice by what tells it; its words are the page's.
void writeChoice(JsonText& out, const FamilyChoice& choice)
{
    const auto family = findFamily(choice.id);
    out.beginObject(oneLine);
    out.member("title", family ? (*family)->title : std::string_view(choice.id));
    out.key("options");
    out.beginArray(oneLine);
    for (const auto& [name, value] : choice.options.parameters) {
        const Parameter* parameter = family ? findParameter(**family, name) : nullptr;
        out.value(std::string_view(parameter != nullptr ? describe(*parameter, value) : name));
    }
    out.endArray();
    out.member("micro_batches", choice.options.microBatches);
    out.endObject();
}

void writeMedal(JsonText& out, std::string_view name, const MedalStanding& medal)
{
    if (!medal.offered)
        return;
    out.key(name);
    out.beginObject(oneLine);
    out.member("won", medal.won);
    out.member("par", std::string_view(medal.par));
    out.member("now", std::string_view(medal.now));
    out.endObject();
}

std::string_view nameOf(Freedom freedom)
{
    switch (freedom) {
    case Freedom::Order:
        return "order";
    case Freedom::Choice:
        return "choice";
    case Freedom::Block:
        return "block";
    case Freedom::Layers:
        return "layers";
    case Freedom::Offload:
        return "offload";
    case Freedom::Repair:
        return "repair";
    }
    return {};
}

std::string_view nameOf(GoalKind kind)
{
    constexpr std::array<std::string_view, 13> names = {
        "complete", "makespan", "peak",  "span_bubble", "wall_bubble", "messages",     "gathers",
        "versions", "family",   "order", "interval",    "block_peak",  "micro_batches"};
    return names[static_cast<std::size_t>(kind)];
}

void writeGoals(JsonText& out, const LessonLevel& level, const Standing& standing)
{
    out.key("goals");
    out.beginArray(oneLine);
    for (std::size_t i = 0; i < standing.goals.size(); ++i) {
        const LessonGoal& goal = level.goals[i];
        const GoalStanding& now = standing.goals[i];
        const bool share = goal.kind == GoalKind::Peak || goal.kind == GoalKind::BlockPeak;
        const double unit = share ? static_cast<double>(shareOne) : 1;
        const auto family = findFamily(goal.family);
        out.beginObject(oneLine);
        out.member("kind", nameOf(goal.kind));
        out.member("limit", goal.limit / unit);
        out.member("met", now.met);
        out.member("so_far", now.soFar);
        out.member("now", now.now < 0 ? now.now : now.now / unit);
        out.member("family", family ? (*family)->title : std::string_view(goal.family));
        out.endObject();
    }
    out.endArray();
}

void writeReady(JsonText& out, const LessonLevel& level, const Project& project)
{
    out.key("ready");
    out.beginArray(oneLine);
    // What is ready stands in the project's shape, which may be another than the level began with.
    const auto draft = draftOf(project);
    if (draft && level.freedom == Freedom::Order) {
        const ChunkTable chunks(draft->spec);
        for (const ReadyPass& ready : readyPasses(level, project)) {
            out.beginObject(oneLine);
            out.member("device", static_cast<int>(ready.device));
            out.member("chunk", chunks.chunk(ready.pass.route, ready.pass.stage));
            out.member("start", ready.start);
            out.member("end", ready.end);
            writePass(out, "pass", ready.pass);
            out.endObject();
        }
    }
    out.endArray();
}

Result<void> openLesson(const Call& call)
{
    const std::string text = call.in.text("text");
    const std::string id = call.in.text("id");
    PW_DO(call.read());
    PW_TRY(Lesson lesson, readLesson(text, id));
    call.out.key("levels");
    call.out.beginArray(oneLine);
    for (const LessonStep& step : lesson.steps)
        call.out.value(step.level.has_value());
    call.out.endArray();
    call.session.setLesson(std::move(lesson));
    return {};
}

/// The schedule of a picture, which is only looked at.
Result<void> picture(const Call& call)
{
    const auto step = static_cast<std::size_t>(call.in.count("step", 0));
    const auto number = static_cast<std::size_t>(call.in.count("picture", 0));
    PW_DO(call.read());
    PW_TRY(const Lesson* lesson, call.session.lesson());
    if (step >= lesson->steps.size() || number >= lesson->steps[step].pictures.size())
        return fail(ErrorCode::BadValue, "the lesson has no such picture");
    const Project& project = lesson->steps[step].pictures[number].project;
    PW_TRY(const Draft draft, draftOf(project));
    const Costs costs = costsOf(project);
    PW_TRY(const DraftTimes times, draftTimes(draft, costs));
    writeScene(call.out, draft, costs, times);
    return {};
}

/// What the answers of a question say in numbers; an empty list: they are none.
Result<void> guess(const Call& call)
{
    const auto step = static_cast<std::size_t>(call.in.count("step", 0));
    const auto number = static_cast<std::size_t>(call.in.count("question", 0));
    PW_DO(call.read());
    PW_TRY(const Lesson* lesson, call.session.lesson());
    if (step >= lesson->steps.size() || number >= lesson->steps[step].questions.size())
        return fail(ErrorCode::BadValue, "the lesson has no such question");
    const auto guess = guessOf(lesson->steps[step], lesson->steps[step].questions[number]);
    call.out.member("of_level", guess && guess->ofLevel);
    call.out.key("answers");
    call.out.beginArray(oneLine);
    if (guess)
        for (const double answer : guess->answers)
            call.out.value(answer);
    call.out.endArray();
    return {};
}

/// Begins the level of a step, and says what it is.
Result<void> startLevel(const Call& call)
{
    const int step = call.in.count("step", 0);
    PW_DO(call.read());
    PW_DO(call.session.startLevel(step));
    const LessonLevel& level = *call.session.level();
    call.out.member("freedom", nameOf(level.freedom));
    call.out.key("kinds");
    call.out.beginArray(oneLine);
    for (const PassKind kind : level.kinds)
        call.out.value(name(kind));
    call.out.endArray();
    call.out.key("choices");
    call.out.beginArray(oneLine);
    for (const FamilyChoice& choice : level.choices)
        writeChoice(call.out, choice);
    call.out.endArray();
    call.out.key("fixed");
    call.out.beginArray(oneLine);
    for (const auto& order : level.fixed)
        call.out.value(static_cast<std::int64_t>(order.size()));
    call.out.endArray();
    const LevelTimes times = timesOf(level);
    call.out.key("times");
    call.out.beginArray(oneLine);
    if (!times.plain)
        for (const auto& [forward, backward, weight] : times.stages) {
            call.out.beginArray(oneLine);
            call.out.value(forward);
            call.out.value(backward);
            call.out.value(weight);
            call.out.endArray();
        }
    call.out.endArray();
    call.out.member("fused", times.fused);
    call.out.member("hop", times.hop);
    call.out.member("acts", static_cast<std::int64_t>(level.demonstration.size()));
    call.out.member("first_acts", level.hints.steps);
    if (level.par.time)
        call.out.member("par_time", *level.par.time);
    if (const auto hinted = hintedPass(level)) {
        writePass(call.out, "hinted", *hinted);
        call.out.member("hinted_device", level.hints.showDevice);
    }
    return writeState(call.out, call.session);
}

/// A solution that was kept, in its level; whether it still is one is judged as of any other. One
/// of another shape, of a lesson that has changed since, is refused.
Result<void> restore(const Call& call)
{
    const std::string text = call.in.text("project");
    PW_TRY(const LessonLevel* level, levelOf(call));
    PW_TRY(Project project, readProject(text));
    PW_DO(checkShape(*level, project));
    call.session.open(std::move(project));
    return writeState(call.out, call.session);
}

std::string_view nameOf(LessonAct::Kind kind)
{
    constexpr std::array<std::string_view, 13> names = {
        "place", "move",     "remove", "clear", "finish", "reorder", "family",
        "shift", "interval", "stamp",  "block", "layer",  "toggle"};
    return names[static_cast<std::size_t>(kind)];
}

/// An act by what tells it; its words are the page's.
void writeAct(JsonText& out, const LessonAct& act)
{
    out.key("act");
    out.beginObject(oneLine);
    out.member("do", nameOf(act.kind));
    out.member("device", static_cast<int>(act.device));
    out.member("from", act.from);
    out.member("to", act.to);
    out.member("passes", std::string_view(act.passes));
    out.member("rule", std::string_view(act.rule));
    out.member("amount", act.amount);
    out.member("count", act.count);
    if (act.kind == LessonAct::Kind::Family) {
        out.key("family");
        writeChoice(out, act.family);
    }
    out.endObject();
}

/// Does one act of the demonstration.
Result<void> act(const Call& call)
{
    const auto number = static_cast<std::size_t>(call.in.count("act", 0));
    PW_TRY(const LessonLevel* level, levelOf(call));
    if (number >= level->demonstration.size())
        return fail(ErrorCode::BadValue, "the demonstration has no act %1", number);
    const LessonAct& act = level->demonstration[number];
    PW_TRY(const Edit edit, editOf(*level, call.session.project(), act));
    PW_DO(call.session.edit(edit));
    writeAct(call.out, act);
    return writeState(call.out, call.session);
}

Result<void> choose(const Call& call)
{
    const auto choice = static_cast<std::size_t>(call.in.count("choice", 0));
    PW_TRY(const LessonLevel* level, levelOf(call));
    if (choice >= level->choices.size())
        return fail(ErrorCode::BadValue, "the level has no choice %1", choice);
    PW_TRY(const Proposal filled,
           fillWithChoice(*level, call.session.project(), level->choices[choice]));
    PW_DO(call.session.edit(filled.edit));
    return writeState(call.out, call.session);
}

Result<void> layer(const Call& call)
{
    const int from = call.in.count("from", 0);
    const int to = call.in.count("to", 0);
    PW_TRY(const LessonLevel* level, levelOf(call));
    PW_TRY(const Edit edit, moveLayer(*level, call.session.project(), from, to));
    PW_DO(call.session.edit(edit));
    return writeState(call.out, call.session);
}

/// The other answer for the pass at a place.
Result<void> togglePass(const Call& call)
{
    const auto device = static_cast<std::size_t>(call.in.count("device", 0));
    const auto position = static_cast<std::size_t>(call.in.count("position", 0));
    PW_TRY(const LessonLevel* level, levelOf(call));
    PW_TRY(const Draft draft, draftOf(call.session.project()));
    if (device >= draft.orders.size() || position >= draft.orders[device].size())
        return fail(ErrorCode::BadValue, "there is no such pass");
    PW_TRY(const Edit edit,
           toggle(*level, call.session.project(), draft.orders[device][position].pass));
    PW_DO(call.session.edit(edit));
    return writeState(call.out, call.session);
}

Result<void> placeReadyPass(const Call& call)
{
    const auto at = static_cast<std::size_t>(call.in.count("ready", 0));
    PW_TRY(const LessonLevel* level, levelOf(call));
    const auto ready = readyPasses(*level, call.session.project());
    if (at >= ready.size())
        return fail(ErrorCode::BadValue, "no pass can come next");
    PW_DO(call.session.edit(placeReady(call.session.project(), ready[at])));
    return writeState(call.out, call.session);
}

std::string_view nameOf(ReadyEnd end)
{
    constexpr std::array<std::string_view, 8> names = {
        "wrong", "complete", "was_complete", "blocked", "whole", "none", "choice", "many"};
    return names[static_cast<std::size_t>(end)];
}

Result<void> take(const Call& call, const ReadyRun& run)
{
    PW_DO(call.session.edit(run.edit));
    call.out.key("run");
    call.out.beginObject(oneLine);
    call.out.member("passes", run.passes);
    call.out.member("end", nameOf(run.end));
    call.out.member("device", static_cast<int>(run.device));
    writePass(call.out, "first", run.first);
    writePass(call.out, "second", run.second);
    call.out.endObject();
    return writeState(call.out, call.session);
}

Result<void> untilChoice(const Call& call)
{
    PW_TRY(const LessonLevel* level, levelOf(call));
    return take(call, runUntilChoice(*level, call.session.project()));
}

Result<void> complete(const Call& call)
{
    const int microBatch = call.in.count("micro_batch", 0);
    PW_TRY(const LessonLevel* level, levelOf(call));
    if (microBatch >= level->start.draft.spec.totalMicroBatches())
        return fail(ErrorCode::BadValue, "there is no micro-batch %1", microBatch);
    return take(call, completeMicroBatch(*level, call.session.project(), microBatch));
}

/// Where the families stand on the plane of time and memory.
Result<void> field(const Call& call)
{
    PW_TRY(const LessonLevel* level, levelOf(call));
    call.out.key("points");
    call.out.beginArray(oneLine);
    const int microBatches = call.session.project().draft.spec.microBatches;
    for (const FieldPoint& point : familyField(*level, microBatches)) {
        call.out.beginObject(oneLine);
        call.out.member("family", std::string_view(point.family));
        call.out.member("title", std::string_view(point.title));
        call.out.member("makespan", point.makespan);
        call.out.member("peak", microBatchesFromShare(point.peak));
        call.out.endObject();
    }
    call.out.endArray();
    return {};
}

/// Notes the solution that stands, and says which family's order it is; or, of a level that is
/// left, the tries and hints that no solution came of.
Result<void> note(const Call& call)
{
    LevelResult result;
    result.level = call.in.count("level", 0);
    result.tries = call.in.count("tries", 0);
    result.hints = call.in.count("hints", 0);
    const bool left = call.in.truth("left", false);
    PW_TRY(const LessonLevel* level, levelOf(call));
    PW_TRY(const Lesson* lesson, call.session.lesson());
    result.lesson = lesson->id;
    if (left) {
        call.session.results.note(result);
        call.out.member("trick", std::string_view());
        return {};
    }
    const Standing standing = standingOf(*level, call.session.project());
    result.solved = standing.solved();
    result.time = standing.time.won;
    result.memory = standing.memory.won;
    result.messages = standing.letters.won;
    if (level->freedom != Freedom::Block)
        if (const auto schedule = scheduleOf(call.session.project()))
            result.trick = trickOf(*schedule, costsOf(call.session.project()));
    if (result.solved)
        call.session.results.note(result);
    call.out.member("trick", std::string_view(result.trick));
    return {};
}

/// The results as the file that `lesson results` reads.
Result<void> writeResultsFile(const Call& call)
{
    LessonResults results = call.session.results;
    results.who = call.in.title("who", "");
    PW_DO(call.read());
    call.out.member("text", std::string_view(writeResults(results)));
    return {};
}

Result<void> readResultsFile(const Call& call)
{
    const std::string text = call.in.text("text");
    PW_DO(call.read());
    PW_TRY(call.session.results, readResults(text));
    return {};
}

} // namespace

void writeStanding(JsonText& out, const LessonLevel& level, const Project& project)
{
    const Standing standing = standingOf(level, project);
    out.key("standing");
    out.beginObject(oneLine);
    out.member("solved", standing.solved());
    out.member("complete", standing.complete);
    out.member("makespan", standing.makespan);
    out.member("peak", microBatchesFromShare(standing.peak));
    out.member("medals", standing.medals());
    out.member("passes", standing.passes);
    out.member("wanted", standing.wanted);
    out.member("chosen", chosenOf(level, project));
    if (level.freedom == Freedom::Repair) {
        out.member("mended", standing.mended);
        out.member("repairs", level.repairs);
    }
    if (standing.why != LevelTrouble::None) {
        out.key("trouble");
        writeSentence(out, standing.trouble);
    }
    writeGoals(out, level, standing);
    writeMedal(out, "time", standing.time);
    writeMedal(out, "memory", standing.memory);
    writeMedal(out, "messages", standing.letters);
    out.endObject();
    writeReady(out, level, project);
    out.key("away");
    out.beginArray(oneLine);
    for (const Pass& cell : project.offload.cells)
        for (const int part : {static_cast<int>(cell.stage), cell.microBatch, cell.segment})
            out.value(part);
    out.endArray();
    if (asksForGathers(level)) {
        out.key("gathers");
        out.beginArray(oneLine);
        for (const std::vector<int>& device : gatheringPlaces(project.draft.orders)) {
            out.beginArray(oneLine);
            for (const int place : device)
                out.value(place);
            out.endArray();
        }
        out.endArray();
    }
    if (const auto layers = layersOf(level, project)) {
        out.key("layers");
        out.beginArray(oneLine);
        for (const int count : *layers)
            out.value(count);
        out.endArray();
    }
    if (level.freedom == Freedom::Block && project.blocks.size() == 1)
        writeBlock(out, project.blocks.front());
}

std::span<const Function> lessonFunctions()
{
    static constexpr std::array<Function, 16> all = {{{"lesson", openLesson},
                                                      {"layer", layer},
                                                      {"toggle", togglePass},
                                                      {"picture", picture},
                                                      {"guess", guess},
                                                      {"level", startLevel},
                                                      {"restore", restore},
                                                      {"act", act},
                                                      {"choose", choose},
                                                      {"place_ready", placeReadyPass},
                                                      {"until_choice", untilChoice},
                                                      {"complete", complete},
                                                      {"field", field},
                                                      {"note", note},
                                                      {"results", writeResultsFile},
                                                      {"load_results", readResultsFile}}};
    return all;
}

} // namespace pw::web
