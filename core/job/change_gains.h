// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/job/job_replay.h"

#include <span>
#include <vector>

namespace pw {

/// What a change of a job gains, as a part of the step.
struct ChangeGain
{
    double alone = 0; ///< where nothing else changes
    /// Where all others were made before it: a replica that is slow for one reason hides another
    /// that is as slow for a second, and neither gains anything alone.
    double last = 0;
};

/// @complexity  O(n) for n passes, and twice those of the replicas that each change touches
std::vector<ChangeGain> changeGains(const JobReplay& replay,
                                    std::span<const JobReplay::Variant> changes);

} // namespace pw
