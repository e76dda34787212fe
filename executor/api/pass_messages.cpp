// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/api/pass_messages.h"

#include "core/base/try.h"

#include <utility>

namespace pw::exec {

PassMessages::PassMessages(const RunPlan& plan, RankPosition& position, Worker& worker,
                           Endpoint& endpoint, const FaultInjector& faults, RankRecorder& recorder)
    : m_plan(plan)
    , m_committed(plan.schedule.spec().messages == MessageRule::Committed)
    , m_position(position)
    , m_worker(worker)
    , m_endpoint(endpoint)
    , m_faults(faults)
    , m_recorder(recorder)
{
    const Schedule& schedule = plan.schedule;
    const DeviceId device = deviceOf(position.rank());
    const EntryId first = schedule.begin(device);
    m_inputs.assign(static_cast<std::size_t>(schedule.end(device) - first), {-1, -1});
    for (std::size_t i = 0; i < plan.program.messages.size(); ++i) {
        const Message& message = plan.program.messages[i];
        if (message.to != position.rank())
            continue;
        const EntryId entry = schedule.entryOf(schedule.table().id(message.consumer));
        Inputs& inputs = m_inputs[static_cast<std::size_t>(entry - first)];
        inputs[inputs[0] < 0 ? 0 : 1] = static_cast<std::int32_t>(i);
    }
}

const PassMessages::Inputs& PassMessages::inputsOf(EntryId entry) const
{
    const EntryId first = m_plan.schedule.begin(deviceOf(m_position.rank()));
    return m_inputs[static_cast<std::size_t>(entry - first)];
}

const Message& PassMessages::messageAt(std::int32_t index) const
{
    return m_plan.program.messages[static_cast<std::size_t>(index)];
}

Result<Packet> PassMessages::take(const Pass& producer)
{
    Result<Packet> packet = m_worker.take(producer);
    if (!packet)
        return m_position.named(packet.error());
    return packet;
}

Result<bool> PassMessages::send(std::int32_t index, bool optimistic)
{
    const Pass& producer = messageAt(index).producer;
    const int iteration = m_position.iteration();
    PW_TRY(Packet packet, take(producer));
    if (m_faults.isAsked(FaultKind::LoseMessage, producer, iteration))
        return false;
    packet.optimistic = packet.optimistic || optimistic;
    const bool wrong = m_faults.isAsked(FaultKind::WrongTag, producer, iteration);
    const std::int32_t tag = wrong ? m_faults.wrongTag(index) : index;
    PW_DO(m_endpoint.send(tag, iteration, std::move(packet)));
    return true;
}

Result<void> PassMessages::sendAgain(std::int32_t index)
{
    PW_TRY(Packet packet, take(messageAt(index).producer));
    return m_endpoint.sendAgain(index, m_position.iteration(), std::move(packet));
}

Result<void> PassMessages::waitPosted(std::int32_t index)
{
    m_position.waitFor(messageAt(index).to);
    PW_DO(m_endpoint.waitPosted(index, m_position.iteration(), m_position.patience()));
    m_position.endWait();
    return {};
}

Result<void> PassMessages::post(std::int32_t index)
{
    return m_endpoint.post(index, m_position.iteration());
}

Result<Arrival> PassMessages::wait(std::int32_t index)
{
    const Message& awaited = messageAt(index);
    m_position.waitFor(awaited.from);
    if (m_committed) {
        const Schedule& schedule = m_plan.schedule;
        const EntryId user = schedule.entryOf(schedule.table().id(awaited.consumer));
        m_position.enterEntry(user, schedule.entry(user));
    }
    return m_endpoint.wait(index, m_position.iteration(), m_position.patience());
}

Result<Arrival> PassMessages::waitAgain(std::int32_t index)
{
    m_position.waitFor(messageAt(index).from);
    PW_TRY(Arrival arrival,
           m_endpoint.waitAgain(index, m_position.iteration(), m_position.patience()));
    m_position.endWait();
    return arrival;
}

Result<bool> PassMessages::hasCome(std::int32_t index)
{
    const Result<bool> came = m_endpoint.hasCome(index, m_position.iteration());
    if (!came)
        return m_position.named(came.error());
    return came;
}

Result<std::optional<Ticks>> PassMessages::thereAt(std::int32_t index)
{
    return m_endpoint.thereAt(index, m_position.iteration());
}

Result<void> PassMessages::accept(std::int32_t index, Arrival arrival)
{
    const Message& came = messageAt(index);
    m_recorder.addMessage(index, came.from, came.producer, came.consumer.kind, arrival);
    if (auto taken = m_worker.deliver(came.producer, std::move(arrival.packet)); !taken)
        return m_position.named(taken.error());
    return {};
}

} // namespace pw::exec
