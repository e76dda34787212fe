// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/model/pipeline_spec.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace pw::exec {

/// What a training has come to on one hosted stage.
struct KeptStage
{
    std::vector<float> parameters;
    std::vector<float> states; ///< of the optimizer
    int updates = 0;
};

/// Keeps a stage of a training for the next run of it in this process. A new training forgets the
/// one before: of so much memory one is enough. Safe to call from any thread.
void keepTraining(std::uint64_t training, HostedStage stage, KeptStage kept);

/// What was kept; none where the training has not run here yet.
std::optional<KeptStage> keptTraining(std::uint64_t training, HostedStage stage);

} // namespace pw::exec
