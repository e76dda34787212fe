// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/model/pass_results.h"

#include <utility>

namespace pw::exec {

std::optional<Pass> PassResults::consumer(const Pass& producer) const
{
    Pass next = producer;
    if (producer.kind == PassKind::F && producer.stage + 1 < m_spec.stages())
        ++next.stage;
    else if (isBackward(producer.kind) && producer.stage > 0)
        --next.stage;
    else
        return std::nullopt;
    return next;
}

Bytes PassResults::bytesOf(const Pass& producer) const
{
    const std::int64_t rows = static_cast<std::int64_t>(m_plan.model.samples) *
                              m_segmentTokens[static_cast<std::size_t>(producer.segment)];
    return rows * m_plan.model.hidden * m_ops.elementBytes();
}

Result<void> PassResults::deliver(const Pass& producer, Packet packet)
{
    const Bytes bytes = bytesOf(producer);
    if (packet.payload == nullptr || packet.payload->bytes() != bytes) {
        return fail(ErrorCode::Fault, "the result of %1 has %2 bytes, not %3",
                    describe(producer, m_spec),
                    packet.payload == nullptr ? 0 : packet.payload->bytes(), bytes);
    }
    void* data = m_ops.unpack(std::move(packet), bytes);
    m_arrived.insert_or_assign(producer, Buffer(m_ops, data, bytes, MemoryUse::Messages));
    return {};
}

Result<Packet> PassResults::take(const Pass& producer)
{
    const auto found = m_outgoing.find(producer);
    if (found == m_outgoing.end())
        return fail(ErrorCode::Fault, "no result of %1 to send", describe(producer, m_spec));
    const Bytes bytes = found->second.bytes();
    Packet packet = m_ops.pack(found->second.surrender(), bytes);
    m_outgoing.erase(found);
    return packet;
}

Result<Buffer> PassResults::input(const Pass& pass, PassKind producer)
{
    Pass from = pass;
    from.stage += producer == PassKind::F ? -1 : 1;
    from.kind = producer;
    auto found = m_arrived.find(from);
    if (found == m_arrived.end() && producer == PassKind::B) {
        from.kind = PassKind::BW;
        found = m_arrived.find(from);
    }
    if (found == m_arrived.end())
        return fail(ErrorCode::Fault, "%1 without the result of %2", describe(pass, m_spec),
                    describe(from, m_spec));
    Buffer input = std::move(found->second);
    m_arrived.erase(found);
    return input;
}

void PassResults::handOver(const Pass& producer, Buffer result)
{
    const std::optional<Pass> next = consumer(producer);
    if (!next)
        return;
    const bool stays = m_spec.device(next->route, next->stage) == deviceOf(m_rank);
    (stays ? m_arrived : m_outgoing).insert_or_assign(producer, std::move(result));
}

void PassResults::forget(const Pass& producer)
{
    m_arrived.erase(producer);
    m_outgoing.erase(producer);
}

} // namespace pw::exec
