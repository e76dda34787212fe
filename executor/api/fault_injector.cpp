// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/api/fault_injector.h"

#include "core/system/process.h"
#include "executor/api/device_error.h"

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <thread>

namespace pw::exec {

FaultInjector::FaultInjector(const RunShared& shared, RankId rank)
    : m_plan(shared.plan)
    , m_ended(shared.ended)
{
    const PipelineSpec& spec = m_plan.schedule.spec();
    for (const InjectedFault& fault : m_plan.faults) {
        Pass pass = fault.pass;
        if (pass.kind != PassKind::U)
            pass.route = static_cast<std::uint8_t>(spec.route(pass.microBatch));
        if (spec.device(pass.route, pass.stage) == deviceOf(rank))
            m_faults.push_back({fault.kind, pass, fault.iteration});
    }
}

bool FaultInjector::isAsked(FaultKind kind, const Pass& pass, int iteration) const
{
    return std::any_of(m_faults.begin(), m_faults.end(), [&](const InjectedFault& fault) {
        return fault.kind == kind && fault.iteration == iteration && fault.pass == pass;
    });
}

void FaultInjector::inject(const OrderEntry& entry, int iteration) const
{
    if (m_faults.empty())
        return;
    const auto here = [&](FaultKind kind) {
        return isAsked(kind, entry.pass, iteration) ||
               (entry.paired && isAsked(kind, entry.partner, iteration));
    };
    if (here(FaultKind::Throw))
        throw std::runtime_error("an exception that was asked for");
    if (here(FaultKind::OutOfMemory))
        throw DeviceError("out of memory, as was asked for");
    if (here(FaultKind::Die))
        sys::killProcess();
    if (here(FaultKind::Stall)) {
        while (!m_ended.requested())
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        throw std::runtime_error("the run ended while it stalled");
    }
}

std::int32_t FaultInjector::wrongTag(std::int32_t message) const
{
    const std::vector<Message>& messages = m_plan.program.messages;
    const auto count = static_cast<std::int32_t>(messages.size());
    const Message& own = messages[static_cast<std::size_t>(message)];
    for (std::int32_t other = message + 1; other < message + count; ++other) {
        const Message& candidate = messages[static_cast<std::size_t>(other % count)];
        if (candidate.from == own.from && candidate.to == own.to)
            return other % count;
    }
    return (message + 1) % count;
}

} // namespace pw::exec
