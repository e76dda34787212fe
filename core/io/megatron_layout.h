// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/result.h"
#include "core/cost/layer_split.h"
#include "core/io/checked_engines.h"

#include <string>
#include <string_view>
#include <vector>

namespace pw {

// Which layers a stage of Megatron-LM holds, as the text of --pipeline-model-parallel-layout.

/// A layout without brackets and repeats: `Ett|tt|ttL`.
///
/// Follows Megatron's own steps: commas go, then every `(…)*n` becomes n copies (no brackets within
/// brackets, no blanks), then every `x*n` of one character.
///
/// @error Syntax    names the character that is left over, and its position in the flat text
/// @error TooLarge  more than a million characters
Result<std::string> expandMegatronLayout(std::string_view text);

/// The flat layout of a split.
std::string flatMegatronLayout(const LayerSplit& split);

/// The same with repeats: `Et*3|(tt|)*29mL`. Expanding it gives the flat text back.
std::string compressMegatronLayout(std::string_view flat);

/// The Megatron that reads a split: the main line, or the pull request where several stages have
/// multi-token layers or losses.
const CheckedEngine& megatronOf(const LayerSplit& split);

/// Checks a split as that Megatron does: one E first, L last, all `m` behind all `t`, on stages in
/// a row that are the last chunks of their ranks and not on rank 0; one L, or one for the main
/// model and one for each `m`.
///
/// @param ranks  pipeline-parallel size
/// @error BadValue  names the rule and the stage
Result<void> checkMegatronLayout(const LayerSplit& split, int ranks);

/// The table that Megatron prints of a layout: a row a rank, a column a chunk.
std::vector<std::vector<std::string>> megatronLayoutTable(const LayerSplit& split, int ranks);

} // namespace pw
