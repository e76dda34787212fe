// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "executor/api/fault.h"
#include "executor/api/run_shared.h"

#include <cstdint>
#include <vector>

namespace pw::exec {

/// What one rank does wrong because a run was asked for it: tests of how a run ends. A wrong number
/// (`FaultKind::SkipWeight`) is the worker's.
class FaultInjector
{
public:
    FaultInjector(const RunShared& shared, RankId rank);

    /// Whether a fault of a kind was asked for in a pass of this rank.
    bool isAsked(FaultKind kind, const Pass& pass, int iteration) const;
    /// Does what was asked for before an entry: throws, ends the process, or hangs until the run
    /// has ended and throws then.
    void inject(const OrderEntry& entry, int iteration) const;
    /// The tag under which a message leaves where the wrong one was asked for: that of the message
    /// after it between the same two ranks, or of any other one of the program.
    std::int32_t wrongTag(std::int32_t message) const;

private:
    const RunPlan& m_plan;
    const Stop& m_ended;
    std::vector<InjectedFault> m_faults; ///< on this rank
};

} // namespace pw::exec
