// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "tests/support/job_traces.h"

#include <cstdint>
#include <string>
#include <vector>

namespace pw::test {

/// Where files tell process groups.
enum class GroupsTold : std::uint8_t
{
    InArguments,
    InHead,     ///< arguments have their names alone
    HeadAndCut, ///< and the first and the last rank, as of long lists
    Differently ///< arguments tell them, the head has them wrong
};

/// Files that a job left, one a rank.
struct KinetoJobFiles
{
    std::vector<std::string> paths; ///< by rank
    std::int64_t bytes = 0;
    std::int64_t events = 0;
};

/// Writes a job as PyTorch's profiler records it with its devices: labels of passes on host and
/// device, `kernels` kernels a pass with their launches, messages and the sum of gradients with
/// their process groups. Ranks are laid out as Megatron's.
/// @param folder  is there  @param labelled  else nothing says a pass
KinetoJobFiles writeKinetoJob(const std::string& folder, const MadeJob& job, int kernels,
                              bool labelled = true, GroupsTold told = GroupsTold::InArguments);

} // namespace pw::test
