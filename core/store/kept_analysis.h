// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/job/job_analysis.h"
#include "core/store/job_bytes.h"

namespace pw {

/// What is told of a job, but for the job itself.
void writeAnalysis(JobBytes& bytes, const JobAnalysis& of);

/// The same again, with places that the job has, which is there already.
/// @param ranks  of its trace
void readAnalysis(JobBytesRead& bytes, std::size_t ranks, JobAnalysis& into);

} // namespace pw
