// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/mpi/mpi_endpoint.h"

#include "executor/transport/pacing.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace pw::exec {

MpiEndpoint::MpiEndpoint(std::shared_ptr<MpiTransport::State> state)
    : m_state(std::move(state))
    , m_session(m_state->session)
    , m_plan(m_state->plan)
    , m_rank(m_session.rank())
    , m_ranks(m_plan.schedule.devices())
    , m_committed(m_plan.schedule.spec().messages == MessageRule::Committed)
    , m_come(*m_state)
{
}

/// Sends a result; its memory leaves as it is.
Result<void> MpiEndpoint::leave(RankId to, MailHead head, const Packet& packet)
{
    head.run = m_state->run;
    head.posted = packet.at > 0 ? packet.at : m_state->clock.now();
    head.due = packet.due;
    // Tags have a limit of the library's own; the head has the whole number.
    const std::int64_t tags = std::int64_t{m_session.maxTag()} + 1;
    const int tag = static_cast<int>(head.number % tags);
    if (m_state->carries == MpiCarries::Heads) {
        head.bytes = packet.payload ? packet.payload->bytes() : 0;
        m_session.send(to, head, {}, {}, tag);
        return {};
    }
    const auto* payload = dynamic_cast<const HostPayload*>(packet.payload.get());
    if (packet.payload && payload == nullptr)
        return fail(ErrorCode::Fault,
                    "rank %1: a result that is not in host memory cannot travel by MPI", m_rank);
    std::span<const std::byte> body;
    if (payload != nullptr) {
        head.bytes = payload->bytes();
        body = {static_cast<const std::byte*>(payload->data()),
                static_cast<std::size_t>(payload->bytes())};
    }
    m_session.send(to, head, body, packet.payload, tag);
    return {};
}

Result<void> MpiEndpoint::send(std::int32_t message, int iteration, Packet packet)
{
    if (auto fine = m_come.known(message, true); !fine)
        return fine;
    MpiArrivals::Box& box = m_come.box(message);
    box.sides.sent = packet.at > 0 ? packet.at : m_state->clock.now();
    box.sides.sentByPlan = packet.due;
    return leave(m_come.message(message).to,
                 {.kind = MailKind::Result,
                  .number = message,
                  .iteration = iteration,
                  .flags = packet.optimistic ? MpiArrivals::optimisticFlag : 0},
                 packet);
}

Result<void> MpiEndpoint::sendAgain(std::int32_t message, int iteration, Packet packet)
{
    if (auto fine = m_come.known(message, true); !fine)
        return fine;
    return leave(m_come.message(message).to,
                 {.kind = MailKind::Result,
                  .number = message,
                  .iteration = iteration,
                  .flags = MpiArrivals::againFlag},
                 packet);
}

Result<void> MpiEndpoint::post(std::int32_t message, int iteration)
{
    if (auto fine = m_come.known(message, false); !fine)
        return fine;
    MpiArrivals::Box& box = m_come.box(message);
    box.postedIn = iteration;
    box.sides.posted = m_state->clock.now();
    box.sides.postedByPlan = m_state->planned == nullptr ? 0 : m_state->planned->free(m_rank);
    if (!m_committed)
        return {};
    MailHead head{.kind = MailKind::Posted, .run = m_state->run, .number = message};
    head.iteration = iteration;
    head.posted = box.sides.posted;
    head.due = box.sides.postedByPlan;
    m_session.send(m_come.message(message).from, head);
    return {};
}

template<typename Ready, typename What>
Result<void> MpiEndpoint::await(const Patience& patience, Ready ready, What what)
{
    const Ticks begun = m_state->clock.now();
    for (Backoff backoff(m_session.crowd());; backoff.pause()) {
        m_come.collect();
        if (!m_come.problem().empty())
            return fail(ErrorCode::Fault, "%1: %2", patience.what, m_come.problem());
        if (ready())
            return {};
        const Ticks waited = m_state->clock.now() - begun;
        if (patience.stop.requested())
            return stopped(patience, waited, what());
        if (const Result<void> good = m_session.health(); !good)
            return fail(ErrorCode::Fault, "%1: %2", patience.what, good.error().message);
        if (waited >= patience.limit)
            return waitedInVain(patience, waited, what());
    }
}

/// Lets the time of a transfer pass, where links take their time.
Result<void> MpiEndpoint::hold(const Transfer& transfer, const Patience& patience) const
{
    if (m_state->links.times() == LinkTimes::None)
        return {};
    const auto ended = [&] { return patience.stop.requested(); };
    if (!paceUntil(m_state->clock, transfer.end, false, ended))
        return stopped(patience);
    return {};
}

Result<Arrival> MpiEndpoint::wait(std::int32_t message, int iteration, const Patience& patience)
{
    if (auto fine = m_come.known(message, false); !fine)
        return fail(fine.error());
    MpiArrivals::Box& box = m_come.box(message);
    const auto came = [&] { return box.sentIn != MpiArrivals::never || m_come.outOfOrder(); };
    const auto what = [&] { return sentText(m_plan, message); };
    if (auto there = await(patience, came, what); !there)
        return fail(there.error());
    if (m_come.outOfOrder())
        return cameInstead(patience, m_plan, m_come.got(), m_come.due());
    if (box.sentIn != iteration)
        return fail(ErrorCode::Fault, "%1: %2 is of iteration %3, not %4", patience.what, what(),
                    box.sentIn, iteration);
    Transfer transfer = m_state->links.message(message, box.sides, m_state->iterationStart.load());
    const Ticks wakeUp = m_state->links.times() == LinkTimes::Planned ? mostWakeUp : 0;
    transfer.end = std::max(transfer.end, box.came - wakeUp);
    transfer.start = std::min(transfer.start, transfer.end);
    box.sentIn = MpiArrivals::never;
    Arrival arrival;
    arrival.packet = std::move(box.packet);
    arrival.posted = std::min(box.sides.sent, transfer.start);
    if (auto held = hold(transfer, patience); !held)
        return fail(held.error());
    arrival.packet.due = transfer.due;
    arrival.packet.at = transfer.end;
    arrival.startTime = transfer.start;
    arrival.endTime = transfer.end;
    return arrival;
}

Result<Arrival> MpiEndpoint::waitAgain(std::int32_t message, int iteration,
                                       const Patience& patience)
{
    if (auto fine = m_come.known(message, false); !fine)
        return fail(fine.error());
    MpiArrivals::Box& box = m_come.box(message);
    const auto came = [&] { return box.againIn == iteration || m_come.outOfOrder(); };
    const auto what = [&] { return sentText(m_plan, message) + " once more"; };
    if (auto there = await(patience, came, what); !there)
        return fail(there.error());
    if (m_come.outOfOrder())
        return cameInstead(patience, m_plan, m_come.got(), m_come.due());
    MessageSides sides = box.sides;
    sides.sent = box.againSent;
    Transfer transfer = m_state->links.message(message, sides, m_state->iterationStart.load());
    transfer.end = std::max(transfer.end, box.againCame);
    transfer.start = std::min(transfer.start, transfer.end);
    box.againIn = MpiArrivals::never;
    Arrival arrival;
    arrival.packet = std::move(box.again);
    arrival.posted = std::min(box.againSent, transfer.start);
    if (auto held = hold(transfer, patience); !held)
        return fail(held.error());
    arrival.startTime = transfer.start;
    arrival.endTime = transfer.end;
    return arrival;
}

Result<bool> MpiEndpoint::hasCome(std::int32_t message, int)
{
    if (auto fine = m_come.known(message, false); !fine)
        return fail(fine.error());
    m_come.collect();
    return m_come.box(message).sentIn != MpiArrivals::never || m_come.outOfOrder() ||
           !m_come.problem().empty() || !m_session.health();
}

Result<std::optional<Ticks>> MpiEndpoint::thereAt(std::int32_t message, int)
{
    if (auto fine = m_come.known(message, false); !fine)
        return fail(fine.error());
    m_come.collect();
    if (m_come.outOfOrder() || !m_come.problem().empty() || !m_session.health())
        return Ticks{0};
    const MpiArrivals::Box& box = m_come.box(message);
    if (box.sentIn == MpiArrivals::never)
        return std::nullopt;
    const Transfer transfer =
        m_state->links.message(message, box.sides, m_state->iterationStart.load());
    return std::max(transfer.end, box.came);
}

Result<void> MpiEndpoint::waitPosted(std::int32_t message, int iteration, const Patience& patience)
{
    if (auto fine = m_come.known(message, true); !fine)
        return fine;
    MpiArrivals::Box& box = m_come.box(message);
    const auto came = [&] { return box.postedIn == iteration; };
    const auto what = [&] { return takenText(m_plan, message); };
    if (auto there = await(patience, came, what); !there)
        return there;
    const Transfer transfer =
        m_state->links.message(message, box.sides, m_state->iterationStart.load());
    if (m_state->links.times() == LinkTimes::Planned)
        m_state->planned->raise(m_rank, transfer.due);
    return hold(transfer, patience);
}

Result<Arrival> MpiEndpoint::exchange(std::int32_t reduction, int iteration, RankId peer,
                                      Packet own, const Patience& patience)
{
    const MailHead head{.kind = MailKind::Exchange,
                        .number = reduction,
                        .iteration = iteration,
                        .flags = own.optimistic ? MpiArrivals::optimisticFlag : 0};
    return exchange(m_come.swap(reduction, false), head, peer, std::move(own), patience);
}

Result<Arrival> MpiEndpoint::exchangeAgain(std::int32_t reduction, int iteration, RankId peer,
                                           Packet own, const Patience& patience)
{
    const MailHead head{.kind = MailKind::Exchange,
                        .number = reduction,
                        .iteration = iteration,
                        .flags = MpiArrivals::againFlag};
    return exchange(m_come.swap(reduction, true), head, peer, std::move(own), patience);
}

Result<Arrival> MpiEndpoint::exchange(MpiArrivals::Swap& theirs, MailHead head, RankId peer,
                                      Packet own, const Patience& patience)
{
    const std::int32_t reduction = head.number;
    const Ticks posted = m_state->clock.now();
    if (auto sent = leave(peer, head, own); !sent)
        return fail(sent.error());
    const auto came = [&] { return theirs.sentIn == head.iteration; };
    const auto what = [&] { return gradientText(m_plan, reduction, peer); };
    if (auto there = await(patience, came, what); !there)
        return fail(there.error());
    theirs.sentIn = MpiArrivals::never;
    Arrival arrival;
    arrival.packet = std::move(theirs.packet);
    const Ticks start = std::max(theirs.sent, posted);
    Transfer transfer =
        m_state->links.reduction(reduction, deviceOf(peer), deviceOf(m_rank), start,
                                 arrival.packet.due, m_state->iterationStart.load());
    transfer.end = std::max(transfer.end, theirs.came);
    arrival.packet.due = transfer.due;
    arrival.packet.at = transfer.end;
    arrival.posted = theirs.sent;
    arrival.startTime = std::min(transfer.start, transfer.end);
    arrival.endTime = transfer.end;
    if (auto held = hold(transfer, patience); !held)
        return fail(held.error());
    return arrival;
}

Result<void> MpiEndpoint::tellAll(int round, int iteration, double number)
{
    MailHead head{.kind = MailKind::Exchange, .run = m_state->run, .number = -1 - round};
    head.iteration = iteration;
    head.due = std::bit_cast<std::int64_t>(number);
    for (const RankId to : ranks()) {
        if (to != m_rank)
            m_session.send(to, head);
    }
    m_come.told().hear(m_rank, round, iteration, number);
    return {};
}

Result<std::vector<double>> MpiEndpoint::heardOfAll(int round, int iteration,
                                                    const Patience& patience)
{
    const ToldNumbers& told = m_come.told();
    const auto came = [&] { return !told.silent(round, iteration).valid(); };
    const auto what = [&] {
        return "the norm of the gradients of rank " + std::to_string(told.silent(round, iteration));
    };
    if (auto there = await(patience, came, what); !there)
        return fail(there.error());
    return told.ofAll(round);
}

Result<std::vector<std::optional<double>>> MpiEndpoint::heardSoFar(int round, int iteration)
{
    m_come.collect();
    return m_come.told().soFar(round, iteration);
}

Result<void> MpiEndpoint::barrier(const Patience& patience)
{
    MailHead head{.kind = MailKind::RankHere, .run = m_state->run, .number = m_barriers++};
    if (m_rank != leadRank) {
        m_come.closeBarrier();
        m_session.send(leadRank, head);
        return await(
            patience, [&] { return m_come.opened(); },
            [] { return std::string("rank 0, which waits for all"); });
    }
    m_come.come(leadRank);
    const auto missing = [&] { return m_come.missing(); };
    if (auto met = await(
            patience, [&] { return missing().empty(); }, missing);
        !met)
        return met;
    m_come.leaveBarrier();
    head.kind = MailKind::RankGo;
    head.due = m_state->clock.now() + m_state->links.startMargin();
    m_state->iterationStart.store(head.due, std::memory_order_relaxed);
    for (const RankId to : ranks()) {
        if (to != leadRank)
            m_session.send(to, head);
    }
    return {};
}

void MpiEndpoint::abort() noexcept
{
    try {
        for (const RankId to : Ids<RankId>(m_session.size())) {
            if (to != m_rank)
                m_session.send(to, {.kind = MailKind::Failed, .run = m_state->run});
        }
    } catch (...) {
        // Without memory for this the others find out by their patience.
    }
}

} // namespace pw::exec
