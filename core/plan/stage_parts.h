// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/plan/evaluate.h"

namespace pw::plan {

/// The policy of a layer: the first `recomputedLayers` of a stage have the configuration's, the
/// others keep all; 0: all have it.
RecomputePolicy policyOf(const Configuration& configuration, int layerOfStage);

/// Passes of a stage for one micro-batch.
PieceTime stageTime(const PlanModel& model, const Configuration& configuration,
                    const Pieces& pieces, int first, int layers, bool isFirst, bool isLast);

/// What a stage keeps of one micro-batch.
struct StageBytes
{
    double activation = 0; ///< from F on
    double kept = 0;       ///< between B and W
    double stash = 0;      ///< where the whole stage is computed again
};

StageBytes stageBytes(const PlanModel& model, const Configuration& configuration, int first,
                      int layers, bool isFirst, bool isLast);

} // namespace pw::plan
