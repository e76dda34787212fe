// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/job/job_replay.h"

#include <cstddef>
#include <optional>

namespace pw {

/// The longer one of two steps.
struct SlowerStep
{
    std::size_t step = 0;  ///< of `JobReplay::steps`
    double passFactor = 1; ///< by how much its passes are longer than their twins, in the median
    Ticks excess = 0;      ///< by how much the whole step is longer
};

/// Of two steps neither is the usual one, and two times tell nothing of noise; their passes do. The
/// longer step is named where the step is longer by a fifth, and of four passes three are longer by
/// a tenth than the same ones of the other step. None: not so, or there are not two steps.
std::optional<SlowerStep> slowerOfTwo(const JobReplay& replay);

} // namespace pw
