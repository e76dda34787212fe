// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/api/rank_runner.h"

namespace pw::exec {

void RunShared::exhaust(RankId rank) noexcept
{
    {
        const std::lock_guard lock(mutex);
        if (!firstFault && !exhausted.valid() && !ended.requested() && !stop.requested())
            exhausted = rank;
        ended.request();
    }
    changed.notify_all();
}

void RankRunner::notBegun()
{
    const std::lock_guard lock(m_shared.mutex);
    m_ended.store(true, std::memory_order_release);
    --m_shared.running;
}

} // namespace pw::exec
