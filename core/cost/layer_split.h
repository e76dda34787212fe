// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"

#include <string_view>
#include <vector>

namespace pw {

/// What one stage holds of a model.
struct StageContent
{
    int layers = 0;
    bool embedding = false;
    /// Losses, each with last norm and output matrix. One on the last stage stands for all; where
    /// several stages have them, they are one for each multi-token layer and, last, the main one.
    int outputs = 0;
    /// Layers that predict further tokens; parsed, but no costs are known for them.
    int multiToken = 0;

    friend bool operator==(const StageContent&, const StageContent&) = default;
};

/// A model cut into stages, first stage first.
using LayerSplit = std::vector<StageContent>;

/// As even as it gets; what remains goes to the first stages.
/// @error BadValue  fewer layers than stages, or a count below 1
Result<LayerSplit> evenSplit(int layers, int stages);

/// Even, but the first and the last stage have one layer less than the others, for the embedding
/// and the output layer.
/// @error BadValue  an end would have no layer, or there are fewer than two stages
/// @source          arXiv:2401.10241 §5.1
Result<LayerSplit> lighterEndsSplit(int layers, int stages);

/// Layers of every stage; the embedding joins the first, the output layer the last.
/// @error BadValue  no stage, or a negative count; names the stage
Result<LayerSplit> givenSplit(const std::vector<int>& layersOfStage);

/// Reads Megatron's layout text: `E` embedding, `t` layer, `m` multi-token layer, `L` output layer;
/// `|` ends a stage, `*n` repeats the item or bracket before it, commas and blanks mean nothing.
/// Stages may be empty. Several stages may have `m`, and several `L` where there is one for each
/// `m` and one more.
///
/// @error Syntax    names the character and its position
/// @error BadValue  E is not the first item or L not the last, another number of L, or an item
///                  behind a later one in the order E, t, m, L
/// @error TooLarge  more than a million items
Result<LayerSplit> parseLayout(std::string_view text);

/// Reads what a person types: `even`, `ends`, counts such as `7,8,8,7`, or Megatron's layout text.
///
/// @error BadValue  the split has another number of stages or layers than asked for
Result<LayerSplit> parseSplit(std::string_view text, int layers, int stages);

/// Checks a split against a model's layers and a pipeline's stages.
/// @error BadValue  names both numbers
Result<void> check(const LayerSplit& split, int layers, int stages);

} // namespace pw
