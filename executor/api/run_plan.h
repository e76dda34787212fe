// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/analysis/forecast.h"
#include "core/base/result.h"
#include "core/cost/layer_split.h"
#include "core/lower/program.h"
#include "core/model/costs.h"
#include "core/model/schedule.h"
#include "executor/api/fault.h"
#include "executor/api/slow_worker.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pw::exec {

/// Type of activations and of the weights that passes read. Sums, gradients and optimizer states
/// are always 32 bits.
enum class Element : std::uint8_t
{
    Float32,
    BFloat16
};

/// The GPT that is trained: token and position embedding, layers of LayerNorm, causal multi-head
/// attention and an MLP with GELU, a last LayerNorm, and an output matrix of its own.
struct GptModel
{
    int layers = 4;
    int hidden = 64;
    int heads = 4;
    int ffn = 0; ///< width of the MLP; 0: 4·hidden
    int sequence = 64;
    int vocabulary = 64;
    int samples = 1; ///< in a micro-batch, b
    Element element = Element::Float32;
    /// No matrix of scores is kept: the backward forms them again. Heads are at most
    /// `widestFlash` wide.
    bool flashAttention = false;
    /// Products of 32-bit factors may round these to 10 bits of mantissa (TF32). CUDA only.
    bool tf32 = false;

    static constexpr int widestFlash = 256;
    int ffnWidth() const { return ffn == 0 ? 4 * hidden : ffn; }
    int headSize() const { return hidden / heads; }
    int tokens() const { return samples * sequence; } ///< of a micro-batch

    friend bool operator==(const GptModel&, const GptModel&) = default;
};

/// @error BadValue  names the field, its value and the limit
Result<void> check(const GptModel& model);

enum class OptimizerKind : std::uint8_t
{
    Sgd, ///< with momentum
    AdamW,
    /// Momentum whose matrix is made orthogonal, for the matrices of layers; AdamW for the rest:
    /// embeddings, output, biases, norms. @source Jordan et al. 2024, arXiv:2502.16982
    Muon
};

struct Optimizer
{
    OptimizerKind kind = OptimizerKind::AdamW;
    double learningRate = 3e-3;
    double momentum = 0.9; ///< Sgd, Muon
    double beta1 = 0.9;    ///< AdamW
    double beta2 = 0.99;
    double epsilon = 1e-8;
    double weightDecay = 0.01; ///< AdamW, on matrices only
    /// Gradients are scaled down so that the norm of all of them, over all stages, is at most this;
    /// 0: they are not.
    double clipNorm = 0;
    /// Where a gradient is one step old, what the step before should have been is made good: with s
    /// the optimizer's step, s + correction · (s − the one before) is taken. 0: it is not.
    /// @source the error feedback of arXiv:2606.30634, in the form above
    double delayCorrection = 0;

    friend bool operator==(const Optimizer&, const Optimizer&) = default;
};

/// The momentum that an optimizer of a kind has where nothing else is asked for.
double usualMomentum(OptimizerKind kind);

/// Arrays of an optimizer's states beside the parameters.
int stateCount(const Optimizer& optimizer);

/// Which stretch a run is of a training whose k follows the network.
struct AdaptedPart
{
    int group = 1;        ///< k
    int microBatches = 1; ///< of a step
    int every = 1;        ///< iterations between two choices of k
    Ticks start = 0;      ///< all time that iterations took before
    std::string reason{}; ///< why it began; empty for the first
};

/// Everything that the ranks of a run must agree on. A value; every process of a run has the same.
struct RunPlan
{
    std::string title{};
    Schedule schedule;
    Program program{};
    /// What passes and messages are expected to take; the emulated backend keeps to it.
    Costs costs{};
    GptModel model{};
    LayerSplit split{};
    Optimizer optimizer{};
    std::uint64_t seed = 1;
    int warmup = 0;     ///< iterations that are run first and not counted
    int iterations = 1; ///< counted executions of the whole schedule
    /// Whether the in-process transport delays messages as `costs` say, with the link trace. The
    /// emulated backend always does.
    bool modelledLinks = false;
    /// A wait longer than this is a fault; 0: `defaultPatience(costs' makespan)`.
    Ticks patience = 0;
    std::vector<InjectedFault> faults{};
    std::vector<SlowWorker> slow{}; ///< of the emulated backend; the prediction does not know them
    std::optional<Forecast> forecast{}; ///< where costs were measured; for the figures of the run
    std::string family{}; ///< id of the family that made the schedule; empty: none did

    /// Every copy of a stage holds the optimizer's states of its shard of the weights only, and
    /// updates that; see `shardOptimizer`. Set by `shardOptimizer(RunPlan&)`.
    bool shardedOptimizer = false;
    /// With `Optimizer::clipNorm`: updates do not wait for the norm, and are taken back where it is
    /// above the limit, before the next pass reads the weights.
    bool postValidation = false;
    /// How many places a pass may go ahead of the order of its rank while the next one there waits
    /// for another rank; 0: the order is kept. Set by `setHint`.
    int hint = 0;

    // A training may go on over several runs, each with a plan of its own: what one leaves, the
    // next begins with. A process that trains keeps it until a run of another training begins.
    std::uint64_t training = 0; ///< which one; 0: this run alone
    int firstIteration = 0;     ///< iterations of the training before this run
    /// Where in the link trace the first iteration starts; the trace then goes on over iterations.
    /// None: it starts anew with each.
    std::optional<Ticks> traceStart{};
    std::optional<AdaptedPart> adapted{}; ///< for the settings that are kept with the run
};

/// Has replicas share the optimizer's work: each holds the states of its part (ZeRO stage 1).
/// @error BadValue  as of `shardOptimizer(Program&)`; elements are not 32-bit floats
/// @error           as of `proveProgress`
Result<void> shardOptimizer(RunPlan& plan);

/// Whether a backend does what a plan asks for beside its passes.
/// @param backend  its name
/// @error BadValue  says what, and what would make it possible
Result<void> checkBackend(const RunPlan& plan, std::string_view backend);

/// Whether the gradients of a plan are one step old, which `Optimizer::delayCorrection` is for.
/// @error BadValue  says which rule its family has, and that another family has this one
Result<void> checkDelayCorrection(const RunPlan& plan);

/// Whether the norm of all gradients can be known before the updates of a step: one update a step,
/// and on every rank all passes of a step before its first update, and none of the next.
/// @error BadValue  names the rank, the update and the pass that stands in the way
Result<void> checkClipping(const RunPlan& plan);

/// What every rank does: the schedule, lowered, with the copies of what costs offload.
/// @error  as of `lower`, `addHostMoves`
Result<Program> programOf(const Schedule& schedule, const Costs& costs);

/// A plan whose parts belong together: lowers the schedule, proves progress, checks the split, the
/// segments and what is offloaded against the model.
///
/// @param model  nothing trained (emulated): layers and hidden are not looked at
/// @error        as of `programOf`, `proveProgress`, `check`; BadSchedule where an activation is
///               offloaded that later segments read
Result<RunPlan> makePlan(Schedule schedule, Costs costs, GptModel model, LayerSplit split);

/// Tokens of every segment of a micro-batch's sample: the spec's lengths scaled to the sequence.
/// Sums to `model.sequence`.
/// @error BadValue  a segment would have no token
Result<std::vector<int>> segmentTokens(const PipelineSpec& spec, const GptModel& model);

/// Optimizer steps of a plan, warm-up iterations counted.
int totalSteps(const RunPlan& plan);

/// How long a rank waits for another before it calls it lost: 3 s and three predicted iterations.
Ticks defaultPatience(Ticks makespan);

} // namespace pw::exec
