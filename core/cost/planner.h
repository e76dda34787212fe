// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/base/types.h"

#include <cstdint>
#include <vector>

namespace pw {

/// A layer as PipeDream's profiler sees it, for one micro-batch.
struct LayerProfile
{
    Ticks compute = 0; ///< forward and backward
    Bytes weights = 0; ///< whose gradients the replicas of a stage sum
    Bytes output = 0;  ///< activation sent on; its gradient, as large, comes back

    friend bool operator==(const LayerProfile&, const LayerProfile&) = default;
};

/// Layers that one or several machines hold; replicas take micro-batches in turn.
struct ReplicatedStage
{
    int firstLayer = 0;
    int layers = 1;
    int replicas = 1;

    friend bool operator==(const ReplicatedStage&, const ReplicatedStage&) = default;
};

/// A model cut into replicated stages.
struct ReplicatedSplit
{
    std::vector<ReplicatedStage> stages; ///< first layer first
    Ticks period = 0; ///< time from one micro-batch to the next in the steady state
    /// Micro-batches to admit: machines ⁄ replicas of the first stage, rounded up.
    int inFlight = 1;

    friend bool operator==(const ReplicatedSplit&, const ReplicatedSplit&) = default;
};

/// Cuts layers into stages for all machines so that the slowest stage or boundary is as fast as
/// possible. Of a stage with k replicas micro-batches are max(Σ compute, 2(k−1)·Σ weights ⁄
/// bandwidth) ⁄ k apart, at a boundary as long as the output of the layer before it takes there,
/// and its gradient back.
///
/// @param bytesPerSecond  between any two machines
/// @error BadValue        no layer, no machine, a negative value
/// @error TooLarge        layers·machines above about 300,000
/// @complexity            O(layers²·machines²)
/// @source                PipeDream's dynamic program, arXiv:1806.03377 §3.1
Result<ReplicatedSplit> splitForMachines(const std::vector<LayerProfile>& layers, int machines,
                                         double bytesPerSecond);

/// What a model of equal blocks takes with micro-batches of one size.
struct MicroBatchProfile
{
    int samples = 1;      ///< b
    Ticks compute = 0;    ///< of one block, forward and backward
    Bytes activation = 0; ///< of the whole model
    Bytes boundary = 0;   ///< tensor between two blocks

    friend bool operator==(const MicroBatchProfile&, const MicroBatchProfile&) = default;
};

/// A model of equal blocks, as profiled for the micro-batch sizes to choose from.
struct BlockModel
{
    int blocks = 1;
    Bytes weights = 0;   ///< of the whole model, with all that one version holds
    Bytes gradients = 0; ///< of the whole model, summed among replicas once a step
    std::vector<MicroBatchProfile> profiles;
    double recomputeFactor = 4.0 / 3; ///< compute with recomputation over compute without

    friend bool operator==(const BlockModel&, const BlockModel&) = default;
};

/// Servers of equal devices.
struct Servers
{
    int devices = 1; ///< over all servers
    int devicesPerServer = 1;
    double insideBytesPerSecond = 1;
    double betweenBytesPerSecond = 1;
    Bytes memory = 0; ///< of a device

    /// Bandwidth among a group of `size` devices: inside where it is smaller than a server.
    double bandwidth(int size) const
    {
        return size < devicesPerServer ? insideBytesPerSecond : betweenBytesPerSecond;
    }

    friend bool operator==(const Servers&, const Servers&) = default;
};

/// What a device holds while it trains.
enum class PipelineMemory : std::uint8_t
{
    DoubleBuffered, ///< two weight versions, activations of d micro-batches (PipeDream-2BW)
    Flush,          ///< one version, activations of d micro-batches (1F1B)
    AllForwards     ///< one version, activations of all m micro-batches (GPipe)
};

/// Parallelism of w equal pipelines of d equal stages.
struct PipelinePlan
{
    int width = 1;               ///< w: replicas of every stage
    int depth = 1;               ///< d: stages
    int samples = 1;             ///< b
    bool recompute = false;      ///< keep stage inputs only
    int accumulation = 1;        ///< g: a pipeline takes d·g micro-batches a step
    Ticks period = 0;            ///< time from one micro-batch to the next
    Bytes memory = 0;            ///< of a device
    double samplesPerSecond = 0; ///< of all pipelines together

    int microBatches() const { return depth * accumulation; }

    friend bool operator==(const PipelinePlan&, const PipelinePlan&) = default;
};

/// Bytes of a device: versions·W⁄d, the activations of d micro-batches (recomputed: of one; all
/// forwards: of m), and their inputs. Rounded up. @source arXiv:2006.09503 §3.1, A.1.2
Bytes planMemory(PipelineMemory kind, const BlockModel& model, const MicroBatchProfile& profile,
                 const PipelinePlan& plan);

/// max(compute and messages of a stage, gradient sum ⁄ micro-batches), rounded.
///
/// A stage receives and sends its boundary tensors and their gradients; replicas sum gradients in a
/// ring.
/// @source arXiv:2006.09503 A.1.1
Ticks planPeriod(const BlockModel& model, const Servers& servers, const MicroBatchProfile& profile,
                 const PipelinePlan& plan);

/// The plan with the most samples a second that fits the memory, for a global batch. Of equal ones
/// the first by width, depth, recomputation and size.
///
/// Only plans that use a batch up: w·d·b divides it, and d divides the blocks.
///
/// @error BadValue     a count below 1, a negative value, or no plan divides batch and blocks
/// @error TooLarge     more than a million devices
/// @error MemoryLimit  no plan fits; the message has the least memory that one would need
/// @source             PipeDream-2BW's planner, arXiv:2006.09503 §4, algorithm 1
Result<PipelinePlan> planPipelines(const BlockModel& model, const Servers& servers, int batch,
                                   PipelineMemory kind = PipelineMemory::DoubleBuffered);

} // namespace pw
