// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/transport/link_model.h"

#include "executor/transport/pacing.h"

#include <algorithm>

namespace pw::exec {

LinkModel::LinkModel(const RunPlan& plan, LinkTimes times)
    : m_plan(plan)
    , m_times(times)
    , m_committed(plan.schedule.spec().messages == MessageRule::Committed)
{
}

Transfer LinkModel::message(std::int32_t index, const MessageSides& sides, Ticks base) const
{
    const Message& what = m_plan.program.messages[static_cast<std::size_t>(index)];
    const PipelineSpec& spec = m_plan.schedule.spec();
    const Ticks trace = traceAt(base);
    const auto arrivalOf = [&](Ticks sent) {
        return arrival(m_plan.costs, spec, deviceOf(what.from), deviceOf(what.to),
                       messageBytes(m_plan.costs, spec, what.producer, what.consumer.kind),
                       trace + sent) -
               trace;
    };
    Transfer transfer;
    // By the plan's clock the receiver has come to it before its thread wakes up and says so.
    const Ticks posted = sides.posted - (m_times == LinkTimes::Planned ? mostWakeUp : 0);
    transfer.start = m_committed ? std::max(sides.sent, posted) : sides.sent;
    transfer.end = transfer.start;
    if (m_times == LinkTimes::None)
        return transfer;
    if (m_times == LinkTimes::Planned) {
        const Ticks planned =
            m_committed ? std::max(sides.sentByPlan, sides.postedByPlan) : sides.sentByPlan;
        transfer.due = arrivalOf(planned);
        transfer.start = std::max(base + planned, transfer.start);
    }
    // What leaves late takes its time, too.
    transfer.end =
        std::max(transfer.start, base + arrivalOf(std::max(transfer.start - base, Ticks{0})));
    return transfer;
}

Transfer LinkModel::reduction(std::int32_t index, DeviceId from, DeviceId to, Ticks start,
                              Ticks byPlan, Ticks base) const
{
    if (m_times == LinkTimes::None)
        return {start, start, 0};
    const Reduction& what = m_plan.program.reductions[static_cast<std::size_t>(index)];
    const PipelineSpec& spec = m_plan.schedule.spec();
    const Pass producer{PassKind::BW, 0, what.stage, 0, 0};
    const Bytes bytes = messageBytes(m_plan.costs, spec, producer, PassKind::U);
    const bool planned = m_times == LinkTimes::Planned;
    // As a simulation has it, all gradients leave in one message when they are complete; what hands
    // the sums on takes no time of its own.
    if (planned && what.kind != ReductionKind::Sum && what.kind != ReductionKind::Scatter)
        return {start, start, 0};
    const Ticks trace = traceAt(base);
    const Ticks sent = planned ? byPlan : std::max(start - base, Ticks{0});
    const bool part = !planned && what.kind != ReductionKind::Sum;
    const Ticks there = arrival(m_plan.costs, spec, from, to,
                                part ? bytes / spec.routeCount() : bytes, trace + sent) -
                        trace;
    return {start, std::max(start, base + there), planned ? there : 0};
}

Ticks LinkModel::traceAt(Ticks base) const
{
    if (!m_plan.traceStart)
        return 0;
    Ticks first = -1;
    // Every rank comes by in the first iteration before any comes to the second.
    if (m_first.compare_exchange_strong(first, base, std::memory_order_acq_rel))
        first = base;
    return *m_plan.traceStart + base - first;
}

Ticks LinkModel::startMargin() const
{
    constexpr Ticks wakeUp = 300'000;
    constexpr Ticks wakeUpOfEach = 20'000;
    return m_times == LinkTimes::Planned
               ? wakeUp + wakeUpOfEach * static_cast<Ticks>(m_plan.schedule.devices())
               : 0;
}

} // namespace pw::exec
