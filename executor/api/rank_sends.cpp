// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/try.h"
#include "executor/api/rank_runner.h"

#include <algorithm>

// What a rank does between two entries.

namespace pw::exec {

/// The sends and receives between two entries. Early ones are only set going.
Result<void> RankRunner::meet(std::size_t first, std::size_t last)
{
    const auto& all = m_plan.program.ranks[static_cast<std::size_t>(m_rank)];
    const auto isSend = [](const Instruction& one) { return one.kind == InstructionKind::Send; };
    const auto from = all.begin() + static_cast<std::ptrdiff_t>(first);
    const auto to = all.begin() + static_cast<std::ptrdiff_t>(last);
    const bool several = std::count_if(from, to, isSend) > 1;
    if (several)
        m_endpoint->beginMoment();
    for (auto one = from; one != to; ++one) {
        Result<void> done = isSend(*one) ? handOver(one->index) : m_messages->post(one->index);
        if (!done)
            return done;
    }
    if (several) {
        if (auto left = m_endpoint->endMoment(); !left)
            return left;
    }
    for (std::size_t i = first; m_committed && i < last; ++i) {
        const std::int32_t message = all[i].index;
        const bool receives = all[i].kind == InstructionKind::Receive;
        PW_DO(receives ? receive(message) : m_messages->waitPosted(message));
    }
    return {};
}

} // namespace pw::exec
