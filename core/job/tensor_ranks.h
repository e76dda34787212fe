// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/trace/trace.h"

#include <cstdint>
#include <map>
#include <vector>

namespace pw {

/// The ranks that share the tensors of each worker, as the process groups of a trace tell it, and
/// which of them is the slow one: they run the same passes and wait for each other within them, so
/// of a pass all have the time of the slowest, which alone computes for all of it.
class TensorRanks
{
public:
    /// @complexity  O(n) for n spans, where ranks share tensors
    explicit TensorRanks(const Trace& trace);

    struct Named
    {
        TraceRankId rank; ///< that computes longest, by 1.05 times the others' median; else `first`
        std::vector<TraceRankId> alike; ///< all of the group, where none stands out
    };

    /// @param first  that stands for the worker
    Named of(TraceRankId first) const;

private:
    std::map<TraceRankId, std::vector<TraceRankId>> m_groups; // by each of their ranks
    std::vector<double> m_work;                               // by rank, what it computes
};

} // namespace pw
