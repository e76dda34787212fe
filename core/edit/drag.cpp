// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/edit/drag.h"

#include "core/base/text.h"
#include "core/base/try.h"
#include "core/edit/dragged_orders.h"
#include "core/edit/pushed_entries.h"
#include "core/edit/tightest_input.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

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

namespace {

/// Before all others.
constexpr Ticks noTime = std::numeric_limits<Ticks>::min();

} // namespace

struct Drag::State
{
    State(Draft given, Costs givenCosts, DraggedBody grabbed, DragMode how)
        : orders(std::move(given))
        , costs(std::move(givenCosts))
        , mode(how)
        , body(std::move(grabbed))
        , present(orders.draft())
        , tightest(tightestInput(orders.draft(), costs, present, body))
    {
        if (timesTell())
            pushes.emplace(orders.draft(), present);
        if (orders.schedule() != nullptr && base().blocked.empty())
            simulator.keep(*orders.schedule(), costs, base().times);
    }

    DraggedOrders orders;
    Costs costs;
    DragMode mode;
    DraggedBody body;
    Present present; // of the order at the beginning
    std::optional<DragInput> tightest;
    std::optional<PushedEntries> pushes; // none where nothing pushes
    DraftTimes times;
    DraftTimes held;
    Ticks heldUntil = noTime; // nothing is known of what starts later
    bool heldBack = false;    // they are other than `times`
    bool timed = false;       // `times` are those of the trial
    Ticks timesHave = noTime; // of `base`, what starts earlier stands in `times`
    Ticks heldHave = noTime;  // and in `held`
    bool runs = false;        // the schedule is the draft, and has no ring
    Simulator simulator;
    DraftSimulator draftSimulator;
    DragTrial trial;
    Ticks offset = 0; // of the last trial, as far as it was followed

    const DraftTimes& base() const { return body.times(); }
    /// Whether inputs are there when the times say, and pushing has a meaning. Where passes wait
    /// for each other in a ring, their times are only drawn, and so are those of all that comes
    /// behind.
    bool timesTell() const { return mode == DragMode::Strict && base().blocked.empty(); }

    void refuse(DragRefusal why);
    bool follow();
    void simulate();
    void placeLeft(Ticks by);
    void placeRight(Ticks by);
    void take(Ticks by);
    void report();
    void hold(Ticks until);
    Simulator::Part changed(bool grabbedMove) const;
    DragRefusal inputRefusal() const;
};

/// Back to the order at the beginning, for a reason.
void Drag::State::refuse(DragRefusal why)
{
    orders.goBack(body);
    body.stay();
    body.arrange();
    times = base();
    runs = orders.schedule() != nullptr && base().blocked.empty();
    trial.why = std::move(why);
}

/// Brings the orders into that of the body. @return false where it was refused
bool Drag::State::follow()
{
    trial.problems = orders.follow(body);
    if (trial.problems.none() || mode == DragMode::Free)
        return true;
    DragRefusal why;
    why.rule = DragRefusal::Rule::Order;
    why.problem = trial.problems.list.front();
    refuse(std::move(why));
    trial.problems = {};
    return false;
}

/// Where the order of a trial differs from that at the beginning: it begins at the end of what
/// stands before the first entry that is elsewhere, or that is grabbed, and ends at the start of
/// the last one.
Simulator::Part Drag::State::changed(bool grabbedMove) const
{
    Simulator::Part part{.kept = base().times, .from = Simulator::never, .again = noTime};
    for (const DragLane& lane : body.lanes()) {
        bool first = true;
        for (std::size_t at = 0; at < lane.order.size(); ++at) {
            const std::int32_t place = lane.first + static_cast<std::int32_t>(at);
            if (lane.order[at] == place &&
                !(grabbedMove && body.has(body.begin(lane.device) + place)))
                continue;
            const EntryId entry = base().entry(lane.device, static_cast<std::size_t>(place));
            part.again = std::max(part.again, base().times.start[entry.index()]);
            if (std::exchange(first, false))
                part.from = std::min(part.from,
                                     place == 0 ? noTime : base().times.end[(entry - 1).index()]);
        }
    }
    return part;
}

void Drag::State::simulate()
{
    Simulator::Part part = changed(false);
    part.has = std::exchange(timesHave, noTime);
    runs = timed = orders.inStep() &&
                   simulator.runPart(part, *orders.schedule(), costs, times.times).has_value();
    if (runs) {
        timesHave = part.from;
        times.begin = base().begin;
        times.blocked.clear();
        times.ring.clear();
        return;
    }
    draftSimulator.run(orders.draft(), costs, times);
}

DragRefusal Drag::State::inputRefusal() const
{
    return {.rule = DragRefusal::Rule::Input,
            .consumer = tightest->consumer,
            .producer = tightest->producer,
            .end = body.end(present.entry(tightest->producer)),
            .there = tightest->there,
            .problem = {},
            .ring = {}};
}

void Drag::State::placeLeft(Ticks by)
{
    body.place(by);
    if (!timesTell() || !tightest || by >= -std::max<Ticks>(tightest->room, 0))
        return;
    const EntryId consumer = present.entry(tightest->consumer);
    const Ticks start = body.start(consumer), end = body.end(consumer);
    const bool before = 2 * (start + by - tightest->there) + end < start;
    offset = -std::max<Ticks>(tightest->room, 0);
    if (const bool stopped = body.place(offset); stopped || before)
        trial.why = inputRefusal();
}

void Drag::State::placeRight(Ticks by)
{
    body.place(by);
    const Ticks until = body.overtakenUntil();
    if (!timesTell() || until == std::numeric_limits<Ticks>::min())
        return;
    pushes->forget();
    do {
        pushes->mark(body, until);
    } while (body.holdBack(pushes->marks()));
}

void Drag::State::take(Ticks by)
{
    trial = {};
    heldUntil = noTime;
    timed = false;
    offset = by;
    if (by > 0)
        placeRight(by);
    else
        placeLeft(by);
    body.arrange();
    if (follow()) {
        simulate();
        if (mode == DragMode::Strict && times.blocked.size() > base().blocked.size()) {
            DragRefusal why;
            why.rule = times.ring.empty() ? DragRefusal::Rule::None : DragRefusal::Rule::Ring;
            why.ring = times.ring;
            refuse(std::move(why));
        }
    }
    // A schedule tells by itself what the move makes wrong.
    if (mode == DragMode::Free && orders.schedule() == nullptr) {
        if (auto wrong = problems(orders.draft()))
            trial.problems = *std::move(wrong);
    }
    report();
}

/// The edit and the new places of the body.
void Drag::State::report()
{
    for (const DragLane& lane : body.lanes()) {
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

/// Times while the grabbed entries are held where the pointer is.
void Drag::State::hold(Ticks until)
{
    std::vector<Hold> holds;
    for (const DragLane& lane : body.lanes()) {
        for (std::size_t at = 0; at < lane.order.size(); ++at) {
            const EntryId entry = body.begin(lane.device) + lane.order[at];
            if (body.has(entry))
                holds.push_back(
                    {base().entry(lane.device, static_cast<std::size_t>(lane.first) + at),
                     body.start(entry) + offset});
        }
    }
    heldBack = !timed || std::any_of(holds.begin(), holds.end(), [this](const Hold& hold) {
        return times.times.start[hold.entry.index()] < hold.earliest;
    });
    if (!heldBack) {
        heldUntil = Simulator::never;
        return;
    }
    const bool quick = runs && orders.draft().spec.messages != MessageRule::Committed;
    Simulator::Part part = changed(true);
    part.until = until;
    part.has = std::exchange(heldHave, noTime);
    if (until != Simulator::never)
        part.again = Simulator::never; // so far in it nothing needs to be known
    if (quick &&
        simulator.runPart(part, *orders.schedule(), costs, held.times, holds).has_value()) {
        heldHave = part.from;
        held.begin = base().begin;
        held.blocked.clear();
        held.ring.clear();
    } else {
        draftSimulator.run(orders.draft(), costs, held, holds);
    }
    heldUntil = quick ? until : Simulator::never;
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
    PW_TRY(DraggedBody body, DraggedBody::make(std::move(times), grabbed));
    auto state = std::make_unique<State>(std::move(draft), std::move(costs), std::move(body), mode);
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
    return m_state->orders.draft();
}

const DraftTimes& Drag::times() const
{
    return m_state->times;
}

const Schedule* Drag::schedule() const
{
    return m_state->runs ? m_state->orders.schedule() : nullptr;
}

const DraftTimes& Drag::held(Ticks until)
{
    if (m_state->heldUntil < until)
        m_state->hold(until);
    return m_state->heldBack ? m_state->held : m_state->times;
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
