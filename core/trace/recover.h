// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/families/recognise.h"
#include "core/io/costs_file.h"
#include "core/model/schedule.h"
#include "core/sim/simulator.h"
#include "core/trace/records.h"
#include "core/trace/trace.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pw {

/// The passes of one iteration, as recorded.
struct RecoveredIteration
{
    std::int32_t number = 0; ///< as labelled, else counted from 0
    std::vector<RecordedPass>
        passes;               ///< by device, then by start; each device a rank, see `rankOf`
    std::vector<Trust> trust; ///< parallel
    Ticks first = 0;
    Ticks last = 0;
    bool warmUp = false;   ///< much longer than those behind it; left out of all figures
    bool complete = false; ///< has every pass of `RecoveredPipeline::schedule`'s shape

    Ticks makespan() const { return last - first; }
};

/// What one rank did in the iteration that is shown.
struct RankFigures
{
    TraceRankId rank{0}; ///< of `Trace::ranks`
    std::int64_t passes = 0;
    Ticks firstStart = 0; ///< on the trace's clock
    Ticks lastEnd = 0;
    Ticks busy = 0;   ///< time with at least one pass
    int peakLive = 0; ///< most chunks and segments between the start of F and the end of the pass
                      ///< that frees them, W or BW
    double idle = 0;  ///< part of the makespan without a pass

    friend bool operator==(const RankFigures&, const RankFigures&) = default;
};

/// The pipeline in a trace, as far as it can be known. What is not known is not made up: it stands
/// in `unknown`.
struct RecoveredPipeline
{
    std::vector<RecoveredIteration> iterations; ///< in time order; empty: no pass was found
    std::size_t shown = 0;                      ///< the iteration that the figures are of
    std::vector<TraceRankId> rankOfDevice;
    std::vector<RankFigures> ranks; ///< by device
    std::vector<Bytes> peakBytes;   ///< by device, the most memory that the trace tells of any
                                    ///< iteration; empty: not told of every device
    std::int64_t passes = 0;        ///< of all iterations

    int stages = 0; ///< as far as seen; complete where there is a schedule
    int chunks = 0; ///< most stages of a device, over both routes
    int microBatches = 0;
    int segments = 1;
    bool split = false; ///< backward in B and W
    int replica = 0;    ///< which of the pipelines that ran beside each other
    int replicas = 1;   ///< of them in the trace

    /// The order of the iteration shown; none where passes are missing, doubled or misplaced.
    std::optional<Schedule> schedule;
    SimResult measured;            ///< of the iteration shown, where there is a schedule
    Recognition family;            ///< likewise
    std::int64_t dependencies = 0; ///< of the schedule
    std::int64_t violated = 0;     ///< of them, begun before what they wait for had ended

    std::vector<MeasuredPass> times;  ///< over the iterations that count; sorted
    std::vector<std::string> notes;   ///< how something was found out, sentences
    std::vector<std::string> unknown; ///< what stays unknown, and why

    const RecoveredIteration* iteration() const
    {
        return iterations.empty() ? nullptr : &iterations[shown];
    }
};

/// Finds the pipeline in a trace by the labels of its spans; of several replicas the first.
///
/// Where a device and the host both time the same passes of a rank, the device counts. Iterations
/// come from arguments, from the profiler's steps, or from passes that come again. A stage that no
/// label says follows from chunk and rank, by the placement that message order allows, or is the
/// rank where there is one chunk. Micro-batches travel one of two routes by the devices they meet.
///
/// @complexity O(n log n) for n spans with a label, and `recognise`
RecoveredPipeline recover(const Trace& trace);

/// What to do where passes have no labels, behind the sentence that says so.
inline constexpr std::string_view labelsLine =
    "the line `import pipewright_torch.labels` in the program labels them (labels_megatron, "
    "labels_deepspeed for these engines)";

/// The same for every replica: pipelines that run the same passes beside each other, on ranks of
/// their own. At least one.
std::vector<RecoveredPipeline> recoverReplicas(const Trace& trace);

/// Why the order is not known: what `unknown` says of it, without the word that it begins with.
/// Empty where there is a schedule.
std::string whyNoOrder(const RecoveredPipeline& pipeline);

/// Passes of all iterations by how their times are known.
std::array<std::int64_t, trustCount> trustCounts(const RecoveredPipeline& pipeline);

/// Medians of the times by kind, stage and segment as costs of the order recovered; a kind that was
/// not recorded takes no time, and neither does a message. @pre the pipeline has a schedule
Costs medianCosts(const RecoveredPipeline& pipeline);

/// The same with its own time for every pass of the iteration shown; links take `hop`.
/// @pre the pipeline has a schedule
Costs measuredCosts(const RecoveredPipeline& pipeline, Ticks hop);

} // namespace pw
