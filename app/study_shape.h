// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "app/study.h"

#include <vector>

namespace pw::app {

/// The option, and what it says where no stages follow it.
constexpr const char* recomputeName = "recompute";
constexpr const char* allStages = "all";

/// What a command line says of a pipeline's size beside --devices and --micro-batches.
struct PipelineSize
{
    int stages = 0;       ///< 0: nothing
    int microBatches = 0; ///< of one optimizer step, where the line has no number of its own
};

/// The size that --stage-replicas asks for; nothing without it, or where it makes no sense.
PipelineSize stageReplicaSize(const Arguments& arguments);

/// --recompute, --offload, --host-link, --replicas and --stage-replicas: what any schedule can be
/// given, of a family or of a file.
std::vector<Option> reshapeOptions();

/// A study with what the command line asks for on top of its schedule.
tl::expected<Study, Failure> reshaped(Study study, const Arguments& arguments);

} // namespace pw::app
