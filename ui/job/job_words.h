// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/job/job_views.h"
#include "ui/panels/details_panel.h"
#include "ui/traces/shown_job.h"

#include <QString>

#include <cstddef>
#include <functional>
#include <optional>

namespace pw::ui {

/// "16 replicas of 8 stages, 48 steps"
QString jobText(const ShownJob& job);
/// What wrote it, how many ranks, in which order: "Megatron · 128 ranks · 1F1B in all replicas".
QString jobOrigin(const ShownJob& job);
/// What a cause is called: "Slow worker".
QString causeWords(JobCause cause);
/// "Work against the median"
QString measureWords(WorkerMeasure measure);

/// Leads to what a cause is about.
using CauseOpener = std::function<void(const FoundCause& cause)>;

/// What stands beside the page of a job.
PageDetails jobDetails(const ShownJob& job, std::size_t step, const std::optional<Worker>& worker,
                       const CauseOpener& open);

} // namespace pw::ui
