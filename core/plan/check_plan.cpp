// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/divisors.h"
#include "core/plan/evaluate.h"

#include <algorithm>

namespace pw::plan {

namespace {

Result<void> mustDivide(std::string_view what, int divisor, std::string_view field, int whole)
{
    if (divisor >= 1 && whole % divisor == 0)
        return {};
    return fail(ErrorCode::BadValue, std::string(what) + " " + std::to_string(divisor) +
                                         " does not divide the " + std::to_string(whole) + " " +
                                         std::string(field) + "; " +
                                         divisorsBeside(whole, divisor) + " would");
}

std::string countedThings(int number, std::string_view one)
{
    return std::to_string(number) + " " + std::string(one) + (number == 1 ? "" : "s");
}

/// Why a model has too few layers for a pipeline, and what would do.
std::string tooManyStages(const PlanModel& model, const Configuration& c)
{
    const int layers = model.dense.layers;
    const int chunks = layers / c.pipelineParallel, ranks = layers / c.chunks;
    std::string would = chunks > 0 && c.chunks > 1 ? countedThings(chunks, "chunk") : std::string();
    if (ranks > 0)
        would += (would.empty() ? "" : ", or ") + countedThings(ranks, "pipeline rank") +
                 (would.empty() ? "" : ",");
    return countedThings(c.pipelineParallel, "pipeline rank") +
           (c.chunks > 1 ? " with " + countedThings(c.chunks, "chunk") : std::string()) +
           (c.pipelineParallel == 1 ? " needs " : " need ") + std::to_string(c.stages()) +
           " layers, the model has " + std::to_string(layers) + "; at most " +
           (would.empty() ? countedThings(layers, "chunk") : would) + " would do";
}

/// Why a batch is not whole in replicas of micro-batches, and what would do.
std::string brokenBatch(const Configuration& c)
{
    const std::int64_t together = static_cast<std::int64_t>(c.dataParallel) * c.microBatchSize;
    const std::int64_t less = c.globalBatch / together * together;
    const bool replicas = c.globalBatch % c.dataParallel == 0;
    return "a global batch of " + std::to_string(c.globalBatch) + " is not whole in " +
           countedThings(c.dataParallel, "replica") + " of micro-batches of " +
           std::to_string(c.microBatchSize) + "; a batch of " +
           (less > 0 ? std::to_string(less) + " or " : std::string()) +
           std::to_string(less + together) + " would be, or " +
           (replicas ? "micro-batches of " +
                           divisorsBeside(c.globalBatch / c.dataParallel, c.microBatchSize)
                     : divisorsBeside(c.globalBatch, c.dataParallel) + " replicas");
}

Result<void> checkShape(const PlanModel& model, const Configuration& c)
{
    if (auto ok = mustDivide("tensor parallelism", c.tensorParallel, "heads", model.dense.heads);
        !ok)
        return ok;
    if (model.latent.keyValue == 0) {
        const int kv = model.dense.kvHeadCount();
        // More devices than heads of keys and values hold copies of them.
        if (c.tensorParallel < kv) {
            if (auto ok = mustDivide("tensor parallelism", c.tensorParallel,
                                     "heads of keys and values", kv);
                !ok)
                return ok;
        } else if (c.tensorParallel % kv != 0) {
            return mustDivide("tensor parallelism", c.tensorParallel, "heads of keys and values",
                              kv);
        }
    }
    if (auto ok = mustDivide("context parallelism", c.contextParallel, "tokens of a sequence",
                             model.dense.sequence);
        !ok)
        return ok;
    if (c.stages() > model.dense.layers)
        return fail(ErrorCode::BadValue, tooManyStages(model, c));
    if (c.expertParallel > 1) {
        if (model.experts.count == 0)
            return fail(ErrorCode::BadValue,
                        "expert parallelism " + std::to_string(c.expertParallel) +
                            " is for a model with experts; this one has none; 1 would do");
        if (auto ok =
                mustDivide("expert parallelism", c.expertParallel, "experts", model.experts.count);
            !ok)
            return ok;
        return mustDivide("expert parallelism", c.expertParallel,
                          "devices of a pipeline rank (tensor, context and data parallelism)",
                          c.tensorParallel * c.contextParallel * c.dataParallel);
    }
    return {};
}

/// Every pipeline rank stands on devices of one kind.
Result<void> checkKinds(const Cluster& cluster, const Configuration& c)
{
    const int own = c.devices() / c.pipelineParallel;
    for (const Cluster& group : cluster.groups) {
        if (group.devices % own == 0)
            continue;
        const int less = group.devices / own * own;
        return fail(ErrorCode::BadValue,
                    "a pipeline rank has " + std::to_string(own) +
                        " devices, and would stand on two kinds: the " +
                        std::to_string(group.devices) + " " + std::string(group.device.name) +
                        " are not whole in such ranks; with " +
                        (less > 0 ? std::to_string(less) + " or " : std::string()) +
                        std::to_string(less + own) + " they would be, or with ranks of " +
                        divisorsBeside(group.devices, own));
    }
    return {};
}

} // namespace

Result<void> check(const PlanModel& model, const Cluster& cluster, const Configuration& c)
{
    const std::pair<std::string_view, int> degrees[] = {
        {"tensor parallelism", c.tensorParallel}, {"pipeline parallelism", c.pipelineParallel},
        {"data parallelism", c.dataParallel},     {"context parallelism", c.contextParallel},
        {"expert parallelism", c.expertParallel}, {"the micro-batch size", c.microBatchSize},
        {"the global batch", c.globalBatch},      {"chunks", c.chunks}};
    constexpr int largest = 1 << 20;
    for (const auto& [name, value] : degrees) {
        if (value < 1 || value > largest)
            return fail(ErrorCode::BadValue, std::string(name) + " is " + std::to_string(value) +
                                                 "; 1 to " + std::to_string(largest));
    }
    if (auto ok = checkShape(model, c); !ok)
        return ok;
    if (c.offload != OffloadPolicy::None && c.pipelineParallel == 1)
        return fail(ErrorCode::BadValue,
                    "a pipeline of 1 rank has nothing between a forward and its backward under "
                    "which activations could go to the host and come back; 2 pipeline ranks would "
                    "do, or --offload none");
    const std::int64_t devices = static_cast<std::int64_t>(c.tensorParallel) * c.pipelineParallel *
                                 c.dataParallel * c.contextParallel;
    if (devices != cluster.devices) {
        return fail(ErrorCode::BadValue,
                    "tensor " + std::to_string(c.tensorParallel) + " × pipeline " +
                        std::to_string(c.pipelineParallel) + " × data " +
                        std::to_string(c.dataParallel) + " × context " +
                        std::to_string(c.contextParallel) + " is " + std::to_string(devices) +
                        " devices, the cluster has " + std::to_string(cluster.devices) + "; with " +
                        std::to_string(devices) + " GPUs it would do");
    }
    if (auto ok = checkKinds(cluster, c); !ok)
        return ok;
    const std::int64_t together = static_cast<std::int64_t>(c.dataParallel) * c.microBatchSize;
    if (c.globalBatch % together != 0)
        return fail(ErrorCode::BadValue, brokenBatch(c));
    return {};
}

} // namespace pw::plan
