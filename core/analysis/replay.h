// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/trace/recover.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace pw {

/// One recorded iteration, and how long its order takes with its own times when nothing but the
/// order and the messages holds passes up.
struct ReplayedIteration
{
    std::int32_t number = 0;
    Ticks measured = 0;            ///< makespan
    std::optional<Ticks> replayed; ///< none where passes are missing
    std::int64_t violated = 0;     ///< dependencies begun before what they wait for had ended
    bool warmUp = false;
    bool sameOrder = true; ///< as the iteration that is shown; else it is run in its own

    friend bool operator==(const ReplayedIteration&, const ReplayedIteration&) = default;
};

/// Runs every complete iteration again, in time order. Longer than measured it cannot take: then
/// waiting was taken for work.
///
/// @param hop  time of a message
/// @pre        the pipeline has a schedule
/// @error      as of `simulate`
/// @complexity O(n log n) for n passes
Result<std::vector<ReplayedIteration>> replayIterations(const RecoveredPipeline& pipeline,
                                                        Ticks hop);

} // namespace pw
