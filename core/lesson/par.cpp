// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/lesson/par.h"

#include "core/base/text.h"
#include "core/base/try.h"
#include "core/edit/compose.h"
#include "core/lesson/candidates.h"
#include "core/lesson/order_search.h"
#include "core/lesson/order_walk.h"
#include "core/lesson/par_block.h"
#include "core/lesson/play.h"
#include "core/lesson/standing.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace pw {

namespace {

constexpr Share noCap = std::numeric_limits<Share>::max() / 4;

bool wants(const LessonGoal& goal)
{
    return goal.kind == GoalKind::Family || goal.kind == GoalKind::Order;
}

/// The least of each figure over schedules that are looked at one by one.
class Least
{
public:
    explicit Least(const LessonPar& wanted)
        : m_wanted(wanted)
    {
    }

    void take(const LessonFigures& figures)
    {
        ++m_count;
        if (!m_wanted.curve.empty())
            m_points.emplace_back(figures.makespan, figures.peak);
        if (m_wanted.time)
            m_par.time = std::min(m_par.time.value_or(figures.makespan), figures.makespan);
        if (m_wanted.memory)
            m_par.memory = std::min(m_par.memory.value_or(figures.peak), figures.peak);
        if (m_wanted.messages)
            m_par.messages = std::min(m_par.messages.value_or(figures.messages), figures.messages);
    }

    Result<ParProof> proof(std::int64_t looked) const
    {
        if (m_count == 0)
            return fail(ErrorCode::BadValue, "nothing meets the goals of the level");
        ParProof proof;
        proof.least = m_par;
        proof.least.curve = curve();
        proof.proven = true;
        proof.nodes = looked;
        return proof;
    }

    /// Points of the curve take less than this: one micro-batch after the other.
    void setSerial(Ticks serial) { m_serial = serial; }

private:
    /// All points of which none has less of one and no more of the other.
    std::vector<std::pair<Ticks, Share>> curve() const
    {
        auto points = m_points;
        std::sort(points.begin(), points.end());
        std::vector<std::pair<Ticks, Share>> least;
        for (const auto& point : points)
            if (point.first < m_serial && (least.empty() || point.second < least.back().second))
                least.push_back(point);
        return least;
    }

    LessonPar m_wanted;
    LessonPar m_par;
    std::vector<std::pair<Ticks, Share>> m_points;
    Ticks m_serial = std::numeric_limits<Ticks>::max();
    std::int64_t m_count = 0;
};

/// Whether a schedule meets all goals.
Result<bool> meetsAll(const LessonLevel& level, const Schedule& schedule, const Costs& costs,
                      const LessonFigures& figures)
{
    for (const LessonGoal& goal : level.goals) {
        if (!meets(goal, figures))
            return false;
        PW_TRY(const auto asked, isAsAsked(goal, schedule, costs));
        if (!asked)
            return false;
    }
    return true;
}

/// What is left of a proof that did not come to its end.
ParProof unfinishedProof(ParProof proof, std::int64_t mostNodes)
{
    proof.proven = false;
    proof.why = said("there are more than %1 ways to solve it", groupedNumber(mostNodes));
    return proof;
}

/// Everything that can be decided, one by one.
Result<ParProof> proveListed(const LessonLevel& level, const LessonPar& wanted,
                             std::int64_t mostNodes)
{
    Least least(wanted);
    std::int64_t looked = 0;
    PW_TRY(const auto all,
           eachCandidate(level, mostNodes, [&](const Project& project) -> Result<void> {
               ++looked;
               PW_TRY(const auto schedule, scheduleOf(project));
               const Costs costs = costsOf(project);
               PW_TRY(const auto result, simulate(schedule, costs));
               const LessonFigures figures = lessonFigures(schedule, result);
               PW_TRY(const auto good, meetsAll(level, schedule, costs, figures));
               if (good)
                   least.take(figures);
               return {};
           }));
    PW_TRY(auto proof, least.proof(looked));
    return all ? proof : unfinishedProof(std::move(proof), mostNodes);
}

/// All orders one by one, where the search cannot do without.
Result<ParProof> proveWalked(const LessonLevel& level, const LessonPar& wanted,
                             std::int64_t mostNodes)
{
    const OrderSpace space{level.start.draft.spec, costsOf(level.start), level.kinds, level.fixed};
    Least least(wanted);
    least.setSerial(serialTime(space));
    ParProof best;
    Ticks fastest = std::numeric_limits<Ticks>::max();
    PW_TRY(const auto walk,
           walkOrders(space, mostNodes, [&](const Schedule& schedule, const SimResult& result) {
               const LessonFigures figures = lessonFigures(schedule, result);
               const bool good =
                   std::all_of(level.goals.begin(), level.goals.end(),
                               [&](const LessonGoal& goal) { return meets(goal, figures); });
               if (good && figures.makespan < fastest) {
                   fastest = figures.makespan;
                   best.fastest = schedule.orders();
               }
               if (good)
                   least.take(figures);
           }));
    PW_TRY(auto proof, least.proof(walk.looked));
    proof.fastest = std::move(best.fastest);
    return walk.finished ? proof : unfinishedProof(std::move(proof), mostNodes);
}

/// Whether the search by bounds knows nothing of what a level asks for.
bool hasToWalk(const LessonLevel& level)
{
    return level.start.draft.spec.messages == MessageRule::Committed || asksForGathers(level);
}

/// The one order that a goal names.
Result<ParProof> proveNamed(const LessonLevel& level, const LessonGoal& goal,
                            const LessonPar& wanted)
{
    Project project = level.start;
    if (goal.kind == GoalKind::Family) {
        FamilyChoice choice{goal.family, goal.options};
        choice.options.devices = level.start.draft.spec.devices;
        choice.options.microBatches = level.start.draft.spec.microBatches;
        const auto filled = fillWithFamily(project, choice);
        PW_TRY(const auto done,
               filled ? apply(project, filled->edit) : Result<Edit>(fail(filled.error())));
    } else {
        PW_TRY(const auto played, play(level, project));
        project = played;
    }
    const auto schedule = scheduleOf(project);
    const Costs costs = costsOf(level.start);
    PW_TRY(const auto result,
           schedule ? simulate(*schedule, costs) : Result<SimResult>(fail(schedule.error())));
    const LessonFigures figures = lessonFigures(*schedule, result);
    PW_TRY(const auto good, meetsAll(level, *schedule, costs, figures));
    Least least(wanted);
    if (good)
        least.take(figures);
    return least.proof(1);
}

/// Proofs over all orders of a level.
class OrderProof
{
public:
    OrderProof(const LessonLevel& level, std::int64_t mostNodes)
        : m_level(level)
        , m_mostNodes(mostNodes)
    {
        m_space.spec = level.start.draft.spec;
        m_space.costs = costsOf(level.start);
        m_space.kinds = level.kinds;
        m_space.fixed = level.fixed;
        m_cap = m_space.costs.shareCap > 0 ? m_space.costs.shareCap : noCap;
    }

    Result<ParProof> run(const LessonPar& wanted)
    {
        m_latest = serialTime(m_space);
        for (const LessonGoal& goal : m_level.goals)
            PW_DO(limit(goal));
        PW_TRY(const auto any, find(m_latest, m_cap));
        if (!any.order) {
            if (any.finished)
                return fail(ErrorCode::BadValue, "no order meets the goals of the level%1",
                            whyNone());
            m_proof.why = said("the search for any order ended unfinished");
            return m_proof;
        }
        const LessonFigures first = figures(*any.order);
        m_first = *any.order;
        m_proof.proven = true;
        if (wanted.messages)
            m_proof.least.messages = first.messages;
        if (wanted.time)
            PW_DO(proveLeast("the search for less time ended unfinished after %1 choices",
                             &LessonFigures::makespan, first.makespan, *wanted.time,
                             m_proof.least.time, m_proof.fastest,
                             [this](Ticks latest) { return find(latest, m_cap); }));
        if (wanted.memory)
            PW_DO(proveLeast("the search for less memory ended unfinished after %1 choices",
                             &LessonFigures::peak, first.peak, *wanted.memory, m_proof.least.memory,
                             m_proof.leanest, [this](Share cap) { return find(m_latest, cap); }));
        if (!wanted.curve.empty())
            PW_DO(proveCurve(first.makespan));
        return m_proof;
    }

private:
    Result<void> limit(const LessonGoal& goal)
    {
        if (goal.kind == GoalKind::Peak)
            m_cap = std::min(m_cap, static_cast<Share>(std::floor(goal.limit + 0.5)));
        else if (goal.kind == GoalKind::Makespan)
            m_latest = std::min(m_latest, static_cast<Ticks>(std::floor(goal.limit + 0.5)));
        else if (goal.kind == GoalKind::SpanBubble || goal.kind == GoalKind::WallBubble)
            return fail(ErrorCode::BadValue, "a goal on the bubble cannot be searched over all "
                                             "orders; give makespan_ms instead");
        return {};
    }

    Result<OrderAnswer> find(Ticks latest, Share cap)
    {
        auto answer = findOrder(m_space, latest, cap, m_mostNodes);
        if (answer)
            m_proof.nodes += answer->nodes;
        return answer;
    }

    /// What the best order comes to where none meets the goals; empty: not known in so many
    /// choices.
    Sentence whyNone()
    {
        const Ticks serial = serialTime(m_space);
        const auto free = find(serial, noCap);
        if (!free || !free->order)
            return {};
        // What a cap leaves no room for, no time makes possible.
        const auto capped = find(serial, m_cap);
        if (!capped || !capped->finished)
            return {};
        const bool time = capped->order.has_value();
        LessonFigures best = figures(time ? *capped->order : *free->order);
        for (;;) {
            const auto less = time ? find(best.makespan - 1, m_cap) : find(serial, best.peak - 1);
            if (!less || (!less->order && !less->finished))
                return {};
            if (!less->order)
                break;
            best = figures(*less->order);
        }
        const std::string peak = plainNumber(microBatchesFromShare(best.peak));
        const std::string cap = plainNumber(microBatchesFromShare(m_cap));
        if (!time)
            return said("; the least peak is %1 micro-batches, and %2 are asked for", peak, cap);
        const std::string least = timeText(best.makespan);
        const std::string asked = timeText(m_latest);
        return m_cap < noCap ? said("; the least time with at most %1 micro-batches is %2, and %3 "
                                    "are asked for",
                                    cap, least, asked)
                             : said("; the least time is %1, and %2 are asked for", least, asked);
    }

    LessonFigures figures(const DeviceOrders& order) const
    {
        const auto schedule = Schedule::make(m_space.spec, order);
        const auto result = schedule ? simulate(*schedule, m_space.costs)
                                     : Result<SimResult>(fail(schedule.error()));
        return result ? lessonFigures(*schedule, *result) : LessonFigures{};
    }

    void unproven(Pattern<std::string> why)
    {
        m_proof.proven = false;
        m_proof.why = said<std::string>(why, groupedNumber(m_mostNodes));
    }

    /// Looks for less and less of one figure until no order has less. @param guess  tried first; 0:
    /// none @param ask  an order with at most so much @param best  in, of an order that is known
    template<typename Ask>
    Result<void> proveLeast(Pattern<std::string> unfinished, std::int64_t LessonFigures::*figure,
                            std::int64_t best, std::int64_t guess,
                            std::optional<std::int64_t>& least, DeviceOrders& order, Ask ask)
    {
        order = m_first;
        std::int64_t next = guess > 0 && guess < best ? guess : best - 1;
        for (bool guessed = next == guess;; guessed = false) {
            least = best;
            PW_TRY(const auto answer, ask(next));
            if (answer.order) {
                best = figures(*answer.order).*figure;
                order = *answer.order;
            } else if (!guessed) {
                if (!answer.finished)
                    unproven(unfinished);
                return {};
            }
            next = best - 1;
        }
    }

    /// All pairs of time and memory of which neither can be less without more of the other, from
    /// the least time on; until one micro-batch after the other is left.
    Result<void> proveCurve(Ticks known)
    {
        const Ticks serial = serialTime(m_space);
        Share cap = m_cap;
        DeviceOrders order;
        for (;;) {
            std::optional<Ticks> time;
            PW_DO(proveLeast("the search for the curve ended unfinished after %1 choices",
                             &LessonFigures::makespan, known, 0, time, order,
                             [&](Ticks latest) { return find(latest, cap); }));
            if (*time >= serial || !m_proof.proven)
                return {};
            PW_TRY(const auto any, find(*time, cap));
            if (!any.order)
                return {};
            std::optional<Share> memory;
            PW_DO(proveLeast("the search for the curve ended unfinished after %1 choices",
                             &LessonFigures::peak, figures(*any.order).peak, 0, memory, order,
                             [&](Share least) { return find(*time, std::min(cap, least)); }));
            m_proof.least.curve.emplace_back(*time, *memory);
            cap = *memory - 1;
            PW_TRY(const auto next, find(std::min(serial, m_latest), cap));
            if (!next.order)
                return {};
            known = figures(*next.order).makespan;
        }
    }

    const LessonLevel& m_level;
    std::int64_t m_mostNodes;
    OrderSpace m_space;
    Ticks m_latest = 0;
    Share m_cap = 0;
    DeviceOrders m_first; ///< any that meets the goals
    ParProof m_proof;
};

} // namespace

Result<ParProof> provePar(const LessonLevel& level, const LessonPar& wanted, std::int64_t mostNodes)
{
    switch (level.freedom) {
    case Freedom::Choice:
    case Freedom::Layers:
    case Freedom::Offload:
    case Freedom::Repair:
        return proveListed(level, wanted, mostNodes);
    case Freedom::Block:
        return proveBlock(level, wanted, mostNodes);
    case Freedom::Order:
        break;
    }
    const auto named = std::find_if(level.goals.begin(), level.goals.end(), wants);
    if (named != level.goals.end())
        return proveNamed(level, *named, wanted);
    if (hasToWalk(level))
        return proveWalked(level, wanted, mostNodes);
    return OrderProof(level, mostNodes).run(wanted);
}

} // namespace pw
