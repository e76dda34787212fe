// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/api/plan_settings.h"

#include "core/io/json_text.h"
#include "core/io/project_file.h"
#include "core/model/replicas.h"

namespace pw::exec {

std::string_view name(Element element)
{
    return element == Element::Float32 ? "float32" : "bfloat16";
}

std::string_view name(OptimizerKind kind)
{
    switch (kind) {
    case OptimizerKind::Sgd:
        return "sgd";
    case OptimizerKind::AdamW:
        return "adamw";
    case OptimizerKind::Muon:
        return "muon";
    }
    return {};
}

namespace {

void writeModel(JsonText& json, const GptModel& model)
{
    json.key("model");
    json.beginObject();
    json.member("layers", model.layers);
    json.member("hidden", model.hidden);
    json.member("heads", model.heads);
    json.member("ffn", model.ffnWidth());
    json.member("sequence", model.sequence);
    json.member("vocabulary", model.vocabulary);
    json.member("samples", model.samples);
    json.member("element", name(model.element));
    json.member("flash_attention", model.flashAttention);
    json.member("tf32", model.tf32);
    json.endObject();
}

void writeOptimizer(JsonText& json, const Optimizer& optimizer)
{
    json.key("optimizer");
    json.beginObject();
    json.member("kind", name(optimizer.kind));
    json.member("learning_rate", optimizer.learningRate);
    if (optimizer.kind != OptimizerKind::AdamW)
        json.member("momentum", optimizer.momentum);
    if (optimizer.kind != OptimizerKind::Sgd) {
        json.member("beta1", optimizer.beta1);
        json.member("beta2", optimizer.beta2);
        json.member("epsilon", optimizer.epsilon);
        json.member("weight_decay", optimizer.weightDecay);
    }
    if (optimizer.clipNorm > 0)
        json.member("clip_norm", optimizer.clipNorm);
    if (optimizer.delayCorrection > 0)
        json.member("delay_correction", optimizer.delayCorrection);
    json.endObject();
}

/// What `storedAdaptive` reads.
void writeAdapted(JsonText& json, const RunPlan& plan, const AdaptedPart& part)
{
    json.key("adaptive");
    json.beginObject();
    json.member("training", std::string_view(std::to_string(plan.training)));
    json.member("first_iteration", plan.firstIteration);
    json.member("start_ns", static_cast<std::int64_t>(part.start));
    json.member("every", part.every);
    json.member("k", part.group);
    json.member("micro_batch", plan.model.samples);
    json.member("micro_batches", part.microBatches);
    json.member("reason", std::string_view(part.reason));
    json.endObject();
}

} // namespace

std::string planSettings(const RunPlan& plan)
{
    JsonText json;
    json.beginObject(JsonText::Layout::OneLine);
    json.member("family", std::string_view(plan.family));
    // Beyond 2^53 a number would not come back from every reader of JSON.
    json.member("seed", std::string_view(std::to_string(plan.seed)));
    json.member("warmup", plan.warmup);
    json.member("iterations", plan.iterations);
    json.member("modelled_links", plan.modelledLinks);
    json.member("patience_ns", static_cast<std::int64_t>(plan.patience));
    if (const int replicas = replicasOf(plan.schedule.spec()); replicas > 1)
        json.member("replicas", replicas);
    if (plan.shardedOptimizer)
        json.member("sharded_optimizer", true);
    if (plan.postValidation)
        json.member("post_validation", true);
    if (plan.hint > 0)
        json.member("hint", plan.hint);
    if (!plan.slow.empty())
        json.member("slow", std::string_view(slowText(plan.slow)));
    if (plan.traceStart)
        json.member("trace_start_ns", static_cast<std::int64_t>(*plan.traceStart));
    if (plan.training != 0)
        json.member("first_iteration", plan.firstIteration);
    if (plan.adapted)
        writeAdapted(json, plan, *plan.adapted);
    writeModel(json, plan.model);
    writeOptimizer(json, plan.optimizer);
    json.key("split");
    json.beginArray();
    for (const StageContent& stage : plan.split)
        json.value(stage.layers);
    json.endArray();
    json.endObject();
    std::string text = json.text();
    text.pop_back();
    return text;
}

Result<std::string> planProject(const RunPlan& plan)
{
    Project project;
    project.title = plan.title;
    project.draft = {plan.schedule.spec(), plan.schedule.orders()};
    setTables(project, plan.costs);
    return writeProject(project);
}

} // namespace pw::exec
