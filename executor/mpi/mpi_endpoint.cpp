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
    , m_boxes(m_plan.program.messages.size())
    , m_lines(static_cast<std::size_t>(m_ranks))
    , m_swaps(m_plan.program.reductions.size())
    , m_swapsAgain(m_plan.postValidation ? m_plan.program.reductions.size() : 0)
    , m_here(static_cast<std::size_t>(m_ranks), false)
    , m_told(static_cast<std::size_t>(m_ranks))
    , m_toldIn(static_cast<std::size_t>(m_ranks), never)
{
    for (const RankId from : ranks()) {
        for (const Instruction& instruction : m_plan.program.ranks[from.index()]) {
            if (instruction.kind == InstructionKind::Send &&
                messageOf(instruction.index).to == m_rank)
                m_lines[from.index()].messages.push_back(instruction.index);
        }
    }
}

Result<void> MpiEndpoint::known(std::int32_t message, bool sends) const
{
    if (message >= 0 && static_cast<std::size_t>(message) < m_boxes.size()) {
        const Message& what = messageOf(message);
        if ((sends ? what.from : what.to) == m_rank)
            return {};
    }
    return fail(ErrorCode::Fault, "rank %1 %2 message %3, which is not its own", m_rank,
                sends ? said("sends") : said("takes"), message);
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
    if (auto fine = known(message, true); !fine)
        return fine;
    Box& box = boxOf(message);
    box.sides.sent = packet.at > 0 ? packet.at : m_state->clock.now();
    box.sides.sentByPlan = packet.due;
    return leave(messageOf(message).to,
                 {.kind = MailKind::Result,
                  .number = message,
                  .iteration = iteration,
                  .flags = packet.optimistic ? optimisticFlag : 0},
                 packet);
}

Result<void> MpiEndpoint::sendAgain(std::int32_t message, int iteration, Packet packet)
{
    if (auto fine = known(message, true); !fine)
        return fine;
    return leave(
        messageOf(message).to,
        {.kind = MailKind::Result, .number = message, .iteration = iteration, .flags = againFlag},
        packet);
}

Result<void> MpiEndpoint::post(std::int32_t message, int iteration)
{
    if (auto fine = known(message, false); !fine)
        return fine;
    Box& box = boxOf(message);
    box.postedIn = iteration;
    box.sides.posted = m_state->clock.now();
    box.sides.postedByPlan = m_state->planned == nullptr ? 0 : m_state->planned->free(m_rank);
    if (!m_committed)
        return {};
    MailHead head{.kind = MailKind::Posted, .run = m_state->run, .number = message};
    head.iteration = iteration;
    head.posted = box.sides.posted;
    head.due = box.sides.postedByPlan;
    m_session.send(messageOf(message).from, head);
    return {};
}

template<typename Ready, typename What>
Result<void> MpiEndpoint::await(const Patience& patience, Ready ready, What what)
{
    const Ticks begun = m_state->clock.now();
    for (Backoff backoff(m_session.crowd());; backoff.pause()) {
        collect();
        if (!m_problem.empty())
            return fail(ErrorCode::Fault, "%1: %2", patience.what, m_problem);
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
    if (auto fine = known(message, false); !fine)
        return fail(fine.error());
    Box& box = boxOf(message);
    const auto came = [&] { return box.sentIn != never || m_got >= 0; };
    const auto what = [&] { return sentText(m_plan, message); };
    if (auto there = await(patience, came, what); !there)
        return fail(there.error());
    if (m_got >= 0)
        return cameInstead(patience, m_plan, m_got, m_due);
    if (box.sentIn != iteration)
        return fail(ErrorCode::Fault, "%1: %2 is of iteration %3, not %4", patience.what, what(),
                    box.sentIn, iteration);
    Transfer transfer = m_state->links.message(message, box.sides, m_state->iterationStart.load());
    const Ticks wakeUp = m_state->links.times() == LinkTimes::Planned ? mostWakeUp : 0;
    transfer.end = std::max(transfer.end, box.came - wakeUp);
    transfer.start = std::min(transfer.start, transfer.end);
    box.sentIn = never;
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
    if (auto fine = known(message, false); !fine)
        return fail(fine.error());
    Box& box = boxOf(message);
    const auto came = [&] { return box.againIn == iteration || m_got >= 0; };
    const auto what = [&] { return sentText(m_plan, message) + " once more"; };
    if (auto there = await(patience, came, what); !there)
        return fail(there.error());
    if (m_got >= 0)
        return cameInstead(patience, m_plan, m_got, m_due);
    MessageSides sides = box.sides;
    sides.sent = box.againSent;
    Transfer transfer = m_state->links.message(message, sides, m_state->iterationStart.load());
    transfer.end = std::max(transfer.end, box.againCame);
    transfer.start = std::min(transfer.start, transfer.end);
    box.againIn = never;
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
    if (auto fine = known(message, false); !fine)
        return fail(fine.error());
    collect();
    return boxOf(message).sentIn != never || m_got >= 0 || !m_problem.empty() ||
           !m_session.health();
}

Result<std::optional<Ticks>> MpiEndpoint::thereAt(std::int32_t message, int)
{
    if (auto fine = known(message, false); !fine)
        return fail(fine.error());
    collect();
    if (m_got >= 0 || !m_problem.empty() || !m_session.health())
        return Ticks{0};
    const Box& box = boxOf(message);
    if (box.sentIn == never)
        return std::nullopt;
    const Transfer transfer =
        m_state->links.message(message, box.sides, m_state->iterationStart.load());
    return std::max(transfer.end, box.came);
}

Result<void> MpiEndpoint::waitPosted(std::int32_t message, int iteration, const Patience& patience)
{
    if (auto fine = known(message, true); !fine)
        return fine;
    Box& box = boxOf(message);
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
                        .flags = own.optimistic ? optimisticFlag : 0};
    return exchange(m_swaps[static_cast<std::size_t>(reduction)], head, peer, std::move(own),
                    patience);
}

Result<Arrival> MpiEndpoint::exchangeAgain(std::int32_t reduction, int iteration, RankId peer,
                                           Packet own, const Patience& patience)
{
    const MailHead head{.kind = MailKind::Exchange,
                        .number = reduction,
                        .iteration = iteration,
                        .flags = againFlag};
    return exchange(m_swapsAgain[static_cast<std::size_t>(reduction)], head, peer, std::move(own),
                    patience);
}

Result<Arrival> MpiEndpoint::exchange(Swap& theirs, MailHead head, RankId peer, Packet own,
                                      const Patience& patience)
{
    const std::int32_t reduction = head.number;
    const Ticks posted = m_state->clock.now();
    if (auto sent = leave(peer, head, own); !sent)
        return fail(sent.error());
    const auto came = [&] { return theirs.sentIn == head.iteration; };
    const auto what = [&] { return gradientText(m_plan, reduction, peer); };
    if (auto there = await(patience, came, what); !there)
        return fail(there.error());
    theirs.sentIn = never;
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

/// A number that a rank tells all. Nobody begins an iteration before all have read those of the
/// one before.
void MpiEndpoint::hear(RankId from, int round, int iteration, double number)
{
    const std::size_t rank = from.index();
    const auto place = static_cast<std::size_t>(round);
    constexpr std::size_t mostRounds = 1 << 16; // of an iteration; none has more than a few
    if (rank >= m_told.size() || place >= mostRounds)
        return;
    if (std::exchange(m_toldIn[rank], iteration) != iteration)
        m_told[rank].clear();
    m_told[rank].resize(std::max(m_told[rank].size(), place + 1));
    m_told[rank][place] = number;
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
    hear(m_rank, round, iteration, number);
    return {};
}

Result<std::vector<double>> MpiEndpoint::heardOfAll(int round, int iteration,
                                                    const Patience& patience)
{
    const auto place = static_cast<std::size_t>(round);
    const auto silent = [&]() -> RankId {
        for (const RankId from : ranks()) {
            const std::size_t rank = from.index();
            if (m_toldIn[rank] != iteration || m_told[rank].size() <= place || !m_told[rank][place])
                return from;
        }
        return RankId::none();
    };
    const auto came = [&] { return !silent().valid(); };
    const auto what = [&] {
        return "the norm of the gradients of rank " + std::to_string(silent());
    };
    if (auto there = await(patience, came, what); !there)
        return fail(there.error());
    std::vector<double> numbers;
    for (const auto& told : m_told)
        numbers.push_back(*told[place]);
    return numbers;
}

Result<std::vector<std::optional<double>>> MpiEndpoint::heardSoFar(int round, int iteration)
{
    collect();
    const auto place = static_cast<std::size_t>(round);
    std::vector<std::optional<double>> numbers;
    for (const RankId rank : ranks()) {
        const auto& told = m_told[rank.index()];
        const bool there = m_toldIn[rank.index()] == iteration && told.size() > place;
        numbers.push_back(there ? told[place] : std::nullopt);
    }
    return numbers;
}

Result<void> MpiEndpoint::barrier(const Patience& patience)
{
    MailHead head{.kind = MailKind::RankHere, .run = m_state->run, .number = m_barriers++};
    if (m_rank != leadRank) {
        m_opened = false;
        m_session.send(leadRank, head);
        return await(
            patience, [&] { return m_opened; },
            [] { return std::string("rank 0, which waits for all"); });
    }
    m_here[leadRank.index()] = true;
    const auto missing = [&] {
        std::string text;
        for (const RankId rank : ranks()) {
            if (!m_here[rank.index()])
                text += (text.empty() ? "rank " : ", rank ") + std::to_string(rank);
        }
        return text;
    };
    if (auto met = await(
            patience, [&] { return missing().empty(); }, missing);
        !met)
        return met;
    m_here.assign(m_here.size(), false);
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
