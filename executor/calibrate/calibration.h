// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/io/costs_file.h"
#include "executor/api/backend.h"
#include "executor/calibrate/canonical_schedule.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pw::exec {

/// What is to be measured.
struct CalibrationRequest
{
    PipelineSpec spec; ///< stages, segments, placement and update rule count
    GptModel model;
    LayerSplit split;
    Optimizer optimizer;
    std::uint64_t seed = 1;
    /// For a backend that takes modelled times: these. Else empty.
    Costs modelled;
    std::vector<BackwardForm> forms = {BackwardForm::Fused, BackwardForm::Split,
                                       BackwardForm::Recomputed};
    /// An order with overlapped pairs, which is run itself to measure them: which passes meet in a
    /// pair, and what runs beside them, no other order tells.
    std::optional<Schedule> paired;
    int iterations = 10; ///< of each form
    int warmup = 2;      ///< run before, not counted
    /// The iterations of all forms are measured in so many rounds, one form after the other in
    /// each, so that what the machine does meanwhile shows between rounds. At most one a
    /// counted iteration.
    int rounds = 6;
    /// Where iterations are short there are more of them, until each form has run about so long: a
    /// processor that was idle takes a while to its full speed.
    Ticks leastTime = 400 * ticksPerMs;
    /// Whether messages of other sizes than the model's are measured too.
    bool messageSizes = true;
    Ticks patience = 60'000 * ticksPerMs; ///< nothing is known yet of how long a pass takes
    /// Told what is being measured, in words; may be empty.
    std::function<void(std::string_view)> progress;
};

/// A request for what a schedule needs: its shape, the forms that have its kinds of passes, and the
/// schedule itself where it has overlapped pairs.
CalibrationRequest calibrationFor(const Schedule& schedule);

/// Runs canonical schedules on a backend, and an order with pairs itself, and measures every kind
/// of pass by stage and segment, the launch gap, and the time of messages with latency and
/// bandwidth fitted to it.
///
/// The single times are kept by round, for forecasts.
///
/// A message counts from the end of the pass that made it to the start of one that was waiting for
/// it, less the launch gap, so waking up is part of it. Passes run beside those of other devices,
/// as in any run.
///
/// @error  as of `Backend::run`, `makePlan`
Result<CostsFile> calibrate(Backend& backend, const CalibrationRequest& request, const Stop& stop);

/// Latency and bandwidth that fit messages of several sizes: the median slope between two sizes,
/// and the median of what it leaves. One size, or none that grows: latency alone.
Link fitLink(const std::vector<MeasuredMessage>& messages);

} // namespace pw::exec
