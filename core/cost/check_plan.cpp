// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/divisors.h"
#include "core/cost/evaluate.h"

#include <algorithm>

namespace pw::plan {

namespace {

Result<void> mustDivide(std::string_view what, int divisor, std::string_view field, int whole)
{
    if (divisor >= 1 && whole % divisor == 0)
        return {};
    return fail(ErrorCode::BadValue, "%1 %2 does not divide the %3 %4; %5 would", what, divisor,
                whole, field, divisorsBeside(whole, divisor));
}

/// Why a model has too few layers for a pipeline, and what would do.
Sentence tooManyStages(const LanguageModel& model, const Configuration& c)
{
    const int layers = model.dense.layers;
    const int chunks = layers / c.pipelineParallel, ranks = layers / c.chunks;
    const Sentence fewerChunks = counted(chunks, "%1 chunk", "%1 chunks");
    const Sentence fewerRanks = counted(ranks, "%1 pipeline rank", "%1 pipeline ranks");
    const bool canHalve = chunks > 0 && c.chunks > 1;
    const Sentence would = canHalve && ranks > 0 ? said("%1, or %2,", fewerChunks, fewerRanks)
                           : canHalve            ? fewerChunks
                           : ranks > 0           ? fewerRanks
                                                 : counted(layers, "%1 chunk", "%1 chunks");
    const Sentence pipeline = counted(c.pipelineParallel, "%1 pipeline rank", "%1 pipeline ranks");
    const Sentence wanted =
        c.chunks > 1 ? said("%1 with %2", pipeline, counted(c.chunks, "%1 chunk", "%1 chunks"))
                     : pipeline;
    return c.pipelineParallel == 1
               ? said("%1 needs %2 layers, the model has %3; at most %4 would do", wanted,
                      c.stages(), layers, would)
               : said("%1 need %2 layers, the model has %3; at most %4 would do", wanted,
                      c.stages(), layers, would);
}

/// Why a batch is not whole in replicas of micro-batches, and what would do.
Sentence brokenBatch(const Configuration& c)
{
    const std::int64_t together = static_cast<std::int64_t>(c.dataParallel) * c.microBatchSize;
    const std::int64_t less = c.globalBatch / together * together;
    const bool replicas = c.globalBatch % c.dataParallel == 0;
    const Sentence batches = less > 0 ? said("%1 or %2", less, less + together)
                                      : Sentence(std::to_string(less + together));
    return said("a global batch of %1 is not whole in %2 of micro-batches of %3; a batch of %4 "
                "would be, or %5",
                c.globalBatch, counted(c.dataParallel, "%1 replica", "%1 replicas"),
                c.microBatchSize, batches,
                replicas ? said("micro-batches of %1",
                                divisorsBeside(c.globalBatch / c.dataParallel, c.microBatchSize))
                         : said("%1 replicas", divisorsBeside(c.globalBatch, c.dataParallel)));
}

Result<void> checkShape(const LanguageModel& model, const Configuration& c)
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
    if (auto ok = checkShared(model, c); !ok)
        return ok;
    if (c.stages() > model.dense.layers)
        return fail(ErrorCode::BadValue, tooManyStages(model, c));
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
                    "a pipeline rank has %1 devices, and would stand on two kinds: the %2 %3 are "
                    "not whole in such ranks; with %4%5 they would be, or with ranks of %6",
                    own, group.devices, group.device.name,
                    less > 0 ? said("%1 or ", less) : Sentence(), less + own,
                    divisorsBeside(group.devices, own));
    }
    return {};
}

} // namespace

Result<void> checkShared(const LanguageModel& model, const Configuration& c)
{
    if (auto ok = mustDivide("context parallelism", c.contextParallel, "tokens of a sequence",
                             model.dense.sequence);
        !ok)
        return ok;
    if (c.expertParallel > 1) {
        if (model.experts.count == 0)
            return fail(
                ErrorCode::BadValue,
                "expert parallelism %1 is for a model with experts; this one has none; 1 would do",
                c.expertParallel);
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

Result<void> check(const LanguageModel& model, const Cluster& cluster, const Configuration& c)
{
    const std::pair<std::string_view, int> degrees[] = {
        {"tensor parallelism", c.tensorParallel}, {"pipeline parallelism", c.pipelineParallel},
        {"data parallelism", c.dataParallel},     {"context parallelism", c.contextParallel},
        {"expert parallelism", c.expertParallel}, {"the micro-batch size", c.microBatchSize},
        {"the global batch", c.globalBatch},      {"chunks", c.chunks}};
    constexpr int largest = 1 << 20;
    for (const auto& [name, value] : degrees) {
        if (value < 1 || value > largest)
            return fail(ErrorCode::BadValue, "%1 is %2; 1 to %3", name, value, largest);
    }
    if (auto ok = checkShape(model, c); !ok)
        return ok;
    for (const Cluster* kind : kindsOf(cluster)) {
        if (auto ok = checkPrecision(kind->device, model.dense.precision); !ok)
            return ok;
    }
    if (c.offload != OffloadPolicy::None && c.pipelineParallel == 1)
        return fail(ErrorCode::BadValue,
                    "a pipeline of 1 rank has nothing between a forward and its backward under "
                    "which activations could go to the host and come back; 2 pipeline ranks would "
                    "do, or --offload none");
    const std::int64_t devices = static_cast<std::int64_t>(c.tensorParallel) * c.pipelineParallel *
                                 c.dataParallel * c.contextParallel;
    if (devices != cluster.devices) {
        return fail(ErrorCode::BadValue,
                    "tensor %1 × pipeline %2 × data %3 × context %4 is %5 devices, the cluster has "
                    "%6; with %7 GPUs it would do",
                    c.tensorParallel, c.pipelineParallel, c.dataParallel, c.contextParallel,
                    devices, cluster.devices, devices);
    }
    if (auto ok = checkKinds(cluster, c); !ok)
        return ok;
    const std::int64_t together = static_cast<std::int64_t>(c.dataParallel) * c.microBatchSize;
    if (c.globalBatch % together != 0)
        return fail(ErrorCode::BadValue, brokenBatch(c));
    return {};
}

} // namespace pw::plan
