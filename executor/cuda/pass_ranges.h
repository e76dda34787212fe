// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "executor/api/worker.h"
#include "executor/cuda/kernel_watch.h"
#include "executor/cuda/rank_device.h"

#include <memory>

namespace pw::exec::cuda {

/// A worker whose entries show in profilers: an NVTX range each, in the domain "Pipewright", under
/// the label that the wire and the store have, with iteration, rank and segment behind it; the
/// payload is the iteration, the category the rank + 1. It costs next to nothing where no profiler
/// is attached.
///
/// It aligns the clocks at every iteration, lets waits for the device end with the run, and notes
/// at the end what the rank took of its GPU's memory. Before the first iteration and behind the
/// last it asks the GPU for clocks, power and temperature.
///
/// @param patience  longest wait for the device
/// @param clock     of the run; outlives the worker
/// @param watch     hears of each entry of a counted iteration; null: nobody does
std::unique_ptr<Worker> withRanges(std::unique_ptr<Worker> worker, RankId rank,
                                   std::shared_ptr<RankDevice> device, Ticks patience,
                                   const RunClock& clock, std::shared_ptr<KernelWatch> watch = {});

} // namespace pw::exec::cuda
