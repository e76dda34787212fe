// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/plan/evaluate.h"

#include <algorithm>

namespace pw::plan {

namespace {

/// The divisors of a number that are next to a value, in words: "4 or 8".
std::string nearDivisors(int whole, int value)
{
    int below = std::clamp(value, 1, whole);
    while (whole % below != 0)
        --below;
    // Far away none is looked for: the whole always divides itself.
    constexpr int farthest = 100'000;
    int above = whole;
    for (int d = std::max(value, 1); d <= whole && d - value < farthest; ++d) {
        if (whole % d == 0) {
            above = d;
            break;
        }
    }
    return below == above ? std::to_string(below)
                          : std::to_string(below) + " or " + std::to_string(above);
}

Result<void> mustDivide(std::string_view what, int divisor, std::string_view field, int whole)
{
    if (divisor >= 1 && whole % divisor == 0)
        return {};
    return fail(ErrorCode::BadValue, std::string(what) + " " + std::to_string(divisor) +
                                         " does not divide the " + std::to_string(whole) + " " +
                                         std::string(field) + "; " + nearDivisors(whole, divisor) +
                                         " would");
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
    if (c.stages() > model.dense.layers) {
        return fail(ErrorCode::BadValue,
                    std::to_string(c.pipelineParallel) + " pipeline ranks with " +
                        std::to_string(c.chunks) + " chunks need " + std::to_string(c.stages()) +
                        " layers, the model has " + std::to_string(model.dense.layers) +
                        "; at most " +
                        std::to_string(std::max(model.dense.layers / c.pipelineParallel, 0)) +
                        " chunks, or " + std::to_string(model.dense.layers / c.chunks) +
                        " pipeline ranks, would do");
    }
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
                        nearDivisors(group.devices, own));
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
    const int together = c.dataParallel * c.microBatchSize;
    if (together < 1 || c.globalBatch % together != 0 || c.globalBatch < together) {
        const int less = c.globalBatch / together * together;
        return fail(ErrorCode::BadValue,
                    "a global batch of " + std::to_string(c.globalBatch) + " is not whole in " +
                        std::to_string(c.dataParallel) + " replicas of micro-batches of " +
                        std::to_string(c.microBatchSize) + "; a batch of " +
                        (less > 0 ? std::to_string(less) + " or " : std::string()) +
                        std::to_string(less + together) + " would be");
    }
    return {};
}

} // namespace pw::plan
