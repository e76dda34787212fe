// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/trace/records.h"
#include "executor/api/run_plan.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace pw::exec {

/// Makes the figures of a run out of its records, as they come. One iteration is like one
/// simulation: its makespan, and the span bubble of the device with the longest span.
///
/// Iterations count where they are complete and no warm-up.
class RunTally
{
public:
    /// @param plan   must outlive the tally
    /// @param ranks  whose passes will be added; empty: of all
    explicit RunTally(const RunPlan& plan, std::span<const RankId> ranks = {});

    /// Passes of every rank in time order.
    void add(std::span<const RecordedPass> batch);
    void add(std::span<const MemorySample> batch);
    /// Parts of the loss of one step, from several processes, add up.
    void add(const StepLoss& loss);

    /// With what has come so far.
    RunFigures figures() const;

private:
    /// What a rank did in an iteration.
    struct Lane
    {
        Ticks first = 0;
        Ticks last = 0;
        Ticks busy = 0;
        std::int64_t passes = 0;
    };

    const Lane* lanes(int iteration) const;
    bool complete(int iteration) const;

    const RunPlan& m_plan;
    std::int64_t m_passes = 0; ///< of an iteration
    std::vector<Lane> m_lanes; ///< by iteration, then by rank
    Bytes m_peakActivation = 0;
    std::vector<std::optional<double>> m_losses; ///< by step that counts
    RunFigures m_predicted;
};

} // namespace pw::exec
