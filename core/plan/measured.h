// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/cost/evaluate.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pw::plan {

/// A measured iteration: what was trained, how, on how many devices, and how long it took.
struct MeasuredRow
{
    LanguageModel model;
    Configuration configuration;
    int devices = 1;
    double seconds = 0;
    /// Bytes that were allocated at most, on the fullest rank, the first and the last; 0: not
    /// known.
    double peak = 0, firstPeak = 0, lastPeak = 0;
    int line = 0; ///< of the file
};

/// What the columns of a table do not say.
struct MeasuredDefaults
{
    std::optional<RecomputePolicy> recompute; ///< none: of a row with a model none, else full
    int vocabulary = 51200;
    std::string family{defaultFamily};
    std::optional<bool> overlapTensor; ///< none: as is usual for the model
    Precision precision = Precision::Bf16;
    std::string hardware = "a100"; ///< rows of another in the column `hardware` are left out
};

/// Measured iterations of a table.
struct MeasuredTable
{
    std::vector<MeasuredRow> rows;
    int leftOut = 0; ///< rows of another accelerator
};

/// Reads a table of measured iterations: comma-separated, the first line names the columns.
///
/// Every row says what was trained: `model`, a preset or a file, with `layers`, `sequence` and
/// `vocabulary` in the place of its own where they are there; or hidden, heads, layers and
/// sequence. And how: gpus; global_batch, or micro_batches of a replica; micro_batch;
/// tensor_parallel, pipeline_parallel, context_parallel and expert_parallel (1 where there is no
/// such column or cell), data_parallel (what remains of the GPUs). And how long it took:
/// iteration_ms, iteration_s or tokens_per_second_per_gpu. Taken where they are there: recompute,
/// family, chunks, layers_by_stage ("4-7-7-6"), precision, hardware, zero, and yes or no in
/// sequence_parallel, overlap_tensor, overlap_reduction and fused_accumulation; of what was
/// allocated at most peak_bytes of the fullest rank, first_stage_peak_bytes and
/// last_stage_peak_bytes. Others are not looked at.
///
/// @error Syntax    a missing column, a line with another number of cells, a cell that is no
///                  number; names line and column
/// @error BadValue  a configuration that cannot be; names the line
Result<MeasuredTable> parseMeasured(std::string_view text, const MeasuredDefaults& defaults = {});

/// The same from a file of at most 16 MiB.
Result<MeasuredTable> readMeasured(const std::string& path, const MeasuredDefaults& defaults = {});

/// Seconds of an iteration with layers split evenly: what `evaluate` gives, without memory. 1F1B is
/// walked through by a recurrence instead of the simulator, with the same result.
/// @error BadValue  as `evaluate`
Result<double> iterationSeconds(const LanguageModel& model, const Cluster& cluster,
                                const Configuration& configuration);

/// How well predictions meet measurements.
struct Judgement
{
    std::string name;
    int rows = 0;
    double meanError = 0; ///< mean of |predicted ⁄ measured − 1|
    double bias = 0;      ///< mean of predicted ⁄ measured − 1
    double inside = 0;    ///< part of the rows within the interval of the constants
    double rank = 0;      ///< Spearman's rank correlation
    /// Measured time of the row predicted fastest, over the best, less 1: mean over the questions
    /// (model, devices and global batch) that have several configurations.
    double choiceLoss = 0;
    double worst = 0; ///< largest |predicted ⁄ measured − 1|
};

Judgement judge(const std::vector<MeasuredRow>& rows, const Accelerator& device,
                const Constants& constants);

/// How sure times of constants are that were fitted to these rows, by precision.
///
/// From the errors of every configuration with constants that were fitted to the others (to first
/// order around these constants): Student's distribution of their size, whose degrees of freedom
/// are the number of configurations, and a few for what was known of errors before. Of a precision
/// that has rows without experts, those.
std::map<Precision, Surety> suretiesOf(const std::vector<MeasuredRow>& rows,
                                       const Accelerator& device, const Constants& constants);

/// Finds the constants that meet the rows best, with how far times are off.
///
/// Likeliest constants where the logarithm of predicted over measured has Cauchy's distribution of
/// width 6 %, so that runs that went wrong do not pull; a constant that leaves what is usual pays
/// by its spread. Searched one constant at a time, with steps that grow and shrink.
Constants fitConstants(const std::vector<MeasuredRow>& rows, const Accelerator& device);

/// Spearman's rank correlation, equal values at their mean rank; 0 where one list is all equal.
/// @pre both have as many values, one at least
double rankCorrelation(const std::vector<double>& a, const std::vector<double>& b);

/// Rows of one model together: layers, hidden and heads.
std::vector<std::vector<MeasuredRow>> byModel(const std::vector<MeasuredRow>& rows);

/// Every model judged with constants that were fitted to the others.
std::vector<Judgement> judgeLeftOut(const std::vector<MeasuredRow>& rows,
                                    const Accelerator& device);

/// Constants as JSON, one a line with version, and back.
std::string constantsText(const Constants& constants);

/// @error Syntax    not JSON, unknown or missing fields
/// @error BadValue  a constant outside its range; names it
Result<Constants> parseConstants(std::string_view text);

} // namespace pw::plan
