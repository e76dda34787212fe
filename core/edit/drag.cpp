// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/edit/drag.h"

#include "core/base/assert.h"
#include "core/base/text.h"
#include "core/edit/present.h"

#include <algorithm>
#include <limits>
#include <optional>

namespace pw {

namespace {

/// The grabbed entries of one device, and the place that each gets among the others.
struct Lane
{
    int device = 0;
    std::vector<std::int32_t> grabbed; ///< positions, sorted
    std::vector<std::int32_t> slots;   ///< for each: the first not grabbed position behind it
    std::int32_t first = 0;            ///< of the positions that change
    std::vector<std::int32_t> order;   ///< from `first` on: the position that comes there
};

/// A pass that is there before a grabbed one may start.
struct Input
{
    Pass producer;
    Pass consumer;
    Ticks there = 0;
    Ticks room = 0; ///< how far the consumer starts after it
};

} // namespace

struct Drag::State
{
    State(Draft given, Costs givenCosts)
        : draft(std::move(given))
        , costs(std::move(givenCosts))
        , present(draft)
    {
    }

    Draft draft;
    Costs costs;
    DragMode mode = DragMode::Strict;
    Present present; // of the order at the beginning
    DraftTimes base;
    DraftTimes times;
    DraftTimes pushed;
    bool pushedKnown = false;
    std::optional<Schedule> schedule; // in step with the draft; none: not whole
    bool runs = false;                // the schedule has no ring
    Simulator simulator;
    DraftSimulator draftSimulator;
    std::vector<Lane> lanes;
    std::vector<std::uint8_t> isGrabbed; // by entry at the beginning
    std::vector<std::uint8_t> reached;   // by entry, see `dependents`
    std::vector<std::int32_t> queue;
    std::vector<std::int32_t> found;
    std::vector<std::int32_t> arrowsFrom;   // by entry, and one more: its first arrow
    std::vector<std::int32_t> arrows;       // entries that wait for it
    std::vector<std::uint8_t> lastOfDevice; // by entry
    std::optional<Input> tightest;          // input that stops the body to the left
    DragTrial trial;
    Ticks offset = 0;           // of the last trial, as far as it was followed
    bool moved = false;         // the draft is in the order of the lanes
    bool scheduleMoved = false; // and the schedule, too

    const PipelineSpec& spec() const { return draft.spec; }
    Ticks start(std::int32_t entry) const
    {
        return base.times.start[static_cast<std::size_t>(entry)];
    }
    Ticks end(std::int32_t entry) const { return base.times.end[static_cast<std::size_t>(entry)]; }
    bool grabbed(std::int32_t entry) const
    {
        return isGrabbed[static_cast<std::size_t>(entry)] != 0;
    }
    std::int32_t length(int device) const
    {
        return base.begin[static_cast<std::size_t>(device) + 1] -
               base.begin[static_cast<std::size_t>(device)];
    }

    void findTightest();
    void findInput(const Pass& pass, std::int32_t entry);
    void place(Lane& lane, Ticks by) const;
    bool holdBack(Lane& lane) const;
    void dependents(Ticks until);
    void reach(std::int32_t entry, Ticks until);
    void reachFrom(std::int32_t entry, Ticks until);
    void findArrows();
    void forget();
    void arrange(Lane& lane) const;
    std::vector<std::int32_t> rearrangement(const Lane& lane, bool back) const;
    void moveDraft(bool back);
    Problems reorderLane(const Lane& lane, bool back);
    Problems moveSchedule(bool back);
    void undo();
    void refuse(std::string why);
    bool follow();
    void simulate();
    void placeLeft(Ticks by);
    void placeRight(Ticks by);
    void take(Ticks by);
    void report();
    std::string inputText() const;
};

void Drag::State::findTightest()
{
    tightest.reset();
    for (const Lane& lane : lanes) {
        for (const std::int32_t position : lane.grabbed) {
            const std::int32_t entry = base.entry(lane.device, static_cast<std::size_t>(position));
            const OrderEntry& passes = draft.orders[static_cast<std::size_t>(lane.device)]
                                                   [static_cast<std::size_t>(position)];
            findInput(passes.pass, entry);
            if (passes.paired)
                findInput(passes.partner, entry);
        }
    }
}

void Drag::State::findInput(const Pass& pass, std::int32_t entry)
{
    if (present.entry(pass) != entry)
        return;
    std::vector<Pass> needs;
    present.producers(pass, needs);
    const int to = spec().device(pass.route, pass.stage);
    for (const Pass& need : needs) {
        const std::int32_t from = present.entry(need);
        // A grabbed input comes along.
        if (from < 0 || grabbed(from))
            continue;
        const Pass producer = withKind(need, present.kind(need));
        const Bytes bytes = messageBytes(costs, spec(), producer, pass.kind);
        const Ticks there =
            arrival(costs, spec(), spec().device(need.route, need.stage), to, bytes, end(from));
        const Ticks room = start(entry) - there;
        if (!tightest || room < tightest->room)
            tightest = Input{producer, pass, there, room};
    }
}

/// Gives every grabbed entry of a device the place that its time has among the others.
void Drag::State::place(Lane& lane, Ticks by) const
{
    lane.slots.assign(lane.grabbed.size(), 0);
    const std::int32_t begin = base.begin[static_cast<std::size_t>(lane.device)];
    const std::int32_t count = length(lane.device);
    for (std::size_t i = 0; i < lane.grabbed.size(); ++i) {
        const std::int32_t own = lane.grabbed[i];
        std::int32_t slot = own;
        // Twice the middle, so that nothing is halved.
        const auto twiceMiddle = [&](std::int32_t position) {
            return start(begin + position) + end(begin + position);
        };
        if (by > 0) {
            const Ticks edge = end(begin + own) + by;
            for (std::int32_t at = own + 1; at < count; ++at) {
                if (grabbed(begin + at))
                    continue;
                if (twiceMiddle(at) >= 2 * edge)
                    break;
                slot = at + 1;
            }
        } else {
            const Ticks edge = start(begin + own) + by;
            for (std::int32_t at = own; at-- > 0;) {
                if (grabbed(begin + at))
                    continue;
                if (twiceMiddle(at) <= 2 * edge)
                    break;
                slot = at;
            }
        }
        lane.slots[i] = i == 0 ? slot : std::max(slot, lane.slots[i - 1]);
    }
}

void Drag::State::reach(std::int32_t entry, Ticks until)
{
    if (reached[static_cast<std::size_t>(entry)] != 0 || start(entry) > until)
        return;
    reached[static_cast<std::size_t>(entry)] = 1;
    found.push_back(entry);
    queue.push_back(entry);
}

void Drag::State::reachFrom(std::int32_t entry, Ticks until)
{
    const auto at = static_cast<std::size_t>(entry);
    for (std::int32_t i = arrowsFrom[at]; i < arrowsFrom[at + 1]; ++i)
        reach(arrows[static_cast<std::size_t>(i)], until);
    // A grabbed entry does not hold what stands behind it; it may be overtaken.
    if (!grabbed(entry) && lastOfDevice[at] == 0)
        reach(entry + 1, until);
}

/// Collects who waits for whom, in the order at the beginning.
void Drag::State::findArrows()
{
    std::int32_t entry = 0;
    for (const auto& order : draft.orders) {
        for (const OrderEntry& passes : order) {
            arrowsFrom.push_back(static_cast<std::int32_t>(arrows.size()));
            if (present.entry(passes.pass) == entry)
                present.consumers(passes.pass, arrows);
            if (passes.paired && present.entry(passes.partner) == entry)
                present.consumers(passes.partner, arrows);
            lastOfDevice.push_back(&passes == &order.back() ? 1 : 0);
            ++entry;
        }
    }
    arrowsFrom.push_back(static_cast<std::int32_t>(arrows.size()));
}

void Drag::State::forget()
{
    for (const std::int32_t entry : found)
        reached[static_cast<std::size_t>(entry)] = 0;
    found.clear();
}

/// Marks what depends on the grabbed entries and on what they push, as far as it starts by a time.
/// When less is overtaken, more is pushed, so marks stay.
void Drag::State::dependents(Ticks until)
{
    for (const Lane& lane : lanes) {
        const std::int32_t begin = base.begin[static_cast<std::size_t>(lane.device)];
        for (std::size_t i = 0; i < lane.grabbed.size(); ++i) {
            reach(begin + lane.grabbed[i], std::numeric_limits<Ticks>::max());
            if (lane.slots[i] <= lane.grabbed[i])
                continue;
            // What it does not overtake it pushes.
            std::int32_t behind = lane.slots[i];
            while (behind < length(lane.device) && grabbed(begin + behind))
                ++behind;
            if (behind < length(lane.device))
                reach(begin + behind, until);
        }
    }
    while (!queue.empty()) {
        const std::int32_t entry = queue.back();
        queue.pop_back();
        reachFrom(entry, until);
    }
}

/// Takes back what overtakes something that depends on the body. @return whether anything did
bool Drag::State::holdBack(Lane& lane) const
{
    const std::int32_t begin = base.begin[static_cast<std::size_t>(lane.device)];
    bool changed = false;
    for (std::size_t i = 0; i < lane.grabbed.size(); ++i) {
        for (std::int32_t at = lane.grabbed[i] + 1; at < lane.slots[i]; ++at) {
            if (grabbed(begin + at) || reached[static_cast<std::size_t>(begin + at)] == 0)
                continue;
            lane.slots[i] = at;
            changed = true;
        }
    }
    // What stands behind in the body stays behind.
    for (std::size_t i = lane.grabbed.size(); i-- > 1;)
        lane.slots[i - 1] = std::min(lane.slots[i - 1], std::max(lane.slots[i], lane.grabbed[i]));
    return changed;
}

/// Writes down the order that the places give, from the first position that changes to the last.
void Drag::State::arrange(Lane& lane) const
{
    std::int32_t last = lane.first = lane.grabbed.front();
    for (std::size_t i = 0; i < lane.grabbed.size(); ++i) {
        lane.first = std::min({lane.first, lane.grabbed[i], lane.slots[i]});
        last = std::max({last, lane.grabbed[i] + 1, lane.slots[i]});
    }
    const std::int32_t begin = base.begin[static_cast<std::size_t>(lane.device)];
    lane.order.clear();
    std::size_t next = 0;
    for (std::int32_t at = lane.first; at <= last; ++at) {
        while (next < lane.grabbed.size() && lane.slots[next] <= at) {
            lane.order.push_back(lane.grabbed[next]);
            ++next;
        }
        if (at < last && !grabbed(begin + at))
            lane.order.push_back(at);
    }
}

/// For each place from `lane.first` on the position that comes there, or that goes back there.
std::vector<std::int32_t> Drag::State::rearrangement(const Lane& lane, bool back) const
{
    if (!back)
        return lane.order;
    std::vector<std::int32_t> order(lane.order.size());
    for (std::size_t at = 0; at < order.size(); ++at)
        order[static_cast<std::size_t>(lane.order[at] - lane.first)] =
            lane.first + static_cast<std::int32_t>(at);
    return order;
}

void Drag::State::moveDraft(bool back)
{
    for (const Lane& lane : lanes) {
        const auto order = rearrangement(lane, back);
        const auto from = draft.orders[static_cast<std::size_t>(lane.device)].begin() + lane.first;
        const std::vector<OrderEntry> before(from,
                                             from + static_cast<std::ptrdiff_t>(order.size()));
        for (std::size_t at = 0; at < order.size(); ++at)
            *(from + static_cast<std::ptrdiff_t>(at)) =
                before[static_cast<std::size_t>(order[at] - lane.first)];
    }
    moved = !back;
}

Problems Drag::State::reorderLane(const Lane& lane, bool back)
{
    auto order = rearrangement(lane, back);
    const std::int32_t begin = base.begin[static_cast<std::size_t>(lane.device)];
    for (std::int32_t& at : order)
        at += begin;
    return schedule->reorder(begin + lane.first, order);
}

/// Does all of it, or nothing. @return what is wrong on any device
Problems Drag::State::moveSchedule(bool back)
{
    Problems all;
    std::vector<const Lane*> done;
    for (const Lane& lane : lanes) {
        const Problems wrong = reorderLane(lane, back);
        if (wrong.none())
            done.push_back(&lane);
        all.count += wrong.count;
        const std::size_t room = Problems::listed - all.list.size();
        all.list.insert(all.list.end(), wrong.list.begin(),
                        wrong.list.begin() +
                            static_cast<std::ptrdiff_t>(std::min(room, wrong.list.size())));
    }
    scheduleMoved = !back && all.none();
    if (!all.none()) {
        for (const Lane* lane : done)
            PW_ASSERT(reorderLane(*lane, true).none());
    }
    return all;
}

void Drag::State::undo()
{
    if (scheduleMoved)
        PW_ASSERT(moveSchedule(true).none());
    if (moved)
        moveDraft(true);
}

/// Back to the order at the beginning, for a reason.
void Drag::State::refuse(std::string why)
{
    undo();
    for (Lane& lane : lanes) {
        lane.slots = lane.grabbed;
        arrange(lane);
    }
    times = base;
    runs = schedule.has_value() && base.blocked.empty();
    trial.refusal = std::move(why);
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
    refuse(placed(trial.problems.list.front()));
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

std::string Drag::State::inputText() const
{
    const Pass& producer = tightest->producer;
    std::string text = describe(tightest->consumer, spec()) + " cannot start before " +
                       describe(producer, spec()) + " ends at " +
                       millisecondText(end(present.entry(producer)));
    if (tightest->there > end(present.entry(producer)))
        text += " and its message is there at " + millisecondText(tightest->there);
    return text;
}

void Drag::State::placeLeft(Ticks by)
{
    for (Lane& lane : lanes)
        place(lane, by);
    if (mode == DragMode::Free || !tightest || by >= -std::max<Ticks>(tightest->room, 0))
        return;
    const std::int32_t consumer = present.entry(tightest->consumer);
    const bool before =
        2 * (start(consumer) + by - tightest->there) + end(consumer) < start(consumer);
    offset = -std::max<Ticks>(tightest->room, 0);
    bool stopped = before;
    for (Lane& lane : lanes) {
        const auto wanted = lane.slots;
        place(lane, offset);
        stopped = stopped || lane.slots != wanted;
    }
    if (stopped)
        trial.refusal = inputText();
}

void Drag::State::placeRight(Ticks by)
{
    Ticks until = std::numeric_limits<Ticks>::min();
    for (Lane& lane : lanes) {
        place(lane, by);
        for (std::size_t i = 0; i < lane.slots.size(); ++i) {
            if (lane.slots[i] > lane.grabbed[i])
                until = std::max(
                    until,
                    start(base.entry(lane.device, static_cast<std::size_t>(lane.slots[i] - 1))));
        }
    }
    if (mode == DragMode::Free || until == std::numeric_limits<Ticks>::min())
        return;
    forget();
    for (bool changed = true; changed;) {
        dependents(until);
        changed = false;
        for (Lane& lane : lanes)
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
    for (Lane& lane : lanes)
        arrange(lane);
    if (follow()) {
        simulate();
        if (mode == DragMode::Strict && times.blocked.size() > base.blocked.size())
            refuse(ringText(times, spec()));
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
    for (const Lane& lane : lanes) {
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
    auto times = draftTimes(draft, costs);
    if (!times)
        return fail(times.error());
    std::sort(grabbed.begin(), grabbed.end());
    grabbed.erase(std::unique(grabbed.begin(), grabbed.end()), grabbed.end());
    if (grabbed.empty())
        return fail(ErrorCode::BadValue, "nothing is grabbed");
    auto state = std::make_unique<State>(std::move(draft), std::move(costs));
    state->mode = mode;
    state->base = *std::move(times);
    state->isGrabbed.assign(static_cast<std::size_t>(state->base.begin.back()), 0);
    state->reached.assign(state->isGrabbed.size(), 0);
    for (const EntryAt& at : grabbed) {
        if (at.device < 0 || at.device >= state->spec().devices || at.position < 0 ||
            at.position >= state->length(at.device)) {
            return fail(ErrorCode::BadValue, "device " + std::to_string(at.device) +
                                                 " has no entry " + std::to_string(at.position));
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
    if (mode == DragMode::Strict)
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
        for (const Lane& lane : state.lanes) {
            for (std::size_t at = 0; at < lane.order.size(); ++at) {
                const std::int32_t entry =
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
    for (std::size_t device = 0; device < draft.orders.size(); ++device) {
        const auto& order = draft.orders[device];
        for (std::size_t i = 0; i < order.size(); ++i) {
            const auto is = [&](const Pass& pass) {
                return pass.kind != PassKind::U && pass.microBatch == microBatch;
            };
            if (is(order[i].pass) || (order[i].paired && is(order[i].partner)))
                strand.push_back({static_cast<int>(device), static_cast<std::int32_t>(i)});
        }
    }
    return strand;
}

} // namespace pw
