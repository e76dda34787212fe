// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/job/job_analysis.h"
#include "core/job/job_views.h"
#include "core/store/run_store.h"
#include "core/trace/trace.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pw {

// What a store keeps of a job so that it opens without its trace: all that was found out, and the
// passes of each step by themselves.

/// A job as it was kept. Its iterations have no passes; `keptStep` has those of one step.
struct KeptJob
{
    JobAnalysis analysis; ///< whose pipelines `Job::made` holds
    JobMedians medians;
    std::vector<TraceRank> ranks; ///< of the trace
    std::string origin;           ///< what wrote the trace
};

/// Raised with every change of what is found out about a job, or of how it is written: what an
/// earlier program kept is then found out again.
constexpr int keptJobFormat = 2;

/// A step of a job with its passes.
struct JobOfStep
{
    std::shared_ptr<const Job> job;
    std::size_t step = 0; ///< of its `Job::steps`
};

/// Writes what is kept of a job beside its run, as a part of a transaction; in place of what was.
/// @param analysis  refers to passes; null: nothing is kept
/// @param trace     it is of; both outlive what is returned
RunStore::KeepMore keepingJob(const JobAnalysis* analysis, const Trace& trace);

/// The same of a run that is there already.
/// @error  as of `RunStore`
Result<void> keepJob(const std::string& store, RunNumber run, const JobAnalysis* analysis,
                     const Trace& trace);

/// Nothing where none was kept, or not by a program of this format.
/// @error       as of `RunStore`
/// @complexity  O(replicas × steps + passes of a step)
Result<std::optional<KeptJob>> keptJob(const std::string& store, RunNumber run);

/// A step of a kept job.
/// @param job    of `KeptJob::analysis`
/// @param step   of `Job::steps`
/// @error        as of `RunStore`; Io where it is not there, or not whole
/// @complexity   O(passes of the step)
Result<JobOfStep> keptStep(const std::string& store, RunNumber run, const Job& job,
                           std::size_t step);

// The rows themselves.

std::string keptJobBytes(const JobAnalysis& analysis, const JobMedians& medians,
                         const Trace& trace);
/// Nothing where they are not whole.
std::optional<KeptJob> keptJobOf(std::string_view bytes);
std::string keptStepBytes(const Job& job, std::size_t step);
/// Nothing where they are not whole. @param job  without passes
std::optional<JobOfStep> keptStepOf(std::string_view bytes, const Job& job, std::size_t step);

} // namespace pw
