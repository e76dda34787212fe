// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/model/pipeline_spec.h"

#include <functional>
#include <vector>

namespace pw::exec {

/// All parameters and gradients of a stage right before an update.
struct StageSnapshot
{
    HostedStage stage;
    int update = 0; ///< over the run, warm-up counted
    std::vector<float> parameters;
    std::vector<float> gradients;
};

/// Sees snapshots; called on the threads of the ranks, several at a time.
using SnapshotListener = std::function<void(StageSnapshot)>;

} // namespace pw::exec
