// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/plan/emit.h"

#include "core/base/try.h"
#include "core/families/engines.h"
#include "core/io/torch_csv.h"
#include "core/plan/configuration_traits.h"

#include <algorithm>

namespace pw::plan {

namespace {

std::string layersText(int layers)
{
    constexpr int shortest = 3;
    if (layers >= shortest)
        return "t*" + std::to_string(layers);
    return std::string(static_cast<std::size_t>(layers), 't');
}

bool isEven(const std::vector<int>& split)
{
    return std::all_of(split.begin(), split.end(),
                       [&](int layers) { return layers == split.front(); });
}

} // namespace

std::string layoutText(const std::vector<int>& split)
{
    if (split.size() == 1)
        return "E" + layersText(split.front()) + "L";
    std::string text = "E" + layersText(split.front()) + "|";
    const std::size_t last = split.size() - 1;
    for (std::size_t s = 1; s < last;) {
        std::size_t end = s;
        while (end < last && split[end] == split[s])
            ++end;
        constexpr std::size_t worthBrackets = 3;
        const std::string stage(static_cast<std::size_t>(split[s]), 't');
        if (end - s >= worthBrackets) {
            text += "(" + stage + "|)*" + std::to_string(end - s);
        } else {
            for (std::size_t i = s; i < end; ++i)
                text += layersText(split[s]) + "|";
        }
        s = end;
    }
    return text + layersText(split[last]) + "L";
}

std::vector<std::string> megatronFamilies()
{
    std::vector<std::string> ids;
    for (const Family* family : familiesOf(megatronEngine))
        ids.emplace_back(family->id);
    return ids;
}

namespace {

/// Whether Megatron-LM has the order, whatever its family is called.
bool isMegatronOrder(const Configuration& configuration)
{
    const std::vector<const Family*> families = familiesOf(megatronEngine);
    return std::any_of(families.begin(), families.end(), [&](const Family* family) {
        return family->id == configuration.family || hasOrderOf(configuration, *family);
    });
}

} // namespace

Result<std::string> megatronFlags(const LanguageModel& model, const Configuration& configuration)
{
    const Configuration& c = configuration;
    if (!isMegatronOrder(c)) {
        return fail(ErrorCode::BadValue,
                    "Megatron-LM runs %1, not %2; --emit torch writes its order",
                    idsText(familiesOf(megatronEngine)), c.family);
    }
    if (c.offload != OffloadPolicy::None) {
        return fail(ErrorCode::BadValue,
                    "which activations wait in the host's memory is not among the options that are "
                    "written for Megatron-LM; --offload none gives a plan that is");
    }
    const TransformerModel& dense = model.dense;
    std::string text;
    const auto option = [&text](std::string_view name, std::int64_t value) {
        text += "--" + std::string(name) + " " + std::to_string(value) + "\n";
    };
    const auto flag = [&text](std::string_view name) { text += "--" + std::string(name) + "\n"; };
    option("num-layers", dense.layers);
    option("hidden-size", dense.hidden);
    option("num-attention-heads", dense.heads);
    if (dense.kvHeadCount() != dense.heads) {
        flag("group-query-attention");
        option("num-query-groups", dense.kvHeadCount());
    }
    option("ffn-hidden-size", dense.ffnWidth());
    option("seq-length", dense.sequence);
    option("max-position-embeddings", dense.sequence);
    option("micro-batch-size", c.microBatchSize);
    option("global-batch-size", c.globalBatch);
    option("tensor-model-parallel-size", c.tensorParallel);
    option("pipeline-model-parallel-size", c.pipelineParallel);
    if (c.contextParallel > 1)
        option("context-parallel-size", c.contextParallel);
    if (model.experts.count > 0) {
        option("num-experts", model.experts.count);
        option("moe-router-topk", model.experts.perToken);
        option("moe-ffn-hidden-size", model.experts.width);
        option("expert-model-parallel-size", c.expertParallel);
    }
    if (c.sequenceParallel)
        flag("sequence-parallel");
    if (c.zero >= 1)
        flag("use-distributed-optimizer");
    if (c.overlapReduction) {
        flag("overlap-grad-reduce");
        if (c.zero >= 1)
            flag("overlap-param-gather");
    }
    if (c.engine.loss == LossKind::Fused)
        flag("cross-entropy-loss-fusion");
    if (c.overlapTensor)
        flag("tp-comm-overlap");
    if (c.recompute != RecomputePolicy::None)
        text += "--recompute-granularity " + std::string(name(c.recompute)) + "\n";
    if (c.recompute == RecomputePolicy::Full) {
        // The first layers of every stage, or each layer by itself.
        const bool some = c.recomputedLayers > 0;
        text += some ? "--recompute-method block\n" : "--recompute-method uniform\n";
        option("recompute-num-layers", some ? c.recomputedLayers : 1);
    }
    if (c.pipelineParallel > 1 && !isEven(c.split))
        text += "--pipeline-model-parallel-layout \"" + layoutText(c.split) + "\"\n";
    else if (c.chunks > 1)
        option("num-layers-per-virtual-pipeline-stage", c.split.front());
    return text;
}

Result<std::string> torchTableOf(const LanguageModel& model, const Cluster& cluster,
                                 const Configuration& configuration)
{
    PW_TRY(const PlannedSchedule planned, scheduleOf(model, cluster, configuration));
    return writeTorchCsv(planned.schedule, TorchForm::ComputeOnly);
}

} // namespace pw::plan
