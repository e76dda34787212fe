// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/cost/transformer.h"

#include <string_view>

// Names of a model's fields in files, shared by their readers and writers.
namespace pw {

/// A whole number of a model, by its name in files.
struct ModelNumber
{
    std::string_view name;
    int TransformerModel::*member;
};

/// A yes or no of a model, by its name in files.
struct ModelFlag
{
    std::string_view name;
    bool TransformerModel::*member;
};

inline constexpr ModelNumber modelNumbers[] = {
    {"layers", &TransformerModel::layers},
    {"hidden", &TransformerModel::hidden},
    {"heads", &TransformerModel::heads},
    {"kvHeads", &TransformerModel::kvHeads},
    {"ffn", &TransformerModel::ffn},
    {"sequence", &TransformerModel::sequence},
    {"positions", &TransformerModel::positions},
    {"vocabulary", &TransformerModel::vocabulary},
    {"microBatch", &TransformerModel::microBatch},
    {"tensorParallel", &TransformerModel::tensorParallel},
    {"dataParallel", &TransformerModel::dataParallel},
    {"elementBytes", &TransformerModel::elementBytes},
    {"weightBytes", &TransformerModel::weightBytes},
    {"gradientBytes", &TransformerModel::gradientBytes},
    {"optimizerBytes", &TransformerModel::optimizerBytes}};

inline constexpr ModelFlag modelFlags[] = {
    {"gatedMlp", &TransformerModel::gatedMlp},
    {"biases", &TransformerModel::biases},
    {"tiedEmbedding", &TransformerModel::tiedEmbedding},
    {"causal", &TransformerModel::causal},
    {"padsVocabulary", &TransformerModel::padsVocabulary},
    {"skipsMasked", &TransformerModel::skipsMasked},
    {"sequenceParallel", &TransformerModel::sequenceParallel},
    {"distributedOptimizer", &TransformerModel::distributedOptimizer},
    {"flashAttention", &TransformerModel::flashAttention},
    {"dropout", &TransformerModel::dropout},
    {"fusedAccumulation", &TransformerModel::fusedAccumulation},
    {"overlapTensor", &TransformerModel::overlapTensor},
    {"overlapExperts", &TransformerModel::overlapExperts},
    {"dropsTokens", &TransformerModel::dropsTokens},
    {"graphs", &TransformerModel::graphs},
    {"balancedContext", &TransformerModel::balancedContext}};

} // namespace pw
