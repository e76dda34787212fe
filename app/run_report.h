// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "app/run_kernels.h"
#include "app/screen.h"
#include "core/analysis/forecast.h"
#include "core/io/costs_file.h"
#include "core/job/run_job.h"
#include "executor/api/recording_sink.h"
#include "executor/api/run_plan.h"

#include <optional>
#include <string>
#include <vector>

namespace pw::app {

/// What a run is told of, beside its plan and its records.
struct RunContext
{
    std::string title;
    std::string costsText;   ///< where the prediction comes from
    std::string modelText;   ///< what was trained; empty: nothing
    std::string backendText; ///< what was picked and why
    std::string storedText;  ///< where the run is kept; empty: nowhere
    std::string storePath;
    std::int64_t storedRun = 0; ///< its number in the store; 0: not stored
    /// Where the machine drifted: what is expected with what was measured after the run, too.
    std::optional<Forecast> bothSides;
    std::optional<RunKernels> kernels{}; ///< of --kernels
    WholeJob job{};                      ///< of several replicas
    /// Of iterations that are not looked at one by one; see `exec::SamplingSink`.
    std::vector<RecordedPass> extremes{};
    std::int32_t stride = 1; ///< of the iterations each so many-th is
};

/// What a run of an order without a flush does where an iteration is one step: it flushes behind
/// each. Empty of any other.
std::string flushText(const PipelineSpec& spec);

/// Passes of one kind on one segment of a stage, predicted and measured.
struct PassComparison
{
    PassKind kind = PassKind::F;
    bool paired = false; ///< an overlapped pair, told by its F
    StageId stage{0};
    int segment = 0;
    Ticks predicted = 0;
    Spread measured;

    Ticks difference() const { return measured.median - predicted; }
};

/// One entry as it ran.
struct SinglePass
{
    std::string label;
    int iteration = 0;
    RankId rank{0};
    Ticks predicted = 0;
    Ticks measured = 0;
};

/// A run beside its prediction.
struct RunReport
{
    RunFigures figures;
    RunStatus status = RunStatus::Running;
    std::vector<Bytes> peak; ///< of activations, by device; empty: not measured
    Ticks hinted = 0;        ///< makespan of the order as a hint, simulated; 0: it was none
    std::vector<Bytes> predictedPeak;   ///< by device
    std::vector<PassComparison> passes; ///< the largest difference first
    std::optional<SinglePass> worst;    ///< the single entry that differs most
    /// What the run's own times predict, each iteration from the others; none for one iteration.
    std::optional<ModelError> model;
    std::vector<std::string> notes; ///< of the backend, each once
};

/// @param extremes  passes beyond the record that may be the single one that differs most
RunReport reportOf(const exec::RunPlan& plan, const exec::RecordingSink::Record& record,
                   const std::vector<RecordedPass>& extremes = {});

/// Where a makespan lies beside an interval: "inside", "above", "below".
std::string_view intervalWord(Ticks makespan, Ticks low, Ticks high);

/// What is run, before it is.
std::string runHeading(const exec::RunPlan& plan, const RunContext& context, const Screen& screen);

/// Predicted and measured, side by side.
std::string runText(const exec::RunPlan& plan, const RunReport& report, const RunContext& context,
                    const Screen& screen);

/// The object of `run --json`. Its names are a contract, described in the manual (json).
std::string runJson(const exec::RunPlan& plan, const RunReport& report, const RunContext& context,
                    const RunEnvironment& environment, const std::string& error);

} // namespace pw::app
