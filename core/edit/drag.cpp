// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/assert.h"
#include "core/base/text.h"
#include "core/base/try.h"
#include "core/edit/drag_state.h"

#include <algorithm>
#include <limits>

namespace pw {

Sentence refusalText(const DragRefusal& refusal, const PipelineSpec& spec)
{
    switch (refusal.rule) {
    case DragRefusal::Rule::None:
        return {};
    case DragRefusal::Rule::Order:
        return placed(refusal.problem);
    case DragRefusal::Rule::Ring:
        return deadlockError(refusal.ring, spec).message;
    case DragRefusal::Rule::Input:
        break;
    }
    const Sentence consumer = describe(refusal.consumer, spec);
    const Sentence producer = describe(refusal.producer, spec);
    const std::string end = millisecondText(refusal.end);
    return refusal.there > refusal.end
               ? said("%1 cannot start before %2 ends at %3 and its message is there at %4",
                      consumer, producer, end, millisecondText(refusal.there))
               : said("%1 cannot start before %2 ends at %3", consumer, producer, end);
}

void Drag::State::findTightest()
{
    tightest.reset();
    for (const DragLane& lane : lanes) {
        for (const std::int32_t position : lane.grabbed) {
            const EntryId entry = base.entry(lane.device, static_cast<std::size_t>(position));
            const OrderEntry& passes = draft.orders[static_cast<std::size_t>(lane.device)]
                                                   [static_cast<std::size_t>(position)];
            findInput(passes.pass, entry);
            if (passes.paired)
                findInput(passes.partner, entry);
        }
    }
}

void Drag::State::findInput(const Pass& pass, EntryId entry)
{
    if (present.entry(pass) != entry)
        return;
    std::vector<Pass> needs;
    present.producers(pass, needs);
    const DeviceId to = spec().device(pass.route, pass.stage);
    for (const Pass& need : needs) {
        const EntryId from = present.entry(need);
        // A grabbed input comes along.
        if (from < 0 || grabbed(from))
            continue;
        const Pass producer = withKind(need, present.kind(need));
        const Bytes bytes = messageBytes(costs, spec(), producer, pass.kind);
        const Ticks there =
            arrival(costs, spec(), spec().device(need.route, need.stage), to, bytes, end(from));
        const Ticks room = start(entry) - there;
        if (!tightest || room < tightest->room)
            tightest = DragInput{producer, pass, there, room};
    }
}

void Drag::State::undo()
{
    const bool goesBack = !scheduleMoved || moveSchedule(true).none();
    PW_ASSERT(goesBack);
    if (moved)
        moveDraft(true);
}

/// Back to the order at the beginning, for a reason.
void Drag::State::refuse(DragRefusal why)
{
    undo();
    for (DragLane& lane : lanes) {
        lane.slots = lane.grabbed;
        arrange(lane);
    }
    times = base;
    runs = schedule.has_value() && base.blocked.empty();
    trial.why = std::move(why);
}

/// Brings draft and schedule into the order of the lanes. @return false where it was refused
bool Drag::State::follow()
{
    moveDraft(false);
    if (!schedule)
        return true;
    trial.problems = moveSchedule(false);
    if (trial.problems.none() || mode == DragMode::Free)
        return true;
    DragRefusal why;
    why.rule = DragRefusal::Rule::Order;
    why.problem = trial.problems.list.front();
    refuse(std::move(why));
    trial.problems = {};
    return false;
}

void Drag::State::simulate()
{
    runs = schedule.has_value() && scheduleMoved == moved &&
           simulator.run(*schedule, costs, times.times).has_value();
    if (runs) {
        times.begin = base.begin;
        times.blocked.clear();
        times.ring.clear();
        return;
    }
    draftSimulator.run(draft, costs, times);
}

DragRefusal Drag::State::inputRefusal() const
{
    return {.rule = DragRefusal::Rule::Input,
            .consumer = tightest->consumer,
            .producer = tightest->producer,
            .end = end(present.entry(tightest->producer)),
            .there = tightest->there,
            .problem = {},
            .ring = {}};
}

void Drag::State::placeLeft(Ticks by)
{
    for (DragLane& lane : lanes)
        place(lane, by);
    if (!timesTell() || !tightest || by >= -std::max<Ticks>(tightest->room, 0))
        return;
    const EntryId consumer = present.entry(tightest->consumer);
    const bool before =
        2 * (start(consumer) + by - tightest->there) + end(consumer) < start(consumer);
    offset = -std::max<Ticks>(tightest->room, 0);
    bool stopped = before;
    for (DragLane& lane : lanes) {
        const auto wanted = lane.slots;
        place(lane, offset);
        stopped = stopped || lane.slots != wanted;
    }
    if (stopped)
        trial.why = inputRefusal();
}

void Drag::State::placeRight(Ticks by)
{
    Ticks until = std::numeric_limits<Ticks>::min();
    for (DragLane& lane : lanes) {
        place(lane, by);
        for (std::size_t i = 0; i < lane.slots.size(); ++i) {
            if (lane.slots[i] > lane.grabbed[i])
                until = std::max(
                    until,
                    start(base.entry(lane.device, static_cast<std::size_t>(lane.slots[i] - 1))));
        }
    }
    if (!timesTell() || until == std::numeric_limits<Ticks>::min())
        return;
    forget();
    for (bool changed = true; changed;) {
        dependents(until);
        changed = false;
        for (DragLane& lane : lanes)
            changed = holdBack(lane) || changed;
    }
}

void Drag::State::take(Ticks by)
{
    undo();
    trial = {};
    pushedKnown = false;
    offset = by;
    if (by > 0)
        placeRight(by);
    else
        placeLeft(by);
    for (DragLane& lane : lanes)
        arrange(lane);
    if (follow()) {
        simulate();
        if (mode == DragMode::Strict && times.blocked.size() > base.blocked.size()) {
            DragRefusal why;
            why.rule = times.ring.empty() ? DragRefusal::Rule::None : DragRefusal::Rule::Ring;
            why.ring = times.ring;
            refuse(std::move(why));
        }
    }
    // A schedule tells by itself what the move makes wrong.
    if (mode == DragMode::Free && !schedule) {
        if (auto wrong = problems(draft))
            trial.problems = *std::move(wrong);
    }
    report();
}

/// The edit and the new places of the body.
void Drag::State::report()
{
    for (const DragLane& lane : lanes) {
        MoveEntries moves{lane.device, {}};
        bool any = false;
        for (std::size_t at = 0; at < lane.order.size(); ++at) {
            const std::int32_t from = lane.order[at];
            if (!std::binary_search(lane.grabbed.begin(), lane.grabbed.end(), from))
                continue;
            const std::int32_t to = lane.first + static_cast<std::int32_t>(at);
            any = any || from != to;
            moves.moves.push_back({from, to});
            trial.grabbed.push_back({lane.device, to});
        }
        if (any)
            trial.edit.changes.emplace_back(std::move(moves));
    }
}

Drag::Drag(std::unique_ptr<State> state)
    : m_state(std::move(state))
{
}
Drag::~Drag() = default;
Drag::Drag(Drag&&) noexcept = default;
Drag& Drag::operator=(Drag&&) noexcept = default;

Result<Drag> Drag::begin(Draft draft, Costs costs, std::vector<EntryAt> grabbed, DragMode mode)
{
    PW_TRY(auto times, draftTimes(draft, costs));
    std::sort(grabbed.begin(), grabbed.end());
    grabbed.erase(std::unique(grabbed.begin(), grabbed.end()), grabbed.end());
    if (grabbed.empty())
        return fail(ErrorCode::BadValue, "nothing is grabbed");
    auto state = std::make_unique<State>(std::move(draft), std::move(costs));
    state->mode = mode;
    state->base = std::move(times);
    state->isGrabbed.assign(static_cast<std::size_t>(state->base.begin.back()), 0);
    state->reached.assign(state->isGrabbed.size(), 0);
    for (const EntryAt& at : grabbed) {
        if (at.device < 0 || at.device >= state->spec().devices || at.position < 0 ||
            at.position >= state->length(at.device)) {
            return fail(ErrorCode::BadValue, "device %1 has no entry %2", at.device, at.position);
        }
        if (state->lanes.empty() || state->lanes.back().device != at.device)
            state->lanes.push_back({at.device, {}, {}, 0, {}});
        state->lanes.back().grabbed.push_back(at.position);
        state->isGrabbed[static_cast<std::size_t>(
            state->base.entry(at.device, static_cast<std::size_t>(at.position)))] = 1;
    }
    if (auto schedule = Schedule::make(state->spec(), state->draft.orders))
        state->schedule = *std::move(schedule);
    state->findTightest();
    if (state->timesTell())
        state->findArrows();
    state->take(0);
    return Drag(std::move(state));
}

const DragTrial& Drag::trial(Ticks offset)
{
    m_state->take(offset);
    return m_state->trial;
}

const Draft& Drag::draft() const
{
    return m_state->draft;
}

const DraftTimes& Drag::times() const
{
    return m_state->times;
}

const Schedule* Drag::schedule() const
{
    return m_state->runs ? &*m_state->schedule : nullptr;
}

const DraftTimes& Drag::held()
{
    State& state = *m_state;
    if (!state.pushedKnown) {
        std::vector<Hold> holds;
        for (const DragLane& lane : state.lanes) {
            for (std::size_t at = 0; at < lane.order.size(); ++at) {
                const EntryId entry =
                    state.base.entry(lane.device, static_cast<std::size_t>(lane.order[at]));
                if (state.grabbed(entry))
                    holds.push_back(
                        {state.base.entry(lane.device, static_cast<std::size_t>(lane.first) + at),
                         state.start(entry) + state.offset});
            }
        }
        const bool quick = state.runs && state.spec().messages != MessageRule::Committed;
        if (quick && state.simulator.run(*state.schedule, state.costs, state.pushed.times, holds)
                         .has_value()) {
            state.pushed.begin = state.base.begin;
            state.pushed.blocked.clear();
            state.pushed.ring.clear();
        } else {
            state.draftSimulator.run(state.draft, state.costs, state.pushed, holds);
        }
        state.pushedKnown = true;
    }
    return state.pushed;
}

std::vector<EntryAt> strandOf(const Draft& draft, int microBatch)
{
    std::vector<EntryAt> strand;
    for (const DeviceId device : Ids<DeviceId>(draft.orders.size())) {
        const auto& order = draft.orders[device.index()];
        for (std::size_t i = 0; i < order.size(); ++i) {
            const auto is = [&](const Pass& pass) {
                return pass.kind != PassKind::U && pass.microBatch == microBatch;
            };
            if (is(order[i].pass) || (order[i].paired && is(order[i].partner)))
                strand.push_back({device, static_cast<std::int32_t>(i)});
        }
    }
    return strand;
}

} // namespace pw
