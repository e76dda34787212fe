// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/names.h"
#include "core/base/try.h"
#include "core/io/model_file.h"
#include "core/plan/plan_model.h"

#include <algorithm>
#include <filesystem>

namespace pw::plan {

namespace {

struct Today
{
    std::string_view name;
    int layers, hidden, heads, kvHeads, headSize, ffn, vocabulary;
    bool tied;
    Experts experts;
    Latent latent;
    std::string_view source;
};

constexpr std::string_view llamaSource = "arXiv:2407.21783 table 3";
constexpr std::string_view qwenSource = "arXiv:2505.09388 tables 1 and 2, config.json";

/// RMSNorm, SwiGLU, rotary positions, no biases, fused attention: what all of today's have.
const Today todays[] = {
    {"llama3-8b", 32, 4096, 32, 8, 128, 14336, 128256, false, {}, {}, llamaSource},
    {"llama3-70b", 80, 8192, 64, 8, 128, 28672, 128256, false, {}, {}, llamaSource},
    {"llama3-405b", 126, 16384, 128, 8, 128, 53248, 128256, false, {}, {}, llamaSource},
    {"qwen3-8b", 36, 4096, 32, 8, 128, 12288, 151936, false, {}, {}, qwenSource},
    {"qwen3-14b", 40, 5120, 40, 8, 128, 17408, 151936, false, {}, {}, qwenSource},
    {"qwen3-32b", 64, 5120, 64, 8, 128, 25600, 151936, false, {}, {}, qwenSource},
    {"qwen3-30b-a3b",
     48,
     2048,
     32,
     4,
     128,
     6144,
     151936,
     false,
     {128, 8, 0, 768, 0},
     {},
     qwenSource},
    {"qwen3-235b-a22b",
     94,
     4096,
     64,
     4,
     128,
     12288,
     151936,
     false,
     {128, 8, 0, 1536, 0},
     {},
     qwenSource},
    {"mixtral-8x7b",
     32,
     4096,
     32,
     8,
     128,
     14336,
     32000,
     false,
     {8, 2, 0, 14336, 0},
     {},
     "arXiv:2401.04088 table 1"},
    {"mixtral-8x22b",
     56,
     6144,
     48,
     8,
     128,
     16384,
     32768,
     false,
     {8, 2, 0, 16384, 0},
     {},
     "published config.json"},
    {"deepseek-v3",
     61,
     7168,
     128,
     128,
     128,
     18432,
     129280,
     false,
     {256, 8, 1, 2048, 3},
     {1536, 512, 64, 128, 128},
     "arXiv:2412.19437 section 4.2; without its multi-token layer"},
};

PlanModel modelOfToday(const Today& today)
{
    PlanModel model;
    TransformerModel& dense = model.dense;
    dense.name = std::string(today.name);
    dense.layers = today.layers;
    dense.hidden = today.hidden;
    dense.heads = today.heads;
    dense.kvHeads = today.kvHeads;
    dense.ffn = today.ffn;
    dense.vocabulary = today.vocabulary;
    dense.tiedEmbedding = today.tied;
    dense.gatedMlp = true;
    dense.biases = false;
    dense.sequence = today.name.starts_with("llama3") ? 8192 : 4096;
    dense.positions = 0;
    dense.flashAttention = true;
    dense.skipsMasked = true;
    dense.dropout = false;
    model.headSize = today.headSize;
    model.experts = today.experts;
    model.latent = today.latent;
    model.source = std::string(today.source);
    return model;
}

std::vector<PlanModel> makePlanPresets()
{
    std::vector<PlanModel> presets;
    for (const Today& today : todays)
        presets.push_back(modelOfToday(today));
    return presets;
}

} // namespace

const std::vector<PlanModel>& planModelPresets()
{
    static const std::vector<PlanModel> presets = makePlanPresets();
    return presets;
}

Result<PlanModel> loadPlanModel(const std::string& presetOrPath)
{
    const auto nameOf = [](const PlanModel& preset) -> std::string_view {
        return preset.dense.name;
    };
    if (const PlanModel* preset = findNamed(planModelPresets(), presetOrPath, nameOf))
        return *preset;
    std::string names;
    std::vector<std::string> all;
    for (const PlanModel& preset : planModelPresets()) {
        names += preset.dense.name + ", ";
        all.push_back(preset.dense.name);
    }
    std::error_code ignored;
    PlanModel model;
    model.source = presetOrPath;
    if (Result<TransformerModel> preset = findModel(presetOrPath)) {
        model.dense = std::move(*preset);
        return model;
    }
    if (std::filesystem::exists(presetOrPath, ignored)) {
        FurtherNumbers further;
        for (const PlanModelNumber& number : planModelNumbers())
            further.emplace_back(number.name, &number.of(model));
        PW_TRY(model.dense, readModelFile(presetOrPath, further));
        if (const Result<void> good = check(model); !good)
            return fail(good.error().code, "%1: %2", presetOrPath, good.error().message);
        return model;
    }
    const Result<TransformerModel> dense = loadModel(presetOrPath);
    if (const std::string near = nearModel(presetOrPath, std::move(all)); !near.empty())
        return fail(ErrorCode::BadValue, "there is no model \"%1\"; did you mean %2?", presetOrPath,
                    near);
    return fail(ErrorCode::BadValue, "%1; for plans also %2", dense.error().message,
                names.substr(0, names.size() - 2));
}

Result<void> check(const PlanModel& model)
{
    TransformerModel dense = model.dense;
    dense.tensorParallel = 1;
    dense.microBatch = 1;
    // A head may be wider than hidden ⁄ heads.
    if (model.headSize > 0 || model.latent.keyValue > 0)
        dense.heads = dense.kvHeads = 1;
    PW_DO(check(dense));
    constexpr int mostLayers = 10'000;
    if (dense.layers > mostLayers)
        return fail(ErrorCode::BadValue, "layers is %1; a plan takes at most %2", dense.layers,
                    mostLayers);
    const Experts& e = model.experts;
    if (e.count < 0 || (e.count > 0 && (e.perToken < 1 || e.perToken > e.count || e.width < 1)))
        return fail(ErrorCode::BadValue,
                    "a model with %1 experts sends a token to %2 of width %3; at least 1 each",
                    e.count, e.perToken, e.width);
    PlanModel asked = model;
    constexpr int mostNumber = 1 << 24;
    for (const PlanModelNumber& number : planModelNumbers()) {
        if (const int value = number.of(asked); value < 0 || value > mostNumber)
            return fail(ErrorCode::BadValue, "%1 is %2; 0 to %3", number.name, value, mostNumber);
    }
    if (e.count == 0 && (e.perToken > 0 || e.width > 0 || e.shared > 0 || e.denseLayers > 0))
        return fail(ErrorCode::BadValue,
                    "the model has no experts; expertsPerToken, expertWidth, sharedExperts and "
                    "denseLayers are for a model that has some");
    if (e.denseLayers > dense.layers)
        return fail(ErrorCode::BadValue, "denseLayers is %1; the model has %2 layers",
                    e.denseLayers, dense.layers);
    const Latent& latent = model.latent;
    if (latent.keyValue > 0 && (latent.plain + latent.positional < 1 || latent.value < 1))
        return fail(ErrorCode::BadValue,
                    "latent attention of rank %1 has heads of %2 and %3 numbers and values of %4; "
                    "at least 1 each",
                    latent.keyValue, latent.plain, latent.positional, latent.value);
    return {};
}

} // namespace pw::plan
