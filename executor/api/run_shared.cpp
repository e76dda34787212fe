// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/api/run_shared.h"

#include <utility>

namespace pw::exec {

void RunShared::fault(RunFault fault, ErrorCode code, bool isWait)
{
    if (fault.peer.valid())
        fault.text += whereIs(fault.peer);
    {
        const std::lock_guard lock(mutex);
        if (isWait)
            cutWait = fault;
        if (!ended.requested() && !stop.requested()) {
            firstFault = std::move(fault);
            // A run that nobody stopped has not been stopped.
            firstCode = code == ErrorCode::Cancelled ? ErrorCode::Fault : code;
        }
        ended.request();
    }
    changed.notify_all();
}

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

} // namespace pw::exec
