// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/transport/local.h"

#include "core/base/assert.h"
#include "core/base/try.h"
#include "executor/transport/local_state.h"

#include <chrono>
#include <mutex>
#include <utility>

namespace pw::exec {

namespace {

using State = LocalTransport::State;

class LocalEndpoint final : public Endpoint
{
public:
    LocalEndpoint(std::shared_ptr<State> state, RankId rank)
        : m_state(std::move(state))
        , m_rank(rank)
    {
    }

    Result<void> send(std::int32_t message, int iteration, Packet packet) override;
    Result<void> post(std::int32_t message, int iteration) override;
    Result<Arrival> wait(std::int32_t message, int iteration, const Patience& patience) override;
    Result<void> waitPosted(std::int32_t message, int iteration, const Patience& patience) override;
    Result<void> sendAgain(std::int32_t message, int iteration, Packet packet) override;
    Result<Arrival> waitAgain(std::int32_t message, int iteration,
                              const Patience& patience) override;
    Result<bool> hasCome(std::int32_t message, int iteration) override;
    Result<std::optional<Ticks>> thereAt(std::int32_t message, int iteration) override;
    Result<Arrival> exchange(std::int32_t reduction, int iteration, RankId peer, Packet own,
                             const Patience& patience) override
    {
        return exchange(m_state->swaps, reduction, iteration, peer, std::move(own), patience);
    }
    Result<Arrival> exchangeAgain(std::int32_t reduction, int iteration, RankId peer, Packet own,
                                  const Patience& patience) override
    {
        return exchange(m_state->swapsAgain, reduction, iteration, peer, std::move(own), patience);
    }
    Result<void> tellAll(int round, int iteration, double number) override;
    Result<std::vector<double>> heardOfAll(int round, int iteration,
                                           const Patience& patience) override;
    Result<std::vector<std::optional<double>>> heardSoFar(int round, int iteration) override;
    Result<void> barrier(const Patience& patience) override;
    void abort() noexcept override;

private:
    Result<void> known(std::int32_t message, bool sends) const;
    Result<Arrival> exchange(std::vector<State::Swap>& places, std::int32_t reduction,
                             int iteration, RankId peer, Packet own, const Patience& patience);
    std::string missingText() const;
    /// Waits for a message of this rank, then for as long as its transfer takes.
    /// @param came  whether a box holds it
    /// @param what  said where the limit passes
    /// @param take  moves it out of its box, under the lock, and gives its transfer
    template<typename Came, typename What, typename Take>
    Result<Arrival> receive(std::int32_t message, const Patience& patience, Came came, What what,
                            Take take);

    std::shared_ptr<State> m_state;
    RankId m_rank;
};

/// Whether this rank is the one that sends, or receives, the message.
Result<void> LocalEndpoint::known(std::int32_t message, bool sends) const
{
    const auto count = static_cast<std::int32_t>(m_state->boxes.size());
    if (message >= 0 && message < count) {
        const Message& what = m_state->messageOf(message);
        if ((sends ? what.from : what.to) == m_rank)
            return {};
    }
    return fail(ErrorCode::Fault, "rank %1 %2 message %3, which is not its own", m_rank,
                sends ? said("sends") : said("takes"), message);
}

Result<void> LocalEndpoint::send(std::int32_t message, int iteration, Packet packet)
{
    if (auto fine = known(message, true); !fine)
        return fine;
    State& state = *m_state;
    State::Box& box = state.boxOf(message);
    State::Line& line = state.lines[static_cast<std::size_t>(box.line)];
    if (std::exchange(line.iteration, iteration) != iteration)
        line.due = line.first;
    // Where the order is a hint, any message of the connection may be the next.
    const std::int32_t due = state.plan.hint > 0 ? message : std::exchange(line.due, box.next);
    if (due < 0)
        return fail(ErrorCode::Fault, "rank %1 sends %2 once too often", m_rank,
                    sentText(state.plan, message));
    State::Meeting& meeting = state.meetingOf(state.messageOf(message).to);
    {
        const std::lock_guard lock(meeting.mutex);
        if (due != message) {
            meeting.misfit = message;
            meeting.due = due;
        }
        box.sides.sentByPlan = packet.due;
        box.sides.sent = packet.at > 0 ? packet.at : state.clock.now();
        box.packet = std::move(packet);
        box.sentIn = iteration;
    }
    meeting.tell();
    return {};
}

Result<void> LocalEndpoint::post(std::int32_t message, int iteration)
{
    if (auto fine = known(message, false); !fine)
        return fine;
    State::Meeting& meeting = m_state->meetingOf(m_rank);
    {
        const std::lock_guard lock(meeting.mutex);
        State::Box& box = m_state->boxOf(message);
        box.sides.posted = m_state->clock.now();
        box.sides.postedByPlan = m_state->planned == nullptr ? 0 : m_state->planned->free(m_rank);
        box.postedIn = iteration;
    }
    meeting.tell();
    return {};
}

template<typename Came, typename What, typename Take>
Result<Arrival> LocalEndpoint::receive(std::int32_t message, const Patience& patience, Came came,
                                       What what, Take take)
{
    PW_DO(known(message, false));
    State& state = *m_state;
    State::Meeting& meeting = state.meetingOf(m_rank);
    State::Box& box = state.boxOf(message);
    Arrival arrival;
    Transfer transfer;
    {
        std::unique_lock lock(meeting.mutex);
        const auto ready = [&] { return came(box) || meeting.misfit >= 0; };
        PW_DO(state.await(meeting, lock, patience, ready, what));
        if (meeting.misfit >= 0)
            return cameInstead(patience, state.plan, meeting.misfit, meeting.due);
        PW_TRY(transfer, take(box, arrival));
    }
    PW_DO(state.hold(transfer, patience));
    arrival.startTime = transfer.start;
    arrival.endTime = transfer.end;
    return arrival;
}

Result<Arrival> LocalEndpoint::wait(std::int32_t message, int iteration, const Patience& patience)
{
    State& state = *m_state;
    const auto came = [](const State::Box& box) { return box.sentIn != State::never; };
    const auto what = [&] { return sentText(state.plan, message); };
    const auto take = [&](State::Box& box, Arrival& arrival) -> Result<Transfer> {
        if (box.sentIn != iteration)
            return fail(ErrorCode::Fault, "%1: %2 is of iteration %3, not %4", patience.what,
                        what(), box.sentIn, iteration);
        const Transfer transfer = state.transferOf(message);
        box.sentIn = State::never;
        arrival.packet = std::move(box.packet);
        arrival.packet.due = transfer.due;
        arrival.packet.at = transfer.end;
        arrival.posted = box.sides.sent;
        return transfer;
    };
    return receive(message, patience, came, what, take);
}

Result<void> LocalEndpoint::waitPosted(std::int32_t message, int iteration,
                                       const Patience& patience)
{
    if (auto fine = known(message, true); !fine)
        return fine;
    State& state = *m_state;
    State::Meeting& meeting = state.meetingOf(state.messageOf(message).to);
    const State::Box& box = state.boxOf(message);
    Transfer transfer;
    {
        std::unique_lock lock(meeting.mutex);
        const auto came = [&] { return box.postedIn == iteration; };
        const auto what = [&] { return takenText(state.plan, message); };
        if (auto there = state.await(meeting, lock, patience, came, what); !there)
            return there;
        transfer = state.transferOf(message);
    }
    if (state.links.times() == LinkTimes::Planned)
        state.planned->raise(m_rank, transfer.due);
    return state.hold(transfer, patience);
}

Result<void> LocalEndpoint::sendAgain(std::int32_t message, int iteration, Packet packet)
{
    if (auto fine = known(message, true); !fine)
        return fine;
    State& state = *m_state;
    State::Meeting& meeting = state.meetingOf(state.messageOf(message).to);
    {
        const std::lock_guard lock(meeting.mutex);
        State::Box& box = state.boxOf(message);
        box.again = std::move(packet);
        box.againSent = state.clock.now();
        box.againIn = iteration;
    }
    meeting.tell();
    return {};
}

Result<Arrival> LocalEndpoint::waitAgain(std::int32_t message, int iteration,
                                         const Patience& patience)
{
    State& state = *m_state;
    const auto came = [&](const State::Box& box) { return box.againIn == iteration; };
    const auto what = [&] { return sentText(state.plan, message) + " once more"; };
    const auto take = [&](State::Box& box, Arrival& arrival) -> Result<Transfer> {
        MessageSides sides = box.sides;
        sides.sent = box.againSent;
        box.againIn = State::never;
        arrival.packet = std::move(box.again);
        arrival.posted = box.againSent;
        return state.links.message(message, sides,
                                   state.iterationStart.load(std::memory_order_relaxed));
    };
    return receive(message, patience, came, what, take);
}

Result<bool> LocalEndpoint::hasCome(std::int32_t message, int)
{
    if (auto fine = known(message, false); !fine)
        return fail(fine.error());
    State& state = *m_state;
    State::Meeting& meeting = state.meetingOf(m_rank);
    const std::lock_guard lock(meeting.mutex);
    return state.boxOf(message).sentIn != State::never || meeting.misfit >= 0 ||
           state.aborter.load(std::memory_order_acquire) >= 0;
}

Result<std::optional<Ticks>> LocalEndpoint::thereAt(std::int32_t message, int)
{
    if (auto fine = known(message, false); !fine)
        return fail(fine.error());
    State& state = *m_state;
    State::Meeting& meeting = state.meetingOf(m_rank);
    if (state.aborter.load(std::memory_order_acquire) >= 0)
        return Ticks{0};
    const std::lock_guard lock(meeting.mutex);
    if (meeting.misfit >= 0)
        return Ticks{0};
    if (state.boxOf(message).sentIn == State::never)
        return std::nullopt;
    return state.transferOf(message).end;
}

Result<Arrival> LocalEndpoint::exchange(std::vector<State::Swap>& places, std::int32_t reduction,
                                        int iteration, RankId peer, Packet own,
                                        const Patience& patience)
{
    State& state = *m_state;
    const Reduction& what = state.plan.program.reductions[static_cast<std::size_t>(reduction)];
    const int side = what.ranks[0] == m_rank ? 0 : 1;
    PW_ASSERT(what.ranks[side] == m_rank && what.ranks[1 - side] == peer);
    State::Meeting& meeting = state.meetingOf(what.ranks[0]);
    State::Swap& swap = places[static_cast<std::size_t>(reduction)];
    State::Swap::Side& mine = swap.sides[side];
    State::Swap::Side& theirs = swap.sides[1 - side];
    const Ticks posted = state.clock.now();
    Arrival arrival;
    {
        std::unique_lock lock(meeting.mutex);
        mine.packet = std::move(own);
        mine.sent = posted;
        mine.sentIn = iteration;
        meeting.tell();
        const auto came = [&] { return theirs.sentIn != State::never; };
        const auto text = [&] { return gradientText(state.plan, reduction, peer); };
        if (auto there = state.await(meeting, lock, patience, came, text); !there)
            return fail(there.error());
        theirs.sentIn = State::never;
        arrival.packet = std::move(theirs.packet);
        arrival.posted = theirs.sent;
        arrival.startTime = std::max(theirs.sent, posted);
    }
    const Transfer transfer = state.links.reduction(
        reduction, deviceOf(peer), deviceOf(m_rank), arrival.startTime, arrival.packet.due,
        state.iterationStart.load(std::memory_order_relaxed));
    arrival.endTime = transfer.end;
    arrival.packet.due = transfer.due;
    arrival.packet.at = transfer.end;
    if (auto held = state.hold(transfer, patience); !held)
        return fail(held.error());
    return arrival;
}

Result<void> LocalEndpoint::tellAll(int round, int iteration, double number)
{
    State& state = *m_state;
    {
        const std::lock_guard lock(state.assembly.mutex);
        State::Told& own = state.told[m_rank.index()];
        if (std::exchange(own.iteration, iteration) != iteration)
            own.numbers.clear();
        own.numbers.resize(static_cast<std::size_t>(round) + 1);
        own.numbers.back() = number;
    }
    state.assembly.tell();
    return {};
}

Result<std::vector<double>> LocalEndpoint::heardOfAll(int round, int iteration,
                                                      const Patience& patience)
{
    State& state = *m_state;
    const auto index = static_cast<std::size_t>(round);
    const auto silent = [&]() -> RankId {
        for (const RankId rank : Ids<RankId>(state.told.size())) {
            const State::Told& told = state.told[rank.index()];
            if (told.iteration != iteration || told.numbers.size() <= index)
                return rank;
        }
        return RankId::none();
    };
    std::unique_lock lock(state.assembly.mutex);
    const auto came = [&] { return !silent().valid(); };
    const auto what = [&] {
        return "the norm of the gradients of rank " + std::to_string(silent());
    };
    if (auto there = state.await(state.assembly, lock, patience, came, what); !there)
        return fail(there.error());
    std::vector<double> numbers;
    for (const State::Told& told : state.told)
        numbers.push_back(told.numbers[index]);
    return numbers;
}

Result<std::vector<std::optional<double>>> LocalEndpoint::heardSoFar(int round, int iteration)
{
    State& state = *m_state;
    const auto index = static_cast<std::size_t>(round);
    std::vector<std::optional<double>> numbers;
    const std::lock_guard lock(state.assembly.mutex);
    for (const State::Told& told : state.told) {
        const bool there = told.iteration == iteration && told.numbers.size() > index;
        numbers.push_back(there ? std::optional(told.numbers[index]) : std::nullopt);
    }
    return numbers;
}

std::string LocalEndpoint::missingText() const
{
    const std::vector<std::uint8_t>& arrived = m_state->barrier.arrived;
    std::string text;
    for (const RankId rank : Ids<RankId>(arrived.size())) {
        if (arrived[rank.index()] == 0)
            text += (text.empty() ? "rank " : ", rank ") + std::to_string(rank);
    }
    return text;
}

Result<void> LocalEndpoint::barrier(const Patience& patience)
{
    State& state = *m_state;
    State::Barrier& gate = state.barrier;
    std::unique_lock lock(gate.mutex);
    gate.arrived[m_rank.index()] = 1;
    if (++gate.here == gate.arrived.size()) {
        state.iterationStart.store(state.clock.now() + state.links.startMargin(),
                                   std::memory_order_relaxed);
        gate.here = 0;
        std::fill(gate.arrived.begin(), gate.arrived.end(), std::uint8_t{0});
        ++gate.generation;
        gate.opened.notify_all();
        return {};
    }
    const std::uint64_t generation = gate.generation;
    const Ticks begun = state.clock.now();
    while (gate.generation == generation) {
        if (auto on = state.goesOn(patience); !on)
            return on;
        const Ticks waited = state.clock.now() - begun;
        if (waited >= patience.limit)
            return waitedInVain(patience, waited, missingText());
        gate.opened.wait_for(
            lock, std::chrono::nanoseconds(std::min(State::slice, patience.limit - waited)));
    }
    return {};
}

void LocalEndpoint::abort() noexcept
{
    RankId none;
    m_state->aborter.compare_exchange_strong(none, m_rank, std::memory_order_acq_rel);
    for (State::Meeting& meeting : m_state->meetings)
        meeting.changed.notify_all();
    m_state->assembly.changed.notify_all();
    m_state->barrier.opened.notify_all();
}

} // namespace

LocalTransport::LocalTransport(const RunPlan& plan, const RunClock& clock, LinkTimes times,
                               PlanClock* planned)
    : m_state(std::make_shared<State>(plan, clock, times, planned))
{
}

LocalTransport::~LocalTransport() = default;

std::vector<RankId> LocalTransport::ranks() const
{
    std::vector<RankId> ranks;
    for (const RankId rank : Ids<RankId>(m_state->plan.schedule.devices()))
        ranks.push_back(rank);
    return ranks;
}

Result<std::unique_ptr<Endpoint>> LocalTransport::endpoint(RankId rank)
{
    const int ranks = m_state->plan.schedule.devices();
    if (rank < 0 || rank >= ranks)
        return fail(ErrorCode::BadValue, "rank %1 is not one of the %2 of the plan", rank, ranks);
    return std::make_unique<LocalEndpoint>(m_state, rank);
}

Ticks LocalTransport::iterationStart() const
{
    return m_state->iterationStart.load(std::memory_order_relaxed);
}

bool LocalTransport::aborted() const
{
    return m_state->aborter.load(std::memory_order_acquire) >= 0;
}

} // namespace pw::exec
