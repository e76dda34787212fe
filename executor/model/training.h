// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/model/costs.h"
#include "executor/api/run_plan.h"
#include "executor/api/snapshot.h"
#include "executor/api/transport.h"
#include "executor/model/ops.h"

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace pw::exec {

/// A parameter tensor of a stage. All parameters of a stage lie in one array, in this order.
struct ParameterInfo
{
    std::string name; ///< "layer 3: mlp in", the same in any split
    int rows = 1;
    int columns = 1;
    std::int64_t offset = 0; ///< in the stage's array, in parameters
    bool matrix = false;     ///< read as elements; else as floats (biases, norms)
    /// Of a bias: the matrix, as an index into the same list, whose product it is added to; of a
    /// norm's shift, its scale. -1 of others.
    int addedTo = -1;
    int addedAt = 0;      ///< of a bias: the first column of that matrix that is its own
    bool ofLayer = false; ///< a matrix of a layer, which Muon makes its steps orthogonal for

    std::int64_t size() const { return static_cast<std::int64_t>(rows) * columns; }
};

/// The parameters of one stage: embedding first, then layer by layer, the output last.
std::vector<ParameterInfo> parametersOf(const GptModel& model, const LayerSplit& split, int stage);

/// Bytes of a plan's passes as the executor really allocates them, put into the byte tables of
/// costs for the spec: activation, what B leaves for W, stash, messages, weights, gradients,
/// optimizer states. Times stay as they are.
///
/// A cell keeps from F on, in elements of tokens × …: the stage's input, and a layer's two
/// normalized inputs and what the products read (16h a token) with its attention probabilities; at
/// the output the last norm's and the logits. B puts each gradient where the value was that is not
/// needed any more, and frees the probabilities: so nothing is allocated for W.
Result<void> setBytes(Costs& costs, const PipelineSpec& spec, const GptModel& model,
                      const LayerSplit& split, const Optimizer& optimizer);

/// The worker that trains: every pass of every family, on any tensor device.
///
/// Keeps for each hosted stage its parameters, the weight versions that passes still read, the
/// gradients by update, and for each cell what F, B or R left. Data and first weights follow from
/// the plan's seed alone, so that every split and every order trains the same model.
///
/// @param plan      outlives the worker
/// @param ops       of this rank, which nobody else uses while the worker lives
/// @param snapshot  may be empty; else called on the rank's thread before every update
std::unique_ptr<Worker> makeTrainingWorker(const RunPlan& plan, RankId rank,
                                           std::shared_ptr<Ops> ops,
                                           SnapshotListener snapshot = {});

/// What training the plan's model on one device gives, with the same update rule computed one
/// micro-batch after the other: the truth that `verify` compares with.
struct ReferenceRun
{
    std::vector<double> losses; ///< by optimizer step
    /// By update and stage, as the snapshots of a run have them; route is 0.
    std::vector<StageSnapshot> snapshots;
};

/// AdamW for runs that are compared number by number. With the usual epsilon a gradient that is
/// nothing but rounding becomes a whole step, one way in one run and another way in the next; with
/// this one a step is in proportion to a small gradient.
Optimizer comparableOptimizer();

/// Trains with whole micro-batches in one piece, stage after stage, fused backward, no order.
Result<ReferenceRun> trainReference(const RunPlan& plan, Ops& ops);

} // namespace pw::exec
