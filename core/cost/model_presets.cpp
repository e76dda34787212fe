// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/names.h"
#include "core/cost/language_model.h"

namespace pw {

namespace {

struct Shape
{
    std::string_view name;
    int layers;
    int hidden;
    int heads;
    int sequence;
    int vocabulary;
    int microBatch;
    int tensorParallel;
};

TransformerModel modelOf(const Shape& shape)
{
    TransformerModel model;
    model.name = std::string(shape.name);
    model.layers = shape.layers;
    model.hidden = shape.hidden;
    model.heads = shape.heads;
    model.sequence = shape.sequence;
    model.vocabulary = shape.vocabulary;
    model.microBatch = shape.microBatch;
    model.tensorParallel = shape.tensorParallel;
    return model;
}

/// GPT models whose shape says all. Vocabularies that a paper does not print are GPT-2's, padded to
/// 50304, or the one with which all its models have as many parameters as it says.
constexpr Shape gptShapes[] = {
    // arXiv:2401.10241 table 3; 50304 words would make 14.7 and 28.4 billion of the larger two
    {"zb-1.5b", 22, 2304, 24, 1024, 32000, 6, 1},
    {"zb-6.2b", 30, 4096, 32, 1024, 32000, 3, 1},
    {"zb-14.6b", 46, 5120, 40, 1024, 32000, 1, 1},
    {"zb-28.3b", 62, 6144, 48, 1024, 32000, 1, 1},
    // arXiv:2405.15362 table 2; the micro-batch is ours. With 50304 words 9.7, 38.6 and 98.7
    // billion
    {"cm-9.6b", 30, 5120, 40, 1024, 32000, 1, 1},
    {"cm-21b", 46, 6144, 48, 1024, 32000, 1, 1},
    {"cm-38.5b", 62, 7168, 64, 1024, 32000, 1, 1},
    {"cm-98.5b", 78, 10240, 80, 1024, 32000, 1, 1},
    // arXiv:2205.05198 table 3
    {"gpt-22b", 48, 6144, 64, 2048, 51200, 4, 8},
    {"gpt-175b", 96, 12288, 96, 2048, 51200, 1, 8},
    {"gpt-530b", 105, 20480, 128, 2048, 51200, 1, 8},
    {"gpt-1t", 128, 25600, 160, 2048, 51200, 1, 8},
    // arXiv:2104.04473 table 1, its smallest
    {"gpt-1.7b", 24, 2304, 24, 2048, 51200, 1, 1},
};

// arXiv:2406.03488: long sequences, with fused attention
constexpr Shape longShapes[] = {
    {"seq1f1b-2.7b", 32, 2560, 32, 32768, 32000, 1, 1},
    {"seq1f1b-7b", 32, 4096, 32, 32768, 32000, 1, 1},
    {"seq1f1b-30b", 64, 6144, 64, 65536, 32000, 1, 1},
};

struct Today
{
    std::string_view name;
    int layers, hidden, heads, kvHeads, headSize, ffn, vocabulary;
    bool tied;
    Experts experts;
    Latent latent;
};

/// RMSNorm, SwiGLU, rotary positions, no biases, fused attention: what all of today's have.
const Today todays[] = {
    // arXiv:2407.21783 table 3
    {"llama3-8b", 32, 4096, 32, 8, 128, 14336, 128256, false, {}, {}},
    {"llama3-70b", 80, 8192, 64, 8, 128, 28672, 128256, false, {}, {}},
    {"llama3-405b", 126, 16384, 128, 8, 128, 53248, 128256, false, {}, {}},
    // arXiv:2505.09388 tables 1 and 2, config.json
    {"qwen3-8b", 36, 4096, 32, 8, 128, 12288, 151936, false, {}, {}},
    {"qwen3-14b", 40, 5120, 40, 8, 128, 17408, 151936, false, {}, {}},
    {"qwen3-32b", 64, 5120, 64, 8, 128, 25600, 151936, false, {}, {}},
    {"qwen3-30b-a3b", 48, 2048, 32, 4, 128, 6144, 151936, false, {128, 8, 0, 768, 0}, {}},
    {"qwen3-235b-a22b", 94, 4096, 64, 4, 128, 12288, 151936, false, {128, 8, 0, 1536, 0}, {}},
    // arXiv:2401.04088 table 1; the larger from its config.json
    {"mixtral-8x7b", 32, 4096, 32, 8, 128, 14336, 32000, false, {8, 2, 0, 14336, 0}, {}},
    {"mixtral-8x22b", 56, 6144, 48, 8, 128, 16384, 32768, false, {8, 2, 0, 16384, 0}, {}},
    // arXiv:2412.19437 section 4.2; without its multi-token layer
    {"deepseek-v3",
     61,
     7168,
     128,
     128,
     128,
     18432,
     129280,
     false,
     {256, 8, 1, 2048, 3, 4, 0},
     {1536, 512, 64, 128, 128}},
};

LanguageModel modelOfToday(const Today& today)
{
    LanguageModel model;
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
    dense.sequenceParallel = dense.distributedOptimizer = true;
    dense.fusedAccumulation = dense.overlapTensor = true;
    // As its authors trained it, §3.2.1 there.
    dense.overlapExperts = today.experts.nodes > 0;
    model.headSize = today.headSize;
    model.experts = today.experts;
    model.latent = today.latent;
    return model;
}

std::vector<LanguageModel> makePresets()
{
    std::vector<LanguageModel> presets;
    for (const Today& today : todays)
        presets.push_back(modelOfToday(today));
    const auto append = [&presets](TransformerModel model) {
        LanguageModel preset;
        preset.dense = std::move(model);
        presets.push_back(std::move(preset));
    };
    for (const Shape& shape : gptShapes) {
        TransformerModel model = modelOf(shape);
        // Engines of the papers on zero bubble and on building blocks, of Megatron's kind.
        model.fusedAccumulation = shape.name.starts_with("zb-") || shape.name.starts_with("cm-");
        append(std::move(model));
    }
    for (const Shape& shape : longShapes) {
        TransformerModel model = modelOf(shape);
        model.flashAttention = true;
        model.skipsMasked = true;
        model.sequenceParallel = true;
        model.fusedAccumulation = true;
        append(std::move(model));
    }

    // arXiv:2107.06925 table 4: 1,389,327,360 and 669,790,012 parameters, which fix the hidden
    // sizes
    TransformerModel gpt2 = modelOf({"chimera-gpt2", 64, 1280, 20, 632, 50257, 1, 1});
    gpt2.positions = 1024;
    gpt2.tiedEmbedding = false;
    gpt2.padsVocabulary = false;
    append(gpt2);
    TransformerModel bert48 = modelOf({"chimera-bert48", 48, 1024, 16, 128, 30522, 4, 1});
    bert48.positions = 512;
    bert48.causal = false;
    append(bert48);

    // The usual shapes of that size; arXiv:2006.09503 §5 and table 1 train both.
    append(modelOf({"gpt-355m", 24, 1024, 16, 512, 50304, 4, 1}));
    TransformerModel bert = modelOf({"bert-334m", 24, 1024, 16, 512, 30592, 4, 1});
    bert.causal = false;
    append(bert);

    // arXiv:2205.01068 table 1
    append(modelOf({"opt-350m", 24, 1024, 16, 2048, 50272, 4, 1}));

    // arXiv:2307.09288: the shape of Llama 2 7B
    TransformerModel llama = modelOf({"llama-7b", 32, 4096, 32, 4096, 32000, 1, 1});
    llama.ffn = 11008;
    llama.gatedMlp = true;
    llama.biases = false;
    llama.positions = 0;
    llama.tiedEmbedding = false;
    llama.flashAttention = true;
    llama.skipsMasked = true;
    llama.dropout = false;
    append(llama);

    // For a laptop: four-byte arithmetic, plain Adam.
    TransformerModel tiny = modelOf({"tiny", 8, 128, 4, 128, 512, 2, 1});
    tiny.dropout = false;
    setPrecision(tiny, Precision::Fp32);
    append(tiny);

    return presets;
}

} // namespace

const std::vector<LanguageModel>& modelPresets()
{
    static const std::vector<LanguageModel> presets = makePresets();
    return presets;
}

Result<LanguageModel> findModel(std::string_view name)
{
    const auto nameOf = [](const LanguageModel& model) -> std::string_view {
        return model.dense.name;
    };
    if (const LanguageModel* model = findNamed(modelPresets(), name, nameOf))
        return *model;
    std::string names;
    for (const LanguageModel& model : modelPresets())
        names += (names.empty() ? "" : ", ") + model.dense.name;
    return fail(ErrorCode::BadValue, "there is no model \"%1\"; the models are %2", name, names);
}

} // namespace pw
