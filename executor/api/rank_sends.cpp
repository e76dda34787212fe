// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
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
        Result<void> done = isSend(*one) ? handOver(one->index)
                                         : m_endpoint->post(one->index, m_position.iteration());
        if (!done)
            return done;
    }
    if (several) {
        if (auto left = m_endpoint->endMoment(); !left)
            return left;
    }
    for (std::size_t i = first; m_committed && i < last; ++i) {
        const Message& message = m_plan.program.messages[static_cast<std::size_t>(all[i].index)];
        if (all[i].kind == InstructionKind::Receive) {
            if (auto done = receive(all[i].index); !done)
                return done;
            continue;
        }
        m_position.waitFor(message.to);
        if (auto done =
                m_endpoint->waitPosted(all[i].index, m_position.iteration(), m_position.patience());
            !done)
            return done;
        m_position.endWait();
    }
    return {};
}

} // namespace pw::exec
