// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/cost/transformer.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pw {

/// Whole numbers that a reader knows beside the fields of `TransformerModel`, by name, and where
/// each goes.
using FurtherNumbers = std::vector<std::pair<std::string_view, int*>>;

/// Reads a model: a JSON object with `"version": 1` and any fields of `TransformerModel` by their
/// names there; what is left out keeps its default. `recompute` is "none", "selective" or "full".
///
/// @error Syntax    not JSON, with the position; an unknown or doubled field or one of another
/// type, with its name
/// @error Version   another version
/// @error BadValue  what `check` refuses; with further numbers, which change what a model means,
///                  nothing is refused so
Result<TransformerModel> parseModel(std::string_view json, const FurtherNumbers& further = {});

/// All fields, one a line; `parseModel` gives the same model back.
std::string modelText(const TransformerModel& model);

/// Reads a model from a file.
/// @error Io  the file cannot be read; else as `parseModel`, with the file's name in front
Result<TransformerModel> readModelFile(const std::string& path, const FurtherNumbers& further = {});

/// The preset, or the one of the `others`, that a person probably meant by a word; empty where none
/// is near.
std::string nearModel(std::string_view word, std::vector<std::string> others);

/// What a person names: a preset, else a file.
/// @error BadValue  neither; lists the presets
Result<TransformerModel> loadModel(const std::string& presetOrPath);

} // namespace pw
