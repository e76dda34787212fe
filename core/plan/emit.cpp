// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/plan/emit.h"

#include "core/base/try.h"
#include "core/cost/configuration_traits.h"
#include "core/families/engines.h"
#include "core/io/checked_engines.h"
#include "core/io/megatron_text.h"
#include "core/io/torch_csv.h"

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

double parameterOf(const Configuration& configuration, std::string_view name)
{
    for (const auto& [key, value] : configuration.parameters)
        if (key == name)
            return value;
    return 0;
}

/// The micro-batches of a group where a device has several chunks.
int groupOf(const Configuration& c)
{
    const auto asked = static_cast<int>(parameterOf(c, "group"));
    return asked > 0 ? asked : c.pipelineParallel;
}

Result<void> checkMegatronGroups(const Configuration& c)
{
    if (c.chunks == 1 || (c.pipelineParallel > 1 &&
                          isMegatronGroup(c.pipelineParallel, c.microBatches(), groupOf(c))))
        return {};
    return fail(ErrorCode::BadValue,
                "Megatron-LM runs %1 chunks a device in groups of micro-batches, from as many as "
                "pipeline ranks to all of them, and with no rest below that; a group of %2 with %3 "
                "ranks and %4 micro-batches is none of these",
                c.chunks, groupOf(c), c.pipelineParallel, c.microBatches());
}

/// Options of a command line, one a line.
struct MegatronArguments
{
    std::string text;

    void flag(std::string_view name) { text += "--" + std::string(name) + "\n"; }
    void word(std::string_view name, std::string_view value)
    {
        text += "--" + std::string(name) + " " + std::string(value) + "\n";
    }
    void number(std::string_view name, std::int64_t value) { word(name, std::to_string(value)); }
};

void addAttention(const LanguageModel& model, MegatronArguments& arguments)
{
    const TransformerModel& dense = model.dense;
    const Latent& latent = model.latent;
    arguments.number("num-attention-heads", dense.heads);
    if (latent.keyValue > 0) {
        arguments.flag("multi-latent-attention");
        if (latent.query > 0)
            arguments.number("q-lora-rank", latent.query);
        arguments.number("kv-lora-rank", latent.keyValue);
        arguments.number("qk-head-dim", latent.plain);
        arguments.number("qk-pos-emb-head-dim", latent.positional);
        arguments.number("v-head-dim", latent.value);
        return;
    }
    if (dense.kvHeadCount() != dense.heads) {
        arguments.flag("group-query-attention");
        arguments.number("num-query-groups", dense.kvHeadCount());
    }
    if (model.headSize > 0 && model.headSize * dense.heads != dense.hidden)
        arguments.number("kv-channels", model.headSize);
}

void addExperts(const LanguageModel& model, MegatronArguments& arguments)
{
    const Experts& experts = model.experts;
    if (experts.count == 0)
        return;
    arguments.number("num-experts", experts.count);
    arguments.number("moe-router-topk", experts.perToken);
    arguments.number("moe-ffn-hidden-size", experts.width);
    if (experts.shared > 0)
        arguments.number("moe-shared-expert-intermediate-size",
                         std::int64_t{experts.shared} * experts.width);
    if (experts.denseLayers > 0)
        arguments.word("moe-layer-freq",
                       "\"([0]*" + std::to_string(experts.denseLayers) + "+[1]*" +
                           std::to_string(model.dense.layers - experts.denseLayers) + ")\"");
}

/// What makes the model.
void addModel(const LanguageModel& model, MegatronArguments& arguments)
{
    const TransformerModel& dense = model.dense;
    arguments.number("num-layers", dense.layers);
    arguments.number("hidden-size", dense.hidden);
    addAttention(model, arguments);
    arguments.number("ffn-hidden-size", dense.ffnWidth());
    if (dense.gatedMlp)
        arguments.flag("swiglu");
    if (!dense.biases) {
        arguments.word("normalization", "RMSNorm");
        arguments.flag("disable-bias-linear");
    }
    if (dense.positionCount() == 0)
        arguments.word("position-embedding-type", "rope");
    if (!dense.tiedEmbedding)
        arguments.flag("untie-embeddings-and-output-weights");
    arguments.number("seq-length", dense.sequence);
    arguments.number("max-position-embeddings", dense.sequence);
    addExperts(model, arguments);
}

/// Narrow products are Transformer Engine's.
void addPrecision(Precision precision, MegatronArguments& arguments)
{
    if (precision == Precision::Nvfp4) {
        arguments.word("fp4-format", "e2m1");
        return;
    }
    if (!precisionTraits(precision).narrow)
        return;
    arguments.word("fp8-format", "hybrid");
    arguments.word("fp8-recipe", precision == Precision::Fp8     ? "tensorwise"
                                 : precision == Precision::Mxfp8 ? "mxfp8"
                                                                 : "blockwise");
}

/// How it is trained, but for the pipeline.
void addTraining(const LanguageModel& model, const Configuration& c, MegatronArguments& arguments)
{
    arguments.number("micro-batch-size", c.microBatchSize);
    arguments.number("global-batch-size", c.globalBatch);
    arguments.number("tensor-model-parallel-size", c.tensorParallel);
    if (c.contextParallel > 1)
        arguments.number("context-parallel-size", c.contextParallel);
    if (model.experts.count > 0)
        arguments.number("expert-model-parallel-size", c.expertParallel);
    if (c.sequenceParallel)
        arguments.flag("sequence-parallel");
    if (c.zero >= 1)
        arguments.flag("use-distributed-optimizer");
    if (c.overlapReduction) {
        arguments.flag("overlap-grad-reduce");
        if (c.zero >= 1)
            arguments.flag("overlap-param-gather");
    }
    if (c.engine.loss == LossKind::Fused)
        arguments.flag("cross-entropy-loss-fusion");
    if (c.overlapTensor && c.tensorParallel > 1)
        arguments.flag("tp-comm-overlap");
    addPrecision(model.dense.precision, arguments);
    if (c.recompute != RecomputePolicy::None)
        arguments.word("recompute-granularity", name(c.recompute));
    if (c.recompute == RecomputePolicy::Full) {
        // The first layers of every stage, or each layer by itself.
        const bool some = c.recomputedLayers > 0;
        arguments.word("recompute-method", some ? "block" : "uniform");
        arguments.number("recompute-num-layers", some ? c.recomputedLayers : 1);
    }
}

void addPipeline(const Configuration& c, MegatronArguments& arguments)
{
    arguments.number("pipeline-model-parallel-size", c.pipelineParallel);
    if (c.pipelineParallel > 1 && !isEven(c.split))
        arguments.word("pipeline-model-parallel-layout", "\"" + layoutText(c.split) + "\"");
    else if (c.chunks > 1)
        arguments.number("num-layers-per-virtual-pipeline-stage", c.split.front());
    if (c.chunks > 1)
        arguments.number("microbatch-group-size-per-virtual-pipeline-stage", groupOf(c));
    if (c.chunks > 1 && parameterOf(c, "overlap") != 0)
        arguments.flag("overlap-moe-expert-parallel-comm");
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
    PW_DO(checkMegatronGroups(c));
    MegatronArguments arguments;
    addModel(model, arguments);
    addTraining(model, c, arguments);
    addPipeline(c, arguments);
    return checkedLine(megatronChecked) + arguments.text;
}

Result<std::string> torchTableOf(const LanguageModel& model, const Cluster& cluster,
                                 const Configuration& configuration)
{
    PW_TRY(const PlannedSchedule planned, scheduleOf(model, cluster, configuration));
    return writeTorchCsv(planned.schedule, TorchForm::ComputeOnly);
}

} // namespace pw::plan
