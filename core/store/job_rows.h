// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/job/job_analysis.h"
#include "core/job/job_views.h"
#include "core/store/run_store.h"

namespace pw {

/// Keeps what is told of a job as plain rows, which questions are put to. As a part of a
/// transaction; there are none of the run.
/// @param trace  that the job is of
/// @error        as of `Database`
Result<void> writeJobRows(Database& database, RunNumber run, const JobAnalysis& analysis,
                          const JobMedians& medians, const Trace& trace);

} // namespace pw
