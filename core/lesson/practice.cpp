// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/lesson/practice.h"

#include "core/base/text.h"
#include "core/edit/compose.h"
#include "core/io/json_text.h"
#include "core/io/schedule_text.h"
#include "core/lesson/order_search.h"
#include "core/lesson/standing.h"

#include <algorithm>
#include <set>

namespace pw {

namespace {

/// What a made lesson says.
struct Made
{
    std::string title;
    std::string task;
    Project start; ///< one route and segment; tables of costs
    std::vector<PassKind> kinds;
    Ticks latest = 0;
    Share cap = 0; ///< 0: none
    ParProof proof;
};

double msOf(Ticks time)
{
    return msFromTicks(time);
}

void writeTimes(JsonText& json, const Costs& costs)
{
    json.key("times");
    json.beginObject();
    for (const auto& [name, table] : {std::pair{"forward", &costs.forward},
                                      {"backward", &costs.backward},
                                      {"weight", &costs.weight}}) {
        json.key(name);
        json.beginArray(JsonText::Layout::OneLine);
        for (const Ticks time : *table)
            json.value(msOf(time));
        json.endArray();
    }
    json.member("hop", msOf(costs.link.latency));
    json.endObject();
}

void writeLevel(JsonText& json, const Made& made)
{
    const PipelineSpec& spec = made.start.draft.spec;
    json.key("level");
    json.beginObject();
    json.member("task", std::string_view(made.task));
    json.key("start");
    json.beginObject();
    json.member("devices", spec.devices);
    json.member("micro_batches", spec.microBatches);
    json.key("placement");
    json.beginArray(JsonText::Layout::OneLine);
    json.value(std::string_view(placementText(spec.routes.front(), spec.devices)));
    json.endArray();
    writeTimes(json, std::get<Costs>(made.start.costs));
    json.endObject();
    json.key("passes");
    json.beginArray(JsonText::Layout::OneLine);
    for (const PassKind kind : made.kinds)
        json.value(name(kind));
    json.endArray();
    json.key("goals");
    json.beginArray();
    const auto goal = [&](const char* key, double value) {
        json.beginObject(JsonText::Layout::OneLine);
        json.member(key, value);
        json.endObject();
    };
    goal("makespan_ms", msOf(made.latest));
    if (made.cap > 0)
        goal("peak", microBatchesFromShare(made.cap));
    json.endArray();
    json.key("par");
    json.beginObject(JsonText::Layout::OneLine);
    json.member("time_ms", msOf(*made.proof.least.time));
    json.member("memory", microBatchesFromShare(*made.proof.least.memory));
    json.member("messages", *made.proof.least.messages);
    json.endObject();
    json.key("hints");
    json.beginObject(JsonText::Layout::OneLine);
    json.member("say", "Which device has the most work? It should never wait once it has begun.");
    json.member("show", "Run a backward whenever one is ready, and a forward else.");
    json.member("do", 2);
    json.endObject();
    json.key("demonstration");
    json.beginObject();
    json.key("orders");
    json.beginArray();
    for (const std::string& line : writeOrders({spec, made.proof.fastest}))
        json.value(std::string_view(line));
    json.endArray();
    json.endObject();
    json.endObject();
}

std::string lessonText(const Made& made)
{
    JsonText json;
    json.beginObject();
    json.member("pipewright_lesson", 1);
    json.member("title", std::string_view(made.title));
    json.member("summary", "One level, with a par that is proven.");
    json.key("steps");
    json.beginArray();
    json.beginObject();
    json.member("title", std::string_view(made.title));
    json.member("text", "All times are locked; the order is yours.");
    writeLevel(json, made);
    json.endObject();
    json.endArray();
    json.endObject();
    return json.text();
}

/// Proves the par of what is made, and writes it.
Result<std::string> finished(Made made, std::int64_t mostNodes)
{
    LessonLevel level;
    level.start = made.start;
    level.kinds = made.kinds;
    LessonGoal time;
    time.kind = GoalKind::Makespan;
    time.limit = static_cast<double>(made.latest);
    level.goals = {time};
    if (made.cap > 0) {
        LessonGoal peak;
        peak.kind = GoalKind::Peak;
        peak.limit = static_cast<double>(made.cap);
        level.goals.push_back(peak);
    }
    auto proof = provePar(level, {Ticks{0}, Share{0}, 0}, mostNodes);
    if (!proof)
        return fail(proof.error());
    if (!proof->proven)
        return fail(ErrorCode::BadValue, "its par is not proven: " + proof->why);
    made.proof = std::move(*proof);
    return lessonText(made);
}

/// A generator that is the same on every machine.
class Dice
{
public:
    explicit Dice(std::uint64_t seed)
        : m_state(seed)
    {
    }

    int between(int least, int most)
    {
        m_state += 0x9e3779b97f4a7c15ULL;
        std::uint64_t x = m_state;
        x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
        x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
        x ^= x >> 31;
        return least + static_cast<int>(x % static_cast<std::uint64_t>(most - least + 1));
    }

private:
    std::uint64_t m_state;
};

} // namespace

Result<std::string> lessonOfProject(const Project& project, const std::string& title,
                                    std::int64_t mostNodes)
{
    const auto schedule = scheduleOf(project);
    if (!schedule)
        return fail(schedule.error());
    const PipelineSpec& spec = schedule->spec();
    Made made;
    made.title = title;
    Costs costs = costsOf(project);
    if (spec.routeCount() != 1 || spec.segments() != 1 || spec.steps != 1 || spec.updates)
        return fail(ErrorCode::BadValue, "only a schedule of one route, whole sequences and one "
                                         "step without updates becomes a level");
    if (!costs.single.empty() || !costs.linkTrace.empty() || !costs.links.empty())
        return fail(ErrorCode::BadValue, "times of single passes and links that change cannot be "
                                         "said in a lesson");
    std::set<PassKind> kinds;
    for (const auto& order : schedule->orders()) {
        for (const OrderEntry& entry : order) {
            if (entry.paired)
                return fail(ErrorCode::BadValue, "overlapped pairs cannot be said in a lesson");
            kinds.insert(entry.pass.kind);
        }
    }
    if (kinds.contains(PassKind::BW) && kinds.contains(PassKind::B))
        return fail(ErrorCode::BadValue, "some backwards are split and others are not");
    made.kinds.assign(kinds.begin(), kinds.end());
    // What a lesson says of times: F, B and W by stage, and a message.
    Costs plain = expand(UniformCosts{}, spec);
    plain.forward = costs.forward;
    plain.backward = costs.backward;
    plain.weight = costs.weight;
    plain.link.latency = costs.link.latency;
    const auto result = simulate(*schedule, plain);
    if (!result)
        return fail(result.error());
    made.latest = result->makespan;
    made.task = "Put the passes in order so that the whole takes no longer than the order it was "
                "made from: " +
                timeText(made.latest) + ".";
    made.start.draft.spec = spec;
    made.start.draft.orders.resize(static_cast<std::size_t>(spec.devices));
    made.start.costs = std::move(plain);
    return finished(std::move(made), mostNodes);
}

Result<std::string> practiceLesson(std::uint64_t seed)
{
    Dice dice(seed);
    Made made;
    PipelineSpec& spec = made.start.draft.spec;
    spec.devices = dice.between(2, 3);
    spec.microBatches = dice.between(2, 4);
    spec.routes = {Placement::linear(spec.devices)};
    made.start.draft.orders.resize(static_cast<std::size_t>(spec.devices));
    const bool split = dice.between(0, 1) == 1;
    made.kinds = split ? std::vector{PassKind::F, PassKind::B, PassKind::W}
                       : std::vector{PassKind::F, PassKind::BW};
    Costs costs = expand(UniformCosts{}, spec);
    for (auto* table : {&costs.forward, &costs.backward, &costs.weight})
        for (Ticks& time : *table)
            time = dice.between(1, 3) * ticksPerMs;
    costs.link.latency = dice.between(0, 2) * ticksPerMs;
    costs.fused.clear();
    costs.recompute.clear();
    made.start.costs = costs;
    if (dice.between(0, 1) == 1)
        made.cap = dice.between(1, spec.devices) * shareOne;
    // The goal leaves a little room above the best that there is.
    const OrderSpace space{spec, costs, made.kinds, {}};
    const Share cap = made.cap > 0 ? made.cap : shareOne * 1000;
    Ticks best = serialTime(space);
    for (;;) {
        const auto answer = findOrder(space, best - 1, cap, usualParNodes);
        if (!answer)
            return fail(answer.error());
        if (!answer->order)
            break;
        const auto schedule = Schedule::make(spec, *answer->order);
        best = simulate(*schedule, costs)->makespan;
    }
    made.latest = best + dice.between(0, 1) * ticksPerMs;
    made.title = "Practice " + std::to_string(seed);
    made.task = "Put the passes in order: at most " + timeText(made.latest) +
                (made.cap > 0 ? ", and at most " + plainNumber(microBatchesFromShare(made.cap)) +
                                    " micro-batches in memory on any device."
                              : ".");
    return finished(std::move(made), usualParNodes);
}

} // namespace pw
