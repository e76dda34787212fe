// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/job/job_causes.h"
#include "core/job/job_replay.h"

#include <vector>

namespace pw {

/// Steps that stand out of the curve of whole steps: slow ones, those of a warm-up, and those that
/// recur. Their `share` is not told.
std::vector<FoundCause> stepCauses(const JobReplay& replay, const Trace& trace);

} // namespace pw
