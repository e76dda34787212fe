// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/base/types.h"
#include "core/cost/precision.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pw {

/// What a layer forgets after its forward and computes again before its backward.
enum class RecomputePolicy : std::uint8_t
{
    None,
    Selective, ///< scores, softmax and its dropout of the attention (arXiv:2205.05198)
    Full       ///< everything but the layer's input
};

constexpr std::array<std::string_view, 3> recomputePolicyNames = {"none", "selective", "full"};

constexpr std::string_view name(RecomputePolicy policy)
{
    return recomputePolicyNames[static_cast<std::size_t>(policy)];
}

/// A transformer and how it is trained. A value; `check` says whether it means something.
///
/// Tensor-parallel degree t: every pipeline device stands for t accelerators, and all bytes below
/// are of one of them.
struct TransformerModel
{
    std::string name = "model";
    int layers = 12;
    int hidden = 768;
    int heads = 12;
    int kvHeads = 0;       ///< heads of keys and values; 0: as `heads`
    int ffn = 0;           ///< width of the MLP; 0: 4·hidden
    bool gatedMlp = false; ///< three matrices in the MLP (SwiGLU) instead of two
    bool biases = true;    ///< biases and LayerNorm; false: RMSNorm and no biases
    int sequence = 1024;   ///< tokens of a sample
    int positions = -1;    ///< learned positions; −1: as `sequence`; 0: none
    int vocabulary = 50304;
    bool tiedEmbedding = true; ///< the output layer uses the embedding's weights
    bool causal = true;        ///< a token sees only earlier ones; segments need it
    /// The engine pads a vocabulary whose parts would be odd; see `vocabularyPart`.
    bool padsVocabulary = true;
    /// Attention kernels skip the masked half; the papers' formulas count it.
    bool skipsMasked = false;

    int microBatch = 1;     ///< samples in a micro-batch, b
    int tensorParallel = 1; ///< t
    /// What t does not split by heads is split by tokens (arXiv:2205.05198).
    bool sequenceParallel = false;
    int dataParallel = 1;              ///< replicas d; their gradients are summed once a step
    bool distributedOptimizer = false; ///< each replica holds 1/d of the optimizer's bytes
    RecomputePolicy recompute = RecomputePolicy::None;
    bool flashAttention = false; ///< scores are never stored (arXiv:2205.14135)
    bool dropout = true;         ///< keeps masks of one byte
    /// The product that makes gradients adds them to their sum, without a kernel of its own.
    bool fusedAccumulation = false;
    /// Sums over t run in parts beside their products; with sequence parallelism alone.
    bool overlapTensor = false;
    /// Tokens go to their experts while another micro-batch works.
    bool overlapExperts = false;
    /// An expert has room for so many tokens, and those beyond are dropped; else all find room.
    bool dropsTokens = false;
    /// Passes are recorded once and replayed (CUDA graphs): the host starts no kernels.
    bool graphs = false;
    /// Parts of a sequence are dealt out so that all have as much attention to do.
    bool balancedContext = true;

    Precision precision = Precision::Bf16; ///< of the products with the layers' weights
    int elementBytes = 2;                  ///< of an activation
    int weightBytes = 2;                   ///< of a parameter in the weights that a pass reads
    int gradientBytes = 4;                 ///< of a parameter's gradient
    int optimizerBytes = 12;               ///< of a parameter: master copy 4, two Adam states 8

    int kvHeadCount() const { return kvHeads == 0 ? heads : kvHeads; }
    int ffnWidth() const { return ffn == 0 ? 4 * hidden : ffn; }
    int headSize() const { return hidden / heads; }
    int positionCount() const { return positions < 0 ? sequence : positions; }

    friend bool operator==(const TransformerModel&, const TransformerModel&) = default;
};

/// Checks every field alone and against the others.
///
/// @param headsFillWidth  heads share the hidden width; else they may be wider
/// @error BadValue  names the field, its value and the limit
/// @error TooLarge  the activations of one layer would pass 10^15 bytes
Result<void> check(const TransformerModel& model, bool headsFillWidth = true);

/// Rows of the embedding or output matrix that each of `parts` accelerators has. Where they would
/// be an odd number or none that is whole, engines pad them to 128 a part; without `padsVocabulary`
/// they stay, and rows beyond equal parts are left out.
/// @source Megatron-LM, --make-vocab-size-divisible-by: 128 for each of a tensor group
std::int64_t vocabularyPart(const TransformerModel& model, int parts);

/// Part of the peak rate that is used: 0 … 1.
double utilisation(double flops, double seconds, double accelerators, double peakFlopsPerSecond);

/// Matrix weights alone of one layer: 12h² at f = 4h.
std::int64_t matrixParameters(const TransformerModel& model);

} // namespace pw
