// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/plan/measured.h"

#include <string>
#include <vector>

namespace pw::plan {

/// How well the account of memory with the terms of one engine meets peaks that were measured.
struct MemoryJudgement
{
    std::string engine;   ///< as `--engine-memory` names it; several that have the same terms
    int peaks = 0;        ///< of ranks
    double meanError = 0; ///< mean of |told ⁄ measured − 1|
    double bias = 0;      ///< mean of told ⁄ measured − 1
    double worst = 0;     ///< largest |told ⁄ measured − 1|
};

/// Tries the terms of every engine on the rows whose peaks are known, the one that meets them best
/// first. Peaks are of what is allocated, so nothing counts that the allocator cannot use.
/// @return empty where no peak is known
std::vector<MemoryJudgement> judgeMemory(const std::vector<MeasuredRow>& rows,
                                         const Accelerator& device, const Constants& constants);

} // namespace pw::plan
