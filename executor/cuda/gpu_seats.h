// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

// Which GPU each process of a run takes, where every process sees some of them. Pure book keeping:
// no CUDA in here.
namespace pw::exec::cuda {

/// A GPU's own number, the same for every process that sees it.
using GpuIdentity = std::array<std::byte, 16>;

/// What one process sees. Plain bytes, so that processes can tell each other.
struct GpuSight
{
    static constexpr std::size_t mostGpus = 16;

    std::int32_t place = 0; ///< processes before it on its host
    std::int32_t count = 0; ///< of `gpus`
    std::array<GpuIdentity, mostGpus> gpus{};
};

/// A GPU for every process: the number of it among those that the process sees.
///
/// A launcher may show all GPUs of a host to every process of it, each its own one alone
/// (`--gpus-per-task=1`, CUDA_VISIBLE_DEVICES), or some to some. No two processes get the same;
/// where all are seen, a process gets that of its place on the host. A GPU without an identity is
/// taken for another one in every process.
///
/// @param sights  by rank
/// @error BadValue  names the rank that none is left for, what it sees and who has that
Result<std::vector<int>> seatsOf(std::span<const GpuSight> sights);

} // namespace pw::exec::cuda
