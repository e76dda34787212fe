// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/cost/transformer.h"

#include <string>
#include <string_view>
#include <vector>

namespace pw {

/// Experts in the place of the MLP, of which a token takes some.
struct Experts
{
    int count = 0;       ///< experts that are chosen from; 0: the MLP of every layer is dense
    int perToken = 0;    ///< that a token is sent to
    int shared = 0;      ///< that every token passes besides
    int width = 0;       ///< inner width of one expert
    int denseLayers = 0; ///< first layers that have an MLP as the dense model has
    /// Nodes that a token is sent to at most (arXiv:2412.19437 §2.1.2); 0: any.
    int nodes = 0;
    int dispatchBytes = 0; ///< of a number on its way to an expert; 0: as the precision has it

    friend bool operator==(const Experts&, const Experts&) = default;
};

/// Attention with keys and values from one narrow vector (multi-head latent attention).
struct Latent
{
    int query = 0;      ///< rank of the queries; 0: not compressed
    int keyValue = 0;   ///< rank of keys and values; 0: plain attention
    int positional = 0; ///< numbers of a head that carry the position
    int plain = 0;      ///< numbers of a head that do not
    int value = 0;      ///< numbers of a head's value

    friend bool operator==(const Latent&, const Latent&) = default;
};

/// A model to train: a transformer, or one with experts or latent attention, and how it is trained.
///
/// `dense.headSize()` is not used: heads may be wider than hidden ⁄ heads.
struct LanguageModel
{
    TransformerModel dense;
    Experts experts;
    Latent latent;
    int headSize = 0; ///< numbers of a head; 0: hidden ⁄ heads
    /// Accelerators that share a sequence, and those of a pipeline rank that share the experts; 0:
    /// as
    /// 1. Of a device's replicas and tensor group, plans have degrees of their own.
    int contextParallel = 0;
    int expertParallel = 0;

    int head() const { return headSize == 0 ? dense.hidden / dense.heads : headSize; }
    bool hasExperts(int layer) const { return experts.count > 0 && layer >= experts.denseLayers; }
    /// Numbers a token of queries, keys and values, and of what the heads give.
    double queryWidth() const;
    double keyValueWidth() const; ///< keys and values together
    double gatheredWidth() const; ///< output of the heads

    friend bool operator==(const LanguageModel&, const LanguageModel&) = default;
};

/// A number of a model beside those of a transformer, by its name in files: experts, the width of a
/// head, latent attention, and how its sequences and experts are shared.
struct FurtherNumber
{
    std::string_view name; ///< "expertsPerToken"
    int& (*of)(LanguageModel& model);
    std::string_view summary; ///< one line, lower case, no full stop
};

const std::vector<FurtherNumber>& furtherModelNumbers();

/// Weights of one layer, by how parallelism splits them.
struct LayerWeights
{
    double tensor = 0; ///< split by tensor parallelism
    double expert = 0; ///< of all experts; split by expert parallelism
    double whole = 0;  ///< on every device: norms, routers, latent projections
    double active = 0; ///< that a token is multiplied with

    friend bool operator==(const LayerWeights&, const LayerWeights&) = default;
};

LayerWeights layerWeights(const LanguageModel& model, int layer);

/// Weights of all layers, embedding and output matrix.
double weightCount(const LanguageModel& model);

/// Operations that one sample needs, forward and backward, nothing computed twice; multiply-add =
/// 2. Scores count in full, as the papers' formulas do, unless the model skips the masked half.
double sampleFlops(const LanguageModel& model);

/// Models by name: those of today, those of the papers that the families cite, and small ones.
const std::vector<LanguageModel>& modelPresets();

/// The preset of a name.
/// @error BadValue  lists the names
Result<LanguageModel> findModel(std::string_view name);

/// Checks the model and how it is trained: what `check(TransformerModel)` does, experts, heads and
/// latent attention.
/// @error BadValue, TooLarge  names the field, its value and the limit
Result<void> check(const LanguageModel& model);

/// The same for one device and one sample: a plan has degrees and micro-batches of its own.
Result<void> checkShape(const LanguageModel& model);

} // namespace pw
