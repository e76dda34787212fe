// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/text.h"
#include "core/base/try.h"
#include "core/noise/hinted_device.h"
#include "executor/api/hint.h"
#include "executor/api/rank_runner.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <optional>
#include <thread>
#include <utility>

// An order that is a hint: a rank whose next pass waits for another rank runs a later one that is
// ready, within the memory that its order needs. Passes that add to the gradients of one stage keep
// their order, so that sums come out the same; nothing goes ahead of an update, nor of an exchange
// between the copies of a stage.

namespace pw::exec {

struct RankRunner::Hint
{
    Hint(HintProblem made, DeviceId of, int ahead)
        : all(std::move(made))
        , device(all.problem, all.orders[at(of)], of, ahead)
    {
    }

    const HintProblem all;
    HintedDevice device;
    // By place in the order of this rank.
    std::vector<std::size_t> from; ///< first place of the stretch that a pass moves in
    std::vector<std::vector<std::int32_t>> reductions; ///< before a place; one more, for the end
    std::size_t reduced = 0;                           ///< places whose reductions are done
    // By entry less the rank's first.
    std::vector<std::int32_t> adds; ///< the one before it that adds to the same gradients; −1
    std::vector<std::vector<std::int32_t>> sends; ///< messages
    std::vector<std::int32_t> posts;              ///< messages to this rank
};

namespace {

/// How long the next pass of an order is waited for while a later one is ready: what comes at
/// nearly the same time is no reason to leave the order.
Ticks graceOf(const RunPlan& plan, const OrderEntry& entry)
{
    constexpr Ticks least = 50'000, most = 5 * ticksPerMs;
    return std::clamp(entryTime(plan.costs, plan.schedule.spec(), entry) / 20, least, most);
}

} // namespace

Result<void> setHint(RunPlan& plan, int ahead, std::string_view backend)
{
    const auto refuse = [](const std::string& why) {
        return fail(ErrorCode::BadValue, "the order cannot be a hint: %1", why);
    };
    const PipelineSpec& spec = plan.schedule.spec();
    if (backend == "cuda")
        return refuse("the backend cuda is told the passes of a device before it comes to them; "
                      "--backend cpu and emulated decide when a pass ends");
    if (spec.messages == MessageRule::Committed)
        return refuse("both ends of a committed message come to it in one order; with early "
                      "messages (PyTorch's, or Megatron's without overlap) it can");
    if (spec.updateRule != UpdateRule::Flush)
        return refuse("in an asynchronous family the order says which weights a pass reads; a "
                      "family that flushes, such as 1f1b, has a choice");
    if (plan.postValidation)
        return refuse("forwards before the norm of the gradients is known (--post-validation) are "
                      "done again in their order");
    if (!plan.program.moves.empty())
        return refuse("copies to the host's memory (--offload) stand between the passes where the "
                      "order has them");
    if (std::any_of(plan.faults.begin(), plan.faults.end(),
                    [](const InjectedFault& fault) { return fault.kind == FaultKind::WrongTag; }))
        return refuse("a message under a wrong tag is noticed by its place in the order");
    if (ahead < 1)
        return refuse("a pass goes ahead by at least 1 place, not " + std::to_string(ahead));
    plan.hint = ahead;
    return {};
}

Result<void> RankRunner::prepareHint()
{
    const Schedule& schedule = m_plan.schedule;
    m_hint = std::make_shared<Hint>(hintProblem(schedule, m_plan.costs), device(), m_plan.hint);
    Hint& hint = *m_hint;
    const std::vector<std::int32_t>& order = hint.all.orders[at(device())];
    const EntryId first = schedule.begin(device());
    hint.adds.assign(order.size(), -1);
    hint.sends.resize(order.size());
    hint.reductions.resize(order.size() + 1);
    hint.from.assign(order.size(), 0);

    // Exchanges stand at the places of the given order; what is turned round keeps its kind there.
    std::size_t place = 0;
    std::vector<char> edge(order.size() + 1, 0);
    for (const Instruction& one : m_plan.program.ranks[at(m_rank)]) {
        if (one.kind == InstructionKind::Compute)
            ++place;
        if (one.kind != InstructionKind::Reduce)
            continue;
        hint.reductions[place].push_back(one.index);
        edge[place] = 1;
    }
    for (std::size_t i = 0; i < order.size(); ++i) {
        if (schedule.entry(EntryId(order[i])).pass.kind == PassKind::U)
            edge[i] = edge[i + 1] = 1;
    }
    std::map<std::pair<int, StageId>, std::int32_t> last; // by route and stage
    for (std::size_t i = 0; i < order.size(); ++i) {
        hint.from[i] = edge[i] != 0 || i == 0 ? i : hint.from[i - 1];
        const OrderEntry entry = schedule.entry(EntryId(order[i]));
        std::int32_t& own = hint.adds[at(order[i] - first)];
        const auto follow = [&](const Pass& pass) {
            if (pass.kind != PassKind::W && pass.kind != PassKind::BW)
                return;
            const auto found = last.try_emplace({pass.route, pass.stage}, -1).first;
            own = std::max(own, std::exchange(found->second, order[i]));
        };
        follow(entry.pass);
        if (entry.paired)
            follow(entry.partner);
    }
    for (std::size_t i = 0; i < m_plan.program.messages.size(); ++i) {
        const Message& message = m_plan.program.messages[i];
        const auto index = static_cast<std::int32_t>(i);
        if (message.to == m_rank)
            hint.posts.push_back(index);
        if (message.from == m_rank)
            hint.sends[at(schedule.entryOf(schedule.table().id(message.producer)) - first)]
                .push_back(index);
    }
    return {};
}

Result<void> RankRunner::instructionsByHint()
{
    Hint& hint = *m_hint;
    const Schedule& schedule = m_plan.schedule;
    hint.device.begin();
    hint.reduced = 0;
    for (const std::int32_t message : hint.posts) {
        PW_DO(m_messages->post(message));
    }
    while (true) {
        for (; hint.reduced <= hint.device.next(); ++hint.reduced) {
            for (const std::int32_t reduction : hint.reductions[hint.reduced]) {
                if (auto done = reduce(reduction); !done)
                    return done;
            }
        }
        if (hint.device.over())
            return {};
        const Result<EntryId> chosen = chooseByHint();
        if (!chosen)
            return fail(chosen.error());
        if (hint.all.orders[at(device())][hint.device.next()] != *chosen)
            ++m_wentAhead;
        if (auto done = computeInTurn(*chosen); !done)
            return done;
        hint.device.take(*chosen);
        for (const std::int32_t message : hint.sends[at(*chosen - schedule.begin(device()))]) {
            if (auto sent = handOver(message); !sent)
                return sent;
        }
        PW_DO(m_position.checkEnded());
    }
}

/// Whether an entry may run beside what its memory and its device's passes allow.
bool RankRunner::hintAllows(EntryId entry, std::size_t place) const
{
    const Hint& hint = *m_hint;
    if (hint.device.next() < hint.from[place])
        return false;
    const std::int32_t before = hint.adds[at(entry - m_plan.schedule.begin(device()))];
    return before < 0 || hint.device.done(before);
}

/// The entry to run now: the next one as soon as its messages are there, else the first later one
/// that is ready.
Result<EntryId> RankRunner::chooseByHint()
{
    const Hint& hint = *m_hint;
    const Schedule& schedule = m_plan.schedule;
    const EntryId next(hint.all.orders[at(device())][hint.device.next()]);
    const Ticks begun = m_shared.clock.now();
    for (int turn = 0;; ++turn) {
        const Ticks now = m_shared.clock.now();
        std::optional<Error> failure;
        RankId missing; // sender
        const auto ready = [&](std::int32_t number, std::size_t place) {
            const EntryId entry(number);
            if (failure || !hintAllows(entry, place))
                return false;
            for (const std::int32_t message : m_messages->inputsOf(entry)) {
                if (message < 0)
                    continue;
                const Result<std::optional<Ticks>> there = m_messages->thereAt(message);
                if (!there) {
                    failure = there.error();
                    return false;
                }
                if (!there->has_value() || **there > now) {
                    if (entry == next)
                        missing = m_plan.program.messages[at(message)].from;
                    return false;
                }
            }
            return entry == next || now - begun >= graceOf(m_plan, schedule.entry(entry));
        };
        const std::int32_t chosen = hint.device.choose(ready);
        if (failure)
            return m_position.named(*failure);
        // After the patience is over, the wait for the message says what is missing.
        if (chosen >= 0 || now - begun >= m_shared.patience) {
            m_position.endWait();
            return chosen >= 0 ? EntryId(chosen) : next;
        }
        PW_DO(m_position.checkEnded());
        if (turn == 0)
            m_position.enterEntry(next, schedule.entry(next));
        m_position.waitFor(missing);
        // Who asks all the time is the last to get the processor back on a busy machine.
        std::this_thread::sleep_for(std::chrono::microseconds(50));
    }
}

void RankRunner::noteHint()
{
    if (m_hint)
        m_recorder->log("the order was a hint: " + countText(m_wentAhead, "pass", "passes") +
                        " began ahead of it, of all iterations");
}

} // namespace pw::exec
