// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/names.h"
#include "core/cost/transformer.h"

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
/// 50304.
constexpr Shape gptShapes[] = {
    // arXiv:2401.10241 table 3
    {"zb-1.5b", 22, 2304, 24, 1024, 50304, 6, 1},
    {"zb-6.2b", 30, 4096, 32, 1024, 50304, 3, 1},
    {"zb-14.6b", 46, 5120, 40, 1024, 50304, 1, 1},
    {"zb-28.3b", 62, 6144, 48, 1024, 50304, 1, 1},
    // arXiv:2405.15362 table 2; the micro-batch is ours
    {"cm-9.6b", 30, 5120, 40, 1024, 50304, 1, 1},
    {"cm-21b", 46, 6144, 48, 1024, 50304, 1, 1},
    {"cm-38.5b", 62, 7168, 64, 1024, 50304, 1, 1},
    {"cm-98.5b", 78, 10240, 80, 1024, 50304, 1, 1},
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

std::vector<TransformerModel> makePresets()
{
    std::vector<TransformerModel> presets;
    for (const Shape& shape : gptShapes)
        presets.push_back(modelOf(shape));
    for (const Shape& shape : longShapes) {
        TransformerModel model = modelOf(shape);
        model.flashAttention = true;
        model.skipsMasked = true;
        presets.push_back(model);
    }

    // arXiv:2107.06925 table 4: 1,389,327,360 and 669,790,012 parameters, which fix the hidden
    // sizes
    TransformerModel gpt2 = modelOf({"chimera-gpt2", 64, 1280, 20, 632, 50257, 1, 1});
    gpt2.positions = 1024;
    gpt2.tiedEmbedding = false;
    presets.push_back(gpt2);
    TransformerModel bert48 = modelOf({"chimera-bert48", 48, 1024, 16, 128, 30522, 4, 1});
    bert48.positions = 512;
    bert48.causal = false;
    presets.push_back(bert48);

    // The usual shapes of that size; arXiv:2006.09503 §5 and table 1 train both.
    presets.push_back(modelOf({"gpt-355m", 24, 1024, 16, 512, 50304, 4, 1}));
    TransformerModel bert = modelOf({"bert-334m", 24, 1024, 16, 512, 30592, 4, 1});
    bert.causal = false;
    presets.push_back(bert);

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
    presets.push_back(llama);

    // For a laptop: four-byte arithmetic, plain Adam.
    TransformerModel tiny = modelOf({"tiny", 8, 128, 4, 128, 512, 2, 1});
    tiny.dropout = false;
    tiny.elementBytes = 4;
    tiny.weightBytes = 4;
    tiny.optimizerBytes = 8;
    presets.push_back(tiny);
    return presets;
}

} // namespace

const std::vector<TransformerModel>& modelPresets()
{
    static const std::vector<TransformerModel> presets = makePresets();
    return presets;
}

Result<TransformerModel> findModel(std::string_view name)
{
    const auto nameOf = [](const TransformerModel& model) -> std::string_view {
        return model.name;
    };
    if (const TransformerModel* model = findNamed(modelPresets(), name, nameOf))
        return *model;
    std::string names;
    for (const TransformerModel& model : modelPresets()) {
        names += (names.empty() ? "" : ", ") + model.name;
    }
    return fail(ErrorCode::BadValue, "there is no model \"%1\"; the models are %2", name, names);
}

} // namespace pw
