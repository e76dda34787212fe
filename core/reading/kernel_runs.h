// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/trace/pipeline_places.h"
#include "core/trace/trace.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace pw {

/// Where a rank sends what a run of kernels made.
enum class SentTo : std::uint8_t
{
    NotTold,
    NextStage,
    StageBefore,
    Elsewhere ///< no neighbour in its pipeline
};

/// Kernels of a rank that no send lies between: a part of `KernelRuns::kernels`.
struct KernelRun
{
    std::size_t first = 0;
    std::size_t end = 0;
    SentTo to = SentTo::NotTold;
    std::int32_t toStage = -1; ///< place of that rank in its pipeline; −1: not told

    std::size_t size() const { return end - first; }
};

/// What a rank runs in a step.
struct StepRuns
{
    std::int32_t iteration = 0;
    std::vector<KernelRun> runs; ///< none is empty; a send is behind each
    KernelRun rest;              ///< behind the last of them
};

/// The kernels of a rank of a pipeline as it launched them, in runs between its sends.
///
/// A program posts sends and receives between passes, so a run is one pass or several. It may post
/// a receive while it launches a pass, too, so what surely receives divides nothing; what may do
/// both does. Where a launch is in the file it tells the order, else the start on the device.
struct KernelRuns
{
    TraceRankId rank{0};
    PipelinePlace place;
    std::vector<std::int32_t> kernels; ///< of `Trace::spans`
    std::vector<StepRuns> steps;       ///< by iteration
    bool endsTold = false;             ///< of each message it is known whether it is a send
    bool anyStep = false;              ///< a step of the rank is told, with kernels or without
    bool anyKernel = false;            ///< in a step or in none
};

/// The runs of all ranks that have a place in a pipeline and whose kernels send or receive, by
/// index. Copies count for none, nor what ranks of several stages or replicas do together.
///
/// A step is the profiler's: work that was launched in it, or in none and began in it. Of later
/// stages, kernels that begin before the first receive of the step has ended prepare it and are
/// left out.
///
/// @complexity O(n log n) for n spans
std::vector<KernelRuns> kernelRuns(const Trace& trace, const PipelinePlaces& places);

} // namespace pw
