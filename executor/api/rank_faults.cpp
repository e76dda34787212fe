// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
//
// What a rank does wrong because a run was asked for it: tests of how a run ends.
#include "executor/api/device_error.h"
#include "executor/api/rank_runner.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <stdexcept>
#include <thread>
#include <unistd.h>

namespace pw::exec {

bool RankRunner::strikes(FaultKind kind, const Pass& pass) const
{
    return std::any_of(m_faults.begin(), m_faults.end(), [&](const InjectedFault& fault) {
        return fault.kind == kind && fault.iteration == m_position.iteration() &&
               fault.pass == pass;
    });
}

/// Does what was asked for before a pass.
void RankRunner::strike(const OrderEntry& entry)
{
    const auto here = [&](FaultKind kind) {
        return strikes(kind, entry.pass) || (entry.paired && strikes(kind, entry.partner));
    };
    if (here(FaultKind::Throw))
        throw std::runtime_error("an exception that was asked for");
    if (here(FaultKind::OutOfMemory))
        throw DeviceError("out of memory, as was asked for");
    if (here(FaultKind::Die))
        kill(getpid(), SIGKILL);
    if (here(FaultKind::Stall)) {
        while (!m_shared.ended.requested())
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        throw std::runtime_error("the run ended while it stalled");
    }
}

/// The message after this one between the same two ranks, or any other one of the program.
std::int32_t RankRunner::wrongTag(std::int32_t index) const
{
    const std::vector<Message>& messages = m_plan.program.messages;
    const auto count = static_cast<std::int32_t>(messages.size());
    const Message& own = messages[static_cast<std::size_t>(index)];
    for (std::int32_t other = index + 1; other < index + count; ++other) {
        const Message& candidate = messages[static_cast<std::size_t>(other % count)];
        if (candidate.from == own.from && candidate.to == own.to)
            return other % count;
    }
    return (index + 1) % count;
}

} // namespace pw::exec
