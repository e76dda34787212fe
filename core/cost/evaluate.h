// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/cost/engine_terms.h"
#include "core/cost/layer_time.h"
#include "core/cost/stage_memory.h"
#include "core/families/family.h"
#include "core/families/family_traits.h"
#include "core/model/schedule.h"

#include <optional>
#include <string>
#include <vector>

namespace pw::plan {

/// Seconds of an iteration, by what they go into. `pipeline` is the simulated makespan; the parts
/// of the busiest device's passes are named below it.
struct IterationParts
{
    double pipeline = 0;  ///< first start to last end of all passes, simulated
    double barrier = 0;   ///< of a shared vocabulary: the way back begins so much later
    double reduction = 0; ///< sum of the gradients, as far as it is not hidden
    double tied = 0;      ///< sum over the two copies of a tied embedding
    double optimizer = 0;
    double other = 0; ///< what a step takes beside

    PassParts busiest;   ///< all passes of the device with the most work
    double exchange = 0; ///< its messages, as far as they keep it busy
    double idle = 0;     ///< pipeline less both: bubble and waiting for messages

    double total() const { return pipeline + barrier + reduction + tied + optimizer + other; }

    friend bool operator==(const IterationParts&, const IterationParts&) = default;
};

/// Copies of activations to the host's memory and back, on the busiest device.
struct OffloadTimes
{
    double copies = 0;    ///< seconds of an iteration that the link to the host works
    double exposed = 0;   ///< of them, what no pass hides; in `IterationParts::busiest` too
    double ratio = 0;     ///< copies of a micro-batch over its passes: up to 1 all are hidden
    double hostBytes = 0; ///< most of any device that lies in the host's memory at once

    friend bool operator==(const OffloadTimes&, const OffloadTimes&) = default;
};

/// What a configuration takes and needs.
struct Evaluation
{
    Configuration configuration; ///< with its split
    IterationParts parts;
    double bubble = 0;               ///< idle part of the pipeline's time, over all devices
    double exposedCommunication = 0; ///< seconds of messages and collectives of the busiest device
    OffloadTimes offload;
    std::vector<MemoryParts> memory; ///< by pipeline rank
    bool fits = false;
    std::string reason; ///< why it does not fit

    double seconds() const { return parts.total(); }
    double peakBytes() const;

    friend bool operator==(const Evaluation&, const Evaluation&) = default;
};

/// A message between two stages on their way.
struct Hop
{
    double latency = 0;        ///< seconds
    double bytesPerSecond = 0; ///< 0: only the latency counts

    double seconds(double bytes) const
    {
        return latency + (bytesPerSecond > 0 ? bytes / bytesPerSecond : 0);
    }

    friend bool operator==(const Hop&, const Hop&) = default;
};

/// Times and bytes of the pieces that a configuration's stages are made of.
struct Pieces
{
    PieceTime dense, experts, embedding, output;
    PieceTime vocabulary; ///< of every device, where all share the output layer; `output` is empty
    PieceTime plainDense, plainExperts; ///< of layers that keep all, where others do not
    double message = 0;                 ///< bytes that a device sends to the next stage
    Hop inside, outside;                ///< of a node
    std::vector<Pieces> kinds;          ///< by group of a cluster that has several; else empty

    friend bool operator==(const Pieces&, const Pieces&) = default;
};

/// How an evaluation treats many micro-batches.
enum class Exactness : std::uint8_t
{
    All,     ///< all passes are simulated
    Periodic ///< of many micro-batches, a part; the rest repeats the period between p and 2p more
};

Pieces piecesOf(const LanguageModel& model, const Cluster& cluster,
                const Configuration& configuration);

/// The group of a device of the pipeline, a pipeline rank: it stands on one kind of device.
/// @pre `check`
std::size_t kindOfRank(const Cluster& cluster, const Configuration& configuration, DeviceId rank);
const Cluster& clusterOfRank(const Cluster& cluster, const Configuration& configuration,
                             DeviceId rank);
const Pieces& piecesOfRank(const Cluster& cluster, const Configuration& configuration,
                           const Pieces& pieces, DeviceId rank);

/// Whether tokens and experts are whole in the degrees that share them.
/// @error BadValue  names the degree and what would do
Result<void> checkShared(const LanguageModel& model, const Configuration& configuration);

/// Checks that a configuration means something for a model on a cluster.
/// @error BadValue  names the degree, its value, the limit and the nearest that would do
Result<void> check(const LanguageModel& model, const Cluster& cluster,
                   const Configuration& configuration);

/// Gives a configuration whose family has segments those of equal work, where it has none of its
/// own. Attention that is not causal has none.
void settleSegments(const LanguageModel& model, Configuration& configuration);

/// The family's options for a configuration. @pre the family exists
FamilyOptions familyOptions(const Family& family, const Configuration& configuration,
                            int microBatches);

/// Layers of every stage, the busiest device as light as it can be: embedding and output layer are
/// counted with what they take. Layers that are alike go to the device that has least; others are
/// cut by dynamic programming.
std::vector<int> balancedSplit(const LanguageModel& model, const Pieces& pieces,
                               const PipelineSpec& spec);

/// The same for a cluster of any kinds: every layer in turn to the stage whose device has least to
/// do with it, by the device's own rates.
std::vector<int> balancedSplit(const LanguageModel& model, const Cluster& cluster,
                               const Configuration& configuration, const Pieces& pieces,
                               const PipelineSpec& spec);

/// Where a rank of a cluster of several kinds is too full: layers go from it to the rank with most
/// room, one by one, as long as the fullest gets emptier.
Evaluation withFittingSplit(const LanguageModel& model, const Cluster& cluster,
                            const Evaluation& evaluation, const Pieces& pieces,
                            Exactness exactness);

/// Equal layers a stage, what remains to the first stages.
std::vector<int> evenLayers(int layers, int stages);

/// Times and bytes of every pass for a spec and a split.
Costs costsOf(const LanguageModel& model, const Cluster& cluster,
              const Configuration& configuration, const Pieces& pieces, const PipelineSpec& spec,
              const std::vector<int>& split);

/// The same for the configuration's split, of the passes' times alone: what `leastPipelineSeconds`
/// asks for. No order can be simulated with it.
Costs passTimesOf(const LanguageModel& model, const Cluster& cluster,
                  const Configuration& configuration, const Pieces& pieces,
                  const PipelineSpec& spec);

/// Adds what the stages hold all the time, what their engine has beside, and what the devices have
/// for all of it. @pre the configuration has its split
///
/// @param engine  of every stage, see `engineBytes`
void addStanding(Costs& costs, const LanguageModel& model, const Cluster& cluster,
                 const Configuration& configuration, const PipelineSpec& spec,
                 const std::vector<EngineBytes>& engine);

/// Adds what the updates of the stages take, for orders that have them. @pre as above
void addUpdates(Costs& costs, const LanguageModel& model, const Cluster& cluster,
                const Configuration& configuration, const PipelineSpec& spec);

/// The order of a configuration with its costs, to look at or to run. It is the one that was
/// evaluated: where the family makes another one for the devices' memory, the costs have no caps.
struct PlannedSchedule
{
    Schedule schedule;
    Costs costs;
};

/// @param steps     of the optimizer
/// @error BadValue  what the family refuses
Result<PlannedSchedule> scheduleOf(const LanguageModel& model, const Cluster& cluster,
                                   const Configuration& configuration, int steps = 1);

/// Steps after which an order goes on as before, and has held what it ever does: one with a flush,
/// two and more without, the more the shorter a step is beside the pipeline.
int stepsUntilSteady(const Configuration& configuration);

/// Evaluates one configuration: builds its order, simulates it, and adds what is around it.
///
/// An empty split is balanced, see `balancedSplit`.
/// @error BadValue  what `check` or the family refuses
Result<Evaluation> evaluate(const LanguageModel& model, const Cluster& cluster,
                            const Configuration& configuration,
                            Exactness exactness = Exactness::All);

/// The same with pieces that are known already, and without `check`.
Result<Evaluation> evaluate(const LanguageModel& model, const Cluster& cluster,
                            const Configuration& configuration, const Pieces& pieces,
                            Exactness exactness);

/// The same where it takes less than some seconds; nothing where it does not, which is told before
/// anything is known of the memory. @pre the configuration has its split
Result<std::optional<Evaluation>> evaluateBelow(const LanguageModel& model, const Cluster& cluster,
                                                const Configuration& configuration,
                                                const Pieces& pieces, Exactness exactness,
                                                double seconds);

/// Seconds that an iteration takes at least, proven without an order: with a configuration's split,
/// or with every split that there is where it has none. Of a layer that may be computed again or
/// not, `recomputedLayers` says how many of a stage are.
///
/// On some device all passes of its stages stand one behind the other, after the way to the first
/// of them and before the way back; the layers of all devices are the model's, and what is around
/// the pipeline is for weights of which one device has the mean.
double leastSeconds(const LanguageModel& model, const Cluster& cluster,
                    const Configuration& configuration, const Pieces& pieces);

/// Seconds that a pipeline takes at least whatever its order: on every device all its passes stand
/// one behind the other, and the first of them waits for a forward of every stage before it. Where
/// B and W are one pass, the backwards of those stages follow the last. Of two copies of the model
/// it is the mean of the devices' work.
///
/// @param traits  of the order: whether B and W are one pass, two, or (where nothing is known) what
///                is shorter
double leastPipelineSeconds(const Costs& costs, const PipelineSpec& spec,
                            const FamilyTraits& traits = {});

/// Bytes that the fullest device needs with equal stages: its weights and the micro-batches that
/// the family's order has in flight. A guess from below, to look at lean candidates first: stages
/// that are not alike may need a little less.
double leastBytes(const LanguageModel& model, const Configuration& configuration);

/// Bytes that the fullest device needs at least, proven: what belongs to the mean of the weights.
/// What an engine holds beside them is left out: the device may have the ends of the model alone.
double leastWeightBytes(const LanguageModel& model, const Configuration& configuration);

/// A stage of a configuration that was evaluated.
struct StageLoad
{
    int layers = 0;
    DeviceId rank{0};   ///< its device; the first route's where there are two
    double seconds = 0; ///< F, B and W of a micro-batch

    friend bool operator==(const StageLoad&, const StageLoad&) = default;
};

/// The stages of an evaluation, in order. Empty where its family is not known.
std::vector<StageLoad> stageLoads(const LanguageModel& model, const Cluster& cluster,
                                  const Evaluation& evaluation);

/// Model FLOPs of an iteration over what the devices' peak would give in its time.
double modelUtilisation(const LanguageModel& model, const Cluster& cluster,
                        const Evaluation& evaluation);

} // namespace pw::plan
