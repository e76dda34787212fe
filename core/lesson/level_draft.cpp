// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/lesson/level_draft.h"

#include "core/base/text.h"
#include "core/base/try.h"
#include "core/io/schedule_text.h"
#include "core/lesson/lesson_parts.h"
#include "core/lesson/standing.h"
#include "core/sim/simulator.h"

#include <algorithm>
#include <set>

namespace pw {

namespace {

/// The passes of the first micro-batches alone.
Result<Schedule> shortened(const Schedule& schedule, int microBatches)
{
    PipelineSpec spec = schedule.spec();
    spec.microBatches = microBatches;
    DeviceOrders orders = schedule.orders();
    for (auto& order : orders)
        order.erase(std::remove_if(order.begin(), order.end(),
                                   [&](const OrderEntry& entry) {
                                       return entry.pass.microBatch >= microBatches;
                                   }),
                    order.end());
    return Schedule::make(std::move(spec), orders);
}

/// Why a schedule is more than a lesson can say; empty: it is not.
Sentence whyNoLevel(const Schedule& schedule, const Costs& costs, bool measured,
                    std::set<PassKind>& kinds)
{
    const PipelineSpec& spec = schedule.spec();
    if (spec.routeCount() != 1 || spec.segments() != 1 || spec.steps != 1 || spec.updates)
        return said("only a schedule of one route, whole sequences and one step without updates "
                    "becomes a level");
    if (!measured && (!costs.single.empty() || !costs.linkTrace.empty() || !costs.links.empty()))
        return said("times of single passes and links that change cannot be said in a lesson");
    if (!costs.offload.cells.empty())
        return said("activations that wait in the host's memory cannot be said in a lesson");
    for (const auto& order : schedule.orders()) {
        for (const OrderEntry& entry : order) {
            if (entry.paired)
                return said("overlapped pairs cannot be said in a lesson");
            kinds.insert(entry.pass.kind);
        }
    }
    if (kinds.contains(PassKind::BW) && kinds.contains(PassKind::B))
        return said("some backwards are split and others are not");
    if (!measured && kinds.contains(PassKind::R) && !costs.recompute.empty() &&
        costs.recompute != costs.forward)
        return said(
            "a recomputation that takes another time than its forward cannot be said in a lesson");
    return {};
}

/// What a lesson says of times: F, B and W by stage, and a message. BW takes B and W together.
Costs sayableCosts(const Costs& costs, const PipelineSpec& spec, bool fused)
{
    Costs plain = expand(UniformCosts{}, spec);
    plain.fused.clear();
    plain.recompute.clear();
    plain.forward = costs.forward;
    plain.backward = costs.backward;
    plain.weight = costs.weight;
    if (fused && !costs.fused.empty()) {
        for (std::size_t i = 0; i < costs.fused.size(); ++i) {
            plain.backward[i] = costs.fused[i] / 2;
            plain.weight[i] = costs.fused[i] - plain.backward[i];
        }
    }
    plain.link.latency = costs.links.empty() ? costs.link.latency : 0;
    // What was measured tells links apart: their middle one, with what it carries.
    std::vector<Ticks> hops;
    for (StageId stage(0); stage + 1 < spec.stages(); ++stage) {
        const DeviceId from = spec.device(0, stage), to = spec.device(0, stage + 1);
        const auto cell = static_cast<std::size_t>(stage);
        const Bytes bytes = cell < costs.forwardMessage.size() ? costs.forwardMessage[cell] : 0;
        if (from != to)
            hops.push_back(nominalMessageTime(costs, spec, from, to, bytes));
    }
    if (!hops.empty()) {
        const auto middle = hops.begin() + static_cast<std::ptrdiff_t>(hops.size() / 2);
        std::nth_element(hops.begin(), middle, hops.end());
        plain.link.latency = *middle;
    }
    return plain;
}

} // namespace

Result<LevelDraft> levelDraftOf(const LevelSource& source)
{
    std::set<PassKind> kinds;
    if (const Sentence why = whyNoLevel(source.schedule, source.costs, source.measured, kinds);
        !why.empty())
        return fail(ErrorCode::BadValue, why);
    const int all = source.schedule.spec().microBatches;
    const int count = source.microBatches > 0 ? std::min(source.microBatches, all) : all;
    PW_TRY(const auto schedule, shortened(source.schedule, count));
    LevelDraft draft;
    draft.title = source.title;
    draft.spec = schedule.spec();
    draft.kinds.assign(kinds.begin(), kinds.end());
    draft.costs = sayableCosts(source.costs, draft.spec, kinds.contains(PassKind::BW));
    draft.order = schedule.orders();
    PW_TRY(const auto result, simulate(schedule, draft.costs));
    draft.makespan = result.makespan;
    draft.latest = draft.makespan;
    draft.summary = "One level, with a par that is proven.";
    draft.text = "All times are locked; the order is yours.";
    if (source.measured)
        draft.text += " They are the usual times of each stage as they were measured.";
    if (count < all)
        draft.text += " Of the " + std::to_string(all) + " micro-batches these are the first " +
                      std::to_string(count) + ".";
    draft.task = std::string("Put the passes in order so that the whole takes no longer than the "
                             "order ") +
                 (source.measured ? "that was measured" : "it was made from") + ": " +
                 timeText(draft.makespan) + ".";
    draft.say = "Which device has the most work? It should never wait once it has begun.";
    draft.show = "Run a backward whenever one is ready, and a forward else.";
    return draft;
}

LessonLevel levelOf(const LevelDraft& draft)
{
    LessonLevel level;
    level.task.languages = {{"en", draft.task}};
    level.start.draft.spec = draft.spec;
    level.start.draft.orders.resize(static_cast<std::size_t>(draft.spec.devices));
    level.start.costs = draft.costs;
    level.kinds = draft.kinds;
    for (std::size_t d = 0; d < draft.firstOnes.size() && d < draft.order.size(); ++d) {
        const auto& order = draft.order[d];
        const auto many = std::min(order.size(), static_cast<std::size_t>(draft.firstOnes[d]));
        level.start.draft.orders[d].assign(order.begin(),
                                           order.begin() + static_cast<std::ptrdiff_t>(many));
    }
    if (draft.locked)
        level.fixed = level.start.draft.orders;
    LessonGoal goal;
    level.goals = {goal};
    if (draft.latest) {
        goal.kind = GoalKind::Makespan;
        goal.limit = static_cast<double>(*draft.latest);
        level.goals.push_back(goal);
    }
    if (draft.cap) {
        goal.kind = GoalKind::Peak;
        goal.limit = static_cast<double>(*draft.cap);
        level.goals.push_back(goal);
    }
    if (draft.sameOrder) {
        goal.kind = GoalKind::Order;
        goal.order = writeOrders({draft.spec, draft.order});
        level.goals.push_back(goal);
    }
    level.par = draft.proof.least;
    level.hints.say.languages = {{"en", draft.say}};
    level.hints.show.languages = {{"en", draft.show}};
    const DeviceOrders& shown = draft.sameOrder ? draft.order : draft.proof.fastest;
    if (!shown.empty() && (draft.sameOrder || draft.proof.proven))
        level.demonstration = actsOf(level.start, shown);
    level.hints.steps = std::min(draft.steps, static_cast<int>(level.demonstration.size()));
    return level;
}

Result<void> proveDraft(LevelDraft& draft, std::int64_t mostNodes)
{
    draft.proof = {};
    LessonLevel level = levelOf(draft);
    PW_TRY(auto proof, provePar(level, {Ticks{0}, false, Share{0}, {}, 0}, mostNodes));
    if (!proof.proven)
        return fail(ErrorCode::BadValue, "its par is not proven: %1", proof.why);
    if (standingOf(level, level.start).solved())
        return fail(ErrorCode::BadValue, "what stands at first meets all goals already; ask for "
                                         "less time or memory, or let less stand");
    draft.proof = std::move(proof);
    return {};
}

Result<LevelDraft> provenDraftOf(LevelSource source, std::int64_t mostNodes)
{
    constexpr int least = 2; // micro-batches; one alone leaves nothing to decide
    int count = source.microBatches > 0 ? source.microBatches : source.schedule.spec().microBatches;
    for (;;) {
        source.microBatches = count;
        auto draft = levelDraftOf(source);
        if (!draft)
            return draft;
        const auto done = proveDraft(*draft, mostNodes);
        if (done)
            return draft;
        if (count <= least)
            return fail(done.error());
        count = std::max(least, count / 2);
    }
}

} // namespace pw
