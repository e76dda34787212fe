// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/cost/evaluate.h"
#include "core/cost/layer_split.h"

#include <string>
#include <vector>

namespace pw::plan {

/// Megatron's layout text of a split: "Et*2|(tt|)*3tL". Stages are written out first and then
/// compressed; `parseLayout` gives the split back.
std::string layoutText(const std::vector<int>& split);

/// Families that Megatron-LM runs.
std::vector<std::string> megatronFamilies();

/// The command line of Megatron-LM for a configuration, one option a line: what makes the model,
/// how it is trained, and its pipeline. Tokenizer, data and learning rate are the user's.
///
/// @error BadValue  a family that Megatron does not run: anything but 1f1b and interleaved-1f1b; a
///                  group of micro-batches that it refuses
Result<std::string> megatronFlags(const LanguageModel& model, const Configuration& configuration);

/// The order of a configuration as PyTorch's compute-only table.
/// @error BadValue  what the family or the form refuses
Result<std::string> torchTableOf(const LanguageModel& model, const Cluster& cluster,
                                 const Configuration& configuration);

} // namespace pw::plan
