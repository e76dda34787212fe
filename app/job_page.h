// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/job/job_analysis.h"
#include "core/trace/trace.h"

#include <string>

namespace pw::app {

/// Why there is no page of a job.
inline constexpr const char* noJobText =
    "there is no job to show: no step has all passes of an order that is known";

/// A job as a page: its steps, a map of its workers, the lanes of the worker that is chosen, what
/// costs time and what repairs gain.
///
/// A page stays small: of a long job the usual step, the slowest and those of causes have lanes,
/// then others until the page is full; of many replicas those that differ, those of causes, and one
/// for all that are alike.
///
/// @param trace  that was analysed, for the numbers of its ranks
/// @error  as of `pageWithData`
Result<std::string> jobPage(const Trace& trace, const JobAnalysis& analysis,
                            const std::string& title);

} // namespace pw::app
