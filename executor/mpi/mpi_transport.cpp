// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/mpi/mpi_transport.h"

#include "core/base/assert.h"
#include "executor/transport/pacing.h"
#include "executor/transport/wait_text.h"

#include <atomic>
#include <limits>
#include <utility>

namespace pw::exec {

namespace {

constexpr int never = std::numeric_limits<int>::min();

/// Of a result that goes another way.
class Size final : public Payload
{
public:
    explicit Size(Bytes bytes)
        : m_bytes(bytes)
    {
    }
    Bytes bytes() const override { return m_bytes; }

private:
    Bytes m_bytes;
};

/// What came: the result, or its size.
Packet packetOf(Mail& mail, MpiCarries carries)
{
    Packet packet;
    packet.due = mail.head.due;
    if (carries == MpiCarries::Heads)
        packet.payload = std::make_shared<Size>(mail.head.bytes);
    else
        packet.payload = mail.body ? std::move(mail.body) : std::make_shared<HostPayload>(0);
    return packet;
}

/// Place of a message of this rank, in either direction.
struct Box
{
    Packet packet;
    MessageSides sides;
    Ticks came = 0;       ///< on the run's clock
    int sentIn = never;   ///< iteration
    int postedIn = never; ///< iteration
};

/// What comes from one rank, in order.
struct Line
{
    std::vector<std::int32_t> messages; ///< in the order in which they are sent
    std::size_t next = 0;
    int iteration = never;
};

} // namespace

struct MpiTransport::State
{
    State(MpiSession& theSession, std::int32_t theRun, const RunPlan& thePlan,
          const RunClock& theClock, LinkTimes times, PlanClock* thePlanned, MpiCarries theCarries)
        : session(theSession)
        , run(theRun)
        , plan(thePlan)
        , clock(theClock)
        , links(thePlan, times)
        , planned(thePlanned)
        , carries(theCarries)
        , ahead(theClock.now() - theSession.clock().now())
    {
        PW_ASSERT(times != LinkTimes::Planned || planned != nullptr);
    }

    MpiSession& session;
    const std::int32_t run;
    const RunPlan& plan;
    const RunClock& clock;
    const LinkModel links;
    PlanClock* const planned;
    const MpiCarries carries;
    const Ticks ahead; ///< of the run's clock, before the session's
    std::atomic<Ticks> iterationStart{0};
};

namespace {

using State = MpiTransport::State;

class MpiEndpoint final : public Endpoint
{
public:
    explicit MpiEndpoint(std::shared_ptr<State> state);

    Result<void> send(std::int32_t message, int iteration, Packet packet) override;
    Result<void> post(std::int32_t message, int iteration) override;
    Result<Arrival> wait(std::int32_t message, int iteration, const Patience& patience) override;
    Result<void> waitPosted(std::int32_t message, int iteration, const Patience& patience) override;
    Result<Arrival> exchange(std::int32_t reduction, int iteration, int peer, Packet own,
                             const Patience& patience) override;
    Result<void> barrier(const Patience& patience) override;
    void abort() noexcept override;

private:
    struct Swap
    {
        Packet packet;
        Ticks sent = 0;
        Ticks came = 0;
        int sentIn = never;
    };

    const Message& messageOf(std::int32_t message) const
    {
        return m_plan.program.messages[static_cast<std::size_t>(message)];
    }
    Box& boxOf(std::int32_t message) { return m_boxes[static_cast<std::size_t>(message)]; }
    Result<void> known(std::int32_t message, bool sends) const;
    Result<void> leave(int to, MailHead head, const Packet& packet);

    void collect();
    void take(Mail mail);
    template<typename Ready, typename What>
    Result<void> await(const Patience& patience, Ready ready, What what);
    Result<void> hold(const Transfer& transfer, const Patience& patience) const;

    std::shared_ptr<State> m_state;
    MpiSession& m_session;
    const RunPlan& m_plan;
    const int m_rank;
    const int m_ranks;
    const bool m_committed;
    std::vector<Box> m_boxes;  ///< by message; most stay empty
    std::vector<Line> m_lines; ///< by sending rank
    std::vector<Swap> m_swaps; ///< by reduction
    std::vector<bool> m_here;  ///< rank 0: who has come to the barrier
    std::int32_t m_barriers = 0;
    bool m_opened = false;
    std::int32_t m_got = -1; ///< message that came in place of `m_due`
    std::int32_t m_due = -1;
    std::string m_problem;
};

MpiEndpoint::MpiEndpoint(std::shared_ptr<State> state)
    : m_state(std::move(state))
    , m_session(m_state->session)
    , m_plan(m_state->plan)
    , m_rank(m_session.rank())
    , m_ranks(m_plan.schedule.devices())
    , m_committed(m_plan.schedule.spec().messages == MessageRule::Committed)
    , m_boxes(m_plan.program.messages.size())
    , m_lines(static_cast<std::size_t>(m_ranks))
    , m_swaps(m_plan.program.reductions.size())
    , m_here(static_cast<std::size_t>(m_ranks), false)
{
    for (int from = 0; from < m_ranks; ++from) {
        for (const Instruction& instruction :
             m_plan.program.ranks[static_cast<std::size_t>(from)]) {
            if (instruction.kind == InstructionKind::Send &&
                messageOf(instruction.index).to == m_rank)
                m_lines[static_cast<std::size_t>(from)].messages.push_back(instruction.index);
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
    return fail(ErrorCode::Fault, "rank " + std::to_string(m_rank) + (sends ? " sends" : " takes") +
                                      " message " + std::to_string(message) +
                                      ", which is not its own");
}

/// Sends a result; its memory leaves as it is.
Result<void> MpiEndpoint::leave(int to, MailHead head, const Packet& packet)
{
    head.run = m_state->run;
    head.posted = m_state->clock.now();
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
        return fail(ErrorCode::Fault, "rank " + std::to_string(m_rank) +
                                          ": a result that is not in host memory cannot travel "
                                          "by MPI");
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
    box.sides.sent = m_state->clock.now();
    box.sides.sentByPlan = packet.due;
    return leave(messageOf(message).to,
                 {.kind = MailKind::Result, .number = message, .iteration = iteration}, packet);
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

/// Puts all that has come into its place.
void MpiEndpoint::collect()
{
    m_session.poll();
    for (const MailKind kind : {MailKind::Result, MailKind::Exchange, MailKind::Posted,
                                MailKind::RankHere, MailKind::RankGo}) {
        while (std::optional<Mail> mail = m_session.take(kind)) {
            // What is left of a run that failed does not count.
            if (mail->head.run == m_state->run)
                take(std::move(*mail));
        }
    }
}

void MpiEndpoint::take(Mail mail)
{
    const MailHead& head = mail.head;
    const auto index = static_cast<std::size_t>(head.number);
    const Ticks came = mail.ended + m_state->ahead;
    // The clocks of two processes agree but for a few microseconds.
    const Ticks sent = std::min(head.posted, came);
    const std::int64_t tags = std::int64_t{m_session.maxTag()} + 1;
    switch (head.kind) {
    case MailKind::Result: {
        if (!known(head.number, false) || messageOf(head.number).from != mail.from ||
            mail.tag != head.number % tags) {
            m_problem = "message " + std::to_string(head.number) + " under tag " +
                        std::to_string(mail.tag) + " came from rank " + std::to_string(mail.from) +
                        ", which does not send it";
            return;
        }
        Line& line = m_lines[static_cast<std::size_t>(mail.from)];
        if (std::exchange(line.iteration, head.iteration) != head.iteration)
            line.next = 0;
        const std::int32_t due =
            line.next < line.messages.size() ? line.messages[line.next] : std::int32_t{-1};
        ++line.next;
        if (due != head.number && m_got < 0 && due >= 0) {
            m_got = head.number;
            m_due = due;
        } else if (due < 0) {
            m_problem = sentText(m_plan, head.number) + " came once too often";
        }
        Box& box = m_boxes[index];
        box.packet = packetOf(mail, m_state->carries);
        box.sides.sent = sent;
        box.sides.sentByPlan = head.due;
        box.came = came;
        box.sentIn = head.iteration;
        return;
    }
    case MailKind::Exchange:
        if (index < m_swaps.size())
            m_swaps[index] = {packetOf(mail, m_state->carries), sent, came, head.iteration};
        return;
    case MailKind::Posted:
        if (known(head.number, true)) {
            m_boxes[index].postedIn = head.iteration;
            m_boxes[index].sides.posted = head.posted;
            m_boxes[index].sides.postedByPlan = head.due;
        }
        return;
    case MailKind::RankHere:
        // Nobody comes to a barrier twice before rank 0 has opened it.
        m_here[static_cast<std::size_t>(mail.from)] = true;
        return;
    case MailKind::RankGo:
        m_state->iterationStart.store(head.due, std::memory_order_relaxed);
        m_opened = true;
        return;
    default:
        return;
    }
}

template<typename Ready, typename What>
Result<void> MpiEndpoint::await(const Patience& patience, Ready ready, What what)
{
    const Ticks begun = m_state->clock.now();
    for (Backoff backoff;; backoff.pause()) {
        collect();
        if (!m_problem.empty())
            return fail(ErrorCode::Fault, std::string(patience.what) + ": " + m_problem);
        if (ready())
            return {};
        const Ticks waited = m_state->clock.now() - begun;
        if (patience.stop.requested())
            return stopped(patience, waited, what());
        if (const Result<void> good = m_session.health(); !good)
            return fail(ErrorCode::Fault, std::string(patience.what) + ": " + good.error().message);
        if (waited >= patience.limit)
            return waitedInVain(patience, waited, what());
    }
}

/// Lets the time of a transfer pass, where links take their time.
Result<void> MpiEndpoint::hold(const Transfer& transfer, const Patience& patience) const
{
    if (m_state->links.times() != LinkTimes::Real)
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
        return fail(ErrorCode::Fault, std::string(patience.what) + ": " + what() +
                                          " is of iteration " + std::to_string(box.sentIn) +
                                          ", not " + std::to_string(iteration));
    Transfer transfer = m_state->links.message(message, box.sides, m_state->iterationStart.load());
    transfer.end = std::max(transfer.end, box.came);
    transfer.start = std::min(transfer.start, transfer.end);
    box.sentIn = never;
    Arrival arrival;
    arrival.packet = std::move(box.packet);
    arrival.posted = std::min(box.sides.sent, transfer.start);
    if (auto held = hold(transfer, patience); !held)
        return fail(held.error());
    arrival.packet.due = transfer.due;
    arrival.startTime = transfer.start;
    arrival.endTime = transfer.end;
    return arrival;
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

Result<Arrival> MpiEndpoint::exchange(std::int32_t reduction, int iteration, int peer, Packet own,
                                      const Patience& patience)
{
    const Ticks posted = m_state->clock.now();
    if (auto sent = leave(
            peer, {.kind = MailKind::Exchange, .number = reduction, .iteration = iteration}, own);
        !sent)
        return fail(sent.error());
    Swap& theirs = m_swaps[static_cast<std::size_t>(reduction)];
    const auto came = [&] { return theirs.sentIn == iteration; };
    const auto what = [&] { return gradientText(m_plan, reduction, peer); };
    if (auto there = await(patience, came, what); !there)
        return fail(there.error());
    theirs.sentIn = never;
    Arrival arrival;
    arrival.packet = std::move(theirs.packet);
    const Ticks start = std::max(theirs.sent, posted);
    Transfer transfer = m_state->links.reduction(reduction, peer, m_rank, start, arrival.packet.due,
                                                 m_state->iterationStart.load());
    transfer.end = std::max(transfer.end, theirs.came);
    arrival.packet.due = transfer.due;
    arrival.posted = theirs.sent;
    arrival.startTime = std::min(transfer.start, transfer.end);
    arrival.endTime = transfer.end;
    if (auto held = hold(transfer, patience); !held)
        return fail(held.error());
    return arrival;
}

Result<void> MpiEndpoint::barrier(const Patience& patience)
{
    MailHead head{.kind = MailKind::RankHere, .run = m_state->run, .number = m_barriers++};
    if (m_rank != 0) {
        m_opened = false;
        m_session.send(0, head);
        return await(
            patience, [&] { return m_opened; },
            [] { return std::string("rank 0, which waits for all"); });
    }
    m_here[0] = true;
    const auto missing = [&] {
        std::string text;
        for (std::size_t rank = 0; rank < m_here.size(); ++rank) {
            if (!m_here[rank])
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
    for (int to = 1; to < m_ranks; ++to)
        m_session.send(to, head);
    return {};
}

void MpiEndpoint::abort() noexcept
{
    try {
        for (int to = 0; to < m_session.size(); ++to) {
            if (to != m_rank)
                m_session.send(to, {.kind = MailKind::Failed, .run = m_state->run});
        }
    } catch (...) {
        // Without memory for this the others find out by their patience.
    }
}

} // namespace

MpiTransport::MpiTransport(MpiSession& session, std::int32_t run, const RunPlan& plan,
                           const RunClock& clock, LinkTimes times, PlanClock* planned,
                           MpiCarries carries)
    : m_state(std::make_shared<State>(session, run, plan, clock, times, planned, carries))
{
}

MpiTransport::~MpiTransport() = default;

std::vector<int> MpiTransport::ranks() const
{
    return {m_state->session.rank()};
}

Result<std::unique_ptr<Endpoint>> MpiTransport::endpoint(int rank)
{
    if (rank != m_state->session.rank() || rank >= m_state->plan.schedule.devices())
        return fail(ErrorCode::BadValue,
                    "rank " + std::to_string(rank) + " is not in this process");
    return std::make_unique<MpiEndpoint>(m_state);
}

Ticks MpiTransport::iterationStart() const
{
    return m_state->iterationStart.load(std::memory_order_relaxed);
}

} // namespace pw::exec
