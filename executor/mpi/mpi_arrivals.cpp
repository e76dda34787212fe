// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/mpi/mpi_arrivals.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace pw::exec {

namespace {

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

} // namespace

MpiArrivals::MpiArrivals(MpiTransport::State& state)
    : m_state(state)
    , m_session(state.session)
    , m_plan(state.plan)
    , m_rank(m_session.rank())
    , m_boxes(m_plan.program.messages.size())
    , m_lines(static_cast<std::size_t>(m_plan.schedule.devices()))
    , m_swaps(m_plan.program.reductions.size())
    , m_swapsAgain(m_plan.postValidation ? m_plan.program.reductions.size() : 0)
    , m_here(m_lines.size(), false)
    , m_told(m_plan.schedule.devices())
{
    for (const RankId from : Ids<RankId>(m_lines.size())) {
        for (const Instruction& instruction : m_plan.program.ranks[from.index()]) {
            if (instruction.kind == InstructionKind::Send &&
                message(instruction.index).to == m_rank)
                m_lines[from.index()].messages.push_back(instruction.index);
        }
    }
}

Result<void> MpiArrivals::known(std::int32_t message, bool sends) const
{
    if (message >= 0 && static_cast<std::size_t>(message) < m_boxes.size()) {
        const Message& what = this->message(message);
        if ((sends ? what.from : what.to) == m_rank)
            return {};
    }
    return fail(ErrorCode::Fault, "rank %1 %2 message %3, which is not its own", m_rank,
                sends ? said("sends") : said("takes"), message);
}

std::string MpiArrivals::missing() const
{
    std::string text;
    for (const RankId rank : Ids<RankId>(m_here.size())) {
        if (!m_here[rank.index()])
            text += (text.empty() ? "rank " : ", rank ") + std::to_string(rank);
    }
    return text;
}

void MpiArrivals::collect()
{
    m_session.poll();
    for (const MailKind kind : {MailKind::Result, MailKind::Exchange, MailKind::Posted,
                                MailKind::RankHere, MailKind::RankGo}) {
        while (std::optional<Mail> mail = m_session.take(kind)) {
            // What is left of a run that failed does not count.
            if (mail->head.run == m_state.run)
                take(std::move(*mail));
        }
    }
}

void MpiArrivals::take(Mail mail)
{
    const MailHead& head = mail.head;
    const auto index = static_cast<std::size_t>(head.number);
    const Ticks came = mail.ended + m_state.ahead;
    // The clocks of two processes agree but for a few microseconds.
    const Ticks sent = std::min(head.posted, came);
    switch (head.kind) {
    case MailKind::Result:
        return takeResult(mail, sent, came);
    case MailKind::Exchange:
        if (head.number < 0)
            m_told.hear(mail.from, -1 - head.number, head.iteration,
                        std::bit_cast<double>(head.due));
        else
            takeExchange(mail, sent, came);
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
        come(mail.from);
        return;
    case MailKind::RankGo:
        m_state.iterationStart.store(head.due, std::memory_order_relaxed);
        m_opened = true;
        return;
    default:
        return;
    }
}

/// Numbers of another copy of a stage.
void MpiArrivals::takeExchange(Mail& mail, Ticks sent, Ticks came)
{
    const std::int32_t iteration = mail.head.iteration;
    const bool unsure = (mail.head.flags & optimisticFlag) != 0;
    std::vector<Swap>& places = (mail.head.flags & againFlag) != 0 ? m_swapsAgain : m_swaps;
    const auto index = static_cast<std::size_t>(mail.head.number);
    if (index >= places.size())
        return;
    places[index] = {packetOf(mail, m_state.carries), sent, came, iteration};
    places[index].packet.optimistic = unsure;
}

/// A result of a pass, which must be the next that its sender sends.
void MpiArrivals::takeResult(Mail& mail, Ticks sent, Ticks came)
{
    const MailHead& head = mail.head;
    const std::int64_t tags = std::int64_t{m_session.maxTag()} + 1;
    if (!known(head.number, false) || message(head.number).from != mail.from ||
        mail.tag != head.number % tags) {
        m_problem = "message " + std::to_string(head.number) + " under tag " +
                    std::to_string(mail.tag) + " came from rank " + std::to_string(mail.from) +
                    ", which does not send it";
        return;
    }
    Box& box = m_boxes[static_cast<std::size_t>(head.number)];
    if ((head.flags & againFlag) != 0) {
        box.again = packetOf(mail, m_state.carries);
        box.againSent = sent;
        box.againCame = came;
        box.againIn = head.iteration;
        return;
    }
    Line& line = m_lines[mail.from.index()];
    if (std::exchange(line.iteration, head.iteration) != head.iteration)
        line.next = 0;
    // Where the order is a hint, any message of the connection may be the next.
    const std::int32_t due = m_plan.hint > 0                    ? head.number
                             : line.next < line.messages.size() ? line.messages[line.next]
                                                                : std::int32_t{-1};
    ++line.next;
    if (due != head.number && m_got < 0 && due >= 0) {
        m_got = head.number;
        m_due = due;
    } else if (due < 0) {
        m_problem = sentText(m_plan, head.number) + " came once too often";
    }
    box.packet = packetOf(mail, m_state.carries);
    box.packet.optimistic = (head.flags & optimisticFlag) != 0;
    box.sides.sent = sent;
    box.sides.sentByPlan = head.due;
    box.came = came;
    box.sentIn = head.iteration;
}

} // namespace pw::exec
