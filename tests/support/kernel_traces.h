// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/model/schedule.h"
#include "core/sim/simulator.h"
#include "tests/support/chrome_traces.h"

#include <vector>

namespace pw::test {

/// What a trace says of the passes that backwards on autograd's thread are of.
enum class BackwardTold
{
    Nothing, ///< they run while the pass is open on the thread that called them
    Sequence,
    Arrows
};

/// How passes are recorded by their kernels.
struct KernelRecording
{
    BackwardTold told = BackwardTold::Sequence;
    /// Autograd launches when the host has already begun the next pass. @pre backwards are whole
    bool ahead = false;
    /// The profiler's own projection of the passes too, which knows only one thread's kernels.
    bool annotations = false;
    int iterations = 2;
};

/// A file of Kineto's for every device: passes are ranges of the host, forwards launched inside
/// them and backwards by autograd's thread. From the first kernel to the last a pass takes exactly
/// its simulated time; communication runs beside it.
std::vector<TraceText> kernelTraces(const Schedule& schedule, const SimResult& result,
                                    const KernelRecording& recording);

} // namespace pw::test
